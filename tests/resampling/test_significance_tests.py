"""Tests and intervals: by scipy where scipy has them, by hand elsewhere. By simulation: test_simulations.py."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from understudy import BLEU, TER, LengthRatio, UnderstudyError, metric
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import Bootstrap
from understudy.resampling.multiple_testing import at_most, clusters, corrected, levels_for
from understudy.resampling.samples import (
    blocks_by_label,
    blocks_of_equal_size,
    blocks_of_size,
    bootstrap_scores,
    bootstrap_weights,
    swaps,
)
from understudy.resampling.significance_tests import (
    bootstrap,
    multeval,
    permutation,
    randomization,
    t_test,
    wilcoxon,
)
from understudy.resampling.student import bound, two_sided_p

REFERENCES = [
    f"the {animal} sat on the {place} at {hour} o'clock"
    for animal in ("cat", "dog", "hen", "fox")
    for place in ("mat", "hill", "roof")
    for hour in ("one", "two", "three")
]
GOOD = [
    reference.replace("sat", "was sitting") if i % 4 == 0 else reference
    for i, reference in enumerate(REFERENCES)
]
FAIR = [reference.replace("the", "a") if i % 2 == 0 else reference for i, reference in enumerate(REFERENCES)]
PAIR = [(0, 1)]


def evidence_of(metric=None, level="corpus", **systems) -> Evidence:
    metric = metric or BLEU()
    return Evidence.of_statistics(
        metric, [(name, metric.statistics(texts, REFERENCES)) for name, texts in systems.items()], level
    )


def noisy_pair(generator: np.random.Generator, shift: float = 0.0, size: int = 150) -> Evidence:
    """Scores of two systems that share what makes segments hard."""
    common = generator.gamma(2, 10, size)
    return Evidence.of_scores(
        [("a", common + shift + generator.normal(0, 8, size)), ("b", common + generator.normal(0, 8, size))]
    )


# --- a sum of resampled rows is the score of the resampled corpus -----------------------------------------


@pytest.mark.parametrize("metric", [BLEU(), TER(), LengthRatio()], ids=lambda m: m.name)
def test_a_sample_scores_as_its_segments_do(metric) -> None:
    evidence = evidence_of(metric, good=GOOD, fair=FAIR)
    weights = np.concatenate(list(bootstrap_weights(len(REFERENCES), 3, seed=1)))
    scores = evidence.sample_scores(iter([weights]))
    for row, sample in zip(scores, weights.astype(int), strict=True):
        chosen = np.repeat(np.arange(len(REFERENCES)), sample)
        for score, texts in zip(row, (GOOD, FAIR), strict=True):
            expected = metric.corpus([texts[i] for i in chosen], [REFERENCES[i] for i in chosen])
            assert score == expected.value


@pytest.mark.parametrize("at_once", [("SAMPLES_AT_ONCE", 7), ("_BYTES_AT_ONCE", 1), ("_BYTES_AT_ONCE", 1500)])
@pytest.mark.parametrize("segments", [20, 21])
def test_samples_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch, at_once, segments: int) -> None:
    for draw in (bootstrap_weights, swaps):
        whole = np.concatenate(list(draw(segments, 50, seed=5)))
        monkeypatch.setattr(f"understudy.resampling.samples.{at_once[0]}", at_once[1])
        parts = list(draw(segments, 50, seed=5))
        assert len(parts) > 1
        assert np.array_equal(np.concatenate(parts), whole)
        monkeypatch.undo()
        assert not np.array_equal(np.concatenate(list(draw(segments, 50, seed=6))), whole)
    assert set(np.concatenate(list(bootstrap_weights(20, 50, seed=5))).sum(axis=1)) == {20.0}


def test_samples_of_two_units_come_in_the_same_parts() -> None:
    """However many segments there are beside few systems."""
    few, many = (list(bootstrap_weights(size, 9, 1, beside=2**20)) for size in (3, 2**20))
    assert [len(part) for part in few] == [len(part) for part in many]
    assert np.array_equal(np.concatenate(few), np.concatenate(list(bootstrap_weights(3, 9, 1))))


def test_sums_in_single_precision_are_exact_or_are_not_made() -> None:
    metric = BLEU()
    counts = metric.statistics(GOOD, REFERENCES)
    huge = replace(counts, array=counts.array * 200_000)  # beyond what single precision holds
    for statistics, small in ((counts, True), (huge, False)):
        evidence = Evidence.of_statistics(metric, [("a", statistics)])
        assert (evidence._small_counts is not None) == small
        weights = next(bootstrap_weights(len(GOOD), 20, 1))
        assert np.array_equal(evidence.sums(weights)[:, 0], weights.astype(np.int64) @ statistics.array)


def test_memory_does_not_grow_with_samples_nor_blocks_with_the_square_of_segments() -> None:
    """256 samples of 200,000 segments would be 400 MB, and 100,000 blocks as rows of weights 160 GB."""
    evidence = Evidence.of_scores([("a", np.arange(200_000.0)), ("b", np.ones(200_000))])
    tracemalloc.start()
    try:
        bootstrap_scores([evidence], 40, seed=1)
        evidence.in_blocks(blocks_of_size(200_000, 2))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100e6


def test_groups_of_segments_add_up_in_whatever_order_they_are() -> None:
    evidence = evidence_of(good=GOOD, fair=FAIR)
    group_of = np.random.default_rng(1).permutation(np.arange(len(GOOD)) % 5)
    for groups in (group_of, np.sort(group_of)):
        expected = [evidence.counts[groups == number].sum(axis=0) for number in range(5)]
        assert np.array_equal(evidence.sums_of_groups(groups), expected)


# --- by scipy and by hand ---------------------------------------------------------------------------------


def test_classical_tests_are_scipys() -> None:
    evidence = noisy_pair(np.random.default_rng(4), shift=1.0)
    a, b = evidence.segment_scores
    found, expected = t_test(evidence, PAIR), stats.ttest_rel(a, b)
    assert found.p_values[0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.t_statistics[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert wilcoxon(evidence, PAIR, 0.95).p_values[0] == stats.wilcoxon(a, b).pvalue
    means = np.array([[column[i : i + 10].mean() for i in range(0, 150, 10)] for column in (a, b)])
    in_blocks = evidence.in_blocks(blocks_of_size(150, 10))
    expected = stats.ttest_rel(*means)
    assert in_blocks.segment_scores == pytest.approx(means, rel=1e-12)
    assert t_test(in_blocks, PAIR).t_statistics[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert t_test(in_blocks, PAIR).p_values[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert in_blocks.scores == pytest.approx(means.mean(axis=1), rel=1e-12)


def test_students_t_is_scipys() -> None:
    for degrees in (1.0, 2.5, 19.0, 1e6, np.inf):
        for statistic in (0.0, -0.3, 2.09, 40.0, np.inf):
            expected = 2 * stats.t.sf(abs(statistic), degrees)
            assert two_sided_p(np.array([statistic]), degrees)[0] == pytest.approx(
                expected, rel=1e-9, abs=1e-300
            )
        for level in (0.3, 0.05, 1e-6):
            assert bound(level, degrees) == pytest.approx(stats.t.isf(level, degrees), rel=1e-6)


def test_permutation_is_scipys_where_all_permutations_fit() -> None:
    """Of 8 differences there are 256 signs; 20,000 draws come within a hundredth of the exact share."""
    difference = np.array([3.0, 1.0, -0.5, 2.0, 1.5, -1.0, 0.25, 0.75])
    evidence = Evidence.of_scores([("a", difference), ("b", np.zeros(8))])
    mean: Callable[..., Any] = np.mean
    exact = stats.permutation_test((difference,), mean, permutation_type="samples", n_resamples=2**8).pvalue
    assert permutation(evidence, PAIR, 20_000, seed=1).p_values[0] == pytest.approx(exact, abs=0.01)
    assert randomization(evidence, PAIR, 20_000, seed=2).p_values[0] == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "permutation", "ttest"])
def test_standard_errors_are_those_of_the_difference(test: str) -> None:
    evidence = noisy_pair(np.random.default_rng(5), shift=0.5)
    a, b = evidence.segment_scores
    found = EVERY_TEST[test](evidence, 20_000)
    assert found.differences[0] == pytest.approx(a.mean() - b.mean(), rel=1e-12)
    assert found.standard_errors[0] == pytest.approx(stats.sem(a - b), rel=0.03)


def test_bca_is_scipys() -> None:
    scores = np.random.default_rng(6).gamma(1, 10, 80)
    evidence = Evidence.of_scores([("a", scores)])
    (drawn,) = bootstrap_scores([evidence], 20_000, seed=1)
    (found,) = Bootstrap(evidence, drawn, method="bca").of_scores()
    expected = stats.bootstrap(
        (scores,), np.mean, n_resamples=20_000, method="BCa", rng=1
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.1)


def test_corrections_are_scipys_and_by_the_book() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.5])
    assert corrected(p, "bh") == pytest.approx(stats.false_discovery_control(p), rel=1e-12)
    # Holm: sorted 0.005, 0.01, 0.03, 0.04, 0.5 times 5, 4, 3, 2, 1, none below the one before.
    assert corrected(p, "holm").tolist() == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.5])
    assert corrected(p, "none") is p


@pytest.mark.parametrize("method", ["holm", "bh", "none"])
def test_the_level_of_a_pair_is_where_it_becomes_significant(method: str) -> None:
    """Whatever the others are: just below it the corrected p-value passes, just above it does not."""
    generator = np.random.default_rng(8)
    for _ in range(50):
        p_values = generator.uniform(0, 0.4, 6) ** 2  # some are rejected, some are not
        for index, level in enumerate(levels_for(p_values, method, 0.05)):
            for factor, passes in ((0.999, True), (1.001, False)):
                tried = p_values.copy()
                tried[index] = level * factor
                assert (corrected(tried, method)[index] <= 0.05) == passes


@pytest.mark.parametrize("method", ["holm", "bh", "none"])
def test_a_p_value_that_more_samples_could_lower_is_a_bound(method: str) -> None:
    at_floor = np.array([0.01, 0.01, 0.5, 1.0])
    assert at_most(at_floor, method, floor=0.01).tolist() == [True, True, False, False]
    assert not at_most(at_floor, method, floor=0.0).any()
    # Holm raises the second to the first, which is a bound: so is the second.
    raised = np.array([0.01, 0.012, 0.9])
    assert at_most(raised, "holm", floor=0.01).tolist() == [True, True, False]


def test_a_cluster_ends_where_all_above_are_better_than_all_below() -> None:
    worths = np.array([10.0, 30.0, 29.0, 20.0])
    pairs = [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]
    assert clusters(worths, pairs, [True, True, True, False, True, True]) == [[1, 2], [3], [0]]
    assert clusters(worths, pairs, [True, True, True, False, True, False]) == [[1, 2, 3], [0]]
    assert clusters(worths, pairs, [False] * 6) == [[1, 2, 3, 0]]


# --- what is the same, what is alone, what is wrong -------------------------------------------------------


def by_bootstrap(evidence: Evidence, samples: int = 99):
    return bootstrap(evidence, PAIR, bootstrap_scores([evidence], samples, 1)[0])


EVERY_TEST = {
    "bootstrap": by_bootstrap,
    "randomization": lambda evidence, samples=99: randomization(evidence, PAIR, samples, 1),
    "multeval": lambda evidence, samples=99: multeval(evidence, PAIR, samples, 1),
    "permutation": lambda evidence, samples=99: permutation(evidence, PAIR, samples, 1),
    "ttest": lambda evidence, _=0: t_test(evidence, PAIR),
    "wilcoxon": lambda evidence, _=0: wilcoxon(evidence, PAIR, 0.95),
    "blocks": lambda evidence, _=0: t_test(
        evidence.in_blocks(blocks_of_equal_size(evidence.segments, 4)), PAIR
    ),
}


@pytest.mark.parametrize("test", EVERY_TEST)
def test_identical_systems_have_p_1(test: str) -> None:
    assert EVERY_TEST[test](evidence_of(a=GOOD, b=GOOD)).p_values[0] == 1
    assert EVERY_TEST[test](Evidence.of_scores([("a", np.ones(8)), ("b", np.ones(8))])).p_values[0] == 1


@pytest.mark.parametrize("test", [name for name in EVERY_TEST if name != "blocks"])
def test_one_segment_proves_nothing(test: str) -> None:
    alone = Evidence.of_scores([("a", np.array([1.0])), ("b", np.array([5.0]))])
    assert EVERY_TEST[test](alone).p_values[0] > 0.05


@pytest.mark.parametrize("test", EVERY_TEST)
def test_a_difference_that_is_everywhere_the_same_is_no_chance(test: str) -> None:
    scores = np.arange(40.0)
    assert EVERY_TEST[test](Evidence.of_scores([("a", scores + 1), ("b", scores)])).p_values[0] < 0.05


def test_multeval_shuffles_all_runs() -> None:
    """Copies of a run change nothing but the draws, and systems of the same runs are the same."""
    metric = BLEU()
    runs = [
        (name, metric.statistics(texts, REFERENCES))
        for name, texts in (("good", GOOD), ("good", GOOD), ("fair", FAIR), ("fair", FAIR))
    ]
    evidence = Evidence.of_statistics(metric, runs)
    assert evidence.systems == ("good", "fair")
    assert evidence.scores == pytest.approx(evidence_of(good=GOOD, fair=FAIR).scores)
    assert multeval(evidence, PAIR, 199, 1).p_values[0] == 1 / 200
    same = Evidence.of_statistics(
        metric, [("a", runs[0][1]), ("a", runs[2][1]), ("b", runs[2][1]), ("b", runs[0][1])]
    )
    assert multeval(same, PAIR, 199, 1).p_values[0] == 1


def test_multeval_deals_the_same_in_parts(monkeypatch) -> None:
    """In parts of segments other deals are drawn, from which the same p-value comes but for chance."""
    evidence = evidence_of(good=GOOD, fair=FAIR)
    whole = multeval(evidence, PAIR, 5000, 1).standard_errors[0]
    monkeypatch.setattr("understudy.resampling.significance_tests.RUNS_AT_ONCE", 1000)
    assert multeval(evidence, PAIR, 5000, 1).standard_errors[0] == pytest.approx(whole, rel=0.05)


def test_blocks() -> None:
    assert np.bincount(blocks_of_equal_size(10, 3)).tolist() == [4, 3, 3]
    assert np.bincount(blocks_of_size(10, 4)).tolist() == [4, 6]
    assert blocks_by_label(["a", "a", "b", "a"]).tolist() == [0, 0, 1, 2]
    for wrong in (
        lambda: blocks_of_equal_size(3, 4),
        lambda: blocks_of_equal_size(3, 1),
        lambda: blocks_of_size(3, 2),
        lambda: blocks_by_label(["a", "a"]),
    ):
        with pytest.raises(UnderstudyError, match="block"):
            wrong()


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1.0, np.nan], "segment 2 has the score nan"),
        ([1.0, np.inf], "segment 2 has the score inf"),
        ([1.0], "'b' has 1 segment, 'a' has 2"),
    ],
)
def test_scores_that_are_no_evidence_are_refused(scores: list[float], said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        Evidence.of_scores([("a", np.array([1.0, 2.0])), ("b", np.array(scores))])


@pytest.mark.parametrize("test", [randomization, permutation])
@pytest.mark.parametrize("segments", [2, 3, 5])
def test_no_p_value_is_below_the_exact_minimum(test: Any, segments: int) -> None:
    """Of 2ⁿ ways to swap, two are as extreme as what was observed. Few samples may have fewer of them than their
    share.
    """
    one = np.arange(1.0, segments + 1)
    evidence = Evidence.of_scores([("one", one), ("other", one * 0)])
    found = [test(evidence, PAIR, 20, seed).p_values[0] for seed in range(40)]
    assert min(found) == 2.0 ** (1 - segments)


def test_sums_that_are_too_large_to_be_exact_are_refused() -> None:
    rouge = metric("rouge1")
    statistics = rouge.statistics(["a b"] * 3, ["a c"] * 3)
    huge = replace(statistics, array=statistics.array << 24)
    with pytest.raises(UnderstudyError, match=r"of 3 segments are too large .* \(level 'mean'\)"):
        Evidence.of_statistics(rouge, [("one", huge)])
    assert Evidence.of_statistics(rouge, [("one", huge)], "mean").segments == 3
