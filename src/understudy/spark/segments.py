"""`understudy.spark.segments`: a data frame with a column of segment scores for every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_name
from understudy.spark.batches import TextBatch
from understudy.spark.columns import Columns, column
from understudy.spark.executor_errors import check_version
from understudy.spark.fitting import fitted
from understudy.spark.totals import Fits
from understudy.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def segments(
    df: DataFrame,
    hypothesis: str = "hyp",
    references: Sequence[str] | str | None = ("ref",),
    metrics: Metrics = ("bleu",),
    *,
    by: Sequence[str] | str = (),
    lang: str | None = None,
    documents: str | None = None,
    nulls: str = "error",
) -> DataFrame:
    """The data frame with a column of segment scores for every metric, named after it, such as `chrf`. All other
    columns and rows stay. Nothing is counted before the result is used; errors in the rows are then Spark's, and end
    with the line that understudy raised.

    A metric that must see the whole test set is fitted at once, on each group of rows in the columns `by`. The other
    arguments are those of `understudy.spark.score`.
    """
    from pyspark.sql.types import DoubleType, StructField, StructType

    check_name("hypothesis", hypothesis)
    chosen = chosen_metrics(metrics, lang)
    columns = Columns.checked(df, [hypothesis], references, chosen, by=by, documents=documents, nulls=nulls)
    names = [metric.spec for metric in chosen]
    for number, name in enumerate(names):
        # Spark's names are the same in any case.
        if name.lower() in map(str.lower, df.columns) or name in names[:number]:
            raise BadParameter(
                f"there is already a column '{name}'. Rename or drop it, or name every metric once."
            )
    work = _Segments(columns, tuple(chosen), len(df.columns), fitted(df, columns, chosen))
    # Names that Spark cannot misread, beside the texts as executors name them.
    kept = [column(name).alias(f"c{number}") for number, name in enumerate(df.columns)]
    wide = df.select(*kept, *columns.group_columns(), *columns.texts())
    fields = [StructField(f"c{i}", each.dataType, True) for i, each in enumerate(df.schema.fields)]
    schema = StructType(fields + [StructField(f"m{i}", DoubleType(), True) for i in range(len(chosen))])
    return wide.mapInArrow(work.partition, schema).toDF(*df.columns, *names)


@dataclass(frozen=True)
class _Segments:
    """What executors do with the batches of a partition."""

    columns: Columns
    metrics: tuple[Metric, ...]
    kept: int  # columns of the data frame
    fits: Fits = field(default_factory=dict)
    version: str = __version__

    def partition(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        check_version(self.version)
        for batch in batches:
            texts = TextBatch.of(batch, self.columns)
            if texts is None:
                continue
            scores = np.empty((len(self.metrics), len(texts)))
            for group, rows in texts.groups() if self.fits else [((), np.arange(len(texts)))]:
                part = texts.rows(rows)
                for number, metric in enumerate(self.fits.get(group, self.metrics)):
                    scores[number, rows] = metric.segments(part.hypotheses[0], part.references, threads=1)
            names = [f"c{i}" for i in range(self.kept)]
            yield pyarrow.RecordBatch.from_arrays(
                [*(texts.batch.column(name) for name in names), *map(pyarrow.array, scores)],
                [*names, *(f"m{i}" for i in range(len(self.metrics)))],
            )
