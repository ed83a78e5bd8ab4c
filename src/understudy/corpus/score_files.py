"""Scores computed by other tools: from a table, or from a file or folder of mt-metrics-eval.

`compare` and `trust` read the same files in the same way, but treat missing scores differently.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.files import shown
from understudy.corpus.score_tables import (
    NO_SEGMENT,
    ScoreRows,
    Table,
    is_file,
    mt_metrics_eval_rows,
    score_table_name,
    system_rows,
    table_rows,
)
from understudy.errors import BadInput, MissingFile, did_you_mean
from understudy.settings import check_name

MT_METRICS_EVAL = (".seg.score", ".sys.score")  # endings of the files of mt-metrics-eval

# The scores of every system, by metric: in the order of the segments.
SegmentScores = dict[str, dict[str, Floats]]


def read_segment_scores(spec: Table) -> SegmentScores:
    """The segment scores in a file or folder, by metric and system, as `read_score_rows` finds them. A missing score is
    as good as none: the segments that remain must be the same for all systems.
    """
    where, _ = with_choice(score_table_name(spec))
    return {metric: _without_gaps(where, metric, rows) for metric, rows in read_score_rows(spec).items()}


def read_score_rows(spec: Table) -> dict[str, ScoreRows]:
    """All metrics of a table (see `score_tables`), of a file of mt-metrics-eval with the one of the other level beside
    it, or of a folder of those, such as `metric-scores/en-de`. `FILE:NAME1,NAME2` chooses some of them.
    """
    if not is_file(spec):
        return table_rows(spec)
    where, chosen = with_choice(os.fspath(spec))
    if os.path.isdir(where):
        found = _of_folder(where)
    elif where.endswith(MT_METRICS_EVAL):
        found = {os.path.basename(where).rsplit(".", 2)[0]: both_levels(where)}
    else:
        found = table_rows(where)
    for name in chosen:
        if name not in found:
            raise BadInput(f"{shown(where)}: unknown metric '{name}'. {did_you_mean(name, found)}")
    return {name: found[name] for name in chosen} if chosen else found


def with_choice(spec: str) -> tuple[str, list[str]]:
    """FILE:NAME1,NAME2 as the file and the names. A file that is really called so wins."""
    path, colon, names = spec.rpartition(":")
    if os.path.exists(spec) or not colon or not os.path.exists(path):
        return spec, []
    return path, [name for name in names.split(",") if name]


def both_levels(path: str) -> ScoreRows:
    """Segment and system scores of mt-metrics-eval, whichever of the two files was named."""
    start = path.rsplit(".", 2)[0]
    by_segment, by_system = f"{start}.seg.score", f"{start}.sys.score"
    rows = [mt_metrics_eval_rows(by_segment)] if os.path.exists(by_segment) else []
    rows += [system_rows(by_system)] if os.path.exists(by_system) else []
    if not rows:
        raise MissingFile(f"no such file: '{path}'.")
    return rows[0] if len(rows) == 1 else rows[0] + rows[1]


def chosen_measure(where: str, names: Sequence[str], measure: str | None) -> str:
    """The one of that name; without a name, the only one."""
    if measure is not None:
        check_name("measure", measure)
    if measure is None and len(names) == 1:
        return names[0]
    if measure in names:
        return str(measure)
    if measure is None:
        raise BadInput(
            f"'{where}' has the measures {', '.join(names)}, expected one. Select one, e.g. measure={names[0]!r}.",
            on_command_line=f"'{where}' has the measures {', '.join(names)}, expected one. Select one with --measure, "
            f"e.g. --measure {shlex.quote(names[0])}.",
        )
    raise BadInput(f"'{where}': unknown measure '{measure}'. {did_you_mean(measure, names)}")


def _of_folder(folder: str) -> dict[str, ScoreRows]:
    names = sorted({name.rsplit(".", 2)[0] for name in os.listdir(folder) if name.endswith(MT_METRICS_EVAL)})
    if not names:
        raise BadInput(
            f"'{folder}' contains no mt-metrics-eval score files, NAME.seg.score or NAME.sys.score."
        )
    return {name: both_levels(os.path.join(folder, f"{name}.seg.score")) for name in names}


def _without_gaps(where: str, metric: str, rows: ScoreRows) -> dict[str, Floats]:
    rows = rows.at(np.flatnonzero((rows.segments != NO_SEGMENT) & ~np.isnan(rows.scores)))
    if not rows.systems:
        raise BadInput(
            f"'{where}' has no {metric} segment scores. Add segment numbers in a column 'seg', or select other metrics "
            "with FILE:NAME,NAME."
        )
    places = rows.places()
    table = np.full((len(places.systems), len(places.segments)), np.nan)
    table[places.row, places.column] = rows.scores
    for system, segment in np.argwhere(np.isnan(table)).tolist():
        raise BadInput(
            f"'{where}': segment {places.segments[segment]} has a {metric} score for some systems only, and none for "
            f"'{places.systems[system]}'. Remove the segment for all systems, or fill in the score."
        )
    return dict(zip(places.systems, table, strict=True))
