"""Candidates against the references: statistics, segment scores and oracles."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats, untied
from understudy.corpus.columns import References
from understudy.corpus.corpus_input import corpus_input
from understudy.corpus.nbest import NBest
from understudy.corpus.parallel_sources import in_parts, open_references, open_source_text
from understudy.errors import BadParameter, LengthMismatch
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.wording import number_of

_PASSES = 20  # over all segments, by the oracle at corpus level


def read_references(references: Any) -> References:
    """References from files or texts."""
    if isinstance(references, References):
        return references
    given = corpus_input({"candidates": os.devnull}, references)  # which is not opened
    with ExitStack() as opened:
        columns = next(in_parts(open_references(given, opened), None), None)
    if not columns:
        raise BadParameter("references: there are none.")
    return References(tuple(columns))


def read_sources(sources: Any) -> Column:
    """Source text from a file or texts."""
    given = corpus_input({"candidates": os.devnull}, sources=sources)  # the candidates are not opened
    assert given.sources is not None
    with ExitStack() as opened:
        return next(in_parts([open_source_text(given.sources, opened)], None))[0]


def part_of(references: References, begin: int, end: int, origin: str) -> References:
    """The references of some segments."""
    if end > len(references):
        raise too_short(references, end, origin, or_more=True)
    return References(tuple(column[begin:end] for column in references.columns))


def too_short(references: References, segments: int, origin: str, *, or_more: bool = False) -> LengthMismatch:
    """The error for lists and references with different numbers of segments."""
    more = " or more" if or_more else ""
    return LengthMismatch(
        f"{origin} has {number_of(segments, 'segment')}{more}, references have {len(references):,}. Both must have the "
        "same segments, in the same order. Is the last list, or a reference, missing?"
    )


def other_length(sources: Column, segments: int, origin: str, *, or_more: bool = False) -> LengthMismatch:
    """The error for lists and source text with different numbers of segments."""
    more = " or more" if or_more else ""
    return LengthMismatch(
        f"{origin} has {number_of(segments, 'segment')}{more}, the source text has {len(sources):,}. Both must "
        "have the same segments, in the same order."
    )


@dataclass(frozen=True, eq=False)
class ScoredCandidates:
    """The statistics of every candidate against the references of its segment, and of an empty translation for each
    segment without candidates.
    """

    metrics: list[Metric]  # fitted
    statistics: list[Statistics]  # by metric: the rows of the n-best list, then of empty translations
    rows: NDArray[np.int64]  # by segment: the statistics of its first candidate

    def utilities(self, weights: Sequence[float], candidates: int) -> Floats:
        """The weighted sum of segment scores, where higher is better."""
        parts = [
            weight * metric.worth(metric.segment_scores(counted))
            for metric, counted, weight in zip(self.metrics, self.statistics, weights, strict=True)
        ]
        return np.asarray(sum(parts))[:candidates]

    def total(self, index: int, chosen: NDArray[np.int64]) -> Statistics:
        """The sum over segments, for one metric; -1 is an empty translation."""
        counted = self.statistics[index]
        rows: Statistics = counted[np.where(chosen < 0, self.rows, chosen)]
        return rows.sum()


def scored_candidates(
    nbest: NBest,
    references: References | None,
    metrics: list[Metric],
    threads: int | None,
    sources: Column | None = None,
) -> ScoredCandidates:
    """Count all candidates. `references` can be omitted if all metrics are reference-free."""
    if references is not None and len(references) != len(nbest):
        raise too_short(references, len(nbest), nbest.origin)
    if sources is not None and len(sources) != len(nbest):
        raise other_length(sources, len(nbest), nbest.origin)
    empty = np.flatnonzero(nbest.counts == 0)
    segment_of = np.concatenate([np.repeat(np.arange(len(nbest)), nbest.counts), empty])
    hypotheses = Column.from_strings(
        [*(nbest.texts[row] for row in range(len(nbest.texts))), *[""] * len(empty)]
    )
    repeated = None
    fitted = metrics
    if references is not None:
        repeated = References(tuple(column.taken(segment_of) for column in references.columns))
        fitted = [metric if metric.fitted_on else metric.fit(references) for metric in metrics]
    texts = None if sources is None else sources.taken(segment_of)
    rows = nbest.offsets[:-1].copy()
    rows[empty] = len(nbest.texts) + np.arange(len(empty))
    return ScoredCandidates(
        fitted,
        [metric.statistics(hypotheses, repeated, sources=texts, threads=threads) for metric in fitted],
        rows,
    )


def corpus_oracle(
    scored: ScoredCandidates, nbest: NBest, chosen: NDArray[np.int64], weights: Sequence[float]
) -> NDArray[np.int64]:
    """Candidates with a corpus score that no change of one of them improves: hill climbing from other choices.

    The best corpus score of all combinations cannot be computed in reasonable time (Leusch, Matusov, Ney 2008); this
    is a lower bound for it.
    """
    chosen = chosen.copy()
    arrays = [counted.array for counted in scored.statistics]
    totals = [scored.total(index, chosen).array for index in range(len(arrays))]
    bounds = nbest.offsets.tolist()
    for _ in range(_PASSES):
        changed = False
        for segment in np.flatnonzero(nbest.counts > 1).tolist():
            begin, end = bounds[segment], bounds[segment + 1]
            own = chosen[segment] - begin
            others = [
                total - array[chosen[segment]] + array[begin:end]
                for total, array in zip(totals, arrays, strict=True)
            ]
            worths = sum(
                weight * metric.worth(metric.scores_of(_with_array(counted, rows)))
                for metric, counted, rows, weight in zip(
                    scored.metrics, scored.statistics, others, weights, strict=True
                )
            )
            best = int(np.argmax(worths))
            if untied(np.asarray(worths)[best : best + 1], np.asarray(worths)[own : own + 1])[0] > 0:
                chosen[segment] = begin + best
                totals = [rows[best] for rows in others]
                changed = True
        if not changed:
            break
    return chosen


def _with_array(counted: Statistics, array: NDArray[Any]) -> Statistics:
    return replace(counted, array=array)
