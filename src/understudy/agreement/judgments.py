"""Human scores: who judged what how, as a table of systems and segments with gaps.

Where several judges scored one translation, or one judge did so several times, the score is the mean over judges of
each judge's own mean: a judge who scored it twice counts once.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.comparison.evidence import Floats
from understudy.comparison.score_files import MT_METRICS_EVAL, both_levels, chosen_measure, read_score_rows
from understudy.comparison.score_tables import NO_SEGMENT, Path, ScoreRows, table_rows
from understudy.errors import BadInput


@dataclass(frozen=True, eq=False)
class Scores:
    """What one measure says, of people or of a metric. Scores of systems are given, or the means over segments."""

    name: str
    systems: tuple[str, ...]
    segments: tuple[int, ...]  # their numbers, from 1; none if only systems are scored
    scores: Floats  # [systems, segments]; NaN: no score
    system_scores: Floats  # [systems]; NaN: no score
    judges: tuple[str, ...] = ()  # if they are named
    given: bool = False  # whether the systems' scores were given


def read_judgments(path: Path, measure: str | None = None) -> Scores:
    """From a TSV or CSV file with a header, which may be compressed: `system, seg, score[, judge]`, or `system, score`
    for scores of systems. Columns `rater` and `segment` are the same as `judge` and `seg`. Where a column `measure` (or
    `question`, `metric`) tells several apart, or there are several columns of scores, `measure` says which.

    Or from a file as mt-metrics-eval keeps it, such as `human-scores/en-de.mqm.seg.score`: if scores of systems are
    beside those of segments, both are read.
    """
    where = os.fspath(path)
    if os.path.isdir(where):
        raise BadInput(f"'{where}' is a folder, expected a file of human scores.{_files_in(where)}")
    if where.endswith(MT_METRICS_EVAL):
        rows = {os.path.basename(where).rsplit(".", 3)[-3]: both_levels(where)}
    else:
        rows = table_rows(path, by_people=True)
    chosen = chosen_measure(where, list(rows), measure)
    return scores_of(chosen, rows[chosen])


def read_metric_scores(spec: Path) -> dict[str, Scores]:
    """All metrics of a file or folder of scores, as `read_score_rows` finds them."""
    return {name: scores_of(name, rows) for name, rows in read_score_rows(spec).items()}


def _files_in(folder: str) -> str:
    """What to name instead of a folder of mt-metrics-eval."""
    scores = os.path.join(folder, "human-scores")
    home = scores if os.path.isdir(scores) else folder
    names = sorted(name for name in os.listdir(home) if name.endswith(MT_METRICS_EVAL))
    return f" Name one of those in it, such as '{os.path.join(home, names[0])}'." if names else ""


def scores_of(name: str, rows: ScoreRows) -> Scores:
    """The table of what was scored."""
    places = rows.places()
    systems, segments = places.systems, places.segments
    whole = rows.segments == NO_SEGMENT
    # Scores of systems as wholes are one column more, behind those of segments.
    cells = places.row * (len(segments) + 1) + places.column
    scores = _means_over_judges(cells, rows, len(systems) * (len(segments) + 1))
    table = scores.reshape(len(systems), len(segments) + 1)
    by_segment, given = np.ascontiguousarray(table[:, :-1]), table[:, -1]
    judges = tuple(sorted(set(rows.judges) - {""}))
    return Scores(
        name,
        systems,
        tuple(segments.tolist()),
        by_segment,
        given if whole.any() else means_over_segments(by_segment),
        judges,
        bool(whole.any()),
    )


def _means_over_judges(cells: NDArray[np.int64], rows: ScoreRows, count: int) -> Floats:
    """Of each cell [count], the mean over judges of their own means; NaN where nobody scored."""
    places = {judge: number for number, judge in enumerate(dict.fromkeys(rows.judges))}
    judge = np.array([places[name] for name in rows.judges], dtype=np.int64)
    known = ~np.isnan(rows.scores)
    keys, first, which = np.unique(
        cells[known] * len(places) + judge[known], return_index=True, return_inverse=True
    )
    own = np.bincount(which, rows.scores[known], len(keys)) / np.bincount(which, minlength=len(keys))
    of_cell = cells[known][first]
    totals, numbers = np.bincount(of_cell, own, count), np.bincount(of_cell, minlength=count)
    return np.asarray(np.where(numbers > 0, totals / np.maximum(numbers, 1), np.nan))


def means_over_segments(scores: Floats) -> Floats:
    """Of each system, over those segments that have a score; NaN if none has.

    >>> means_over_segments(np.array([[1.0, np.nan, 3.0], [np.nan] * 3])).tolist()
    [2.0, nan]
    """
    counts = (~np.isnan(scores)).sum(axis=1)
    return np.asarray(np.where(counts > 0, np.nansum(scores, axis=1) / np.maximum(counts, 1), np.nan))
