"""Tests and intervals: by simulation where the truth is known, by scipy where scipy has them, by hand elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from understudy import BLEU, TER, LengthRatio, UnderstudyError
from understudy.comparison.evidence import Evidence
from understudy.comparison.intervals import Bootstrap
from understudy.comparison.many_pairs import clusters, corrected
from understudy.comparison.power import smallest_detectable
from understudy.comparison.samples import (
    blocks_by_label,
    blocks_of_equal_size,
    blocks_of_size,
    bootstrap_weights,
    swaps,
)
from understudy.comparison.significance import (
    blocks,
    bootstrap,
    permutation,
    randomization,
    t_test,
    wilcoxon,
)

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


def test_samples_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch) -> None:
    for draw in (bootstrap_weights, swaps):
        whole = np.concatenate(list(draw(20, 50, seed=5)))
        monkeypatch.setattr("understudy.comparison.samples.SAMPLES_AT_ONCE", 7)
        assert np.array_equal(np.concatenate(list(draw(20, 50, seed=5))), whole)
        monkeypatch.undo()
        assert not np.array_equal(np.concatenate(list(draw(20, 50, seed=6))), whole)
    assert set(np.concatenate(list(bootstrap_weights(20, 50, seed=5))).sum(axis=1)) == {20.0}


# --- by simulation ----------------------------------------------------------------------------------------


def test_a_true_null_is_rejected_as_often_as_it_should_be() -> None:
    generator, rounds = np.random.default_rng(1), 1500
    tests = {
        "bootstrap": lambda evidence, seed: bootstrap(evidence, PAIR, 400, seed),
        "randomization": lambda evidence, seed: randomization(evidence, PAIR, 400, seed),
        "permutation": lambda evidence, seed: permutation(evidence, PAIR, 400, seed),
        "ttest": lambda evidence, _: t_test(evidence, PAIR),
        "wilcoxon": lambda evidence, _: wilcoxon(evidence, PAIR),
        "blocks": lambda evidence, _: blocks(evidence, PAIR, blocks_of_equal_size(150, 15)).p_values,
    }
    rejected = dict.fromkeys(tests, 0)
    for seed in range(rounds):
        evidence = noisy_pair(generator)
        for name, test in tests.items():
            rejected[name] += int(test(evidence, seed)[0] < 0.05)
    for name, count in rejected.items():
        assert 0.03 <= count / rounds <= 0.07, name


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_cover_the_truth(method: str) -> None:
    generator, rounds, covered, of_difference = np.random.default_rng(2), 1200, 0, 0
    for seed in range(rounds):
        found = Bootstrap(noisy_pair(generator, shift=3.0), 600, seed, method=method)
        score, difference = found.of_score(1), found.of_difference(0, 1)
        covered += score.low <= 20 <= score.high  # the mean of the gamma distribution above
        of_difference += difference.low <= 3 <= difference.high
    assert 0.93 <= covered / rounds <= 0.97
    assert 0.93 <= of_difference / rounds <= 0.97


def test_the_smallest_detectable_difference_is_detected_four_times_in_five() -> None:
    generator = np.random.default_rng(3)
    drawn = Bootstrap(noisy_pair(generator), 2000, 1).drawn
    shift = smallest_detectable(drawn[:, 0] - drawn[:, 1])
    found = [t_test(noisy_pair(generator, shift), PAIR)[0] < 0.05 for _ in range(600)]
    assert 0.7 <= np.mean(found) <= 0.9


# --- by scipy and by hand ---------------------------------------------------------------------------------


def test_classical_tests_are_scipys() -> None:
    evidence = noisy_pair(np.random.default_rng(4), shift=1.0)
    a, b = evidence.segment_scores
    assert t_test(evidence, PAIR)[0] == stats.ttest_rel(a, b).pvalue
    assert wilcoxon(evidence, PAIR)[0] == stats.wilcoxon(a, b).pvalue
    members = blocks_of_size(150, 10)
    means = [[column[i : i + 10].mean() for i in range(0, 150, 10)] for column in (a, b)]
    found = blocks(evidence, PAIR, members)
    expected = stats.ttest_rel(*means)
    assert found.t_statistics[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p_values[0] == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.means == pytest.approx(np.mean(means, axis=1))
    assert found.deviations == pytest.approx(np.std(means, axis=1, ddof=1))


def test_permutation_is_scipys_where_all_permutations_fit() -> None:
    """Of 8 differences there are 256 signs; 20,000 draws come within a hundredth of the exact share."""
    difference = np.array([3.0, 1.0, -0.5, 2.0, 1.5, -1.0, 0.25, 0.75])
    evidence = Evidence.of_scores([("a", difference), ("b", np.zeros(8))])
    exact = stats.permutation_test(
        (difference,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert permutation(evidence, PAIR, 20_000, seed=1)[0] == pytest.approx(exact, abs=0.01)
    assert randomization(evidence, PAIR, 20_000, seed=2)[0] == pytest.approx(exact, abs=0.01)


def test_bca_is_scipys() -> None:
    scores = np.random.default_rng(6).gamma(1, 10, 80)
    found = Bootstrap(Evidence.of_scores([("a", scores)]), 20_000, seed=1, method="bca").of_score(0)
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


def test_a_cluster_ends_where_all_above_are_better_than_all_below() -> None:
    worths = np.array([10.0, 30.0, 29.0, 20.0])
    pairs = [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]
    assert clusters(worths, pairs, [True, True, True, False, True, True]) == [[1, 2], [3], [0]]
    assert clusters(worths, pairs, [True, True, True, False, True, False]) == [[1, 2, 3], [0]]
    assert clusters(worths, pairs, [False] * 6) == [[1, 2, 3, 0]]


# --- what is the same, what is alone, what is wrong -------------------------------------------------------

EVERY_TEST = {
    "bootstrap": lambda evidence: bootstrap(evidence, PAIR, 99, 1),
    "randomization": lambda evidence: randomization(evidence, PAIR, 99, 1),
    "permutation": lambda evidence: permutation(evidence, PAIR, 99, 1),
    "ttest": lambda evidence: t_test(evidence, PAIR),
    "wilcoxon": lambda evidence: wilcoxon(evidence, PAIR),
    "blocks": lambda evidence: blocks(evidence, PAIR, blocks_of_equal_size(evidence.segments, 4)).p_values,
}


@pytest.mark.parametrize("test", EVERY_TEST)
def test_identical_systems_have_p_1(test: str) -> None:
    assert EVERY_TEST[test](evidence_of(a=GOOD, b=GOOD))[0] == 1
    assert EVERY_TEST[test](Evidence.of_scores([("a", np.ones(8)), ("b", np.ones(8))]))[0] == 1


@pytest.mark.parametrize("test", [name for name in EVERY_TEST if name != "blocks"])
def test_one_segment_proves_nothing(test: str) -> None:
    assert EVERY_TEST[test](Evidence.of_scores([("a", np.array([1.0])), ("b", np.array([5.0]))]))[0] > 0.05


@pytest.mark.parametrize("test", EVERY_TEST)
def test_a_difference_that_is_everywhere_the_same_is_no_chance(test: str) -> None:
    scores = np.arange(40.0)
    assert EVERY_TEST[test](Evidence.of_scores([("a", scores + 1), ("b", scores)]))[0] < 0.05


def test_several_runs_are_exchanged_among_each_other() -> None:
    """With one run each it is the plain test; copies of a run change nothing but the draws."""
    metric = BLEU()
    runs = [
        (name, metric.statistics(texts, REFERENCES))
        for name, texts in (("good", GOOD), ("good", GOOD), ("fair", FAIR), ("fair", FAIR))
    ]
    evidence = Evidence.of_statistics(metric, runs)
    assert evidence.systems == ("good", "fair")
    assert evidence.scores == pytest.approx(evidence_of(good=GOOD, fair=FAIR).scores)
    assert randomization(evidence, PAIR, 199, 1)[0] == 1 / 200
    same = Evidence.of_statistics(
        metric, [("a", runs[0][1]), ("a", runs[2][1]), ("b", runs[2][1]), ("b", runs[0][1])]
    )
    assert randomization(same, PAIR, 199, 1)[0] == 1


def test_blocks() -> None:
    assert blocks_of_equal_size(10, 3).sum(axis=1).tolist() == [4, 3, 3]
    assert blocks_of_size(10, 4).sum(axis=1).tolist() == [4, 6]
    assert blocks_by_label(["a", "a", "b", "a"]).tolist() == [[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
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
        ([1.0], "'b' has 1 segments, 'a' has 2"),
    ],
)
def test_scores_that_are_no_evidence_are_refused(scores: list[float], said: str) -> None:
    with pytest.raises(UnderstudyError, match=said):
        Evidence.of_scores([("a", np.array([1.0, 2.0])), ("b", np.array(scores))])
