"""Human scores: who judged what how, as a table of systems and segments with gaps.

Where several judges scored one translation, or one judge did so several times, the score is the mean over judges of
each judge's own mean: a judge who scored it twice counts once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.agreement.score_tables import Cell, mt_metrics_eval_cells, system_cells, table_cells
from understudy.comparison.evidence import Floats
from understudy.errors import BadInput, MissingFile, did_you_mean

Path = str | os.PathLike[str]


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
    judgments: int = 0  # how many scores the means are of

    @property
    def missing(self) -> int:
        """Translations without a score, of those segments and systems that have any."""
        return int(np.isnan(self.scores).sum())


def read_judgments(path: Path, measure: str | None = None) -> Scores:
    """From a TSV with a header, which may be compressed: `system, seg, score[, judge]`, or `system, score` for scores
    of systems. Columns `rater` and `segment` are the same as `judge` and `seg`. Where a column `measure` (or
    `question`, `metric`) tells several apart, or there are several columns of scores, `measure` says which.
    """
    cells, names = table_cells(path, by_people=True)
    chosen = _chosen(os.fspath(path), names, measure)
    return scores_of(chosen, [cell for cell in cells if cell.measure == chosen])


def read_metric_scores(path: Path) -> dict[str, Scores]:
    """All measures of such a file, or of lines of a system and a score without header, as mt-metrics-eval has them."""
    cells, names = table_cells(path)
    return {name: scores_of(name, [cell for cell in cells if cell.measure == name]) for name in names}


def read_mt_metrics_eval(folder: Path, pair: str, human: str) -> tuple[Scores, dict[str, Scores]]:
    """The human scores and all metrics of a language pair, from a folder as mt-metrics-eval keeps it:
    `human-scores/PAIR.NAME.seg.score`, `metric-scores/PAIR/NAME-REF.seg.score`, and the same with `.sys`.
    """
    root = os.fspath(folder)
    directory = os.path.join(root, "human-scores")
    if not os.path.isdir(directory):
        raise MissingFile(f"'{root}' has no folder 'human-scores': expected the layout of mt-metrics-eval.")
    start = f"{pair}."
    known = sorted(
        {
            name.removeprefix(start).rsplit(".", 2)[0]
            for name in os.listdir(directory)
            if name.startswith(start) and name.endswith((".seg.score", ".sys.score"))
        }
    )
    if human not in known:
        raise BadInput(f"'{directory}' has no scores '{human}' of {pair}. {did_you_mean(human, known)}")
    people = _both_levels(human, os.path.join(directory, f"{pair}.{human}"))
    directory = os.path.join(root, "metric-scores", pair)
    names = sorted(
        {
            name.rsplit(".", 2)[0]
            for name in (os.listdir(directory) if os.path.isdir(directory) else ())
            if name.endswith((".seg.score", ".sys.score"))
        }
    )
    return people, {name: _both_levels(name, os.path.join(directory, name)) for name in names}


def _both_levels(name: str, start: str) -> Scores:
    cells: list[Cell] = []
    if os.path.exists(f"{start}.seg.score"):
        cells += mt_metrics_eval_cells(f"{start}.seg.score", name)
    if os.path.exists(f"{start}.sys.score"):
        cells += system_cells(f"{start}.sys.score", name)
    return scores_of(name, cells)


def scores_of(name: str, cells: Iterable[Cell]) -> Scores:
    """The table of what was scored. Systems are in the order in which they first occur, segments in that of numbers."""
    by_place: dict[tuple[str, int | None], dict[str, list[float]]] = {}
    for cell in cells:
        judges = by_place.setdefault((cell.system, cell.segment), {})
        judges.setdefault(cell.judge, []).append(cell.score)
    systems = tuple(dict.fromkeys(system for system, _ in by_place))
    segments = tuple(sorted({segment for _, segment in by_place if segment is not None}))
    row = {system: number for number, system in enumerate(systems)}
    column = {segment: number for number, segment in enumerate(segments)}
    scores, given = np.full((len(systems), len(segments)), np.nan), np.full(len(systems), np.nan)
    for (system, segment), judges in by_place.items():
        score = _mean([_mean(of_judge) for of_judge in judges.values()])
        if segment is None:
            given[row[system]] = score
        else:
            scores[row[system], column[segment]] = score
    all_given = bool(systems) and any(segment is None for _, segment in by_place)
    counts = (~np.isnan(scores)).sum(axis=1)
    means = np.where(counts > 0, np.nansum(scores, axis=1) / np.maximum(counts, 1), np.nan)
    judges_named = sorted({judge for of_cell in by_place.values() for judge in of_cell if judge})
    count = sum(len(of_judge) for judges in by_place.values() for of_judge in judges.values())
    return Scores(
        name, systems, segments, scores, given if all_given else means, tuple(judges_named), all_given, count
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else np.nan


def _chosen(where: str, names: Sequence[str], measure: str | None) -> str:
    if measure is None and len(names) == 1:
        return names[0]
    if measure in names:
        return str(measure)
    if measure is None:
        raise BadInput(f"'{where}' has the measures {', '.join(names)}, expected one. Say which.")
    raise BadInput(f"'{where}' has no measure '{measure}'. {did_you_mean(measure, names)}")
