"""Names, counts, shares and scores in the results of `probe`, as tables, figures and sentences write them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.arrays import ROUNDING
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.score import Interval
    from understudy.probing.permutations.bounds import SegmentBound

SAME, WORSE, BETTER = "same", "worse", "better"
_LARGEST_IN_FULL = 1_000_000_000
_MOST_DIGITS = 4000  # of an integer: Python writes no more than 4,300


def metric_labels(metrics: Sequence[Metric]) -> list[str]:
    """The label of each metric; its spec if another metric has the same label.

    >>> from understudy import BLEU, CHRF
    >>> metric_labels([BLEU(), CHRF()]), metric_labels([BLEU(), BLEU(max_order=2)])
    (['BLEU', 'chrF'], ['bleu', 'bleu:max_order=2'])
    """
    names = [metric.label for metric in metrics]
    return [
        printable(name if names.count(name) == 1 else metric.spec)
        for name, metric in zip(names, metrics, strict=True)
    ]


def exact_permutations(bound: SegmentBound) -> int | None:
    """(k - b)!, or None where it has thousands of digits."""
    return bound.permutations if bound.log10 < _MOST_DIGITS else None


def shown_permutations(bound: SegmentBound) -> str:
    """In full up to a billion, else as a power of ten.

    >>> from understudy.probing.permutations.bounds import SegmentBound
    >>> shown_permutations(SegmentBound(0, (), 18, 10, None)), shown_permutations(SegmentBound(0, (), 30, 10, None))
    ('40,320', '2.4 × 10^18')
    """
    if bound.log10 < math.log10(_LARGEST_IN_FULL):
        return f"{bound.permutations:,}"
    return _power_of_ten(bound.log10)


def shown_count(count: int | None) -> str:
    """The same for a number that is known exactly or not at all.

    >>> shown_count(4), shown_count(None), shown_count(2_432_902_008_176_640_000)
    ('4', '–', '2.4 × 10^18')
    """
    if count is None:
        return "–"
    return f"{count:,}" if count < _LARGEST_IN_FULL else _power_of_ten(math.log10(count))


def _power_of_ten(log10: float) -> str:
    """
    >>> _power_of_ten(12.0), _power_of_ten(11.999)
    ('1.0 × 10^12', '1.0 × 10^12')
    """
    exponent = math.floor(log10)
    mantissa = f"{10 ** (log10 - exponent):.1f}"
    return f"1.0 × 10^{exponent + 1}" if mantissa == "10.0" else f"{mantissa} × 10^{exponent}"


def percent(share: float) -> str:
    """Without digits that a share of few segments does not have; never 0% or 100% of what is neither.

    >>> percent(0.5), percent(0.001), percent(0.9999), percent(1.0)
    ('50%', '<1%', '>99%', '100%')
    """
    if math.isnan(share):
        return "–"
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{100 * share:.0f}%"


def percent_with_interval(share: float, interval: Interval | None) -> str:
    """
    >>> from understudy.metrics.base.score import Interval
    >>> percent_with_interval(0.5, Interval(0.25, 0.755)), percent_with_interval(0.5, None)
    ('50% (25 to 76)', '50%')
    """
    if interval is None or math.isnan(share):
        return percent(share)
    return f"{percent(share)} ({100 * interval.low:.0f} to {100 * interval.high:.0f})"


def signed_with_interval(value: float, interval: Interval | None) -> str:
    """
    >>> from understudy.metrics.base.score import Interval
    >>> signed_with_interval(1.5, Interval(-0.25, 3)), signed_with_interval(-1, None)
    ('+1.50 (-0.25 to +3.00)', '-1.00')
    """
    if interval is None or math.isnan(value):
        return signed(value, 2)
    return f"{signed(value, 2)} ({signed(interval.low, 2)} to {signed(interval.high, 2)})"


def change(metric: Metric, before: float, after: float) -> str:
    """What a metric says of a changed text: worse, better or the same.

    >>> from understudy import TER
    >>> change(TER(), 40.0, 45.0), change(TER(), 40.0, 40.0 + 1e-12)
    ('worse', 'same')
    """
    difference = metric.worth(after) - metric.worth(before)
    if math.isnan(difference) or abs(difference) <= ROUNDING * max(1.0, abs(before), abs(after)):
        return SAME
    return WORSE if difference < 0 else BETTER


def signed(number: float, digits: int) -> str:
    """With its sign; zero has none.

    >>> signed(-0.001, 2), signed(1.5, 1)
    ('0.00', '+1.5')
    """
    rounded = round(number, digits) + 0.0
    return f"{rounded:.{digits}f}" if rounded == 0 or math.isnan(number) else f"{rounded:+.{digits}f}"


def strength_in_words(strength: float | None) -> str:
    """
    >>> strength_in_words(0.25), strength_in_words(None)
    ('25%', '')
    """
    return "" if strength is None else f"{100 * strength:g}%"
