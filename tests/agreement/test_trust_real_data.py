"""The verb trust on WMT's own judgments, beside scipy and the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from material.wmt import DATA, needs_data
from reference import agreement as reference
from understudy import trust


@needs_data
@pytest.mark.parametrize(("folder", "scores"), [("wmt21.en-de", []), ("wmt23.zh-en", ["auto.seg.tsv.gz"])])
def test_real_judgments_beside_scipy_and_the_definitions(folder, scores):
    home = DATA / folder
    found = trust(
        home / "human.mqm.seg.tsv.gz",
        home / "systems",
        [home / "refA.txt"],
        ["bleu", "chrf", "ter"],
        scores=[home / name for name in scores],
        coefficients=("pearson", "r2", "spearman", "kendall-b", "kendall-c", "accuracy"),
        samples=5,
        threads=2,
    )
    assert len(found.metrics) == 3 + 4 * len(scores)
    for metric_found in found.metrics:
        human, own = found.human_systems, metric_found.system_scores[1]
        systems = {
            "pearson": stats.pearsonr(human, own).statistic,
            "r2": stats.pearsonr(human, own).statistic ** 2,
            "spearman": stats.spearmanr(human, own).statistic,
            "kendall-b": stats.kendalltau(human, own).statistic,
            "kendall-c": stats.kendalltau(human, own, variant="c").statistic,
            "accuracy": reference.pairwise_accuracy(list(zip(human.tolist(), own.tolist(), strict=True))),
        }
        people, values = metric_found.pairing.segment_scores
        known = ~np.isnan(people) & ~np.isnan(values)
        x, y = people[known], values[known]
        segments = {
            ("pearson", "none"): stats.pearsonr(x, y).statistic,
            ("spearman", "none"): stats.spearmanr(x, y).statistic,
            ("kendall-b", "none"): stats.kendalltau(x, y).statistic,
            ("kendall-b", "segment"): _mean_by_segment(people, values),
        }
        for each in metric_found.agreed:
            expected = (
                systems.get(each.asked.coefficient)
                if each.asked.level == "system"
                else segments.get((each.asked.coefficient, each.asked.grouping))
            )
            if expected is not None:
                assert abs(each.value - expected) < 1e-9, (metric_found.name, each.asked)


def _mean_by_segment(people, values):
    found = []
    for column in range(people.shape[1]):
        known = ~np.isnan(people[:, column]) & ~np.isnan(values[:, column])
        x, y = people[known, column], values[known, column]
        if len(x) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0:
            found.append(stats.kendalltau(x, y).statistic)
    return float(np.mean(found))


@needs_data
def test_segment_scores_of_the_task_and_our_own_agree_alike():
    """The organisers' BLEU and chrF of segments are sacreBLEU's: what agrees with people must be the same."""
    home = DATA / "wmt23.zh-en"
    found = trust(
        home / "human.mqm.seg.tsv.gz",
        home / "systems",
        [home / "refA.txt"],
        ["chrf"],
        scores=f"{home / 'auto.seg.tsv.gz'}:chrF-refA",
        level="segment",
        coefficients=("pearson:none", "kendall-b:segment"),
        samples=5,
    )
    computed, published = found.metrics
    for each in computed.agreed:
        assert each.value == pytest.approx(published.of(each.asked).value, abs=1e-4)


# --- a combination of them ----------------------------------------------------------------------------------
