"""Agreement by maximum n-gram order or tree depth of a metric (Liu & Gildea 2005, tables 1 to 6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from understudy.arrays import one_blas_thread
from understudy.corpus.judgments import ScoreTable, read_judgments
from understudy.corpus.score_tables import Table
from understudy.equality import EqualByValue
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.threads import checked_threads
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_whole, refuse_unknown_keywords
from understudy.trusting.coefficients.by_name import Agreement, CoefficientSpec
from understudy.trusting.intervals import estimates
from understudy.trusting.metric_scores import align_with_human, score_systems
from understudy.trusting.plan import TrustPlan

# The parameters that say how long or how deep, of whatever metric has one.
_LENGTHS = ("max_order", "max_depth", "char_order")

# Of the systems' scores, and of the segments of each system: its mean over systems.
_ASKED = (CoefficientSpec("pearson", "system"), CoefficientSpec("pearson", "segment", "system"))


@dataclass(frozen=True, eq=False)
class AgreementByOrder(EqualByValue):
    """One coefficient of one metric by maximum order or depth. A metric without orders, such as a tree kernel, has one
    value.
    """

    metric: str
    parameter: str  # empty: it has none
    asked: CoefficientSpec
    lengths: tuple[int, ...]
    values: tuple[float, ...]  # NaN: not defined
    lows: tuple[float, ...]  # of the intervals
    highs: tuple[float, ...]


@one_blas_thread()
def trust_by_order(
    human: Table | ScoreTable,
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    up_to: int = 4,
    lang: str | None = None,
    measure: str | None = None,
    sources: Any = None,
    documents: Any = None,
    threads: int | None = None,
    **plan: Any,
) -> list[AgreementByOrder]:
    """Agreement of metrics with human scores for every maximum order or depth from 1 to `up_to`, at the levels of the
    plan. The arguments are those of `understudy.trust`.
    """
    check_whole("up_to", up_to)
    families = [_shorter(metric, up_to) for metric in chosen_metrics(metrics, lang)]
    if all(not parameter for _, parameter, _ in families):
        raise BadParameter(
            f"up_to={up_to}: no metric has a maximum n-gram order or tree depth ({', '.join(_LENGTHS)})."
        )
    refuse_unknown_keywords(plan, trust_by_order, TrustPlan)
    chosen_plan = TrustPlan(**plan)
    judged = human if isinstance(human, ScoreTable) else read_judgments(human, measure)
    wanted = list(dict.fromkeys(metric for _, _, family in families for metric in family))
    scored = score_systems(systems, references, wanted, sources=sources, documents=documents, threads=threads)
    paired = align_with_human(judged, scored)
    name_of = {measure.spec: measure.name for measure in scored.measures}
    asked = [
        one
        for one in _ASKED
        if one.level in chosen_plan.levels
        and (judged.segments if one.level == "segment" else len(paired.systems) > 1)
    ]
    found = estimates(
        paired.pairings,
        asked,
        over=chosen_plan.over or ("segments" if paired.segments else "systems"),
        samples=chosen_plan.samples,
        seed=chosen_plan.seed,
        confidence=chosen_plan.confidence,
        threads=checked_threads(threads),
    )
    return [
        _by_order(label, parameter, one, [found[name_of[metric.spec]][number] for metric in family])
        for number, one in enumerate(asked)
        for label, parameter, family in families
    ]


def _shorter(metric: Metric, up_to: int) -> tuple[str, str, list[Metric]]:
    """The metric's label, the parameter that is its length, and it at every length."""
    parameter = next((name for name in _LENGTHS if name in metric.parameters()), "")
    if not parameter:
        return metric.label, "", [metric]
    return metric.label, parameter, [replace(metric, **{parameter: length}) for length in range(1, up_to + 1)]


def _by_order(
    label: str, parameter: str, asked: CoefficientSpec, found: Sequence[Agreement]
) -> AgreementByOrder:
    return AgreementByOrder(
        label,
        parameter,
        asked,
        tuple(range(1, len(found) + 1)) if parameter else (),
        tuple(each.value for each in found),
        tuple(math.nan if each.interval is None else each.interval.low for each in found),
        tuple(math.nan if each.interval is None else each.interval.high for each in found),
    )
