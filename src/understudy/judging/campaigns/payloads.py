"""Answers as browsers send them, checked against the step and the texts they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from understudy.errors import UnderstudyError
from understudy.judging.protocols.protocol import RANKED, RATED, Step

_LONGEST_COMMENT = 10_000  # code points
_LONGEST_POST_EDIT = 50_000
_MOST_SPANS = 500  # per output
_ORIGINS = ("judge", "kept", "changed")


class BadAnswer(UnderstudyError, ValueError):
    """An answer that cannot be stored. The message is for the page, which shows it to the judge."""


class ShownText(NamedTuple):
    """An output as the judge saw it: its name on the screen, its text, and how many spans were prefilled."""

    name: str
    text: str
    prefilled: int = 0


class Shown(NamedTuple):
    """Everything that an answer can be about."""

    outputs: Sequence[ShownText]
    source: str | None
    comment: bool
    post_edit: bool


def checked_payload(payload: Any, step: Step, shown: Shown) -> dict[str, Any]:
    """The payload with nothing but what belongs in it, or BadAnswer."""
    given = _object(payload, "payload")
    names = [output.name for output in shown.outputs]
    checked: dict[str, Any] = {}
    if "comment" in given:
        checked["comment"] = _comment(given.pop("comment"), shown)
    if "post_edit" in given:
        checked["post_edit"] = _post_edit(given.pop("post_edit"), shown)
    if "skipped" in given:
        if given.pop("skipped") is not True:
            raise BadAnswer("skipped: expected true.")
        checked["skipped"] = True
    elif step.widget in RATED:
        checked["values"] = _values(given.pop("values", None), step, names)
    elif step.widget in RANKED:
        checked["ranks"] = _ranks(given.pop("ranks", None), step, names)
    else:
        final = given.pop("final", True)
        if not isinstance(final, bool):
            raise BadAnswer("final: expected true or false.")
        checked["spans"] = _spans(given.pop("spans", None), step, shown, final)
        checked["removed"] = _removed(given.pop("removed", {}), shown)
        checked["final"] = final
    if given:
        raise BadAnswer(f"unknown field '{min(given)[:40]}' in the payload of step '{step.name}'.")
    return checked


def is_final(payload: Mapping[str, Any]) -> bool:
    """Whether the judge is done with the step: drafts of spans are saved, too."""
    return bool(payload.get("final", True))


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadAnswer(f"{what}: expected a JSON object.")
    return dict(value)


def _of_every_output(value: Any, what: str, names: Sequence[str]) -> dict[str, Any]:
    given = _object(value, what)
    if sorted(given) != sorted(names):
        raise BadAnswer(f"{what}: expected one entry for each of {', '.join(names)}.")
    return {name: given[name] for name in names}


def _values(value: Any, step: Step, names: Sequence[str]) -> dict[str, float]:
    scale = step.scale
    assert scale is not None
    found = _of_every_output(value, "values", names)
    for name, number in found.items():
        if not is_number(number) or not scale.allows(number):
            raise BadAnswer(
                f"values: {name}: expected a number from {scale.low:g} to {scale.high:g} in steps of {scale.step:g}."
            )
    return found


def _ranks(value: Any, step: Step, names: Sequence[str]) -> dict[str, int]:
    found = _of_every_output(value, "ranks", names)
    for name, rank in found.items():
        if not _is_count(rank) or not 1 <= rank <= len(names):
            raise BadAnswer(f"ranks: {name}: expected an integer from 1 to {len(names)}.")
    if not step.ties and len(set(found.values())) < len(names):
        raise BadAnswer("ranks: ties are not allowed. Give every output a rank of its own.")
    return found


def _spans(value: Any, step: Step, shown: Shown, final: bool) -> dict[str, list[dict[str, Any]]]:
    found = _of_every_output(value, "spans", [output.name for output in shown.outputs])
    checked = {}
    for output in shown.outputs:
        spans = found[output.name]
        if not isinstance(spans, list) or len(spans) > _MOST_SPANS:
            raise BadAnswer(f"spans: {output.name}: expected a list of at most {_MOST_SPANS} spans.")
        checked[output.name] = [_span(span, step, output, shown.source, final) for span in spans]
    return checked


def _span(value: Any, step: Step, output: ShownText, source: str | None, final: bool) -> dict[str, Any]:
    given = _object(value, "span")
    side = given.pop("side", "target")
    if side not in step.sides:
        raise BadAnswer(f"span: side: expected {' or '.join(step.sides)}.")
    start, end, text = (given.pop(name, None) for name in ("start", "end", "text"))
    covered = _covered(start, end, side, output.text, source)
    if text != covered:
        raise BadAnswer("span: text: expected the text from start to end, counted in code points.")
    severity = given.pop("severity", None)
    if severity not in [known.name for known in step.severities]:
        raise BadAnswer(f"span: severity: expected one of {', '.join(k.name for k in step.severities)}.")
    category = given.pop("category", None) or None
    leaves = step.leaf_categories()
    undecided = category is None and not (leaves and final)
    if not undecided and not (isinstance(category, str) and category in leaves):
        raise BadAnswer("span: category: expected a category of the protocol that has no subcategories.")
    origin, prefilled = given.pop("origin", "judge"), given.pop("prefilled", None)
    if origin not in _ORIGINS:
        raise BadAnswer(f"span: origin: expected one of {', '.join(_ORIGINS)}.")
    if (prefilled is None) != (origin == "judge") or not _is_index(prefilled, output.prefilled):
        raise BadAnswer("span: prefilled: expected the index of a prefilled span that was kept or changed.")
    if given:
        raise BadAnswer(f"unknown field '{min(given)[:40]}' in a span.")
    return {
        **{"start": start, "end": end, "text": text, "side": side},
        **{"category": category, "severity": severity, "origin": origin, "prefilled": prefilled},
    }


def _covered(start: Any, end: Any, side: str, output: str, source: str | None) -> str:
    """The text of a span. An omission has no text of its own: it covers the source that is missing, or nothing."""
    if not _is_count(start) or not _is_count(end) or not 0 <= start <= end:
        raise BadAnswer("span: start, end: expected integers, 0 <= start <= end.")
    if side == "omission" and start == end:
        return ""
    text = output if side == "target" else source or ""
    if start == end or end > len(text):
        raise BadAnswer(
            f"span: end: expected a number above start and at most {len(text)}, the length of the text."
        )
    return text[start:end]


def _removed(value: Any, shown: Shown) -> dict[str, list[int]]:
    given = _object(value, "removed")
    prefilled = {output.name: output.prefilled for output in shown.outputs}
    for name, indices in given.items():
        known = prefilled.get(name, 0)
        if not isinstance(indices, list) or not all(
            index is not None and _is_index(index, known) for index in indices
        ):
            raise BadAnswer("removed: expected the indices of prefilled spans, by output.")
    return {name: sorted(set(indices)) for name, indices in given.items()}


def _comment(value: Any, shown: Shown) -> str:
    if not shown.comment:
        raise BadAnswer("comment: this campaign takes no comments.")
    if not isinstance(value, str) or len(value) > _LONGEST_COMMENT:
        raise BadAnswer(f"comment: expected text of at most {_LONGEST_COMMENT:,} characters.")
    return value


def _post_edit(value: Any, shown: Shown) -> dict[str, str]:
    if not shown.post_edit:
        raise BadAnswer("post_edit: this campaign takes no post-edited text.")
    given = _object(value, "post_edit")
    names = [output.name for output in shown.outputs]
    for name, text in given.items():
        if name not in names or not isinstance(text, str) or len(text) > _LONGEST_POST_EDIT:
            raise BadAnswer(
                f"post_edit: expected text of at most {_LONGEST_POST_EDIT:,} characters for {' or '.join(names)}."
            )
    return given


def is_number(value: Any) -> bool:
    # Compared, not converted: JSON has integers that no float can hold.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e15 < value < 1e15


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_index(value: Any, count: int) -> bool:
    return value is None or (_is_count(value) and 0 <= value < count)
