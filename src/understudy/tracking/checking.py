"""The check of a pipeline: is a run significantly worse than its baseline?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from understudy.arrays import one_blas_thread
from understudy.comparing.plan import SAMPLES, Plan
from understudy.comparing.results import MetricComparison, PairResult
from understudy.comparing.run import compare_families
from understudy.renderable import Renderable
from understudy.resampling.significance_tests import is_real, too_few_samples
from understudy.tracking.history import enough_samples, selection_corrected
from understudy.tracking.records import TrackedSet
from understudy.tracking.series import Series, best_of_first, stored_signature
from understudy.wording import number_of


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
    untested: list[str] = field(default_factory=list)  # metrics that only the run has, or only runs before it
    cautions: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[CheckedMetric]:
        return [metric for metric in self.metrics if metric.worse]

    @property
    def passed(self) -> bool:
        """Whether the run is not significantly worse by any metric."""
        return not self.failures


@one_blas_thread()
def check_of(
    track: str,
    run: str,
    series: Sequence[Series],
    plan: Plan,
    *,
    baseline: str,
    margin: float,
    untested: Sequence[str] = (),
    cautions: Sequence[str] = (),
) -> TrackCheck:
    """Tests a run, the last one of each series, against the best of the other runs in it. `cautions` are what limits
    the conclusions already.
    """
    test_set = series[0].test_set
    decided = plan.for_segments(test_set.segments)
    chosen = [_with_baseline(each, decided.level) for each in series]
    counts = [candidates for _, candidates in chosen]
    if decided.samples is None and decided.test in SAMPLES:
        decided = replace(decided, samples=enough_samples(decided, sum(counts)))
    (found,) = compare_families(
        [pair.evidence(decided.level) for pair, _ in chosen],
        decided,
        [[(1, 0)]],
        references=[pair.references for pair, _ in chosen],
    )
    pairs = selection_corrected(
        [comparison.pairs[0] for comparison in found],
        counts,
        [comparison.higher_is_better for comparison in found],
        decided,
    )
    metrics = []
    for comparison, pair, (compared, candidates) in zip(found, pairs, chosen, strict=True):
        signed = replace(comparison, signature=stored_signature(compared, comparison.signature))
        checked = CheckedMetric(signed, pair, candidates, worse=False)
        worse = pair.significant and pair.better == pair.second and checked.loss > margin
        metrics.append(replace(checked, worse=worse))
    limits = [*cautions, *_cautions(decided, counts, test_set.segments)]
    return TrackCheck(track, run, baseline, test_set, decided, margin, metrics, list(untested), limits)


def _cautions(plan: Plan, candidates: Sequence[int], segments: int) -> list[str]:
    """What limits the conclusions: above all, why the check cannot fail, if it cannot."""
    # Holm multiplies the smallest p-value by the number of metrics. Benjamini-Hochberg does not, if all are as small.
    metrics = len(candidates) if plan.correct == "holm" else 1
    factor = 1 if plan.correct == "none" else metrics * min(candidates)
    found = replace(plan, samples=None, correct="none").cautions(1, segments)
    smallest = plan.smallest_p(segments)
    if is_real(smallest, plan.significance) and not is_real(factor * smallest, plan.significance):
        found.append(
            f"On {number_of(segments, 'segment')}, no loss can be significant at {plan.significance:g} after "
            "correction."
        )
    drawn = plan.drawn(1)
    if drawn is not None and too_few_samples(drawn, factor, plan.significance) is not None:
        tests = 1 if plan.correct == "none" else len(candidates) * max(candidates)
        found.append(
            f"With {number_of(drawn, 'resample')}, no loss can be significant at {plan.significance:g}. Use at least "
            f"{too_few_samples(0, tests, plan.significance):,} resamples."
        )
    return found


def _with_baseline(series: Series, level: str) -> tuple[Series, int]:
    """The baseline and the run, and the number of runs that the baseline was selected from."""
    run = len(series.entries) - 1
    baseline = best_of_first(series.evidence(level), run) if run > 1 else 0
    return series.among([baseline, run]), run
