"""Human scores: who judged what how, as a table of systems and segments with gaps.

Where several judges scored one translation, or one judge did so several times, the score is the mean over judges of
each judge's own mean: a judge who scored it twice counts once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.agreement.score_tables import (
    NO_SEGMENT,
    ScoreRows,
    mt_metrics_eval_rows,
    system_rows,
    table_rows,
)
from understudy.comparison.evidence import Floats
from understudy.errors import BadInput, MissingFile, did_you_mean

Path = str | os.PathLike[str]

MT_METRICS_EVAL = (".seg.score", ".sys.score")  # endings of the files of mt-metrics-eval


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
        found = _both_levels(where, os.path.basename(where).rsplit(".", 3)[-3])
        _chosen(where, [found.name], measure)
        return found
    rows = table_rows(path, by_people=True)
    chosen = _chosen(where, list(rows), measure)
    return scores_of(chosen, rows[chosen])


def read_metric_scores(spec: Path) -> dict[str, Scores]:
    """All measures of such a file; of lines of a system and a score without header; or of a folder of mt-metrics-eval,
    such as `metric-scores/en-de`. `FILE:NAME1,NAME2` chooses some of them.
    """
    where, chosen = with_choice(os.fspath(spec))
    if os.path.isdir(where):
        found = _of_folder(where)
    elif where.endswith(MT_METRICS_EVAL):
        name = os.path.basename(where).rsplit(".", 2)[0]
        found = {name: _both_levels(where, name)}
    else:
        found = {name: scores_of(name, rows) for name, rows in table_rows(where).items()}
    return {name: found[_chosen(where, list(found), name)] for name in chosen} if chosen else found


def with_choice(spec: str) -> tuple[str, list[str]]:
    """FILE:NAME1,NAME2 as the file and the names. A file that is really called so wins."""
    path, colon, names = spec.rpartition(":")
    if os.path.exists(spec) or not colon or not os.path.exists(path):
        return spec, []
    return path, [name for name in names.split(",") if name]


def _of_folder(folder: str) -> dict[str, Scores]:
    names = sorted({name.rsplit(".", 2)[0] for name in os.listdir(folder) if name.endswith(MT_METRICS_EVAL)})
    if not names:
        raise BadInput(
            f"'{folder}' holds no files NAME.seg.score or NAME.sys.score, as mt-metrics-eval keeps a metric's scores."
        )
    return {name: _both_levels(os.path.join(folder, f"{name}.seg.score"), name) for name in names}


def _both_levels(path: str, name: str) -> Scores:
    """Of segments and of systems, whichever of the two files was named."""
    start = path.rsplit(".", 2)[0]
    by_segment, by_system = f"{start}.seg.score", f"{start}.sys.score"
    rows = [mt_metrics_eval_rows(by_segment)] if os.path.exists(by_segment) else []
    rows += [system_rows(by_system)] if os.path.exists(by_system) else []
    if not rows:
        raise MissingFile(f"no file '{path}'.")
    return scores_of(name, rows[0] if len(rows) == 1 else rows[0] + rows[1])


def _files_in(folder: str) -> str:
    """What to name instead of a folder of mt-metrics-eval."""
    scores = os.path.join(folder, "human-scores")
    home = scores if os.path.isdir(scores) else folder
    names = sorted(name for name in os.listdir(home) if name.endswith(MT_METRICS_EVAL))
    return f" Name one of those in it, such as '{os.path.join(home, names[0])}'." if names else ""


def scores_of(name: str, rows: ScoreRows) -> Scores:
    """The table of what was scored. Systems are in the order in which they first occur, segments in that of numbers."""
    systems = tuple(dict.fromkeys(rows.systems))
    segments = np.unique(rows.segments[rows.segments != NO_SEGMENT])
    places = {system: number for number, system in enumerate(systems)}
    row = np.array([places[system] for system in rows.systems], dtype=np.int64)
    # Scores of systems as wholes are one column more, behind those of segments.
    whole = rows.segments == NO_SEGMENT
    column = np.where(whole, len(segments), np.searchsorted(segments, rows.segments))
    cells = row * (len(segments) + 1) + column
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


def _chosen(where: str, names: Sequence[str], measure: str | None) -> str:
    if measure is None and len(names) == 1:
        return names[0]
    if measure in names:
        return str(measure)
    if measure is None:
        raise BadInput(f"'{where}' has the measures {', '.join(names)}, expected one. Say which.")
    raise BadInput(f"'{where}' has no measure '{measure}'. {did_you_mean(measure, names)}")
