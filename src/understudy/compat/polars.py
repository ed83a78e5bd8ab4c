"""Polars: segment scores and corpus scores as expressions, in eager, lazy and streaming queries.

Texts go from Polars to the core without copying. `register()` adds both functions to every expression, under
`.understudy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import batch_metrics, corpus_score, segment_scores, table_metrics
from understudy.metrics.base.metric import Metric


def segments(hypothesis: Any, *references: Any, metric: str | Metric, lang: str | None = None) -> Any:
    """An expression of the segment scores. Columns are names or expressions; a column of references may hold lists."""
    (chosen,) = batch_metrics(metric, lang)
    pl = library("polars")

    def scored(columns: Sequence[Any]) -> Any:
        scores = segment_scores(chosen, columns[0], columns[1:])
        return pl.Series(scores, dtype=pl.Float64).fill_nan(None)

    return pl.map_batches(
        _expressions(hypothesis, *references), scored, return_dtype=pl.Float64, is_elementwise=True
    )


def corpus(hypothesis: Any, *references: Any, metric: str | Metric, lang: str | None = None) -> Any:
    """An expression of the corpus score, also of each group in `group_by(...).agg(...)`."""
    (chosen,) = table_metrics(metric, lang)
    pl = library("polars")

    def scored(columns: Sequence[Any]) -> Any:
        return corpus_score(chosen, columns[0], columns[1:]).value

    return pl.map_batches(
        _expressions(hypothesis, *references), scored, return_dtype=pl.Float64, returns_scalar=True
    )


@cache
def register() -> None:
    """Make the functions available as `pl.col("hyp").understudy.segments("ref", metric="chrf")`, and `.corpus`."""
    pl = library("polars")

    @pl.api.register_expr_namespace("understudy")
    class _Scores:
        def __init__(self, hypothesis: Any) -> None:
            self._hypothesis = hypothesis

        def segments(self, *references: Any, metric: str | Metric, lang: str | None = None) -> Any:
            return segments(self._hypothesis, *references, metric=metric, lang=lang)

        def corpus(self, *references: Any, metric: str | Metric, lang: str | None = None) -> Any:
            return corpus(self._hypothesis, *references, metric=metric, lang=lang)


def _expressions(*columns: Any) -> list[Any]:
    pl = library("polars")
    return [pl.col(column) if isinstance(column, str) else column for column in columns]
