"""The conclusions of `trust`, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.agreement_details import influential, title
from understudy.report.grid import printable
from understudy.report.trust_charts import (
    DRAWN,
    drawn_metrics,
    main_coefficients,
    thresholds_by_difference,
)
from understudy.report.trust_headlines import BASELINE, Sentence, counted, some, verdicts
from understudy.wording import listed

if TYPE_CHECKING:
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.results import MetricTrust, Trust

_HANGS = 0.1  # leave-one-out change of R² that is reported


def takeaways(trust: Trust, digits: int) -> list[Sentence]:
    """The best metrics at each level, then the reservations."""
    found = [sentence for asked in main_coefficients(trust) for sentence in verdicts(trust, asked, digits)]
    found += _by_chance(trust)
    shown = drawn_metrics(trust, DRAWN)
    return found + _hanging(trust, shown) + [sentence for metric in shown for sentence in _noticed(metric)]


def _by_chance(trust: Trust) -> list[Sentence]:
    """Coefficients that are not significantly above the permutation baseline, at each level."""
    found: list[Sentence] = []
    for level in trust.plan.levels:
        asked = [one for one in trust.asked if one.level == level]
        metrics: dict[tuple[str, ...], list[CoefficientSpec]] = {}
        for one in asked:
            doubtful = tuple(
                metric.name
                for metric in trust.metrics
                if (agreed := metric.of(one)) is not None
                and not math.isnan(agreed.value)
                and not agreed.above_chance
            )
            metrics.setdefault(doubtful, []).append(one)
        sound = metrics.pop((), [])
        if asked and not metrics:
            found.append((True, f"At {level} level, every coefficient is {BASELINE}."))
            continue
        parts = []
        for names, ones in metrics.items():
            number = counted([metric for metric in trust.metrics if metric.name in names])
            parts.append(f"{listed([title(one) for one in ones])} of {some(names, number)}")
        if parts:
            rest = " Every other coefficient is." if sound else ""
            found.append((False, f"At {level} level, not {BASELINE}: {'; '.join(parts)}.{rest}"))
    return found


def _hanging(trust: Trust, metrics: Sequence[MetricTrust]) -> list[Sentence]:
    """Whether R² is about a single system."""
    found: list[Sentence] = []
    if trust.outliers:
        names = listed(list(map(printable, trust.outliers)))
        verb = "is an outlier" if len(trust.outliers) == 1 else "are outliers"
        found.append((False, f"{names} {verb} by human score."))
    for metric in metrics:
        of_outliers = [each for each in metric.without_outliers if each.asked.coefficient == "r2"]
        # Without all of them, which comes last; else without the system that matters most.
        for each in (of_outliers or influential(metric))[-1:]:
            change = abs(each.with_them - each.without_them)
            if not math.isnan(change) and (change >= _HANGS or of_outliers):
                found.append((change < _HANGS, f"{printable(metric.name)}: {printable(each.sentence)}"))
    if not found and any(metric.without_each for metric in metrics):
        return [
            (
                True,
                f"No outliers by human score; leaving out any one system changes R² by less than {_HANGS}.",
            )
        ]
    return found


def _noticed(metric: MetricTrust) -> list[Sentence]:
    """From which difference on people agree."""
    if metric.noticed is None:
        return []
    name = printable(metric.name)
    missed = [f"{each.share:.0%}" for each in metric.noticed.thresholds if each.difference is None]
    parts = [
        f"{max(shares):.0%} of pairs at {difference:.3g}"
        for difference, shares in thresholds_by_difference(metric.noticed).items()
    ]
    parts += [f"{listed(missed)} at no difference in these data"] if missed else []
    return [(not missed, f"Human agreement with differences in {name} reaches {', '.join(parts)}.")]
