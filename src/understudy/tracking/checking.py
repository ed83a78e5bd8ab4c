"""The check of a pipeline: is a run significantly worse than its baseline?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from understudy.arrays import one_blas_thread
from understudy.comparing.plan import SAMPLES, Plan
from understudy.comparing.results import MetricComparison, PairResult
from understudy.comparing.run import compare_families
from understudy.renderable import Renderable
from understudy.tracking.history import selection_corrected
from understudy.tracking.records import TrackedSet
from understudy.tracking.series import Series, best_of_first, stored_signature


@dataclass(frozen=True)
class CheckedMetric:
    """The test of one metric: the run minus its baseline."""

    comparison: MetricComparison  # with both scores, and the p-value before correction
    pair: PairResult  # corrected for the selection of the baseline and the number of metrics
    candidates: int  # of which the baseline was selected; 1: it was named
    worse: bool  # significantly, and by more than the margin

    @property
    def loss(self) -> float:
        """How much worse the run is; negative if it is better."""
        sign = 1 if self.comparison.higher_is_better is False else -1
        return sign * self.pair.difference


@dataclass(frozen=True, eq=False, repr=False)
class TrackCheck(Renderable):
    """The result of `understudy track check`."""

    track: str
    run: str
    baseline: str  # as it was asked for: last, best or a name
    test_set: TrackedSet
    plan: Plan  # with the test and the number of resamples used
    margin: float
    metrics: list[CheckedMetric]

    @property
    def failures(self) -> list[CheckedMetric]:
        return [metric for metric in self.metrics if metric.worse]

    @property
    def passed(self) -> bool:
        """Whether the run is not significantly worse by any metric."""
        return not self.failures


@one_blas_thread()
def check_of(
    track: str, run: str, series: Sequence[Series], plan: Plan, *, baseline: str, margin: float
) -> TrackCheck:
    """Tests a run, the last one of each series, against the best of the other runs in it."""
    test_set = series[0].test_set
    decided = plan.for_segments(test_set.segments)
    chosen = [_with_baseline(each, decided.level) for each in series]
    tests = sum(candidates for _, candidates in chosen)
    if decided.samples is None and decided.test in SAMPLES:
        decided = replace(decided, samples=decided.drawn(tests))
    (found,) = compare_families(
        [pair.evidence(decided.level) for pair, _ in chosen],
        decided,
        [[(1, 0)]],
        references=[pair.references for pair, _ in chosen],
    )
    pairs = selection_corrected(
        [comparison.pairs[0] for comparison in found],
        [candidates for _, candidates in chosen],
        [comparison.higher_is_better for comparison in found],
        decided,
    )
    metrics = []
    for comparison, pair, (compared, candidates) in zip(found, pairs, chosen, strict=True):
        signed = replace(comparison, signature=stored_signature(compared, comparison.signature))
        checked = CheckedMetric(signed, pair, candidates, worse=False)
        worse = pair.significant and pair.better == pair.second and checked.loss > margin
        metrics.append(replace(checked, worse=worse))
    return TrackCheck(track, run, baseline, test_set, decided, margin, metrics)


def _with_baseline(series: Series, level: str) -> tuple[Series, int]:
    """The baseline and the run, and the number of runs that the baseline was selected from."""
    run = len(series.entries) - 1
    baseline = best_of_first(series.evidence(level), run) if run > 1 else 0
    return series.among([baseline, run]), run
