"""The results of challenge sets for programs: JSON values and tables, at full precision."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from understudy.report.json_values import plain
from understudy.report.sheets import Sheet
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.metrics.base.score import Interval
    from understudy.probing.challenge_sets.results import ChallengeResults

_METRICS = ("metric", "first", "second")  # fields that hold the position of a metric


def as_data(found: ChallengeResults) -> dict[str, Any]:
    """Everything, as JSON can hold it; metrics are named by their spec."""
    return {"understudy": __version__, **_named(found, found.specs)}


def _named(value: Any, specs: list[str]) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: specs[item] if name in _METRICS else _named(item, specs) for name, item in held.items()}
    if isinstance(value, (list, tuple)):
        return [_named(item, specs) for item in value]
    return plain(value)


def as_sheets(found: ChallengeResults) -> list[Sheet]:
    """Phenomena first; then means, differences, severities, ACES scores and missed pairs."""
    specs = found.specs
    sheets = [
        Sheet(
            "phenomena",
            (
                *("phenomenon", "severity", "metric", "pairs", "segments", "right", "tied", "accuracy"),
                *("low", "high", "tau", "difference"),
            ),
            [
                (
                    *(each.phenomenon, each.severity or None, specs[each.metric], each.pairs, each.segments),
                    *(each.right, each.tied, each.accuracy, *_ends(each.interval), each.tau, each.difference),
                )
                for each in found.phenomena
            ],
        ),
        Sheet(
            "means",
            ("metric", "phenomena", "pairs", "accuracy", "low", "high", "tied", "tau"),
            [
                (
                    *(specs[each.metric], each.phenomena, each.pairs, each.accuracy),
                    *(*_ends(each.interval), each.tied, each.tau),
                )
                for each in found.means
            ],
        ),
        Sheet(
            "differences",
            (
                *("phenomenon", "first", "second", "only_first", "only_second", "difference", "test"),
                *("uncorrected", "p_value", "significant"),
            ),
            [
                (
                    *(
                        each.phenomenon,
                        specs[each.first],
                        specs[each.second],
                        each.only_first,
                        each.only_second,
                    ),
                    *(each.difference, each.test, each.uncorrected, each.p_value, each.significant),
                )
                for each in found.differences
            ],
        ),
        Sheet(
            "severities",
            ("severity", "metric", "pairs", "accuracy", "difference"),
            [
                (each.severity, specs[each.metric], each.pairs, each.accuracy, each.difference)
                for each in found.severities
            ],
        ),
        Sheet(
            "order of severities",
            ("metric", "within_segments", "compared", "ordered", "low", "high", "tied"),
            [
                (
                    *(specs[each.metric], each.within_segments, each.compared, each.ordered),
                    *(*_ends(each.interval), each.tied),
                )
                for each in found.severity_orders
            ],
        ),
        Sheet(
            "aces",
            ("metric", "category", "tau"),
            [
                row
                for each in found.aces
                for row in (
                    (specs[each.metric], "ACES score", each.score),
                    *((specs[each.metric], name, tau) for name, tau in each.categories.items()),
                )
            ],
        ),
        Sheet(
            "missed pairs",
            (
                *("phenomenon", "metric", "where", "good", "incorrect"),
                *(f"{spec} {which}" for spec in specs for which in ("good", "incorrect")),
            ),
            [
                (
                    *(each.phenomenon, specs[each.metric], each.where, each.good, each.incorrect),
                    *(score for pair in each.scores for score in pair),
                )
                for each in found.missed
            ],
        ),
    ]
    return [sheet for number, sheet in enumerate(sheets) if sheet.rows or number == 0]


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
