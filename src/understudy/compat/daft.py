"""Daft: segment scores as an expression, and corpus scores of a data frame."""

from __future__ import annotations

from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import CorpusSums, Names, batch_metrics, of_table, segment_scores
from understudy.metrics.base.metric import Metric
from understudy.scoring.run import Metrics
from understudy.settings import checked_names


def segments(hypothesis: Any, *references: Any, metric: str | Metric, lang: str | None = None) -> Any:
    """An expression of the segment scores. Columns are names or expressions; a column of references may hold lists."""
    (chosen,) = batch_metrics(metric, lang)
    daft = library("daft")
    pa = library("pyarrow")

    def scored(hypotheses: Any, *others: Any) -> Any:
        scores = segment_scores(chosen, hypotheses.to_arrow(), [other.to_arrow() for other in others])
        return pa.array(scores, from_pandas=True)

    function = daft.func.batch(return_dtype=daft.DataType.float64())(scored)
    return function(
        *(daft.col(each) if isinstance(each, str) else each for each in (hypothesis, *references))
    )


def score(
    frame: Any,
    hypothesis: str,
    references: Names,
    *,
    metrics: Metrics = ("bleu",),
    by: Names = (),
    lang: str | None = None,
) -> list[dict[str, Any]]:
    """The corpus scores, one row per metric, and per group of rows with the same labels in the columns `by`. The data
    frame is read once, partition by partition, and need not fit in memory.
    """
    sums = CorpusSums(metrics, hypothesis, references, lang, by)
    names = dict.fromkeys([hypothesis, *checked_names("references", references), *checked_names("by", by)])
    for name in names:
        of_table(dict.fromkeys(frame.column_names), name, "data frame")
    return sums.scores(map(sums, _tables(frame.select(*names))))


def _tables(frame: Any) -> Any:
    pa = library("pyarrow")
    return (pa.Table.from_batches([batch]) for batch in frame.to_arrow_iter())
