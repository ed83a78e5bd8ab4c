"""Combinations of metrics learned from people: what they find, and what they never see."""

from __future__ import annotations

import numpy as np
import pytest

from material.judged_examples import EXAMPLES
from material.wmt import DATA, needs_data, table
from understudy import UnderstudyError, metric
from understudy.corpus.judgments import read_judgments, read_metric_scores
from understudy.metrics.base.learned_model import LearnedModel
from understudy.scoring.counted_systems import count_systems
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.folds import assigned_folds, numbered
from understudy.trusting.combinations.learning import learn
from understudy.trusting.combinations.linear_methods import METHODS, STRENGTHS, any_method
from understudy.trusting.paired_scores import PairedScores

pytest.importorskip("sklearn")

SYSTEMS = ("a", "b", "c", "d")


def made_up(seed=1, systems=4, documents=12, length=5):
    """Two parts that tell something, one that does not, and the documents."""
    generator = np.random.default_rng(seed)
    parts = generator.normal(50, 10, size=(3, systems, documents * length))
    names = [f"doc {number // length}" for number in range(documents * length)]
    return parts, names, generator


def features_of(parts, names=("bleu", "chrf", "noise")):
    return [Feature(name, scores) for name, scores in zip(names, parts, strict=True)]


def correlation(one, other):
    known = ~np.isnan(one) & ~np.isnan(other)
    return np.corrcoef(one[known], other[known])[0, 1]


# --- what is found --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["ridge", "lasso"])
def test_the_weights_that_made_the_scores_are_found(method):
    parts, documents, generator = made_up(documents=40)
    human = 3 + 0.7 * parts[0] - 0.2 * parts[1] + generator.normal(0, 0.5, parts[0].shape)
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, human), documents, method=method, folds=4)
    per_point = [part.weight / part.scale for part in found.model.parts]
    assert per_point == pytest.approx([0.7, -0.2, 0.0], abs=0.01)
    assert correlation(found.predictions, human) > 0.99
    assert found.model.trained_on.out_of_fold == pytest.approx(
        correlation(found.predictions, human), abs=1e-9
    )
    assert correlation(found.predictions, human) > max(abs(correlation(part, human)) for part in parts)
    assert found.remarks[-1].startswith(("The weight of chrf", "The weights of chrf"))


def test_least_squares_is_what_a_weak_ridge_finds():
    """Beside numpy's own least squares."""
    parts, documents, generator = made_up(documents=40)
    human = 0.7 * parts[0] - 0.2 * parts[1] + generator.normal(0, 0.01, parts[0].shape)
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, human), documents, folds=4)
    assert found.model.strength == 0.0001
    columns = np.column_stack([*(part.ravel() for part in parts), np.ones(parts[0].size)])
    expected = np.linalg.lstsq(columns, human.ravel(), rcond=None)[0]
    assert [part.weight / part.scale for part in found.model.parts] == pytest.approx(expected[:3], abs=1e-3)
    assert found.in_sample.ravel() == pytest.approx(columns @ expected, abs=0.02)


def test_within_segments_hard_segments_teach_nothing():
    """People punish hard segments, of which the second part is proud; within a segment only the first part tells."""
    parts, documents, generator = made_up(documents=40)
    hardness = generator.normal(0, 30, parts.shape[2])
    shown = np.stack([parts[0], parts[1] + hardness])
    human = parts[0] - hardness
    target = Target.of_scores(SYSTEMS, human)
    by_all, within = (
        learn(features_of(shown, ("first", "second")), target, documents, grouping=grouping, folds=4)
        for grouping in ("none", "segment")
    )
    assert by_all.weights["second"] < -10
    assert abs(within.weights["second"]) < 0.1
    assert within.weights["first"] / within.model.parts[0].scale == pytest.approx(1, abs=0.01)
    assert within.model.trained_on.out_of_fold == pytest.approx(1, abs=1e-3)
    assert within.predictions.mean() == pytest.approx(human.mean(), abs=1)


@pytest.mark.parametrize("systems", [3, 4, 6, 7, 12])
def test_what_is_equal_within_segments_weighs_nothing_there(systems):
    """A mean of equal values may be off in its last digit, which is no difference to learn from."""
    generator = np.random.default_rng(3)
    varying = generator.normal(size=(systems, 60))
    shared = np.tile(-np.log1p(generator.integers(1, 200, 60)), (systems, 1))
    target = Target.of_scores(
        list(map(str, range(systems))), varying + shared + generator.normal(size=shared.shape)
    )
    alone = learn([Feature("varying", varying)], target, grouping="segment")
    found = learn([Feature("varying", varying), Feature("shared", shared)], target, grouping="segment")
    assert found.weights == {**alone.weights, "shared": 0.0}
    assert found.predictions == pytest.approx(alone.predictions, rel=1e-12)
    assert found.constant == ("shared",)
    assert "shared has the same score for all translations of a segment: its weight is 0." in found.remarks
    assert learn([Feature("shared", shared)], target).weights["shared"] > 0
    with pytest.raises(UnderstudyError, match="shared gives all translations of a segment the same score"):
        learn([Feature("shared", shared)], target, grouping="segment")
    with pytest.raises(UnderstudyError, match="equal for all translations of a segment"):
        learn(
            [Feature("varying", varying)],
            Target.of_scores(list(map(str, range(systems))), shared),
            grouping="segment",
        )


def test_one_system_has_no_differences_within_segments():
    scores = np.random.default_rng(1).normal(size=(1, 30))
    with pytest.raises(
        UnderstudyError, match="fitted to differences between systems, but only one system has scores"
    ):
        learn([Feature("a", scores)], Target.of_scores(["x"], scores + 1), grouping="segment")


def test_lasso_of_collinear_metrics_is_the_exact_one():
    """By the path of least angles (Efron et al. 2004), which takes no iterations, in any order of the metrics."""
    from sklearn.linear_model import lars_path

    generator = np.random.default_rng(0)
    rows = generator.normal(size=(300, 9))
    rows[:, 1] = rows[:, 0] + 0.02 * generator.normal(size=300)
    rows[:, 2] = rows[:, 0] - 0.03 * rows[:, 1] + 0.01 * generator.normal(size=300)
    target = rows @ generator.normal(size=9) + generator.normal(size=300)
    standard, wanted = ((each - each.mean(axis=0)) / each.std(axis=0) for each in (rows, target))
    order = generator.permutation(9)
    found = any_method("lasso").fit(rows, target, STRENGTHS)
    shuffled = any_method("lasso").fit(rows[:, order], target, STRENGTHS)
    for strength, one, other in zip(STRENGTHS, found, shuffled, strict=True):
        _, _, exact = lars_path(standard, wanted, method="lasso", alpha_min=strength)
        assert one.weights / target.std() == pytest.approx(exact[:, -1], abs=1e-6)
        assert other.weights == pytest.approx(one.weights[order], abs=1e-6)


def test_metrics_that_weigh_nothing_are_not_saved(tmp_path):
    generator = np.random.default_rng(5)
    useful, useless = generator.normal(size=(2, 4, 60))
    features = [Feature("bleu", useful, metric("bleu")), Feature("chrf", useless, metric("chrf"))]
    found = learn(features, Target.of_scores(list("abcd"), useful + 0.1 * useless.mean()), method="lasso")
    assert found.weights["chrf"] == 0
    found.model.save(tmp_path / "model.json")
    assert [part.spec for part in LearnedModel.load(tmp_path / "model.json").parts] == ["bleu"]


@pytest.mark.parametrize("method", ["svm", "logistic"])
def test_people_are_told_from_machines(method):
    parts, documents, _ = made_up(documents=20)
    parts[0, 3] += 25  # the human translation matches the reference better, as far as the first part sees
    target = Target.human_or_machine(SYSTEMS, ["d"], parts.shape[2])
    found = learn(features_of(parts), target, documents, method=method, folds=4)
    assert found.weights["bleu"] > 5 * max(abs(found.weights["chrf"]), abs(found.weights["noise"]))
    right = (found.predictions > 0) == (target.values > 0)
    expected = (right[3].mean() + right[:3].mean()) / 2
    assert found.model.trained_on.out_of_fold == pytest.approx(expected)
    assert 0.85 < expected < 0.95  # two normal distributions, 2.5 deviations apart: 0.894
    assert (found.model.trained_on.kind, found.model.trained_on.measure) == ("human-or-machine", "d")


# --- what is never seen ---------------------------------------------------------------------------------------


def one_column_for_each_document(documents, systems=2):
    """Parts that know documents by heart: with them, every document's score can be learned, and no other's."""
    numbers = numbered(documents)
    return [
        Feature(f"is {document}", np.tile(np.where(numbers == document, 1.0, 0.0), (systems, 1)))
        for document in range(numbers.max() + 1)
    ]


def test_predictions_are_of_documents_that_were_not_seen():
    """Scores that are noise of documents can be learned by heart and not predicted."""
    generator = np.random.default_rng(3)
    documents = [f"{number // 8}" for number in range(240)]
    noise = generator.normal(size=30)[numbered(documents)]
    human = np.tile(noise, (2, 1)) + generator.normal(0, 0.1, (2, 240))
    target, features = Target.of_scores(("a", "b"), human), one_column_for_each_document(documents)
    honest = learn(features, target, documents, folds=4)
    assert honest.model.trained_on.out_of_fold < 0.1
    # As if segments were documents of their own: what was learned by heart is asked for.
    fooled = learn(features, target, None, folds=4)
    assert fooled.model.trained_on.out_of_fold > 0.9
    assert fooled.model.trained_on.by == "segment"
    assert any("Without document labels" in remark for remark in fooled.remarks)
    assert not any("Without document labels" in remark for remark in honest.remarks)


def test_each_fold_is_predicted_from_the_others():
    """Other scores in a document change what predicts all other documents, and of its own only the scale, which is that
    of the whole.
    """
    parts, documents, generator = made_up()
    human = parts[0] + generator.normal(0, 5, parts[0].shape)
    features = features_of(parts)
    before = learn(features, Target.of_scores(SYSTEMS, human), documents, folds=4)
    fold = before.folds[0]
    held_out = np.isin(documents, fold.documents)
    changed = np.where(held_out, -human, human)
    after = learn(features, Target.of_scores(SYSTEMS, changed), documents, folds=4)
    assert after.folds[0].documents == fold.documents
    assert after.folds[0] == fold
    own, others = (
        correlation(after.predictions[:, chosen], before.predictions[:, chosen])
        for chosen in (held_out, ~held_out)
    )
    assert own == pytest.approx(1, abs=1e-12)
    assert others < 0.999


def test_folds_are_a_partition_of_documents():
    parts, documents, _ = made_up(documents=13)
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, parts[0]), documents, folds=4)
    assert sorted(name for fold in found.folds for name in fold.documents) == sorted(set(documents))
    assert sum(fold.translations for fold in found.folds) == parts[0].size
    assert len(found.folds) == found.model.trained_on.folds == 4
    few = learn(features_of(parts), Target.of_scores(SYSTEMS, parts[0]), documents, folds=100)
    assert [len(fold.documents) for fold in few.folds] == [1] * 13


def test_folds_are_as_even_as_documents_let_them_be():
    generator = np.random.default_rng(5)
    weights = generator.integers(0, 30, size=200)
    fold_of = assigned_folds(weights, 10, [7])
    load = np.bincount(fold_of, weights, 10)
    assert load.max() - load.min() <= 30
    assert not np.array_equal(fold_of, assigned_folds(weights, 10, [8]))
    assert np.bincount(assigned_folds(np.array([5, 1, 1, 0, 0]), 3, [1])[:3]).tolist() == [1, 1, 1]


# --- the same digits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "grouping"), [*((method.name, "none") for method in METHODS), ("ridge", "segment")]
)
def test_the_order_of_systems_and_segments_does_not_show(method, grouping):
    parts, documents, generator = made_up(documents=6)
    of_labels = method in ("svm", "logistic")
    human = parts[0] + generator.normal(0, 20, parts[0].shape)

    def learned(systems, segments):
        names = [SYSTEMS[system] for system in systems]
        chosen = np.ix_(systems, segments)
        target = (
            Target.human_or_machine(names, ["c"], len(segments))
            if of_labels
            else Target.of_scores(names, human[chosen])
        )
        features = features_of([part[chosen] for part in parts])
        ordered = [documents[segment] for segment in segments]
        return learn(features, target, ordered, method=method, grouping=grouping, folds=3)

    straight = learned([0, 1, 2, 3], range(30))
    again = learned([0, 1, 2, 3], range(30))
    assert again.model.text() == straight.model.text()
    assert again.predictions.tobytes() == straight.predictions.tobytes()
    systems, segments = [2, 0, 3, 1], generator.permutation(30)
    turned = learned(systems, segments)
    assert turned.model.text() == straight.model.text()
    assert turned.predictions.tolist() == straight.predictions[np.ix_(systems, segments)].tolist()


def test_the_seed_deals_the_documents():
    parts, documents, generator = made_up()
    target = Target.of_scores(SYSTEMS, parts[0] + generator.normal(0, 5, parts[0].shape))
    one, other = (learn(features_of(parts), target, documents, folds=3, seed=seed) for seed in (1, 2))
    assert [fold.documents for fold in one.folds] != [fold.documents for fold in other.folds]
    assert one.model.parts[0].mean == other.model.parts[0].mean


def test_progress_is_told_of_every_fold_and_of_the_model():
    parts, documents, _ = made_up(documents=5)
    told: list[int] = []
    learn(features_of(parts), Target.of_scores(SYSTEMS, parts[0]), documents, progress=told.append)
    assert told == [1] * 6


# --- gaps -----------------------------------------------------------------------------------------------------


def test_what_lacks_a_part_has_no_prediction_and_what_was_not_judged_has_one():
    parts, documents, generator = made_up()
    human = parts[0] + parts[1] + generator.normal(0, 1, parts[0].shape)
    human[0, :30] = np.nan
    parts[1, 2, 7] = parts[0, 2, 7] = parts[2, 1, 50] = np.nan
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, human, "mqm"), documents, folds=4)
    lacking = np.argwhere(np.isnan(found.predictions)).tolist()
    assert lacking == np.argwhere(np.isnan(found.in_sample)).tolist() == [[1, 50], [2, 7]]
    assert found.lacking == {"bleu": 1, "chrf": 1, "noise": 1, "mqm": 30}
    assert found.model.trained_on.translations == 240 - 30 - 2
    assert "2 translations lack a score of one of the metrics and have no learned score." in found.remarks
    # The unjudged are predicted as well as others.
    truth = parts[0] + parts[1]
    assert correlation(found.predictions[0, :30], truth[0, :30]) > 0.99


def test_documents_that_nobody_judged_are_predicted():
    parts, documents, _ = made_up(documents=6)
    human = parts[0].copy()
    human[:, 10:] = np.nan
    human[:, 12] = parts[0][:, 12]
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, human), documents)
    assert found.model.trained_on.documents == len(found.folds) == 3
    assert not np.isnan(found.predictions).any()
    assert all(fold.translations for fold in found.folds)


def test_a_part_that_never_varies_weighs_nothing():
    parts, documents, _ = made_up()
    parts[2] = 0.1
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, parts[0]), documents, folds=4)
    assert found.constant == ("noise",)
    assert (found.weights["noise"], found.model.parts[2].scale) == (0.0, 1.0)
    assert "noise has the same score for all translations: its weight is 0." in found.remarks
    # Where it varies in one document only, the others say nothing about it.
    parts[2, 0, :5] = 1000.0
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, parts[0]), documents, folds=4)
    fold = next(fold for fold in found.folds if "doc 0" in fold.documents)
    assert fold.weights["noise"] == 0.0
    assert correlation(found.predictions, parts[0]) > 0.99


def test_lasso_keeps_a_part_where_none_helps():
    """By cross-validation noise deserves weights of 0, which would leave nothing to be correlated."""
    parts, documents, generator = made_up()
    human = generator.normal(size=parts[0].shape)
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, human), documents, method="lasso", folds=4)
    assert [weight != 0 for weight in found.weights.values()].count(True) == 1
    assert all(any(fold.weights.values()) for fold in found.folds)
    assert any("the mean predicts" in remark for remark in found.remarks)
    human += parts[0]
    helped = learn(features_of(parts), Target.of_scores(SYSTEMS, human), documents, method="lasso", folds=4)
    assert not any("the mean predicts" in remark for remark in helped.remarks)


def test_a_part_that_varies_by_too_little_for_floats_weighs_nothing():
    parts, documents, _ = made_up()
    parts[2] *= 1e-200
    found = learn(features_of(parts), Target.of_scores(SYSTEMS, parts[0]), documents, folds=4)
    assert abs(found.weights["noise"]) < 1e-100
    assert correlation(found.predictions, parts[0]) > 0.99


@pytest.mark.parametrize("method", ["svm", "logistic"])
def test_a_part_that_never_varies_has_exactly_no_weight(method):
    """The support vector machine's solver says 1e-34."""
    parts, documents, _ = made_up()
    parts[2] = 0.1
    target = Target.human_or_machine(SYSTEMS, ["d"], len(documents))
    found = learn(features_of(parts), target, documents, method=method, folds=4)
    assert found.weights["noise"] == 0.0


def test_a_negative_weight_of_an_error_rate_is_explained_by_what_is_better():
    """Of TER fewer edits are better. Where people like edits, its weight is below 0."""
    files = {name: EXAMPLES / f"{name}.en" for name in ("system-weak", "system-strong")}
    counted = count_systems(files, [EXAMPLES / "reference-1.en"], ["ter"])
    features, edits = [Feature.of_evidence(counted.evidence[0])], counted.evidence[0].segment_scores
    said = "The weight of ter is negative: given the other metrics, a better score by it counts against a translation."
    for human, remarks in ((edits, [said]), (-edits, [])):
        found = learn(
            features, Target.of_scores(list(files), human), [f"{number // 10}" for number in range(60)]
        )
        assert found.remarks == remarks


# --- real data ------------------------------------------------------------------------------------------------


def arranged(scores, systems, segments):
    """[systems, segments], NaN where there is no score."""
    found = np.full((len(systems), segments), np.nan)
    for row, system in enumerate(systems):
        if system in scores.systems:
            found[row, np.array(scores.segments) - 1] = scores.scores[scores.systems.index(system)]
    return found


@needs_data
def test_a_combination_comes_closer_to_people_than_its_parts():
    """MQM of WMT 2023, Chinese to English, and the published scores of four metrics."""
    folder = DATA / "wmt23.zh-en"
    documents = [row["doc"] for row in table(folder / "docs.tsv")]
    people = read_judgments(folder / "human.mqm.seg.tsv.gz")
    published = read_metric_scores(folder / "auto.seg.tsv.gz")
    systems = [name for name in people.systems if name in published["BLEU-refA"].systems]
    human = arranged(people, systems, len(documents))
    features = [
        Feature(name, arranged(scores, systems, len(documents))) for name, scores in published.items()
    ]
    # Within segments nothing is gained beside BERTScore, and nothing is lost.
    for grouping, gain in (("none", 0.03), ("segment", -0.002)):

        def pearson(scores, grouping=grouping):
            pairing = PairedScores(tuple(systems), human, scores)
            return agreement(pairing, CoefficientSpec("pearson", "segment", grouping)).value

        found = learn(
            features, Target.of_scores(systems, human, "mqm"), documents, grouping=grouping, folds=5
        )
        best = max(pearson(feature.scores) for feature in features)
        assert found.model.trained_on.out_of_fold == pytest.approx(pearson(found.predictions), abs=1e-9)
        assert pearson(found.predictions) > best + gain


@needs_data
def test_people_are_hard_to_tell_from_the_machines_of_2021():
    """English to German: two human translations and 20 systems against a third."""
    folder = DATA / "wmt21.en-de"
    documents = [row["doc"] for row in table(folder / "docs.tsv")]
    files = {path.name.removesuffix(".txt.gz"): path for path in sorted((folder / "systems").iterdir())}
    files |= {name: folder / f"{name}.txt" for name in ("refC", "refD")}
    counted = count_systems(files, [folder / "refA.txt"], ["bleu", "chrf", "wer"])
    features = [Feature.of_evidence(evidence) for evidence in counted.evidence]
    target = Target.human_or_machine(list(files), ["refC", "refD"], counted.segments)
    found = learn(features, target, documents, folds=5)
    assert 0.51 < found.model.trained_on.out_of_fold < 0.6
