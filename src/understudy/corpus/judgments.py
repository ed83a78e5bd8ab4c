"""Human scores: a table of systems and segments, which may have gaps.

If several raters scored a translation, its score is the mean over raters. A rater with several scores for the same
translation contributes their mean, and so counts once.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, ties_kept
from understudy.corpus.columns import listed
from understudy.corpus.score_files import (
    MT_METRICS_EVAL,
    both_levels,
    chosen_measure,
    read_score_rows,
    with_choice,
)
from understudy.corpus.score_tables import NO_SEGMENT, ScoreRows, Table, is_file, score_table_name, table_rows
from understudy.equality import EqualByValue
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.settings import checked_names

_SMALLEST_SPREAD = 1e-100  # whose square is still a number above 0


@dataclass(frozen=True, eq=False)
class Ratings(EqualByValue):
    """The scores of each rater, in columns; repeated scores are averaged."""

    judge: NDArray[np.int64]  # its number in the names of the judges
    row: NDArray[np.int64]  # of the system
    column: NDArray[np.int64]  # of the segment; the one behind all segments: the system as a whole
    score: Floats

    def of_rows(self, rows: Sequence[int]) -> Ratings:
        """Those of these systems, whose rows are now in this order."""
        place = np.full(max(np.max(rows, initial=0), np.max(self.row, initial=0)) + 1, -1)
        place[list(rows)] = np.arange(len(rows))
        kept = place[self.row] >= 0
        return Ratings(self.judge[kept], place[self.row[kept]], self.column[kept], self.score[kept])


@dataclass(frozen=True, eq=False)
class ScoreTable(EqualByValue):
    """The scores of one measure, human or metric. System scores are given, or are means over segments."""

    name: str
    systems: tuple[str, ...]
    segments: tuple[int, ...]  # their numbers, from 1; none if only systems are scored
    scores: Floats  # [systems, segments]; NaN: no score
    system_scores: Floats  # [systems]; NaN: no score
    judges: tuple[str, ...] = ()  # if they are named
    given: bool = False  # whether the systems' scores were given
    repeated: int = (
        0  # translations that the same judge scored more than once: the score is that judge's mean
    )
    ratings: Ratings | None = None  # of the judges, if several are named

    def known(self) -> ScoreTable:
        """Without the systems and the segments that have no score at all, such as the `None` of mt-metrics-eval."""
        scored = ~np.isnan(self.scores)
        rows = np.flatnonzero(scored.any(axis=1) | ~np.isnan(self.system_scores))
        columns = np.flatnonzero(scored.any(axis=0))
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows),
            segments=tuple(self.segments[column] for column in columns),
            scores=self.scores[np.ix_(rows, columns)],
            system_scores=self.system_scores[rows],
            ratings=None,
        )

    def on(self, segments: Collection[int]) -> ScoreTable:
        """Of these segments alone: the systems' scores are the means over them."""
        columns = [place for place, number in enumerate(self.segments) if number in segments]
        scores = self.scores[:, columns]
        return replace(
            self,
            segments=tuple(self.segments[column] for column in columns),
            scores=scores,
            system_scores=means_over_segments(scores),
            given=False,
            ratings=None,
        )


def read_judgments(human: Table, measure: str | None = None) -> ScoreTable:
    """Read human scores from a file or a table.

    A TSV or CSV file has a header, and may be compressed. Its columns are `system, seg, score[, judge]`, or `system,
    score` for system-level scores; `rater` and `segment` are synonyms of `judge` and `seg`. If a column `measure` (or
    `question`, `metric`) or several columns of scores distinguish several measures, `measure` selects one. A table in
    memory, such as a data frame, has the same columns. A file of mt-metrics-eval, such as
    `human-scores/en-de.mqm.seg.score`, is read together with the system-level scores in the same folder.
    """
    where, rows = score_table_name(human), _human_rows(human)
    chosen = chosen_measure(where, list(rows), measure)
    return _scored(where, chosen, rows[chosen])


def read_all_judgments(paths: Sequence[Table], measures: Sequence[str] = ()) -> list[ScoreTable]:
    """Every measure of `measures`, in every file that has it; of a file that has only one measure, that one. Measures
    of one name in several files are distinguished by the file names.
    """
    measures = checked_names("measures", measures)
    paths = [paths] if is_file(paths) or isinstance(paths, Mapping) else listed(paths, "human scores")
    if not paths:
        raise BadParameter("human scores: the list is empty, expected at least one file or table.")
    if len(paths) == 1:
        return [read_judgments(paths[0], measure) for measure in (*measures,) or (None,)]
    files = [score_table_name(path) for path in paths]
    for file in files:
        if files.count(file) > 1:
            raise BadParameter(f"the human scores '{file}' are given twice. Omit one of them.")
    read = {file: _human_rows(path) for file, path in zip(files, paths, strict=True)}
    known = list(dict.fromkeys(name for rows in read.values() for name in rows))
    for measure in measures:
        if measure not in known:
            raise BadInput(f"unknown measure '{measure}' of human scores. {did_you_mean(measure, known)}")
    found: list[tuple[str, ScoreTable]] = []
    for file, rows in read.items():
        names = list(rows) if len(rows) == 1 else [name for name in measures if name in rows]
        for name in names or [chosen_measure(file, list(rows), None)]:
            found.append((file, _scored(file, name, rows[name])))
    names = [scores.name for _, scores in found]
    return [
        scores if names.count(scores.name) == 1 else replace(scores, name=f"{scores.name} ({file})")
        for file, scores in found
    ]


def read_metric_scores(spec: Table) -> dict[str, ScoreTable]:
    """All metrics of a file or folder of scores, as `read_score_rows` finds them."""
    where, _ = with_choice(score_table_name(spec))
    return {name: _scored(where, name, rows) for name, rows in read_score_rows(spec).items()}


def _human_rows(path: Table) -> dict[str, ScoreRows]:
    """By measure."""
    where = score_table_name(path)
    if os.path.isdir(where):
        raise BadInput(f"'{where}' is a folder, expected a file of human scores.{_files_in(where)}")
    if where.endswith(MT_METRICS_EVAL):
        return {os.path.basename(where).rsplit(".", 3)[-3]: both_levels(where)}
    return table_rows(path, by_people=True)


def _scored(where: str, name: str, rows: ScoreRows) -> ScoreTable:
    if np.isnan(rows.scores).all():
        raise BadInput(
            f"'{where}' has no score of '{name}': all {len(rows.scores):,} values are missing. Add scores, or remove "
            f"'{name}'."
        )
    spread = float(np.nanmax(rows.scores) - np.nanmin(rows.scores))
    if 0 < spread < _SMALLEST_SPREAD:
        raise BadInput(
            f"'{where}': the scores of '{name}' differ by at most {spread:.2g}, which is too little for computation. "
            "Multiply them by a constant."
        )
    return _scores_of(name, rows)


def _files_in(folder: str) -> str:
    """Files to give instead of an mt-metrics-eval folder."""
    scores = os.path.join(folder, "human-scores")
    home = scores if os.path.isdir(scores) else folder
    names = sorted(name for name in os.listdir(home) if name.endswith(MT_METRICS_EVAL))
    return f" Use a file in it, e.g. '{os.path.join(home, names[0])}'." if names else ""


def _scores_of(name: str, rows: ScoreRows) -> ScoreTable:
    """The table of what was scored."""
    places = rows.places()
    systems, segments = places.systems, places.segments
    whole = rows.segments == NO_SEGMENT
    # Scores of systems as wholes are one column more, behind those of segments.
    width = len(segments) + 1
    cells = places.row * width + places.column
    judges = tuple(sorted(set(rows.judges)))  # all are named, or none: then they are one
    ratings, repeated = _of_each_judge(cells, rows, judges, width)
    table = _means_over_judges(ratings, len(systems), width)
    by_segment, given = np.ascontiguousarray(table[:, :-1]), table[:, -1]
    return ScoreTable(
        name,
        systems,
        tuple(segments.tolist()),
        by_segment,
        given if whole.any() else means_over_segments(by_segment),
        judges if any(judges) else (),
        bool(whole.any()),
        repeated,
        ratings if len(judges) > 1 else None,
    )


def _of_each_judge(
    cells: NDArray[np.int64], rows: ScoreRows, judges: Sequence[str], width: int
) -> tuple[Ratings, int]:
    """What each judge says of each cell of a table that is so wide, and of how many cells one says it several times."""
    number = {name: place for place, name in enumerate(judges)}
    judge = np.array([number[name] for name in rows.judges], dtype=np.int64)
    known = ~np.isnan(rows.scores)
    keys, which = np.unique(cells[known] * len(judges) + judge[known], return_inverse=True)
    times = np.bincount(which, minlength=len(keys))
    own = np.bincount(which, rows.scores[known], len(keys)) / times
    cell = keys // len(judges)
    ratings = Ratings(keys % len(judges), cell // width, cell % width, own)
    return ratings, len(np.unique(cell[times > 1]))


def _means_over_judges(ratings: Ratings, systems: int, width: int) -> Floats:
    """Mean over raters of each cell [systems, width]; NaN without a score."""
    cell, count = ratings.row * width + ratings.column, systems * width
    totals, numbers = np.bincount(cell, ratings.score, count), np.bincount(cell, minlength=count)
    means = np.where(numbers > 0, totals / np.maximum(numbers, 1), np.nan)
    return (ties_kept(means) if (numbers > 1).any() else means).reshape(systems, width)


def means_over_segments(scores: Floats) -> Floats:
    """Mean of each system over the segments that have a score; NaN if there are none.

    >>> means_over_segments(np.array([[1.0, np.nan, 3.0], [np.nan] * 3])).tolist()
    [2.0, nan]
    """
    counts = (~np.isnan(scores)).sum(axis=1)
    return np.asarray(np.where(counts > 0, np.nansum(scores, axis=1) / np.maximum(counts, 1), np.nan))
