"""Every segment with all its texts and scores: what a reader of a report looks at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from understudy.comparison.breakdown import Breakdown, SegmentView
from understudy.comparison.score_files import SegmentScores
from understudy.corpus.corpus import Corpus
from understudy.corpus.source import readable_twice
from understudy.errors import BadInput, LengthMismatch
from understudy.metrics.base import Metric

Path = str | os.PathLike[str]


def side_by_side(
    systems: Iterable[tuple[str, Sequence[Path]]],
    references: Iterable[Path],
    metrics: Sequence[Metric],
    *,
    threads: int | None = None,
) -> Breakdown:
    """The segments of these files. Of a system with several runs it is the first."""
    files = {name: runs[0] for name, runs in systems}
    paths = list(references)
    for path in (*files.values(), *paths):
        if not readable_twice(path):
            raise BadInput(
                f"a report shows the segments, and '{os.fspath(path)}' can be read only once. Save it in a file first."
            )
    corpus = Corpus.read(files, paths)
    scores = {
        metric.spec: {
            name: metric.segments(column, corpus.references, threads=threads).tolist()
            for name, column in corpus.systems.items()
        }
        for metric in metrics
    }
    return Breakdown(
        [],
        [],
        [
            SegmentView(
                number=row + 1,
                references=corpus.references[row] if corpus.references else [],
                outputs={name: column[row] or "" for name, column in corpus.systems.items()},
                scores={
                    spec: {name: values[row] for name, values in of_metric.items()}
                    for spec, of_metric in scores.items()
                },
            )
            for row in range(len(corpus))
        ],
    )


def scores_side_by_side(scores: SegmentScores) -> Breakdown:
    """The segments of a file of scores, of which there are no texts. All metrics must have the same ones."""
    lengths = {metric: len(next(iter(systems.values()))) for metric, systems in scores.items()}
    first = next(iter(lengths))
    for metric, length in lengths.items():
        if length != lengths[first]:
            raise LengthMismatch(
                f"'{metric}' has {length:,} segments, '{first}' has {lengths[first]:,}. A report shows all metrics "
                "side by side: put them into files of their own."
            )
    return Breakdown(
        [],
        [],
        [
            SegmentView(
                number=row + 1,
                references=[],
                outputs={},
                scores={
                    metric: {name: float(values[row]) for name, values in systems.items()}
                    for metric, systems in scores.items()
                },
            )
            for row in range(lengths[first])
        ],
    )
