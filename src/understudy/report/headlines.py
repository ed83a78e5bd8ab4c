"""The result for all systems by one metric, in up to three sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.grid import printable
from understudy.wording import listed

if TYPE_CHECKING:
    from understudy.comparing.results import MetricComparison, PairResult

_NAMES_LISTED = 4  # in one sentence; with more names, only their number is given
_PAIRS_LISTED = 3  # with their sizes; of more, the largest difference


def headline(metric: MetricComparison) -> str:
    """Every difference is given with its confidence interval and its corrected p-value."""
    from understudy.comparing.results import in_words

    if len(metric.pairs) == 1:
        return printable(in_words(metric.pairs[0], metric))
    if metric.clusters is not None:
        return _ranking(metric, metric.clusters)
    return _differences(metric) if metric.higher_is_better is None else _against_baseline(metric)


def _ranking(metric: MetricComparison, clusters: Sequence[Sequence[str]]) -> str:
    best, second, *rest = (name for cluster in clusters for name in cluster)
    pairs = {
        pair.second if pair.first == best else pair.first: pair
        for pair in metric.pairs
        if best in (pair.first, pair.second)
    }
    alike = [printable(name) for name in (second, *rest) if pairs[name].better is None]
    lead = (
        f"{printable(best)} ranks first by {metric.quantity}, {_lead(best, second, pairs[second], metric)}."
    )
    if not alike:
        others = "both others" if len(pairs) == 2 else f"all {len(pairs)} others"
        return f"{lead} It is significantly better than {others}."
    some = listed(alike) if len(alike) <= _NAMES_LISTED else f"{len(alike)} of the {len(pairs)} others"
    first = clusters[0]
    in_first = (
        listed([printable(name) for name in first])
        if len(first) <= _NAMES_LISTED
        else f"{len(first)} of {len(metric.systems)} systems"
    )
    return f"{lead} It is not significantly better than {some}. First cluster: {in_first}."


def _lead(best: str, second: str, pair: PairResult, metric: MetricComparison) -> str:
    """How far the first is from the second."""
    # The difference of the first from the second, where more is better.
    turned = (pair.first == best) != metric.higher_is_better
    difference = -pair.difference if turned else pair.difference
    bounds = sorted(-bound if turned else bound for bound in (pair.interval.low, pair.interval.high))
    digits = _digits(pair)
    evidence = _evidence(pair, *(_shown(bound, digits) for bound in bounds))
    if difference == 0:
        return f"tied with {printable(second)} ({evidence})"
    where = "ahead of" if difference > 0 else "behind"
    return f"{_shown(abs(difference), digits)} {where} {printable(second)} ({evidence})"


def _against_baseline(metric: MetricComparison) -> str:
    baselines = {pair.second for pair in metric.pairs}
    against = printable(baselines.pop()) if len(baselines) == 1 else "the preceding system"
    undecided = [pair for pair in metric.pairs if pair.better is None]
    verdicts = [
        ("significantly better than", [pair for pair in metric.pairs if pair.better == pair.first]),
        ("significantly worse than", [pair for pair in metric.pairs if pair.better == pair.second]),
        ("not significantly different from", [pair for pair in undecided if not pair.contradicted]),
        ("without a verdict against", [pair for pair in undecided if pair.contradicted]),
    ]
    parts = [
        f"{_some(found, each=len(metric.pairs) <= _PAIRS_LISTED)} {verdict} {against}"
        for verdict, found in verdicts
        if found
    ]
    return f"By {metric.quantity}, {'; '.join(parts)}."


def _some(pairs: Sequence[PairResult], *, each: bool) -> str:
    """The systems, each with how far it is from the baseline, or only the one that is farthest."""
    if each or len(pairs) == 1:
        shown = listed([f"{printable(pair.first)} ({_signed(pair)})" for pair in pairs])
        return f"{shown} {'is' if len(pairs) == 1 else 'are'}"
    farthest = _farthest(pairs)
    return f"{len(pairs)} systems, {printable(farthest.first)} ({_signed(farthest)}) farthest, are"


def _differences(metric: MetricComparison) -> str:
    """By a metric of which neither more nor less is better."""
    found = [pair for pair in metric.pairs if pair.significant]
    farthest = _farthest(metric.pairs)
    return (
        f"By {metric.quantity}, {len(found)} of {len(metric.pairs)} pairs differ significantly. The largest difference "
        f"is between {printable(farthest.first)} and {printable(farthest.second)}: {_signed(farthest)}."
    )


def _farthest(pairs: Sequence[PairResult]) -> PairResult:
    return max(pairs, key=lambda pair: abs(pair.difference))


def _signed(pair: PairResult) -> str:
    digits = _digits(pair)
    difference, *bounds = (
        _shown(number, digits, "+") for number in (pair.difference, pair.interval.low, pair.interval.high)
    )
    return f"{difference}, {_evidence(pair, *bounds)}"


def _evidence(pair: PairResult, low: str, high: str) -> str:
    p = f"p {'≤' if pair.p_is_bound else '='} {pair.corrected:.2g}"
    return f"{pair.interval.confidence:.0%} CI {low} to {high}, {p}"


def _shown(number: float, digits: int, sign: str = "-") -> str:
    """Without the sign of a zero.

    >>> _shown(-0.001, 2), _shown(1.5, 2, "+")
    ('0.00', '+1.50')
    """
    return f"{round(number, digits) + 0.0:{sign}.{digits}f}"


def _digits(pair: PairResult) -> int:
    from understudy.wording import digits_for

    return digits_for(abs(pair.difference))
