"""Agreement by the longest n-gram or the largest depth that a metric counts (Liu & Gildea 2005, tables 1 to 6)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from understudy.corpus.files import Path
from understudy.corpus.judgments import ScoreTable
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric, checked_threads
from understudy.scoring.counted import Systems
from understudy.scoring.run import chosen_metrics
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.intervals import Estimate, estimates
from understudy.trusting.metric_scores import MetricScores, pair, score_systems
from understudy.trusting.plan import TrustPlan

# The parameters that say how long or how deep, of whatever metric has one.
LENGTHS = ("max_order", "max_depth", "char_order")

# Of the systems' scores, and of the segments of each system: its mean over systems.
ASKED = (CoefficientSpec("pearson", "system"), CoefficientSpec("pearson", "segment", "system"))


@dataclass(frozen=True)
class ByLength:
    """One coefficient of one metric at every length. A metric without lengths, such as a tree kernel, has one value."""

    metric: str
    parameter: str  # empty: it has none
    asked: CoefficientSpec
    lengths: tuple[int, ...]
    values: tuple[float, ...]  # NaN: not defined
    lows: tuple[float, ...]  # of the intervals
    highs: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Lengths:
    """Metrics at every length, scored."""

    families: tuple[
        tuple[str, str, tuple[str, ...]], ...
    ]  # a metric's label, its parameter, its specs by length
    scored: MetricScores


def score_lengths(
    systems: Systems | Path,
    references: Iterable[Path] = (),
    metrics: Iterable[str | Metric] = ("bleu",),
    *,
    up_to: int = 4,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
) -> Lengths:
    """Every metric with every length up to `up_to`. For `documents` see `score_systems`."""
    if up_to < 1:
        raise BadParameter(f"lengths up to {up_to}: expected at least 1.")
    families = [_shorter(metric, up_to) for metric in chosen_metrics(metrics)]
    if all(not parameter for _, parameter, _ in families):
        raise BadParameter(
            f"lengths up to {up_to}: none of the metrics has n-grams or trees of a length to choose "
            f"({', '.join(LENGTHS)})."
        )
    wanted = list(dict.fromkeys(metric for _, _, family in families for metric in family))
    return Lengths(
        tuple(
            (label, parameter, tuple(metric.spec for metric in family))
            for label, parameter, family in families
        ),
        score_systems(systems, references, wanted, documents=documents, threads=threads),
    )


def by_length(
    human: ScoreTable, lengths: Lengths, plan: TrustPlan | None = None, *, threads: int | None = None
) -> list[ByLength]:
    """How far the metrics agree with people at every length, at the levels of the plan."""
    plan = plan or TrustPlan()
    paired = pair(human, lengths.scored)
    name_of = {measure.spec: measure.name for measure in lengths.scored.measures}
    asked = [
        one
        for one in ASKED
        if one.level in plan.levels
        and (human.segments if one.level == "segment" else len(paired.systems) > 1)
    ]
    found = estimates(
        paired.pairings,
        asked,
        over=plan.over or ("segments" if paired.segments else "systems"),
        samples=plan.samples,
        seed=plan.seed,
        confidence=plan.confidence,
        threads=checked_threads(threads),
    )
    return [
        _gathered(label, parameter, one, [found[name_of[spec]][number] for spec in specs])
        for number, one in enumerate(asked)
        for label, parameter, specs in lengths.families
    ]


def _shorter(metric: Metric, up_to: int) -> tuple[str, str, list[Metric]]:
    """The metric's label, the parameter that is its length, and it at every length."""
    parameter = next((name for name in LENGTHS if name in metric.parameters()), "")
    if not parameter:
        return metric.label, "", [metric]
    return metric.label, parameter, [replace(metric, **{parameter: length}) for length in range(1, up_to + 1)]


def _gathered(label: str, parameter: str, asked: CoefficientSpec, found: Sequence[Estimate]) -> ByLength:
    return ByLength(
        label,
        parameter,
        asked,
        tuple(range(1, len(found) + 1)) if parameter else (),
        tuple(each.agreement.value for each in found),
        tuple(math.nan if each.interval is None else each.interval.low for each in found),
        tuple(math.nan if each.interval is None else each.interval.high for each in found),
    )
