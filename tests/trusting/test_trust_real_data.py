"""The verb trust on WMT's own judgments, beside scipy and the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from material.wmt import DATA, needs_data
from reference import agreement as reference
from understudy import trust
from understudy.corpus.judgments import read_judgments
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_scores import align_with_human, score_systems
from understudy.trusting.metric_tests.metric_ranking import rank_metrics


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
    """The organizers' BLEU and chrF of segments are sacreBLEU's: what agrees with people must be the same."""
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


@pytest.fixture(scope="module")
def shown_and_tested():
    """Corpus BLEU and chrF and a published metric, whose r differ from those of mean segment scores: 0.734, 0.809 and
    0.810 of these, 0.714, 0.800 and 0.810 of the others.
    """
    home = DATA / "wmt23.zh-en"
    human = read_judgments(home / "human.mqm.seg.tsv.gz")
    published = home / "auto.seg.tsv.gz"
    scored = score_systems(
        home / "systems", [home / "refA.txt"], ["bleu", "chrf"], scores=f"{published}:BERTscore-refA"
    )
    return human, scored


@needs_data
@pytest.mark.parametrize("test", [None, "perm-both", "perm-inputs", "bootstrap", "williams"])
def test_metrics_are_ranked_by_the_coefficients_in_the_table(shown_and_tested, test):
    human, scored = shown_and_tested
    found = trust(human, scored, level="system", coefficients=("pearson",), test=test, samples=200)
    (ranking,) = found.rankings
    assert ranking.values == {metric.name: metric.agreed[0].value for metric in found.metrics}
    assert [f"{value:.3f}" for value in ranking.values.values()] == ["0.734", "0.809", "0.810"]
    # BERTScore and chrF differ by 0.001: of mean segment scores, by 0.010.
    assert ranking.pairs[2].p_value > 0.8
    assert [name for cluster in ranking.clusters for name in cluster] == ["BERTscore-refA", "chrF", "BLEU"]


@needs_data
def test_exchanging_corpus_scores_beside_all_exchanges(shown_and_tested):
    """All 2¹⁵ of them, of the scores that scipy correlates."""
    human, scored = shown_and_tested
    pairings = align_with_human(human, scored).pairings
    people = next(iter(pairings.values())).system_scores[0]
    bleu, bertscore = (stats.zscore(pairings[name].system_scores[1]) for name in ("BLEU", "BERTscore-refA"))
    changes = (np.arange(2**15)[:, np.newaxis] >> np.arange(15)) & 1
    exchanged = [np.where(changes, one, other) for one, other in ((bleu, bertscore), (bertscore, bleu))]
    r = [stats.pearsonr(np.broadcast_to(people, changes.shape), each, axis=1).statistic for each in exchanged]
    expected = np.mean(np.abs(r[0] - r[1]) >= abs(r[0][0] - r[1][0]) - 1e-9)
    found = rank_metrics(pairings, CoefficientSpec("pearson", "system"), test="perm-systems", samples=8000)
    assert found.pairs[1].p_value == pytest.approx(expected, abs=0.004)


# --- a combination of them ----------------------------------------------------------------------------------
