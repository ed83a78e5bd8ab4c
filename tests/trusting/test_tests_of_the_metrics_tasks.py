"""The tests of the WMT metrics tasks on real judgments, beside mt-metrics-eval (google-research, copy of 2026-04).

Its p-values are one-sided shares of swaps or exchanges, of metric1 (the first name) being better, from

    stats.PairwisePermutationSigDiff(corr[second], corr[first], 'acc23', 'item', 500, params)    # first 100 segments
    stats.PermutationSigDiff(corr[second], corr[first], partial(stats.PairwiseConfidenceError, num_sys=15), 'none',
                             200, params)                                                        # all segments

with np.random.seed(1), params = PermutationSigDiffParams(block_size=10**9), on wmt23.zh-en: human.mqm.seg, the metrics
of auto.seg, 15 systems and the 1,177 segments that were judged.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from material.wmt import DATA, needs_data
from understudy.corpus.judgments import read_judgments, read_metric_scores
from understudy.trusting.alignment import align
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_tests.metric_ranking import null_differences
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan

NAMES = ("BERTscore-refA", "BLEU-refA", "chrF-refA", "f200spBLEU-refA")
PAIRS = list(combinations(range(4), 2))
SPA, ACC_EQ = CoefficientSpec("spa", "system"), CoefficientSpec("acc-eq", "segment", "segment")

# The difference between the two coefficients, and p that the first is better; of PAIRS.
SWAPS_500 = (
    (0.0039047619047618, 0.222),
    (0.01904761904761898, 0.0),
    (0.005714285714285783, 0.116),
    (0.01514285714285718, 0.0),
    (0.001809523809523983, 0.388),
    (-0.013333333333333197, 0.998),
)
EXCHANGES_200 = (
    (0.040209523809523695, 0.015),
    (0.0392190476190476, 0.025),
    (0.044466666666666654, 0.03),
    (-0.0009904761904760973, 0.58),
    (0.004257142857142959, 0.305),
    (0.0052476190476190565, 0.285),
)


def judged(segments=None):
    human = read_judgments(DATA / "wmt23.zh-en" / "human.mqm.seg.tsv.gz")
    whole = align(human, read_metric_scores(DATA / "wmt23.zh-en" / "auto.seg.tsv.gz")).pairings
    columns = np.flatnonzero(~np.isnan(whole[NAMES[0]].human).any(axis=0))[:segments]
    return {
        name: PairedScores(whole[name].systems, whole[name].human[:, columns], whole[name].metric[:, columns])
        for name in NAMES
    }


@needs_data
@pytest.mark.parametrize(
    ("asked", "segments", "published", "samples", "off"),
    [
        (ACC_EQ, 100, SWAPS_500, 500, 1e-12),
        (SPA, None, EXCHANGES_200, 200, 3e-3),  # theirs are of 1,000 random permutations
    ],
    ids=["acc-eq", "spa"],
)
def test_differences_and_p_values(asked, segments, published, samples, off):
    test = TrustPlan(rank_by=asked.coefficient).test_of(asked.level)
    values, null = null_differences(judged(segments), asked, test=test, samples=1000)
    seen = np.array([values[a] - values[b] for a, b in PAIRS])
    # Of the first being better, whichever it is.
    found = np.array(
        [(drawn >= difference - 1e-11).mean() for drawn, difference in zip(null, seen, strict=True)]
    )
    for difference, p, (theirs, their_p) in zip(seen, found, published, strict=True):
        assert abs(difference - theirs) < off
        spread = max(their_p * (1 - their_p), 0.01) * (1 / samples + 1 / 1000)
        assert abs(p - their_p) < 4 * spread**0.5
