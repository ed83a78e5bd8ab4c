"""Tables of judgments below the main ones: error spans, controls, judges and disputed items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from understudy.judging.estimates import Absent
from understudy.report.agreement_details import NO_VALUE, interval_in_words
from understudy.report.grid import Grid, GridColumn, printable, shown_p

if TYPE_CHECKING:
    from understudy.judging.results import JudgeResults, QuestionResults

_MOST_CATEGORIES = 10
_LONGEST_TEXT = 60  # characters of an output that is shown


def span_grids(found: JudgeResults, digits: int) -> list[tuple[str, Grid]]:
    """Errors by system and severity, by category, and agreement on them."""
    if found.spans is None:
        return []
    systems, matched = found.spans.systems, found.spans.matched
    total = sum(each.spans for each in systems)
    by_system = Grid(
        [
            GridColumn(("system",), [printable(each.system) for each in systems], numeric=False),
            GridColumn(("annotations",), [f"{each.annotations:,}" for each in systems]),
            GridColumn(("spans",), [f"{each.spans:,}" for each in systems]),
            *(
                GridColumn((printable(name),), [f"{each.by_severity.get(name, 0):,}" for each in systems])
                for name in found.spans.severities
            ),
            GridColumn(("penalty ↓",), [f"{each.penalty:.{digits}f}" for each in systems]),
        ],
        ["penalty: mean sum of penalties per annotation."],
    )
    named = [("error spans: systems", by_system)]
    if found.spans.categories and total:
        names = found.spans.categories[:_MOST_CATEGORIES]
        counts = {name: sum(each.by_category.get(name, 0) for each in systems) for name in names}
        left_out = len(found.spans.categories) - len(names)
        categories = Grid(
            [
                GridColumn(("category",), [printable(name) for name in names], numeric=False),
                GridColumn(("spans",), [f"{counts[name]:,}" for name in names]),
                GridColumn(("share",), [f"{counts[name] / total:.1%}" for name in names]),
            ],
            [f"{left_out:,} less frequent categories not shown."] if left_out else [],
        )
        named.append(("error spans: categories", categories))
    if matched.f1.value is not None:
        rows = [("F1", matched.f1), ("F1, severity ignored", matched.f1_without_severity)]
        shown = [
            NO_VALUE if each.value is None else f"{each.value:.3f}{interval_in_words(each.interval, 3)}"
            for _, each in rows
        ]
        agreement = Grid(
            [
                GridColumn(("one judge against another",), [name for name, _ in rows], numeric=False),
                GridColumn(("value",), shown),
            ],
            [
                f"Matched characters in {matched.translations:,} translations that several judges annotated; "
                f"characters marked with another severity count half. In parentheses: {found.plan.confidence:.0%} CI, "
                f"{found.plan.samples:,} bootstrap resamples of segments.",
                *(f"Excluded: {count:,} spans {why}." for why, count in matched.left_out.items()),
            ],
        )
        named.append(("error spans: agreement", agreement))
    return named


def controls_grid(found: JudgeResults, *, details: bool) -> Grid:
    """All judges, or those who missed a control."""
    assert found.controls is not None
    chosen = [each for each in found.controls if details or each.missed]
    failed = [each.judge for each in found.controls if each.verdict == "failed"]
    if failed:
        verdict = f"Answers may be random: {', '.join(map(printable, failed))}."
    elif all(each.verdict == "too few" for each in found.controls):
        verdict = "No judge saw enough controls to test whether answers were random."
    else:
        verdict = (
            "No judge failed: all with enough controls missed significantly fewer than expected by chance."
        )
    return Grid(
        [
            GridColumn(("judge",), [printable(each.judge) for each in chosen], numeric=False),
            GridColumn(("controls",), [f"{each.seen:,}" for each in chosen]),
            GridColumn(("missed",), [f"{each.missed:,}" for each in chosen]),
            GridColumn(
                ("share missed",),
                [f"{each.missed / each.seen:.0%}{_percent(each.interval)}" for each in chosen],
            ),
            GridColumn(("p",), [shown_p(each.p_value) for each in chosen]),
            GridColumn(("verdict",), [each.verdict for each in chosen], numeric=False),
        ],
        [
            f"{sum(each.missed for each in found.controls):,} of {sum(each.seen for each in found.controls):,} "
            f"controls missed by {len(found.controls):,} judges. p: of missing no more by chance (binomial test). "
            f"{verdict}"
        ],
    )


def detail_grids(found: JudgeResults, each: QuestionResults, digits: int) -> list[tuple[str, Grid]]:
    """The judges, and the items that they disagree most about."""
    named = [("judges", _judges(each, digits))]
    if each.disputed:
        named.append(("items with the largest disagreement", _disputed(found, each, digits)))
    return named


def _judges(each: QuestionResults, digits: int) -> Grid:
    effects = {} if isinstance(each.effects, Absent) else {e.name: e.effect for e in each.effects.judges}
    repeats = {one.judge: one for one in each.agreement.own}
    rows = each.scales
    shown_effects = [
        NO_VALUE
        if (effect := effects.get(scale.judge)) is None or effect.value is None
        else f"{effect.value:+.{digits}f}{interval_in_words(effect.interval, digits)}"
        for scale in rows
    ]
    identical = [
        f"{one.identical.value:.0%} of {one.repeats:,}"
        if (one := repeats.get(scale.judge)) is not None and one.identical.value is not None
        else NO_VALUE
        for scale in rows
    ]
    return Grid(
        [
            GridColumn(("judge",), [printable(scale.judge) for scale in rows], numeric=False),
            GridColumn(("answers",), [f"{scale.answers:,}" for scale in rows]),
            GridColumn(("mean",), [f"{scale.mean:.{digits}f}" for scale in rows]),
            GridColumn(
                ("SD",),
                [NO_VALUE if scale.deviation is None else f"{scale.deviation:.{digits}f}" for scale in rows],
            ),
            GridColumn(("effect",), shown_effects),
            GridColumn(("identical repeats",), identical),
        ],
        ["effect: above (+) or below (-) the mean of all judges, on the same systems and segments."],
    )


def _disputed(found: JudgeResults, each: QuestionResults, digits: int) -> Grid:
    rows = each.disputed
    columns = [
        GridColumn(("segment",), [str(item.segment) for item in rows]),
        GridColumn(("system",), [printable(item.system) for item in rows], numeric=False),
        GridColumn(("SD",), [f"{item.disagreement:.{digits}f}" for item in rows]),
        GridColumn(
            ("judgments",),
            [
                ", ".join(
                    f"{printable(judge)} {value:g}"
                    for judge, value in zip(item.judges, item.values, strict=True)
                )
                for item in rows
            ],
            numeric=False,
            prose=True,
        ),
    ]
    if found.texts is not None:
        columns.append(
            GridColumn(
                ("output",),
                [_text(found, item.system, item.segment) for item in rows],
                numeric=False,
                prose=True,
            )
        )
    return Grid(columns, ["SD: of the judgments, each less the mean of its judge."])


def _text(found: JudgeResults, system: str, segment: int) -> str:
    assert found.texts is not None
    place = found.segment_numbers.index(segment)
    text = found.texts.outputs[found.systems.index(system)][place] or ""
    return printable(text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…")


def _percent(interval: object) -> str:
    return f" ({interval.low:.0%} to {interval.high:.0%})"  # type: ignore[attr-defined]
