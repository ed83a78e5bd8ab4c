"""Weights of n-grams, headword chains and subtrees learned from people: what they find, and what they refuse."""

from __future__ import annotations

import builtins
import itertools
import json
from typing import Any

import numpy as np
import pytest
from feature_simulations import MadeUp, permuted_rounds, planted_rounds

from material.judged_examples import EXAMPLES, JUDGMENTS, REFERENCE, SYSTEMS, written
from material.wmt import DATA, needs_data
from understudy import Corpus, FeatureSettings, UnderstudyError, metric, score, trust
from understudy.metrics.base.feature_model import FeatureModel
from understudy.metrics.learned_features import feature_source
from understudy.report.agreements import render
from understudy.report.trust_report import trust_report
from understudy.trusting.combinations.cross_fitting import GROUPINGS
from understudy.trusting.combinations.features import Target
from understudy.trusting.combinations.folds import numbered
from understudy.trusting.combinations.score_rows import centered
from understudy.trusting.feature_weights.learning import learn_features
from understudy.trusting.feature_weights.sparse_methods import SPARSE_METHODS, sparse_method
from understudy.trusting.feature_weights.training_features import TrainingFeatures

pytest.importorskip("sklearn", reason="learning needs scikit-learn")

DOCUMENTS = [line.split("\t")[1] for line in (EXAMPLES / "documents.tsv").read_text().splitlines()[1:]]
ASKED: dict[str, Any] = {
    "measure": "adequacy",
    "samples": 50,
    "level": "segment",
    "coefficients": ("pearson:none", "pearson:segment"),
}


def learned(kind: Any = "ngrams", systems: Any = SYSTEMS, metrics: Any = ("bleu",), **options: Any) -> Any:
    return trust(
        JUDGMENTS,
        systems,
        REFERENCE,
        metrics,
        learn_features=kind,
        **{"documents": DOCUMENTS, **ASKED, **options},
    )


# --- what is found --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_planted_weights_are_found_and_gain(grouping):
    found, pooled, within = planted_rounds(4, grouping, 2).mean(axis=0)
    assert found == 1
    assert (pooled, within) == (1, 1)


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_permuted_scores_have_no_correlation_and_no_gain(grouping):
    values = permuted_rounds(4, grouping, 8)[:, :2]
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0)) < 3 * errors).all()
    assert errors.max() < 0.06


def training(made_up: MadeUp, settings: FeatureSettings) -> tuple[TrainingFeatures, Any]:
    corpus = Corpus.of_texts(
        {name: list(map(" ".join, text)) for name, text in made_up.systems.items()},
        list(map(" ".join, made_up.references)),
    )
    plain = metric("bleu:tokenize=none,max_order=2")
    features = TrainingFeatures.of(
        feature_source(plain),
        corpus,
        list(made_up.systems),
        np.arange(len(corpus)),
        document_of=numbered(settings.documents),
        settings=settings,
    )
    return features, plain


def test_weights_and_scores_are_those_of_dense_ridge_regression():
    """In every fold and half of the systems: numpy's own solution, brought to the mean and deviation of the model."""
    made_up = MadeUp.of(np.random.default_rng(2), 4)
    documents = [f"{number // 6}" for number in range(120)]
    settings = FeatureSettings("ngrams", documents=documents)
    features, plain = training(made_up, settings)
    human = made_up.planted() + np.random.default_rng(3).normal(0, 0.3, (4, 120))
    target = Target.of_scores(list(made_up.systems), human)
    found = learn_features(features, plain, target, settings, folds=4, seed=1)
    rows, wanted = features.matrix.toarray(), human.ravel()

    def ridge(which: Any, strength: float) -> Any:
        seen, scores = rows[which] - rows[which].mean(axis=0), wanted[which]
        size = np.sqrt((seen**2).sum() / len(seen))
        penalty = strength * len(seen) * np.eye(rows.shape[1])
        standardized = (scores - scores.mean()) / scores.std()
        return (
            np.linalg.solve((seen / size).T @ (seen / size) + penalty, (seen / size).T @ standardized) / size
        )

    model = found.model
    everything = ridge(np.ones(len(rows), dtype=bool), model.strength)
    weights = np.concatenate([np.ravel(model.orders), np.zeros(len(features.buckets))])
    weights[model.orders_fitted + np.searchsorted(features.buckets, model.buckets)] = model.weights
    assert weights == pytest.approx(everything, abs=1e-3 * np.abs(everything).max())
    texts = [list(map(" ".join, text)) for text in made_up.systems.values()]
    assert model.score(
        model.standardized(
            features.source.features(
                Corpus.of_texts({"a": texts[0]}, list(map(" ".join, made_up.references)))["a"],
                features.corpus.references,
                1,
            )
        )
    ) == pytest.approx(found.in_sample[0], abs=1e-4)
    names, systems = np.tile(documents, 4), np.repeat(np.arange(4), 120)
    fold_of = dict(
        itertools.chain.from_iterable(
            ((name, number) for name in fold) for number, fold in enumerate(found.folds)
        )
    )
    folds = np.array([fold_of[name] for name in names])
    expected = np.empty(len(rows))
    for fold, half in itertools.product(range(4), range(2)):
        test = (folds == fold) & (systems % 2 == half)
        direction = (rows - rows.mean(axis=0)) @ ridge(
            (folds != fold) & (systems % 2 != half), found.strengths[fold]
        )
        expected[test] = (direction / direction.std())[test]
    scale = found.in_sample.std()
    assert found.predictions.ravel() == pytest.approx(
        found.in_sample.mean() + scale * expected, abs=2e-3 * scale
    )


@pytest.mark.parametrize("method", [each.name for each in SPARSE_METHODS])
def test_methods_are_scikit_learns(method):
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import Lasso, Ridge

    generator = np.random.default_rng(4)
    rows = generator.random((80, 30)) * (generator.random((80, 30)) < 0.2)
    target = rows @ generator.normal(size=30) + generator.normal(0, 0.1, 80)
    (found,) = sparse_method(method).fit(csr_matrix(rows), target, [0.01])
    size = np.sqrt(((rows - rows.mean(axis=0)) ** 2).sum() / 80)
    wanted = (target - target.mean()) / target.std()
    model = Ridge(alpha=0.8) if method == "ridge" else Lasso(alpha=0.01, tol=1e-8)
    expected = model.fit(rows / size, wanted).coef_ * target.std() / size
    assert found.weights == pytest.approx(expected, abs=0.005 * np.abs(expected).max())
    values = found(csr_matrix(rows))
    assert values == pytest.approx(target.mean() + (rows - rows.mean(axis=0)) @ found.weights)


def test_sparse_rows_are_centered_as_dense_ones_are():
    from scipy.sparse import csr_matrix

    generator = np.random.default_rng(5)
    rows = generator.random((20, 6)) * (generator.random((20, 6)) < 0.5)
    segment = generator.integers(0, 7, 20)
    assert centered(csr_matrix(rows), segment).toarray() == pytest.approx(centered(rows, segment), abs=1e-15)


def test_the_same_data_give_the_same_file_in_any_order():
    one, other = learned(), learned(systems=list(reversed(SYSTEMS)), threads=3)
    assert one.feature_learning.model.text() == other.feature_learning.model.text()


def test_what_was_learned_is_a_metric_and_is_reported(tmp_path):
    found = learned(metrics=["chrf", "bleu:lowercase=true,max_order=2"])
    assert [each.name for each in found.metrics] == ["chrF", "BLEU", "learned (ngrams)"]
    model = found.feature_learning.model
    assert model.metric.spec == "bleu:lowercase=true,max_order=2"
    model.save(tmp_path / "m.json")
    scores = score(SYSTEMS, REFERENCE, [f"learned-features:model={tmp_path / 'm.json'}"])
    mean = dict(zip(found.systems, found.feature_learning.in_sample.mean(axis=1), strict=True))
    for system in scores.systems:
        assert system.scores[0].value == pytest.approx(mean[system.name], abs=1e-5)
    for gain in found.gains:
        values = [found.metrics[place].of(gain.asked).value for place in (2, 1)]
        assert (gain.better, gain.plain) == tuple(values)
        assert gain.difference == values[0] - values[1]
        assert (gain.interval.low <= 0 <= gain.interval.high) == (gain.p_value > 0.05)
    shown, page = render(found), trust_report([found])
    assert "gain over BLEU" in shown
    assert f"{model.fitted.features:,} distinct features occur" in shown
    assert 'unigram "the" matched' in shown
    assert "Learned feature weights" in page
    data = json.loads(render(found, "json"))["measures"][0]["learned_features"]
    assert data["gains"][0]["difference"] == found.gains[0].difference
    assert data["digest"] == FeatureModel.load(tmp_path / "m.json").digest


def test_counts_of_what_was_fitted_are_those_of_the_text():
    made_up = MadeUp.of(np.random.default_rng(6), 2)
    for bits, documents in itertools.product((8, 28), (1, 4)):
        settings = FeatureSettings(
            "ngrams", bits=bits, min_documents=documents, documents=[f"{n // 6}" for n in range(120)]
        )
        features, _ = training(made_up, settings)
        found: dict[int, set[str]] = {}
        distinct = set()
        for name in made_up.systems:
            counted = features.source.features(features.corpus[name], features.corpus.references, 1)
            for place, hashed in zip(counted.segment.tolist(), counted.ids.tolist(), strict=True):
                found.setdefault(hashed % 2**bits, set()).add(settings.documents[place])
                distinct.add(hashed)
        used = {bucket for bucket, of_bucket in found.items() if len(of_bucket) >= documents}
        members = [sum(hashed % 2**bits == bucket for hashed in distinct) for bucket in used]
        fitted = features.fitted(np.ones(len(used)))
        assert fitted.features == len(distinct)
        assert features.buckets.tolist() == sorted(used)
        assert fitted.in_buckets == sum(members)
        assert fitted.sharing == sum(count for count in members if count > 1)


def test_parts_of_trees_are_learned():
    hwcm = metric("hwcm")
    if hwcm.missing:
        pytest.skip(hwcm.missing)
    chains = learned("chains", metrics=["hwcm"])
    assert [each.name for each in chains.metrics] == ["HWCM", "learned (chains)"]
    assert chains.feature_learning.model.metric.of_input["trees"]
    subtrees = learned("subtrees", metrics=["dstm:max_depth=2"])
    assert subtrees.feature_learning.plain == "DSTM"
    assert "subtree of depth" in render(subtrees)


def test_the_plain_metric_is_added_if_it_is_missing():
    assert [each.name for each in learned(metrics=["chrf"]).metrics] == ["chrF", "BLEU", "learned (ngrams)"]


def test_lasso_leaves_fewer_weights():
    ridge, lasso = learned(), learned(FeatureSettings("ngrams", method="lasso", documents=DOCUMENTS))
    assert lasso.feature_learning.model.fitted.non_zero < ridge.feature_learning.model.fitted.non_zero
    assert learned(learn="lasso").feature_learning.model.text() == lasso.feature_learning.model.text()


# --- hostile input --------------------------------------------------------------------------------------------


def test_unlabeled_documents_and_one_system_are_said():
    alone = learned(systems=SYSTEMS[:1], documents=None, coefficients=("pearson:none",))
    assert any("Without document labels" in note for note in alone.notes)
    assert any("but others of the same systems" in note for note in alone.notes)


def test_buckets_in_too_few_documents_leave_the_orders():
    found = learned(FeatureSettings("ngrams", min_documents=100, documents=DOCUMENTS))
    assert found.feature_learning.model.fitted.buckets == 0
    assert found.feature_learning.model.largest == ()
    assert "effect" in render(found)


def tiny(tmp_path: Any, scores: str, segments: int = 3) -> Any:
    systems = {}
    for name in "ab":
        systems[name] = written(tmp_path / name, "".join(f"{name} word {n}\n" for n in range(segments)))
    reference = written(tmp_path / "ref", "a word\n" * segments)
    human = written(tmp_path / "h.tsv", "system\tseg\tscore\n" + scores)
    return human, systems, [reference]


def test_three_segments_are_enough_to_fit(tmp_path):
    scores = "".join(f"{name}\t{n + 1}\t{n + (name == 'a')}\n" for name in "ab" for n in range(3))
    human, systems, references = tiny(tmp_path, scores)
    found = trust(human, systems, references, learn_features="ngrams", level="segment", samples=20)
    assert found.feature_learning.model.trained_on.translations == 6


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ("".join(f"{name}\t{n}\t7\n" for name in "ab" for n in (1, 2, 3)), "is 7 for all 6 translations"),
        ("a\t1\t1\na\t2\t2\nb\t1\t1\nb\t2\t3\n", "expected at least 3 for cross-validation by document"),
        ("a\t1\t1\nb\t1\t2\n", "expected at least 3 for cross-validation"),
    ],
)
def test_too_little_is_one_line(tmp_path, scores, said):
    human, systems, references = tiny(tmp_path, scores)
    with pytest.raises(UnderstudyError, match=said) as error:
        trust(human, systems, references, learn_features="ngrams", level="segment", samples=20)
    assert "\n" not in str(error.value)


def test_bad_settings_are_one_line():
    with pytest.raises(UnderstudyError, match=r"learn_features.*expected ngrams, chains"):
        FeatureSettings("words")
    with pytest.raises(UnderstudyError, match="'svm' cannot fit feature weights: expected ridge or lasso"):
        FeatureSettings("ngrams", method="svm")
    with pytest.raises(UnderstudyError, match="bits"):
        FeatureSettings("ngrams", bits=40)
    with pytest.raises(UnderstudyError, match="min_documents"):
        FeatureSettings("ngrams", min_documents=0)
    with pytest.raises(UnderstudyError, match="Give one"):
        learned(FeatureSettings("ngrams"), learn="ridge")
    with pytest.raises(UnderstudyError, match="grouping"):
        learned(FeatureSettings("ngrams", grouping="item", documents=DOCUMENTS))


def test_system_scores_are_not_enough(tmp_path):
    human = written(tmp_path / "h.tsv", "system\tscore\nsystem-weak.en\t1\nsystem-strong.en\t2\n")
    with pytest.raises(UnderstudyError, match="need human scores of segments"):
        trust(human, SYSTEMS, REFERENCE, learn_features="ngrams")


def test_scikit_learn_is_named(monkeypatch):
    imported = builtins.__import__

    def without(name, *args, **options):
        if name.partition(".")[0] == "sklearn":
            raise ImportError(name)
        return imported(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UnderstudyError, match=r"learned feature weights need scikit-learn: pip install"):
        learned()


# --- real data ------------------------------------------------------------------------------------------------


@needs_data
def test_the_figures_of_the_guide():
    """WMT21 English-German: docs/guide/trust-features.md."""
    folder = DATA / "wmt21.en-de"
    documents = [line.split("\t")[1] for line in (folder / "docs.tsv").read_text().splitlines()[1:]]
    found = trust(
        folder / "human.mqm.seg.tsv.gz",
        sorted((folder / "systems").iterdir()),
        [folder / "refA.txt"],
        documents=documents,
        learn_features="ngrams",
        coefficients=("pearson:none", "pearson:segment"),
        level="segment",
        samples=100,
    )
    model = found.feature_learning.model
    assert (model.fitted.features, model.trained_on.translations) == (252736, 4216)
    shown = [(f"{gain.plain:.3f}", f"{gain.better:.3f}") for gain in found.gains]
    assert shown == [("0.087", "0.114"), ("0.064", "0.044")]
