"""What a reader should take away from what the verb `trust` found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.comparison.wording import listed
from understudy.report.agreement_details import height, influential, title
from understudy.report.agreements import interval_in_words
from understudy.report.grid import printable
from understudy.report.trust_charts import (
    DRAWN,
    drawn_metrics,
    main_coefficients,
    thresholds_by_difference,
)

if TYPE_CHECKING:
    from understudy.agreement.coefficients import Asked
    from understudy.agreement.metric_tests import MetricRanking
    from understudy.agreement.results import MetricTrust, Trust

NAMES_LISTED = 4  # in one sentence; of more only the number is said
HANGS = 0.1  # R² that changes by so much without a system hangs on it

Sentence = tuple[bool, str]  # whether it speaks for the metrics


def takeaways(trust: Trust, digits: int) -> list[Sentence]:
    """The best metrics at each level first, then what there is to doubt."""
    ranked = {ranking.asked.level: ranking for ranking in trust.rankings}
    found: list[Sentence] = []
    for asked in main_coefficients(trust):
        ranking = ranked.get(asked.level)
        known = [metric.name for metric in trust.metrics if height(metric, asked) > -math.inf]
        # Metrics without scores of segments cannot be tested by exchanging them, but have coefficients.
        if ranking is None or ranking.asked != asked or len(ranking.values) < len(known):
            found.append(_highest(asked, trust.metrics, digits))
        if ranking is not None:
            found.append(_best(ranking, len(known), trust, digits))
    found += by_chance(trust)
    shown = drawn_metrics(trust, DRAWN)
    return found + _hanging(trust, shown) + [sentence for metric in shown for sentence in _noticed(metric)]


def _best(ranking: MetricRanking, known: int, trust: Trust, digits: int) -> Sentence:
    """The metric that agrees best, and from which it cannot be told apart."""
    among = (
        f", among the {len(ranking.values)} metrics that can be tested" if len(ranking.values) < known else ""
    )
    where, coefficient = f"On {ranking.asked.level}s{among}", title(ranking.asked)
    if not ranking.clusters:
        return False, f"{where} no metric has {coefficient}."
    best = ranking.clusters[0][0]
    pairs = [pair for pair in ranking.pairs if best in (pair.first, pair.second)]
    others = [(pair.second if pair.first == best else pair.first, pair.significant) for pair in pairs]
    open_ = [name for name, significant in others if not significant]
    agreed = next((metric.of(ranking.asked) for metric in trust.metrics if metric.name == best), None)
    sound = agreed is None or agreed.above_chance  # None: it was not asked for, only ranked by
    value = f"{ranking.values[best]:.{digits}f}{'' if sound else ' (could be chance)'}"
    agrees = f"{where}, {printable(best)} agrees best with people by {coefficient}, {value}"
    if not open_:
        beaten = [name for name, _ in others]
        return sound, f"{agrees}: better than {some(beaten, f'all {len(beaten)} others')}."
    if len(open_) == len(others) > 1:
        return False, f"{agrees}, but cannot be told apart from any other."
    undecided = some(open_, f"{len(open_)} of the {len(others)} others")
    first = ranking.clusters[0]
    clear = (
        f" The first {len(first)} are better than every other."
        if 1 < len(first) < len(ranking.values)
        else ""
    )
    return False, f"{agrees}, but cannot be told apart from {undecided}.{clear}"


def _highest(asked: Asked, metrics: Sequence[MetricTrust], digits: int) -> Sentence:
    best = max(metrics, key=lambda metric: height(metric, asked))
    agreed = best.of(asked)
    if agreed is None or math.isnan(agreed.value):
        return False, f"On {asked.level}s no metric has {title(asked)}."
    bounds = interval_in_words(agreed.estimate.interval, digits)
    value = f"{agreed.value:.{digits}f}{bounds}"
    return (
        agreed.above_chance,
        f"On {asked.level}s, {printable(best.name)} has the highest {title(asked)} with people, {value}."
        if len(metrics) > 1
        else f"On {asked.level}s, {title(asked)} of {printable(best.name)} with people is {value}.",
    )


def by_chance(trust: Trust) -> list[Sentence]:
    """Which coefficients random scores often reach, at each level."""
    found: list[Sentence] = []
    for level in trust.plan.levels:
        asked = [one for one in trust.asked if one.level == level]
        metrics: dict[tuple[str, ...], list[Asked]] = {}
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
            found.append((True, f"On {level}s, every coefficient is better than chance."))
            continue
        parts = [
            f"{listed([title(one) for one in ones])} of {some(names, f'{len(names)} metrics')}"
            for names, ones in metrics.items()
        ]
        if parts:
            rest = " Every other coefficient is better than chance." if sound else ""
            found.append((False, f"On {level}s, could be chance: {'; '.join(parts)}.{rest}"))
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
            if not math.isnan(change) and (change >= HANGS or of_outliers):
                found.append((change < HANGS, f"{printable(metric.name)}: {printable(each.sentence)}"))
    if not found and any(metric.without_each for metric in metrics):
        return [
            (True, f"No system is an outlier, and without any one of them R² moves by less than {HANGS}.")
        ]
    return found


def _noticed(metric: MetricTrust) -> list[Sentence]:
    """From which difference on people agree."""
    if metric.noticed is None:
        return []
    name = printable(metric.name)
    missed = [f"{each.share:.0%}" for each in metric.noticed.thresholds if each.difference is None]
    parts = [
        f"in {max(shares):.0%} of pairs from {difference:.3g} on"
        for difference, shares in thresholds_by_difference(metric.noticed).items()
    ]
    parts += [f"in {listed(missed)} at no difference seen here"] if missed else []
    return [(not missed, f"People agree with differences in {name} {', '.join(parts)}.")]


def some(names: Sequence[str], many: str) -> str:
    """The names, or if there are many, what is said instead."""
    return listed(list(map(printable, names))) if len(names) <= NAMES_LISTED else many
