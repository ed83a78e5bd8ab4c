"""Exchanges of scores between metrics beside google-research's mt-metrics-eval (public copy of 2026-04).

Of the MQM scores of WMT23 Chinese-English and the metrics of auto.seg, `SYSTEM` and `SEGMENT` are the shares of
exchanges after which two metrics differ by at least as much as they do, in either direction:

    np.random.seed(1)
    no_stop = stats.PermutationSigDiffParams(block_size=k)
    p, delta, _, draws = stats.PermutationSigDiff(first, second, scipy.stats.pearsonr, "none", k, no_stop)
    share = np.mean([abs(two - one) >= abs(delta) - 1e-9 for two, one in draws])

for `SYSTEM` with stats.Correlation(15, means of human scores, means of metric scores) and k = 20,000, accuracy with
Agreement of stats as the coefficient and k = 5,000; for `SEGMENT` with all scores of the first 60 segments, None where
nobody judged, and k = 2,000.
"""

from __future__ import annotations

import csv
import gzip
import math
from dataclasses import replace

import pytest

from material.shared import SHARED, needs
from material.wmt import DATA, needs_data
from understudy.corpus.judgments import read_judgments
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_scores import align_with_human, score_systems
from understudy.trusting.metric_tests.metric_ranking import rank_metrics

HOME = DATA / "wmt23.zh-en"
GOLDEN = SHARED / "golden" / "numbers" / "mt-metrics-eval_wmt23.zh-en.tsv.gz"
METRICS = ("BLEU-refA", "chrF-refA", "f200spBLEU-refA", "BERTscore-refA")
PAIRS = [(first, second) for place, first in enumerate(METRICS) for second in METRICS[place + 1 :]]
SYSTEM = {
    "pearson": ([0.00635, 0.0004, 0.002, 0.0149, 0.7331, 0.01405], 20_000),
    "accuracy": ([0.7522, 1.0, 0.2602, 0.8634, 0.0952, 0.155], 5_000),
}
SEGMENT = ([0.1315, 0.2795, 0.3845, 0.306, 0.634, 0.789], 2_000)


@pytest.fixture(scope="module")
def pairings():
    scored = score_systems(scores=HOME / "auto.seg.tsv.gz")
    return align_with_human(read_judgments(HOME / "human.mqm.seg.tsv.gz"), scored).pairings


def assert_the_same(found, shares, drawn, samples):
    """Within four standard errors of the difference between two shares."""
    for one, share in zip(found.pairs, shares, strict=True):
        error = math.sqrt(max(share, 0.001) * (1.001 - share) * (1 / drawn + 1 / samples))
        assert abs(one.p_value - share) <= 4 * error, (one.first, one.second)


@needs_data
@pytest.mark.parametrize("coefficient", SYSTEM)
def test_exchanging_systems(pairings, coefficient):
    found = rank_metrics(pairings, CoefficientSpec(coefficient, "system"), test="perm-systems", samples=8000)
    assert [(one.first, one.second) for one in found.pairs] == PAIRS
    assert_the_same(found, *SYSTEM[coefficient], 8000)


@needs_data
def test_exchanging_translations(pairings):
    first = {
        name: replace(pairing, human=pairing.human[:, :60], metric=pairing.metric[:, :60])
        for name, pairing in pairings.items()
    }
    found = rank_metrics(first, CoefficientSpec("pearson", "segment"), test="perm-both", samples=600)
    assert_the_same(found, *SEGMENT, 600)


@needs_data
@needs(GOLDEN)
def test_exchanging_translations_of_all_judged_segments(pairings):
    """Its one-sided p of 0 or 1 is ours at the smallest there is, and says who is better."""
    quantity = "segment pearson by none, PERM-BOTH 300, one-sided p that first > second"
    with gzip.open(GOLDEN, "rt") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["quantity"] == quantity]
    assert len(rows) == 6
    found = rank_metrics(pairings, CoefficientSpec("pearson", "segment"), test="perm-both", samples=30)
    p_values = {frozenset((one.first, one.second)): one.p_value for one in found.pairs}
    for row in rows:
        better, worse = row["metric"], row["second_metric"]
        if float(row["value"]) > 0.5:
            better, worse = worse, better
        assert found.values[better] > found.values[worse], row
        assert p_values[frozenset((better, worse))] == 1 / 31, row
