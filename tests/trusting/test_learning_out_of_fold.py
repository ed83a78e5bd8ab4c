"""Out-of-fold predictions of a learned combination: on one scale, and 0 on average where there is nothing to learn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from learning_simulations import agreement_of_three_systems, agreement_with_permuted_scores

from understudy.trusting.combinations.cross_fitting import GROUPINGS, fitted_without
from understudy.trusting.combinations.features import HUMAN, MACHINE, Feature, Target
from understudy.trusting.combinations.folds import numbered
from understudy.trusting.combinations.learning import learn

pytest.importorskip("sklearn")

SYSTEMS = ("a", "b", "c", "d")
DOCUMENTS = [f"{number // 4}" for number in range(48)]


def parts_of(generator):
    """Three metrics that see much the same, with easier and harder documents and segments."""
    shape = (len(SYSTEMS), len(DOCUMENTS))
    common = generator.normal(size=shape) + generator.normal(size=shape[1])
    common += generator.normal(size=12)[numbered(DOCUMENTS)]
    return 50 + 10 * (common + generator.normal(0, 0.6, size=(3, *shape)))


def learned(parts, human, **options):
    features = [Feature(f"metric {number}", part) for number, part in enumerate(parts)]
    return learn(features, Target.of_scores(SYSTEMS, human), DOCUMENTS, folds=4, **options)


def correlation(one, other):
    return np.corrcoef(one.ravel(), other.ravel())[0, 1]


def test_a_combination_of_one_metric_agrees_as_the_metric_does():
    """Its only weight is positive in every fold: whatever it is there, translations come in the metric's order."""
    generator = np.random.default_rng(1)
    part = parts_of(generator)[:1]
    human = 0.05 * part[0] + generator.normal(0, 1, part[0].shape)
    found = learned(part, human)
    assert correlation(found.predictions, part[0]) == pytest.approx(1, abs=1e-12)
    assert found.model.trained_on.out_of_fold == pytest.approx(correlation(part[0], human), abs=1e-11)


def test_only_directions_differ_between_folds():
    """Beside numpy's own ridge regression in each fold and half of the systems, brought to the mean and the deviation
    of the model's scores.
    """
    generator = np.random.default_rng(2)
    parts = parts_of(generator)
    human = parts[0] - 0.8 * parts[1] + generator.normal(0, 10, parts[0].shape)
    found = learned(parts, human)
    rows = parts.reshape(3, -1).T
    names, systems = np.tile(DOCUMENTS, len(SYSTEMS)), np.repeat(SYSTEMS, len(DOCUMENTS))
    expected = np.empty(len(rows))
    for fold, half in itertools.product(found.folds, (("a", "c"), ("b", "d"))):
        its_documents, its_systems = np.isin(names, fold.documents), np.isin(systems, half)
        held_out, learned_from = its_documents & its_systems, ~its_documents & ~its_systems
        seen, wanted = rows[learned_from], human.ravel()[learned_from]
        standardized = (seen - seen.mean(axis=0)) / seen.std(axis=0)
        penalty = fold.strength * len(seen) * np.eye(3)
        weights = np.linalg.solve(
            standardized.T @ standardized + penalty, standardized.T @ (wanted - wanted.mean())
        )
        direction = (rows - rows.mean(axis=0)) @ (weights / seen.std(axis=0))
        expected[held_out] = (direction / direction.std())[held_out]
    scores = found.in_sample
    assert found.predictions.ravel() == pytest.approx(scores.mean() + scores.std() * expected, rel=1e-9)


def test_scores_of_another_unit_give_the_same_agreement():
    generator = np.random.default_rng(3)
    parts = parts_of(generator)
    human = parts[0] + generator.normal(0, 20, parts[0].shape)
    one, other = learned(parts, human), learned(parts, 1e6 * human - 1e9)
    assert correlation(one.predictions, other.predictions) == pytest.approx(1, abs=1e-9)


def average(learn_from, repetitions):
    """Of what is measured out of fold, and its standard error."""
    generators = (np.random.default_rng([4, number]) for number in range(repetitions))
    found = [learn_from(generator).model.trained_on.out_of_fold for generator in generators]
    return np.mean(found), np.std(found, ddof=1) / np.sqrt(repetitions)


@pytest.mark.parametrize("method", ["ridge", "lasso"])
def test_permuted_scores_have_no_correlation(method):
    """Folds with intercepts and strengths of their own gave -0.1."""

    def permuted(generator):
        parts = parts_of(generator)
        return learned(parts, generator.permuted(parts[0] ** 2, axis=None), method=method)

    mean, error = average(permuted, 40)
    assert abs(mean) < 2 * error < 0.04


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_permuted_scores_say_nothing_of_systems(grouping):
    """Metrics that favor systems: weights that saw the same systems in other documents gave 0.11 over systems."""
    values = agreement_with_permuted_scores(16, grouping, 60)
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0)) < 2 * errors).all()
    assert errors.max() < 0.05


def test_two_systems_within_segments_are_predicted_from_other_documents():
    """One system alone has no differences within segments."""
    generator = np.random.default_rng(8)
    parts = parts_of(generator)[:, :2]
    human = parts[0] + generator.normal(0, 1, parts[0].shape)
    features = [Feature(f"metric {number}", part) for number, part in enumerate(parts)]
    found = learn(features, Target.of_scores(("a", "b"), human), DOCUMENTS, folds=4, grouping="segment")
    assert not found.systems_left_out
    assert found.model.trained_on.out_of_fold > 0.9


def test_three_systems_within_segments_are_predicted_from_each_other():
    """Weights that saw the same systems in other documents gave 0.86."""
    values = agreement_of_three_systems(60)
    error = values.std(ddof=1) / np.sqrt(len(values))
    assert abs(values.mean()) < 2 * error < 0.25


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("judged_once", [(1,), (1, 3), (0, 1)])
def test_systems_with_too_few_human_scores_are_not_left_out(judged_once, grouping):
    """From them alone, nothing could be learned about the others."""
    generator = np.random.default_rng(11)
    parts = parts_of(generator)
    human = parts[0] + generator.normal(0, 1, parts[0].shape)
    human[np.ix_(judged_once, range(1, len(DOCUMENTS)))] = np.nan
    found = learned(parts, human, grouping=grouping)
    assert not np.isnan(found.predictions).any()
    halves = {number % 2 for number in range(len(SYSTEMS)) if number not in judged_once}
    assert found.systems_left_out is (grouping == "none" and halves == {0, 1})
    said = fitted_without(found.model.trained_on, systems_left_out=found.systems_left_out)
    assert ("coefficients are too high" in said) is not found.systems_left_out


def test_systems_without_a_score_of_some_metric_are_no_group():
    """Every second system of four has none: the others are predicted from each other."""
    generator = np.random.default_rng(10)
    parts = parts_of(generator)
    human = parts[0] + generator.normal(0, 1, parts[0].shape)
    parts[1, [1, 3]] = np.nan
    found = learned(parts, human)
    kept = parts[:, [0, 2]]
    features = [Feature(f"metric {number}", part) for number, part in enumerate(kept)]
    alone = learn(features, Target.of_scores(("a", "c"), human[[0, 2]]), DOCUMENTS, folds=4)
    assert found.systems_left_out
    assert found.predictions[[0, 2]] == pytest.approx(alone.predictions, rel=1e-12)
    assert np.isnan(found.predictions[[1, 3]]).all()


def test_noise_of_documents_has_no_correlation():
    """Folds with intercepts and strengths of their own gave -0.57: a document of high scores leaves low ones."""

    def of_documents(generator):
        parts = parts_of(generator)
        noise = generator.normal(size=12)[numbered(DOCUMENTS)]
        return learned(parts, noise + generator.normal(0, 0.1, parts[0].shape))

    mean, error = average(of_documents, 40)
    assert abs(mean) < 2 * error < 0.1


def test_permuted_labels_are_guessed():
    """The human translation of each segment is any of the four."""

    def permuted(generator):
        parts = parts_of(generator)
        labels = np.full(parts[0].shape, MACHINE)
        labels[generator.integers(0, len(SYSTEMS), labels.shape[1]), np.arange(labels.shape[1])] = HUMAN
        features = [Feature(f"metric {number}", part) for number, part in enumerate(parts)]
        target = Target(SYSTEMS, labels, "any", labels=True)
        return learn(features, target, DOCUMENTS, folds=4)

    mean, error = average(permuted, 20)
    assert abs(mean - 0.5) < 2 * error < 0.05


@pytest.mark.parametrize("method", ["svm", "logistic"])
def test_balanced_accuracy_is_the_mean_of_two_shares_out_of_fold(method):
    """Counted by hand, and as scikit-learn counts it."""
    from sklearn.metrics import balanced_accuracy_score

    generator = np.random.default_rng(5)
    parts = parts_of(generator)
    parts[0, 3] += 12
    target = Target.human_or_machine(SYSTEMS, ["d"], len(DOCUMENTS))
    features = [Feature(f"metric {number}", part) for number, part in enumerate(parts)]
    found = learn(features, target, DOCUMENTS, method=method, folds=4)
    taken_for_human = found.predictions > 0
    people, machines = taken_for_human[3].sum(), (~taken_for_human[:3]).sum()
    assert found.model.trained_on.out_of_fold == pytest.approx((people / 48 + machines / 144) / 2, abs=1e-12)
    assert found.model.trained_on.out_of_fold == pytest.approx(
        balanced_accuracy_score((target.values > 0).ravel(), taken_for_human.ravel()), abs=1e-12
    )
