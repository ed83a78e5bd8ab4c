"""Metrics that must see all texts of a test set before they count, such as NIST: fitted on every group by itself.

The references of a group pass through the driver once, batch by batch; the driver keeps what the metric learns from
them, and executors get a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
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
    if not _any_to_fit(metrics):
        return {}
    of_rows = replace(columns, by=(), id=None)
    with errors_of_executors():
        groups: list[Group] = [()]
        if columns.by:
            groups = [tuple(row) for row in df.select(*map(column, columns.by)).distinct().collect()]
        found: dict[Group, list[Metric]] = {}
        for group in groups:
            rows = df
            for name, value in zip(columns.by, group, strict=True):
                rows = rows.filter(column(name).eqNullSafe(value))
            if of_group := _all_fitted(of_rows.selected(rows), of_rows, metrics):
                found[group] = of_group
    return found


def fitted_on_all(
    selected: DataFrame, columns: Columns, metrics: Sequence[Metric]
) -> dict[Group, list[Metric]]:
    """The same without groups, for rows that have the columns of executors."""
    if not _any_to_fit(metrics):
        return {}
    with errors_of_executors():
        of_all = _all_fitted(selected, columns, metrics)
    return {(): of_all} if of_all else {}


def _any_to_fit(metrics: Sequence[Metric]) -> bool:
    return any(metric.needs_fit and not metric.fitted_on for metric in metrics)


def _all_fitted(selected: DataFrame, columns: Columns, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics, fitted on these rows; none if all rows are to be dropped."""
    found = list(metrics)
    for index, metric in enumerate(metrics):
        if metric.needs_fit and not metric.fitted_on:
            parts = _parts(selected, columns, of_references=metric.reads_references)
            first = next(parts, None)
            if first is None:
                return []
            found[index] = metric.fit_parts(chain([first], parts))
    return found


def _parts(selected: DataFrame, columns: Columns, *, of_references: bool) -> Iterator[References]:
    """The texts of rows, batch by batch."""
    import pyarrow

    sent = selected.mapInArrow(_Sending().partition, "batch binary")
    for row in sent.toLocalIterator():
        with pyarrow.ipc.open_stream(bytes(row[0])) as stream:
            for batch in stream:
                texts = TextBatch.of(batch, columns)
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
