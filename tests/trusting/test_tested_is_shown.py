"""What is printed of two metrics is what was tested: values, difference, p-value and clusters are of one statistic."""

from __future__ import annotations

import math

import numpy as np
import pytest

from understudy.choices import METRIC_TESTS, SEED
from understudy.errors import BadInput
from understudy.resampling.samples import swaps
from understudy.resampling.significance_tests import p_value
from understudy.trusting.coefficients.by_name import COEFFICIENTS, CoefficientSpec, agreement
from understudy.trusting.metric_tests import permutation_tests as exchanges
from understudy.trusting.metric_tests.metric_ranking import rank_metrics, unranked_because
from understudy.trusting.metric_tests.pair_swaps import PAIR_SWAPS, SWAPPED
from understudy.trusting.metric_tests.permutation_tests import PERMUTATION_TESTS
from understudy.trusting.paired_scores import PairedScores

SYSTEMS, SEGMENTS = 7, 12
LENGTHS = np.random.default_rng(0).lognormal(0, 0.8, SEGMENTS)
NAMES = tuple(f"s{number}" for number in range(SYSTEMS))
ASKED = [CoefficientSpec(one.name, one.level, one.groupings[0]) for one in COEFFICIENTS]
R = CoefficientSpec("pearson", "system")


def over_lengths(scores: np.ndarray):
    """A corpus score: what is summed is weighted by length, as in error rates."""
    return lambda weights: ((weights * LENGTHS) @ scores.T) / (weights @ LENGTHS)[:, np.newaxis]


def metrics_of_every_kind(seed: int) -> dict[str, PairedScores]:
    """A corpus score, a mean of segment scores, and system scores that are given, with and without a meaning."""
    generator = np.random.default_rng(seed)
    human = 30 * (generator.normal(0, 0.5, (SYSTEMS, 1)) + generator.normal(size=(SYSTEMS, SEGMENTS)))
    scores = [human / 30 + generator.normal(0, 1, human.shape) for _ in range(4)]
    return {
        "corpus": PairedScores(NAMES, human, scores[0], metric_of_samples=over_lengths(scores[0])),
        "mean": PairedScores(NAMES, human, scores[1]),
        "rounded": PairedScores(NAMES, human, scores[2], metric_systems=scores[2].mean(axis=1).round(2)),
        "other": PairedScores(NAMES, human, scores[3], metric_systems=generator.normal(size=SYSTEMS)),
    }


def ranked(asked: CoefficientSpec, test: str, seed: int):
    every = metrics_of_every_kind(seed)
    return {name: one for name, one in every.items() if unranked_because(one, asked, test) is None}


@pytest.mark.parametrize(
    ("test", "asked"),
    [
        (test, asked)
        for test in METRIC_TESTS
        for asked in ASKED
        if (test != "williams" or asked.coefficient == "pearson")
        and (test != PAIR_SWAPS or asked.coefficient in SWAPPED)
    ],
    ids=str,
)
def test_values_differences_and_clusters_are_those_shown(test, asked):
    pairings = ranked(asked, test, 1)
    found = rank_metrics(pairings, asked, test=test, samples=19, significance=0.5)
    assert found.values == {name: agreement(one, asked).value for name, one in pairings.items()}
    for pair in found.pairs:
        assert pair.difference == found.values[pair.first] - found.values[pair.second]
        assert not pair.significant or pair.difference != 0
    ordered = [found.values[name] for cluster in found.clusters for name in cluster]
    assert ordered == sorted(ordered, reverse=True)


@pytest.mark.parametrize("kind", PERMUTATION_TESTS)
@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("everything", [False, True])
def test_exchanging_nothing_or_everything_leaves_the_values_shown(monkeypatch, kind, asked, everything):
    """So the differences after the exchanges are of the statistic that is shown, and of no other."""
    monkeypatch.setattr(
        exchanges, "swaps", lambda size, samples, _: [np.full((samples, size), float(everything))]
    )
    for seed in range(3):
        pairings = ranked(asked, kind, seed)
        pairs = [(a, b) for a in range(len(pairings)) for b in range(a)]
        exchange = exchanges._Exchange(list(pairings.values()), asked, kind, samples=1, seed=SEED, threads=1)
        values = [agreement(one, asked).value for one in pairings.values()]
        for (a, b), (found,) in zip(pairs, exchange.differences(pairs), strict=True):
            shown = values[b] - values[a] if everything else values[a] - values[b]
            rounded = asked.coefficient == "spa" and kind != "perm-systems"  # see `soft_accuracy_exchanges`
            assert found == pytest.approx(shown, abs=1e-3 if rounded else 1e-9)


@pytest.mark.parametrize("kind", PERMUTATION_TESTS)
def test_p_is_that_of_the_difference_shown(kind):
    pairings = list(ranked(R, kind, 2).values())[:2]
    exchange = exchanges._Exchange(pairings, R, kind, samples=60, seed=5, threads=1)
    (null,) = exchange.differences([(0, 1)])
    shown = agreement(pairings[0], R).value - agreement(pairings[1], R).value
    (found,) = rank_metrics(dict(zip("ab", pairings, strict=True)), R, test=kind, samples=60, seed=5).pairs
    assert found.p_value == p_value(null, shown)  # 60 are too few to try all exchanges


# --- what is exchanged --------------------------------------------------------------------------------------


def test_contributions_have_the_system_scores_as_means():
    for name, pairing in metrics_of_every_kind(3).items():
        if name != "other":
            assert pairing.contributions.mean(axis=1) == pytest.approx(pairing.system_scores[1], abs=1e-12)


def test_contributions_of_a_mean_are_the_segment_scores_however_it_is_computed():
    scores = metrics_of_every_kind(3)["mean"].metric

    def mean(weights):
        return weights @ scores.T / weights.sum(axis=1, keepdims=True)

    found = PairedScores(NAMES, scores, scores, metric_of_samples=mean).contributions
    assert found == pytest.approx(scores, abs=1e-12)


def test_contributions_vary_as_the_corpus_score_does_between_samples():
    """Which segment scores do not where lengths vary: their means are a fifth less uncertain, or more."""
    generator = np.random.default_rng(4)
    lengths = generator.lognormal(0, 1, 400)
    scores = generator.normal(size=(5, 400))

    def corpus(weights):
        return ((weights * lengths) @ scores.T) / (weights @ lengths)[:, np.newaxis]

    pairing = PairedScores(NAMES[:5], scores, scores, metric_of_samples=corpus)
    drawn = corpus(generator.multinomial(400, [1 / 400] * 400, size=4000).astype(float)).std(axis=0)
    assert pairing.contributions.std(axis=1) / 20 == pytest.approx(drawn, rel=0.1)
    assert (scores.std(axis=1) / 20 < 0.85 * drawn).all()


def test_one_segment_contributes_everything():
    scores = np.arange(3.0)[:, np.newaxis]
    pairing = PairedScores(NAMES[:3], scores, scores, metric_of_samples=lambda weights: weights @ scores.T)
    assert pairing.contributions.tolist() == scores.tolist()


def test_given_system_scores_of_another_kind_are_only_exchanged_as_wholes():
    other = metrics_of_every_kind(1)["other"]
    for kind in ("perm-both", "perm-inputs"):
        assert unranked_because(other, R, kind) == (
            f"{kind} permutes segment scores, but the given system scores are not the means of the segment scores. Use "
            "perm-systems."
        )
        with pytest.raises(BadInput, match="Use perm-systems"):
            rank_metrics({"a": other, "b": other}, R, test=kind)
    assert unranked_because(other, R, "perm-systems") is None


def test_exchanging_systems_needs_no_segment_scores_and_tries_all_exchanges_of_few():
    generator = np.random.default_rng(6)
    human, *scores = generator.normal(size=(3, 9))
    pairings = [PairedScores((*NAMES, "t", "u"), human_systems=human, metric_systems=each) for each in scores]
    of_rule = {
        rule: rank_metrics(
            dict(zip("ab", pairings, strict=True)), R, test="perm-systems", samples=256, rule=rule
        )
        for rule in ("strict", "wmt")
    }

    def r(x):
        return np.corrcoef(human, x)[0, 1]

    one, other = ((each - each.mean()) / each.std() for each in scores)
    changes = [np.array([number >> bit & 1 for bit in range(9)]) > 0 for number in range(2**9)]
    drawn = np.array([r(np.where(c, other, one)) - r(np.where(c, one, other)) for c in changes])
    seen = r(one) - r(other)
    assert of_rule["strict"].pairs[0].p_value == np.mean(np.abs(drawn) >= abs(seen) - 1e-9)
    assert of_rule["wmt"].pairs[0].p_value == np.mean(np.sign(seen) * drawn >= abs(seen) - 1e-9)


@pytest.mark.parametrize("kind", PERMUTATION_TESTS)
def test_gaps_that_differ_between_metrics_move_with_the_scores(kind):
    """By the definition: the mean of what a system has after the exchange."""
    generator = np.random.default_rng(8)
    human, one, other = generator.normal(size=(3, 4, 5))
    one[0, 0], other[2, 1], other[2, 2] = np.nan, np.nan, np.nan
    pairings = [PairedScores(NAMES[:4], human, scores) for scores in (one, other)]
    exchange = exchanges._Exchange(pairings, R, kind, samples=8, seed=3, threads=1)
    (found,) = exchange.differences([(0, 1)])
    columns = 1 if kind == "perm-systems" else 5
    size = {"perm-both": 20, "perm-inputs": 5, "perm-systems": 4}[kind]
    shape = {"perm-both": (4, 5), "perm-inputs": (1, 5), "perm-systems": (4, 1)}[kind]
    scores = (
        [np.nanmean(each, axis=1, keepdims=True) for each in (one, other)] if columns == 1 else [one, other]
    )
    a, b = ((each - np.nanmean(each)) / np.nanstd(each) for each in scores)
    (swapped,) = swaps(size, 8, 3)
    for row, difference in zip(swapped, found, strict=True):
        change = row.reshape(shape) > 0
        after = [np.nanmean(np.where(change, x, y), axis=1) for x, y in ((b, a), (a, b))]
        values = [np.corrcoef(human.mean(axis=1), each)[0, 1] for each in after]
        assert difference == pytest.approx(values[0] - values[1], abs=1e-9)


def test_williams_has_no_p_where_the_coefficients_shown_are_of_different_points():
    generator = np.random.default_rng(9)
    human, one, other = generator.normal(size=(3, 1, 30))
    gap = other.copy()
    gap[0, 3] = np.nan
    asked = CoefficientSpec("pearson", "segment")
    found = rank_metrics(
        {
            "a": PairedScores(("s",), human, one),
            "b": PairedScores(("s",), human, other),
            "gap": PairedScores(("s",), human, gap),
        },
        asked,
        test="williams",
    )
    assert [math.isnan(pair.p_value) for pair in found.pairs] == [False, True, True]
    assert "the same for both metrics" in found.caution
