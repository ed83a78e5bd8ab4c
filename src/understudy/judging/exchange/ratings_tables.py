"""Tables of ratings: `system, seg, judge, score[, question]`, one column per question, and WMT's direct assessments."""

from __future__ import annotations

import math
from collections.abc import Sequence

from understudy.corpus.files import shown
from understudy.corpus.score_tables import (
    JUDGE_NAMES,
    MEASURE_NAMES,
    NO_SEGMENT,
    NumberedLines,
    Table,
    numbered_lines,
    score_table_name,
    table_rows,
)
from understudy.errors import BadInput
from understudy.judging.exchange.given import UNNAMED, Given, Rating
from understudy.judging.judgments import Question

_REPEATS = {"system": False, "repeat": True, "tgt": False, "chk": True}  # values of the column `type`
RAW, STANDARDIZED = "raw", "z"  # columns of direct assessments


def read_ratings(table: Table) -> Given:
    """Judges are named in a column `judge`, `rater` or `annotator`. A column `type` with the values `system` and
    `repeat` tells hidden repeats apart.
    """
    where = score_table_name(table)
    lines = numbered_lines(table)
    header = [name.strip().lower() for name in lines[0][1]]
    measures = table_rows(table, by_people=True)
    repeats = _repeats(where, lines, header)
    given = Given("ratings")
    if {RAW, STANDARDIZED} <= set(header):
        # Standardized scores are computed from the raw ones here.
        del measures[STANDARDIZED]
        given.protocol = "direct assessment"
        given.questions[RAW] = Question(RAW, 0.0, 100.0)
    column = next((place for place, name in enumerate(header) if name in MEASURE_NAMES), None)
    of_lines = None if column is None else [fields[column] for _, fields in lines[1:]]
    if of_lines is not None and "" in of_lines:
        number = lines[1 + of_lines.index("")][0]
        raise BadInput(f"{shown(where)}, line {number}: no {header[column or 0]}, expected its name.")
    for name, rows in measures.items():
        repeat = _of_measure(where, repeats, of_lines, name, len(rows.scores))
        if (rows.segments == NO_SEGMENT).any():
            raise BadInput(
                f"{shown(where)} has scores of whole systems, expected judgments of segments. Add a column 'seg'."
            )
        given.ratings[name] = [
            Rating(row[0] or UNNAMED, *row[1:])
            for row in zip(
                rows.judges,
                rows.systems,
                rows.segments.tolist(),
                rows.scores.tolist(),
                repeat,
                strict=True,
            )
            if not math.isnan(row[3])
        ]
    if not any(given.ratings.values()):
        raise BadInput(f"{shown(where)}: all scores are missing, expected at least one.")
    given.ratings = {name: rows for name, rows in given.ratings.items() if rows}
    if not set(JUDGE_NAMES) & set(header):
        given.notes.append(f"{where}: no judges are named, so agreement between judges cannot be measured.")
    return given


def _repeats(where: str, lines: NumberedLines, header: Sequence[str]) -> list[bool] | None:
    """Of every line below the header; None: no column says it."""
    if "type" not in header:
        return None
    place = header.index("type")
    found = []
    for number, fields in lines[1:]:
        kind = fields[place].strip().lower()
        if kind not in _REPEATS:
            raise BadInput(
                f"{shown(where)}, line {number}: type '{fields[place]}', expected system or repeat."
            )
        found.append(_REPEATS[kind])
    return found


def _of_measure(
    where: str,
    repeats: Sequence[bool] | None,
    measures: Sequence[str] | None,
    name: str,
    count: int,
) -> Sequence[bool]:
    """Which of the lines of a question are repeats, in the order in which `table_rows` has them."""
    if repeats is None:
        return [False] * count
    if measures is not None:
        repeats = [each for each, measure in zip(repeats, measures, strict=True) if measure == name]
    if len(repeats) != count:
        raise BadInput(
            f"{shown(where)}: the column 'type' cannot be combined with a column 'reference'. Remove one."
        )
    return repeats
