"""The metric with the highest agreement at a level, if significant, in up to three sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.agreement_details import height, interval_in_words, title
from understudy.report.grid import printable
from understudy.trusting.metric_scores import SENTINEL
from understudy.wording import listed, number_of

if TYPE_CHECKING:
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.metric_tests.metric_ranking import MetricRanking
    from understudy.trusting.results import MetricTrust, Trust

_NAMES_LISTED = 4  # in one sentence; with more names, only their number is given
BASELINE = "significantly above the permutation baseline"

Sentence = tuple[bool, str]  # whether it speaks for the metrics


def verdicts(trust: Trust, asked: CoefficientSpec, digits: int) -> list[Sentence]:
    """For one coefficient: the highest value if not all metrics were tested, and the result of the test. A metric is
    best only if it is significantly better than all others and than the permutation baseline.
    """
    ranking = next((each for each in trust.rankings if each.asked.level == asked.level), None)
    known = [metric for metric in trust.metrics if height(metric, asked) > -math.inf]
    found = []
    # Metrics without scores of segments cannot be tested by exchanging them, but have coefficients.
    if ranking is None or ranking.asked != asked or len(ranking.values) < len(known):
        untested = (
            "cannot all be tested" if ranking is not None and ranking.asked == asked else "were not tested"
        )
        found.append(_highest(asked, known, untested, digits))
    if ranking is not None:
        found.append(_tested(ranking, len(known), trust.metrics, digits))
    return found


def some(names: Sequence[str], many: str) -> str:
    """The names, or a summary if there are many."""
    return listed(list(map(printable, names))) if len(names) <= _NAMES_LISTED else many


def counted(metrics: Sequence[MetricTrust]) -> str:
    """The number of metrics, and that of sentinels, which are none."""
    sentinels = sum(metric.source == SENTINEL for metric in metrics)
    numbers = {"metric": len(metrics) - sentinels, "sentinel": sentinels}
    return listed([number_of(number, kind) for kind, number in numbers.items() if number])


def _highest(asked: CoefficientSpec, metrics: Sequence[MetricTrust], untested: str, digits: int) -> Sentence:
    if not metrics:
        return False, f"At {asked.level} level, no metric has {_named(asked)}."
    best = max(metrics, key=lambda metric: height(metric, asked))
    agreed = best.of(asked)
    assert agreed is not None
    bounds = interval_in_words(agreed.agreement.interval, digits)
    sound = agreed.above_chance
    value = f"{agreed.value:.{digits}f}{bounds}{'' if sound else f', not {BASELINE}'}"
    where, name = f"At {asked.level} level, {_named(asked)}", printable(best.name)
    if len(metrics) == 1:
        return sound, f"{where} of {name} with human scores is {value}."
    return False, f"{where} with human scores is highest for {name}, {value}. Differences {untested}."


def _tested(ranking: MetricRanking, known: int, metrics: Sequence[MetricTrust], digits: int) -> Sentence:
    tested = [metric for metric in metrics if metric.name in ranking.values]
    among = f", among the {counted(tested)} that can be tested" if len(tested) < known else ""
    where, coefficient = f"At {ranking.asked.level} level{among}", _named(ranking.asked)
    if not ranking.clusters:
        return False, f"{where}, no metric has {coefficient}."
    order = [name for cluster in ranking.clusters for name in cluster]
    best, *others = order
    values = {name: f"{ranking.values[name]:.{digits}f}" for name in order}
    by_chance = [name for name in order if not _above_chance(name, ranking.asked, metrics)]
    beaten = {
        pair.second if pair.first == best else pair.first
        for pair in ranking.pairs
        if pair.significant and best in (pair.first, pair.second)
    }
    alike = [name for name in others if name not in beaten]
    all_others = some(others, f"all {len(others)} others")
    if best in by_chance:
        highest, measured = f"{values[best]} ({printable(best)})", f"{coefficient} with human scores"
        said = (
            f"no metric's {measured} is {BASELINE}; the highest is {highest}"
            if by_chance == order
            else f"the highest {measured}, {highest}, is not {BASELINE}"
        )
        higher = "" if alike else f", significantly higher than that of {all_others}"
        return False, f"{where}, {said}{higher}."
    if not alike:
        agrees = f"{where}, {printable(best)} agrees significantly better with human scores than {all_others}"
        return True, f"{agrees}: {coefficient} is {values[best]}, the next highest {values[others[0]]}."
    if len(order) == 2:
        both = " and ".join(f"{values[name]} for {printable(name)}" for name in order)
        return False, (
            f"{where}, {printable(best)} and {printable(others[0])} do not differ significantly in agreement with "
            f"human scores: {coefficient} is {both}."
        )
    first = ranking.clusters[0]
    kinds = "metrics and sentinels" if any(metric.source == SENTINEL for metric in metrics) else "metrics"
    in_first = (
        f" First cluster: {some(first, f'{len(first)} of {len(order)} {kinds}')}." if len(first) > 1 else ""
    )
    return False, (
        f"{where}, no metric agrees significantly better with human scores than all others: {coefficient} is highest "
        f"for {printable(best)}, {values[best]}, but not significantly higher than for "
        f"{some(alike, f'{len(alike)} of the {len(others)} others')}.{in_first}"
    )


def _above_chance(name: str, asked: CoefficientSpec, metrics: Sequence[MetricTrust]) -> bool:
    agreed = next((metric.of(asked) for metric in metrics if metric.name == name), None)
    return agreed is None or agreed.above_chance  # None: it was not asked for, only ranked by


def _named(asked: CoefficientSpec) -> str:
    """As part of a sentence.

    >>> from understudy.trusting.coefficients.by_name import CoefficientSpec
    >>> _named(CoefficientSpec("kendall-b", "segment", "segment"))
    "Kendall's τ-b (group-by-item)"
    """
    name, comma, grouping = title(asked).partition(", ")
    return f"{name} ({grouping})" if comma else name
