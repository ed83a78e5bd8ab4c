"""Practice items of a protocol file: texts, expected answers and feedback."""

from __future__ import annotations

from understudy.corpus.toml_tables import Table
from understudy.errors import BadParameter
from understudy.judging.protocols.protocol import (
    RANKED,
    RATED,
    SIDES,
    Expected,
    ExpectedSpan,
    OutputsPerScreen,
    PracticeItem,
    Step,
)
from understudy.text.languages import language_of


def practice_item(table: Table, steps: tuple[Step, ...], screen: OutputsPerScreen) -> PracticeItem:
    """One practice item. It has the texts that the steps show, and an expected answer for at least one step."""
    outputs = table.texts("outputs")
    if not screen.at_least <= len(outputs) <= screen.at_most:
        bounds = (
            f"{screen.at_least}"
            if screen.at_least == screen.at_most
            else f"{screen.at_least} to {screen.at_most}"
        )
        table.wrong("outputs", f"{bounds} outputs, as many as a screen has", len(outputs))
    item = PracticeItem(
        target_language=_language(table, "target_language", table.text("target_language")),
        outputs=outputs,
        sources={
            _language(table, "sources", key): text for key, text in table.text_by_key("sources").items()
        },
        reference=table.text("reference", "") or None,
        expected=table.tables("expected", lambda inner: _expected(inner, steps, outputs)),
    )
    if not item.expected:
        table.wrong("expected", "at least one expected answer with feedback")
    if item.reference is None and any("reference" in step.shows for step in steps):
        table.wrong("reference", "a string, since a step shows the reference")
    if not item.sources and any("source" in step.shows for step in steps):
        table.wrong("sources", "the source by language, since a step shows it")
    return item


def _language(table: Table, key: str, code: str) -> str:
    try:
        return language_of(code).code
    except BadParameter:
        table.wrong(key, "a language code such as de", code)


def _expected(table: Table, steps: tuple[Step, ...], outputs: tuple[str, ...]) -> Expected:
    by_name = {step.name: step for step in steps}
    step = by_name[table.choice("step", list(by_name))]
    output = table.count("output", 1, len(outputs), 1) - 1
    expected = Expected(
        step=step.name,
        output=output,
        feedback=table.text("feedback"),
        at_least=_bound(table, "at_least", step),
        at_most=_bound(table, "at_most", step),
        better_than=_others(table, "better_than", step, output, len(outputs)),
        same_as=_others(table, "same_as", step, output, len(outputs)),
        spans=_spans(table, step, outputs[output]),
    )
    if step.widget in RATED and expected.at_least is None and expected.at_most is None:
        table.wrong("at_least", "a bound: at_least, at_most or both")
    if None not in (expected.at_least, expected.at_most) and expected.at_least > expected.at_most:  # type: ignore[operator]
        table.wrong("at_most", f"at least {expected.at_least:g}, the lower bound", expected.at_most)
    if step.widget in RANKED and not expected.better_than and not expected.same_as:
        table.wrong("better_than", "the numbers of worse outputs, or same_as")
    return expected


def _bound(table: Table, key: str, step: Step) -> float | None:
    if step.scale is None or not table.has(key):
        return None
    value = table.number(key)
    if not step.scale.low <= value <= step.scale.high:
        table.wrong(key, f"a value of the scale, {step.scale.low:g} to {step.scale.high:g}", value)
    return value


def _others(table: Table, key: str, step: Step, output: int, outputs: int) -> tuple[int, ...]:
    if step.widget not in RANKED:
        return ()
    others = tuple(number - 1 for number in table.counts(key, 1, outputs))
    if output in others:
        table.wrong(key, "the numbers of other outputs", output + 1)
    return others


def _spans(table: Table, step: Step, output: str) -> tuple[ExpectedSpan, ...] | None:
    if step.widget != "spans":
        return None
    if not table.has("spans"):
        table.wrong("spans", "a list of errors; [] if there is none")
    severities = [severity.name for severity in step.severities]
    categories = [
        name for category in step.categories for name in (category.name, *_below(category.name, step))
    ]

    def span(inner: Table) -> ExpectedSpan:
        side = inner.choice("side", [side for side in SIDES if side in step.sides], "target")
        start, end = 0, 0
        if side == "target":
            text = inner.text("text")
            start = output.find(text)
            end = start + len(text)
            if start < 0:
                inner.wrong("text", "a part of the output", text)
        return ExpectedSpan(
            start=start,
            end=end,
            side=side,
            severities=inner.choices("severities", severities, ()),
            categories=inner.choices("categories", categories, ()) if categories else (),
        )

    return table.tables("spans", span)


def _below(parent: str, step: Step) -> list[str]:
    return [name for name in step.leaf_categories() if name.startswith(f"{parent}/")]
