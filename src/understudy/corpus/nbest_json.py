"""N-best lists in JSON lines: one candidate or one segment per line."""

from __future__ import annotations

from typing import Any

from understudy.corpus.files import shown
from understudy.corpus.nbest_rows import (
    SEGMENT_NAMES,
    TEXT_NAMES,
    NewSegment,
    NumberedLines,
    Row,
    Rows,
    layout_of,
    segment_number,
)
from understudy.corpus.tables import json_values, kind_of_json
from understudy.errors import BadInput, InvalidText

_JSON_FORMS = (
    'Expected one candidate per line, {"segment": 1, "text": "..."}, or one segment per line, '
    '{"candidates": [...]}'
)


def json_rows(lines: NumberedLines, path: str) -> Rows:
    for number, value in json_values(lines, path, _JSON_FORMS):
        at = f"{shown(path)}, line {number}"
        if isinstance(value, list):
            segments = value if value and all(isinstance(item, list) for item in value) else [value]
            for segment in segments:
                yield NewSegment(number)
                yield from _json_candidates(segment, {}, number, at)
        elif isinstance(value, dict) and "candidates" in value:
            if not isinstance(value["candidates"], list):
                raise BadInput(f"{at}: 'candidates' is {kind_of_json(value['candidates'])}, expected a list.")
            yield NewSegment(number, _json_segment(value, at))
            yield from _json_candidates(value["candidates"], value, number, at)
        elif isinstance(value, dict):
            segment = _json_segment(value, at)
            if segment is None:
                raise BadInput(f"{at}: 'segment' is missing. {_JSON_FORMS}.")
            yield _json_candidate(value, segment, number, at)
        else:
            raise BadInput(f"{at}: got {kind_of_json(value)}. {_JSON_FORMS}.")


def _json_candidates(candidates: list[Any], beside: dict[str, Any], number: int, at: str) -> Rows:
    for key in ("scores", "weights"):
        if (column := beside.get(key)) is not None and (
            not isinstance(column, list) or len(column) != len(candidates)
        ):
            raise BadInput(f"{at}: '{key}' is not a list of {len(candidates)} numbers, one per candidate.")
    for index, candidate in enumerate(candidates):
        here = f"{at}, candidate {index + 1}"
        if not isinstance(candidate, (str, dict)):
            raise BadInput(f"{here}: got {kind_of_json(candidate)}, expected a string or an object.")
        row: dict[str, Any] = {"text": candidate} if isinstance(candidate, str) else dict(candidate)
        for key in ("score", "weight"):
            if beside.get(f"{key}s") is not None:
                row[key] = beside[f"{key}s"][index]
        yield _json_candidate(row, None, number, here)


def _json_candidate(row: dict[str, Any], segment: int | None, number: int, at: str) -> Row:
    key = next((name for name in TEXT_NAMES if name in row), None)
    if key is None:
        raise BadInput(f"{at}: 'text' is missing. {_JSON_FORMS}.")
    text, alignment, given = row[key], row.get("alignment"), row.get("features") or {}
    for name, value in ((key, text), ("alignment", "" if alignment is None else alignment)):
        if not isinstance(value, str):
            raise BadInput(f"{at}: '{name}' is {kind_of_json(value)}, expected a string.")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidText(f"{at}: '{name}' has a lone surrogate. Was a character split?") from None
    if not isinstance(given, dict):
        raise BadInput(f"{at}: 'features' is {kind_of_json(given)}, expected an object, name to number.")
    values = {
        name: [
            _json_number(item, f"feature '{name}'", at)
            for item in (value if isinstance(value, list) else [value])
        ]
        for name, value in given.items()
    }
    layout, numbers = layout_of(values, at)
    score, weight = (
        None if row.get(name) is None else _json_number(row[name], f"'{name}'", at)
        for name in ("score", "weight")
    )
    return Row(number, segment, text, layout, numbers, score, weight, alignment)


def _json_segment(row: dict[str, Any], at: str) -> int | None:
    key = next((name for name in SEGMENT_NAMES if name in row), None)
    if key is None:
        return None
    value = row[key]
    if isinstance(value, str):
        return segment_number(value, at)
    if type(value) is not int or value < 0:
        raise BadInput(f"{at}: '{key}' is {value!r}, expected the number of the segment.")
    return value


def _json_number(value: Any, what: str, at: str) -> float:
    if type(value) not in (int, float):
        raise BadInput(f"{at}: {what} is {kind_of_json(value)}, expected a number.")
    try:
        return float(value)
    except OverflowError:
        raise BadInput(f"{at}: {what} is too large a number.") from None
