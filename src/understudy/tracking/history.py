"""History: every metric over time, with paired tests of each run against the run before it and the best run before it.

Both kinds of tests are corrected for multiple testing, each over all runs of a series:

- The tests with the run before are one family.
- The best of k earlier runs is selected by its score, which partly is luck. A test with it is therefore one of k tests
  that might have been made: its p-value is multiplied by k (Bonferroni). These p-values are the second family.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.arrays import one_blas_thread
from understudy.comparing.plan import SAMPLES, Plan
from understudy.comparing.results import MetricComparison, PairResult, SystemResult
from understudy.comparing.run import compare_families
from understudy.renderable import Renderable
from understudy.resampling.evidence import Evidence
from understudy.resampling.multiple_testing import corrected
from understudy.resampling.significance_tests import is_real
from understudy.tracking.records import TrackedRun, TrackedSet
from understudy.tracking.series import Series, best_of_first, stored_signature
from understudy.wording import number_of

# Resamples that comparisons with the best run may add by default: enough for 32 runs.
_MOST_SAMPLES = 20_000


@dataclass(frozen=True)
class HistoryStep:
    """A run in its series."""

    run: TrackedRun
    result: SystemResult  # score and confidence interval
    previous: PairResult | None  # this run minus the run before it
    best: PairResult | None  # this run minus the best run before it
    candidates: int  # earlier runs, of which the best was selected

    @property
    def verdict(self) -> str:
        """Better or worse than the run before, changed by a metric without a direction, or empty."""
        return _verdict(self.run.name, self.previous)

    @property
    def verdict_of_best(self) -> str:
        """The same for the best run before."""
        return _verdict(self.run.name, self.best)


@dataclass(frozen=True)
class MetricHistory:
    """One metric on one test set over time; all runs have the same signature."""

    test_set: TrackedSet
    label: str
    spec: str
    higher_is_better: bool | None
    signature: str
    comparison: MetricComparison  # scores, and the tests with the run before
    steps: list[HistoryStep]
    plan: Plan  # with the test and the number of resamples used
    part: int | None = None  # if runs by this metric have several signatures: which of them, from 1

    @property
    def changes(self) -> list[HistoryStep]:
        """The steps that are significant changes."""
        return [step for step in self.steps if step.previous is not None and step.previous.significant]

    @property
    def best(self) -> list[str]:
        """The run with the best score, or those that share it; none by a metric without a direction."""
        return self.comparison.best

    @property
    def title(self) -> str:
        """The label, numbered if several signatures share it."""
        return self.label if self.part is None else f"{self.label} ({self.part})"


@dataclass(frozen=True, eq=False, repr=False)
class History(Renderable):
    """The runs of a track over time: what `understudy track show` prints and `understudy track report` draws."""

    track: str
    plan: Plan
    metrics: list[MetricHistory]
    cautions: list[str] = field(default_factory=list)

    @property
    def runs(self) -> list[TrackedRun]:
        """All runs, by test set."""
        found = {step.run.id: step.run for metric in self.metrics for step in metric.steps}
        return list(found.values())

    @property
    def changes(self) -> list[tuple[MetricHistory, HistoryStep]]:
        """All significant changes from one run to the next."""
        return [(metric, step) for metric in self.metrics for step in metric.changes]


@one_blas_thread()
def history_of(track: str, series: Sequence[Series], plan: Plan) -> History:
    """Tests every run against the run before it, and against the best run before it."""
    found = [_of_series(each, plan) for each in series]
    parts = [
        replace(each, part=_part(index, found)) if _part(index, found) else each
        for index, each in enumerate(found)
    ]
    return History(
        track, plan, parts, list(dict.fromkeys(said for each in parts for said in _cautions(each)))
    )


def _part(index: int, found: Sequence[MetricHistory]) -> int | None:
    alike = [
        place
        for place, other in enumerate(found)
        if (other.test_set, other.label) == (found[index].test_set, found[index].label)
    ]
    return alike.index(index) + 1 if len(alike) > 1 else None


def _of_series(series: Series, plan: Plan) -> MetricHistory:
    segments = series.test_set.segments
    evidence = series.evidence(plan.for_segments(segments).level)
    tested = steps_with_tests(evidence, plan, series.references)
    return MetricHistory(
        test_set=series.test_set,
        label=series.label,
        spec=series.spec,
        higher_is_better=series.higher_is_better,
        signature=stored_signature(series, tested.comparison.signature),
        comparison=tested.comparison,
        steps=[
            HistoryStep(
                entry.run,
                tested.comparison.systems[index],
                tested.comparison.pairs[index - 1] if index else None,
                tested.with_bests[index - 1] if index else None,
                index,
            )
            for index, entry in enumerate(series.entries)
        ],
        plan=tested.plan,
    )


@dataclass(frozen=True)
class TestedSteps:
    """The tests of all runs but the first, in their order."""

    plan: Plan  # with the test and the number of resamples used
    comparison: MetricComparison  # its pairs are the tests with the run before
    with_bests: list[PairResult]


def steps_with_tests(
    evidence: Evidence, plan: Plan, references: tuple[int, int] | None = None
) -> TestedSteps:
    """Tests of runs, whose order is that of the evidence, with the run before and with the best run before."""
    count = len(evidence.systems)
    steps = [(run, run - 1) for run in range(1, count)]
    bests = [(run, best_of_first(evidence, run)) for run in range(1, count)]
    decided = _with_samples(plan.for_segments(evidence.segments), count)
    (compared,), (of_bests,) = compare_families(
        [evidence], decided, [steps, bests], references=[] if references is None else [references]
    )
    directions = [evidence.higher_is_better] * len(bests)
    with_bests = selection_corrected(of_bests.pairs, [run for run, _ in bests], directions, decided)
    return TestedSteps(decided, compared, with_bests)


def _with_samples(plan: Plan, runs: int) -> Plan:
    """The plan with as many resamples as significant differences require after correction, as far as that is few."""
    if plan.samples is not None or plan.test not in SAMPLES:
        return plan
    enough = enough_samples(plan, max(1, runs - 1)) or 0
    if plan.correct != "none" and _needed(plan, runs) <= _MOST_SAMPLES:
        enough = max(enough, _needed(plan, runs))
    return replace(plan, samples=enough)


def enough_samples(plan: Plan, tests: int) -> int | None:
    """Resamples, if the test resamples, with which a single difference can be significant after correction for so many
    tests. The smallest p-value is multiplied by their number by both methods: Holm, and Benjamini-Hochberg unless
    others are as small.
    """
    return (plan if plan.correct == "none" else replace(plan, correct="holm")).drawn(tests)


def _needed(plan: Plan, runs: int) -> int:
    """Resamples for any significant difference of the last of so many runs from the best before it."""
    return math.ceil((runs - 1) ** 2 / plan.significance)


def selection_corrected(
    pairs: Sequence[PairResult], candidates: Sequence[int], directions: Sequence[bool | None], plan: Plan
) -> list[PairResult]:
    """Results of tests with baselines that were selected from so many candidates: p-values are multiplied by the number
    of candidates, and then corrected over all pairs; with `correct="none"`, neither. `directions` has for each pair
    whether higher is better.
    """
    if plan.correct == "none" or not pairs:
        return list(pairs)
    factors = np.array(candidates, dtype=np.float64)
    p_values = np.array([pair.p_value for pair in pairs])
    samples = plan.drawn(len(pairs))
    floor = 0.0 if samples is None else 1 / (samples + 1)
    adjusted = corrected(np.minimum(p_values * factors, 1.0), plan.correct)
    lower = corrected(np.where(p_values <= floor, 0.0, np.minimum(p_values * factors, 1.0)), plan.correct)
    return [
        _decided(pair, float(p), bool(below < p), plan.significance, higher_is_better)
        for pair, p, below, higher_is_better in zip(pairs, adjusted, lower, directions, strict=True)
    ]


def _decided(
    pair: PairResult, p: float, is_bound: bool, significance: float, higher_is_better: bool | None
) -> PairResult:
    significant = is_real(p, significance) and not pair.contradicted
    better = pair.ahead(higher_is_better)[0] if significant and higher_is_better is not None else None
    return replace(pair, corrected=p, p_is_bound=is_bound, significant=significant, better=better)


def _verdict(run: str, pair: PairResult | None) -> str:
    if pair is None or not pair.significant:
        return ""
    return "changed" if pair.better is None else "better" if pair.better == run else "worse"


def _cautions(metric: MetricHistory) -> list[str]:
    """What limits the conclusions about a series."""
    tests = len(metric.steps) - 1
    if tests < 1:
        return []
    found = metric.plan.cautions(tests, metric.test_set.segments)
    drawn = metric.plan.drawn(tests)
    if drawn is not None and metric.plan.correct != "none" and drawn + 1 < _needed(metric.plan, tests + 1):
        found.append(
            f"With {number_of(drawn, 'resample')} and {tests + 1:,} runs, not every run can differ significantly from "
            f"the best before it. Use --last N for fewer runs, or --samples {_needed(metric.plan, tests + 1)}."
        )
    return found
