"""Segment scores that another tool computed, from a TSV file.

Four layouts are read, and told apart by their first line:

- the long table that every command here writes: columns `system`, `value` (or `score`), and if they are there,
  `segment` (or `seg`) and `metric`;
- columns `system` and `segment` (or `seg`), and one for each metric;
- a column for each system, under a line of their names; a column `segment` may stand before them;
- lines of a system and a score without any header, as mt-metrics-eval keeps them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from understudy.comparison.evidence import Floats
from understudy.corpus.files import read_all
from understudy.corpus.lines import decoded
from understudy.errors import BadInput

SCORE_NAMES = ("value", "score")
SEGMENT_NAMES = ("segment", "seg")

# The scores of every system, by metric: in the order of the segments.
SegmentScores = dict[str, dict[str, Floats]]


def read_segment_scores(path: str | os.PathLike[str]) -> SegmentScores:
    """The scores in the file, by metric and system. Where metrics are not named, theirs is the file's name."""
    where = os.fspath(path)
    text = decoded(read_all(where), where)
    lines = [line.rstrip("\r").split("\t") for line in text.split("\n")]
    while lines and lines[-1] == [""]:
        lines.pop()
    if not lines:
        raise BadInput(f"'{where}' is empty, expected segment scores.")
    unnamed = os.path.basename(where).split(".")[0]
    header = [name.strip().lower() for name in lines[0]]
    if "system" in header and position(header, SCORE_NAMES) is not None:
        rows = _long(where, header, lines[1:], unnamed)
    elif "system" in header:
        rows = _metric_columns(where, lines[0], header, lines[1:])
    elif len(lines[0]) == 2 and is_number(lines[0][1]):
        rows = _headless(where, lines, unnamed)
    else:
        rows = _wide(where, lines[0], header, lines[1:], unnamed)
    return _in_order(where, rows)


Row = tuple[str, str, int, float]  # metric, system, segment, score


def _long(where: str, header: Sequence[str], lines: Iterable[Sequence[str]], unnamed: str) -> Iterator[Row]:
    score = next(place for place, name in enumerate(header) if name in SCORE_NAMES)
    system, segment = header.index("system"), position(header, SEGMENT_NAMES)
    metric = position(header, ("metric",))
    seen: dict[tuple[str, str], int] = {}
    for number, fields in enumerate(lines, start=2):
        _check_width(where, number, fields, len(header))
        name = fields[metric] if metric is not None else unnamed
        seen[name, fields[system]] = seen.get((name, fields[system]), 0) + 1
        place = seen[name, fields[system]] if segment is None else _segment(where, number, fields[segment])
        yield name, fields[system], place, _number(where, number, fields[score])


def _metric_columns(
    where: str, names: Sequence[str], header: Sequence[str], lines: Iterable[Sequence[str]]
) -> Iterator[Row]:
    system, segment = header.index("system"), position(header, SEGMENT_NAMES)
    metrics = [place for place in range(len(header)) if place not in (system, segment)]
    if segment is None or not metrics:
        raise BadInput(
            f"'{where}' has a column 'system', but no column 'value' or 'score', nor 'segment' and a column for each "
            "metric. Name the columns so."
        )
    _check_names(where, names, "metric")
    for number, fields in enumerate(lines, start=2):
        _check_width(where, number, fields, len(header))
        place = _segment(where, number, fields[segment])
        for metric in metrics:
            yield names[metric], fields[system], place, _number(where, number, fields[metric])


def _check_names(where: str, names: Sequence[str], what: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise BadInput(
            f"'{where}' has two columns '{twice[0]}', expected a column for each {what}. Rename one."
        )


def _wide(
    where: str, names: Sequence[str], header: Sequence[str], lines: Iterable[Sequence[str]], unnamed: str
) -> Iterator[Row]:
    _check_names(where, names, "system")
    segment = position(header, SEGMENT_NAMES)
    for number, fields in enumerate(lines, start=2):
        _check_width(where, number, fields, len(header))
        place = number - 1 if segment is None else _segment(where, number, fields[segment])
        for column, field in enumerate(fields):
            if column != segment:
                yield unnamed, names[column], place, _number(where, number, field)


def _headless(where: str, lines: Iterable[Sequence[str]], unnamed: str) -> Iterator[Row]:
    seen: dict[str, int] = {}
    for number, fields in enumerate(lines, start=1):
        _check_width(where, number, fields, 2)
        seen[fields[0]] = seen.get(fields[0], 0) + 1
        yield unnamed, fields[0], seen[fields[0]], _number(where, number, fields[1])


def _in_order(where: str, rows: Iterable[Row]) -> SegmentScores:
    found: dict[str, dict[str, dict[int, float]]] = {}
    for metric, system, segment, score in rows:
        scores = found.setdefault(metric, {}).setdefault(system, {})
        if segment in scores:
            raise BadInput(f"'{where}': system '{system}' has segment {segment} twice for {metric}.")
        scores[segment] = score
    for metric, systems in found.items():
        expected = next(iter(systems.values())).keys()
        for system, scores in systems.items():
            for segment in sorted(expected ^ scores.keys()):
                raise BadInput(
                    f"'{where}': segment {segment} has a {metric} score for some systems only (see '{system}'). "
                    "All systems must have the same segments."
                )
    return {
        metric: {
            system: np.array([scores[segment] for segment in sorted(scores)])
            for system, scores in systems.items()
        }
        for metric, systems in found.items()
    }


def position(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _check_width(where: str, number: int, fields: Sequence[str], expected: int) -> None:
    if len(fields) != expected:
        raise BadInput(f"'{where}': line {number} has {len(fields)} columns, expected {expected}.")


def _segment(where: str, number: int, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput(
            f"'{where}': line {number} has the segment '{text}', expected a whole number."
        ) from None


def _number(where: str, number: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise BadInput(
            f"'{where}': line {number} has the score '{text}', expected a number. Leave out that segment for all "
            "systems, or decide what it counts as."
        )
    return value


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
