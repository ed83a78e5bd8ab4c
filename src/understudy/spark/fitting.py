"""Metrics that must see all texts of a test set before they count, such as NIST: fitted on every group by itself.

The references of a group pass through the driver once, batch by batch; the driver keeps what the metric learns from
them, and executors get a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from understudy.corpus.columns import References
from understudy.metrics.base.metric import Metric
from understudy.scoring.group_scores import Group
from understudy.spark.batches import TextBatch
from understudy.spark.columns import Columns, column
from understudy.spark.executor_errors import check_version, errors_of_executors
from understudy.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def fitted(df: DataFrame, columns: Columns, metrics: Sequence[Metric]) -> dict[Group, list[Metric]]:
    """The metrics, fitted on every group; empty if none needs it."""
    if not any(metric.needs_fit and not metric.fitted_on for metric in metrics):
        return {}
    with errors_of_executors():
        groups: list[Group] = [()]
        if columns.by:
            groups = [tuple(row) for row in df.select(*map(column, columns.by)).distinct().collect()]
        found = {}
        for group in groups:
            rows = df
            for name, value in zip(columns.by, group, strict=True):
                rows = rows.filter(column(name).eqNullSafe(value))
            found[group] = [_fitted(rows, columns, metric) for metric in metrics]
    return found


def _fitted(rows: DataFrame, columns: Columns, metric: Metric) -> Metric:
    if not metric.needs_fit or metric.fitted_on:
        return metric
    return metric.fit_parts(_parts(rows, columns, of_references=metric.reads_references))


def _parts(rows: DataFrame, columns: Columns, *, of_references: bool) -> Iterator[References]:
    """The texts of rows, batch by batch."""
    import pyarrow

    of_rows = replace(columns, by=(), id=None)
    sent = of_rows.selected(rows).mapInArrow(_Sending().partition, "batch binary")
    for row in sent.toLocalIterator():
        with pyarrow.ipc.open_stream(bytes(row[0])) as stream:
            for batch in stream:
                texts = TextBatch.of(batch, of_rows)
                if texts is None:
                    continue
                if not of_references:
                    yield References((texts.hypotheses[0],))
                elif texts.references is not None:
                    yield texts.references


@dataclass(frozen=True)
class _Sending:
    """What executors do: send their rows as they are, in Arrow's own format."""

    version: str = __version__

    def partition(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        check_version(self.version)
        for batch in batches:
            sink = pyarrow.BufferOutputStream()
            with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield pyarrow.RecordBatch.from_pydict(
                {"batch": pyarrow.array([sink.getvalue().to_pybytes()], pyarrow.binary())}
            )
