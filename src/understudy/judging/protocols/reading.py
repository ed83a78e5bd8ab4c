"""Protocols by name or from a file, checked."""

from __future__ import annotations

import os
from importlib import resources

from understudy.corpus.toml_tables import Table, once_each, parsed_toml
from understudy.errors import BadInput, BadParameter, MissingFile, did_you_mean
from understudy.judging.protocols.practice_items import practice_item
from understudy.judging.protocols.protocol import (
    LEVELS,
    MOST_OUTPUTS,
    RANKED,
    RATED,
    SIDES,
    TEXTS,
    UNITS,
    WIDGETS,
    Anchor,
    Category,
    Group,
    OutputsPerScreen,
    Protocol,
    Scale,
    Severity,
    Step,
    written,
)

# In the order of the documentation.
PROTOCOLS = ("report", "adequacy-fluency", "ranking", "pairwise", "da", "da-sqm", "esa", "mqm", "cesa")
ASSIGNMENTS = ("same", "shares", "pool", "dynamic")
ORDERS = ("same", "own")
_MOST_POINTS = 11  # of a scale of buttons
_MOST_POSITIONS = 10_001  # of a slider
_MOST_BYTES = 1_000_000
_RESERVED_KEYS = "su"  # of the page: skip, undo


def protocol(name_or_file: str | os.PathLike[str]) -> Protocol:
    """One of `PROTOCOLS`, or one read from a file that ends in .toml.

    >>> protocol("report").groups["monolingual"].shows
    {'overall': ('output',)}
    """
    given = os.fspath(name_or_file)
    if given in PROTOCOLS:
        return protocol_of_text(protocol_text(given), f"{given}.toml")
    if not given.endswith(".toml"):
        raise BadParameter(
            f"unknown protocol '{given}'. {did_you_mean(given, PROTOCOLS)} A file of your own must end in .toml."
        )
    try:
        with open(given, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise MissingFile(f"cannot open protocol '{given}': {error.strerror}. Check the path.") from None
    if len(content) > _MOST_BYTES:
        raise BadInput(f"'{given}' is larger than 1 MB, expected a protocol. Check the path.")
    try:
        return protocol_of_text(content.decode("utf-8-sig"), given)
    except UnicodeDecodeError as error:
        raise BadInput(f"'{given}' is not UTF-8 at byte {error.start + 1}. Save it in UTF-8.") from None


def protocol_text(name: str) -> str:
    """The file of a protocol of this package, for copying."""
    if name not in PROTOCOLS:
        raise BadParameter(f"unknown protocol '{name}'. {did_you_mean(name, PROTOCOLS)}")
    return (resources.files(__package__) / f"{name}.toml").read_text(encoding="utf-8")


def protocol_of_text(text: str, file: str) -> Protocol:
    """The protocol that a file with this text describes; `file` names it in messages."""
    top = parsed_toml(text, file)
    outputs = _outputs(top)
    steps = top.tables("steps", _step)
    if not steps:
        top.wrong("steps", "at least one step")
    once_each(top, "steps", [step.name for step in steps])
    _check_widgets_fit(top, steps, outputs)
    groups = _groups(top, steps)
    found = Protocol(
        name=top.name("name"),
        title=top.text("title"),
        citation=top.text("citation", ""),
        instructions=top.texts("instructions"),
        steps=steps,
        outputs=outputs,
        groups=groups,
        assignment=top.choice("assignment", ASSIGNMENTS, "shares"),
        order=top.choice("order", ORDERS, "own"),
        practice=top.tables("practice", lambda table: practice_item(table, steps, outputs)),
        written=text,
    )
    top.end()
    return found


def _outputs(top: Table) -> OutputsPerScreen:
    table = top.table("outputs")
    low = table.count("at_least", 1, MOST_OUTPUTS, 1)
    high = table.count("at_most", low, MOST_OUTPUTS, max(low, 1))
    default = table.count("default", low, high, high)
    table.end()
    return OutputsPerScreen(low, high, default)


def _step(table: Table) -> Step:
    name = table.name("name")
    widget = table.choice("widget", WIDGETS)
    spans = widget == "spans"
    shows = table.choices("shows", TEXTS)
    if "output" not in shows:
        table.wrong("shows", "a list with 'output'", list(shows))
    severities = table.tables("severities", _severity) if spans else ()
    step = Step(
        name=name,
        widget=widget,
        question=table.text("question"),
        shows=shows,
        scale=_scale(table.table("scale"), widget) if widget in RATED else None,
        severities=severities,
        categories=_categories(table, severities) if spans else (),
        sides=table.choices("sides", SIDES, ("target",)) if spans else (),
        by=table.choice("by", UNITS, "characters") if spans else "characters",
        ties=table.flag("ties", True) if widget in RANKED else True,
        choices=_choices(table) if widget == "pairwise" else {},
    )
    if spans:
        _check_spans(table, step)
    return step


def _scale(table: Table, widget: str) -> Scale:
    low, high = table.number("low"), table.number("high")
    if high <= low:
        table.wrong("high", f"a number above {written(low)}, the lowest value", high)
    step = table.number("step", 1.0)
    most, otherwise = (_MOST_POINTS, ", or the widget slider") if widget == "scale" else (_MOST_POSITIONS, "")
    if step > 0 and (high - low) / step > most - 1:
        table.wrong("step", f"at most {most:,} values{otherwise}", step)
    if step <= 0 or abs((high - low) / step - round((high - low) / step)) > 1e-9:
        table.wrong("step", f"a positive number that divides {written(high - low)}, the range", step)
    scale = Scale(
        low=low,
        high=high,
        step=step,
        level=table.choice("level", LEVELS, "ordinal" if widget == "scale" else "interval"),
        labels=table.text_by_key("labels"),
        descriptions=table.text_by_key("descriptions"),
        anchors=table.tables("anchors", lambda anchor: Anchor(anchor.number("at"), anchor.text("label"))),
    )
    points = scale.points()
    for key, texts in (("labels", scale.labels), ("descriptions", scale.descriptions)):
        for point in texts:
            if point not in points:
                table.wrong(
                    key, f"values from {points[0]} to {points[-1]} in steps of {written(step)}", point
                )
    missing = [point for point in points if point not in scale.descriptions]
    if widget == "scale" and scale.descriptions and missing:
        table.wrong("descriptions", f"a description of every value; add {', '.join(missing[:5])}")
    for anchor in scale.anchors:
        if not low <= anchor.at <= high:
            table.wrong("anchors", f"positions from {points[0]} to {points[-1]}", anchor.at)
    once_each(table, "anchors", [written(anchor.at) for anchor in scale.anchors])
    table.end()
    return scale


def _severity(table: Table) -> Severity:
    key = table.text("key")
    if len(key) != 1 or not key.isascii() or not key.isalnum() or key.lower() in _RESERVED_KEYS:
        table.wrong("key", "one letter or digit other than s (skip) and u (undo)", key)
    weight = table.number("weight")
    if weight < 0:
        table.wrong("weight", "a number of at least 0", weight)
    return Severity(table.name("name"), table.text("label"), key, weight, table.text("description", ""))


def _categories(table: Table, severities: tuple[Severity, ...], parent: str = "") -> tuple[Category, ...]:
    key = "children" if parent else "categories"

    def category(inner: Table) -> Category:
        name = parent + inner.name("name")
        weights = inner.table("weights")
        known = [severity.name for severity in severities]
        for severity in weights.values:
            if severity not in known:
                inner.wrong("weights", f"severities ({', '.join(known)})", severity)
            if weights.number(severity) < 0:
                weights.wrong(severity, "a number of at least 0", weights.number(severity))
        children = _categories(inner, severities, f"{name}/") if inner.has("children") else ()
        if children and weights.values:
            inner.wrong("weights", "weights of the children only, which are what a judge chooses")
        return Category(
            name=name,
            label=inner.text("label"),
            description=inner.text("description", ""),
            children=children,
            weights={severity: weights.number(severity) for severity in weights.values},
        )

    found = table.tables(key, category)
    once_each(table, key, [each.name for each in found])
    return found


def _choices(table: Table) -> dict[str, str]:
    choices = table.table("choices")
    found = {
        key: choices.text(key) for key in ("first", "second", "tie") if key != "tie" or choices.has("tie")
    }
    choices.end()
    if table.flag("ties", True) != ("tie" in found):
        table.wrong("choices", "a label 'tie' if and only if ties = true")
    return found


def _check_spans(table: Table, step: Step) -> None:
    if not step.severities:
        table.wrong("severities", "at least one severity")
    once_each(table, "severities", [severity.name for severity in step.severities])
    once_each(table, "severities", [severity.key for severity in step.severities])
    if not step.sides:
        table.wrong("sides", f"at least one of {', '.join(SIDES)}")
    if "source" in step.sides and "source" not in step.shows:
        table.wrong("sides", "'source' only if the step shows the source", list(step.sides))


def _check_widgets_fit(top: Table, steps: tuple[Step, ...], outputs: OutputsPerScreen) -> None:
    for step in steps:
        if step.widget == "pairwise" and (outputs.at_least, outputs.at_most) != (2, 2):
            top.wrong("outputs", "at_least = 2 and at_most = 2 for the widget pairwise")
        if step.widget == "ranking" and outputs.at_least < 2:
            top.wrong("outputs.at_least", "at least 2 for the widget ranking", outputs.at_least)
    if sum(step.widget == "spans" for step in steps) > 1:
        top.wrong("steps", "at most one step with the widget spans")


def _groups(top: Table, steps: tuple[Step, ...]) -> dict[str, Group]:
    table = top.table("groups")
    found = {}
    names = [step.name for step in steps]
    for name in table.names():
        group = table.table(name)
        shows, questions = group.table("shows"), group.table("questions")
        for inner in (shows, questions):
            for step in inner.values:
                if step not in names:
                    inner.wrong(step, f"the name of a step ({', '.join(names)})", step)
        found[name] = Group(
            name=name,
            instructions=group.texts("instructions", ()),
            shows={step: shows.choices(step, TEXTS) for step in shows.values},
            questions={step: questions.text(step) for step in questions.values},
        )
        group.end()
        _check_group_shows(shows, found[name], steps)
    return found


def _check_group_shows(table: Table, group: Group, steps: tuple[Step, ...]) -> None:
    for step in steps:
        shows = group.shows.get(step.name, step.shows)
        if "output" not in shows:
            table.wrong(step.name, "a list with 'output'", list(shows))
        if "source" in step.sides and "source" not in shows:
            table.wrong(step.name, "a list with 'source', in which errors are marked", list(shows))
