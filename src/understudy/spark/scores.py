"""`understudy.spark.score`: the scores of every group of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.choices import CONFIDENCE, SEED
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score, Signature
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.intervals import interval_of
from understudy.resampling.poisson_bootstrap import LARGEST_SEED
from understudy.scoring.group_scores import GroupScores
from understudy.scoring.run import Metrics, Scores, SystemScores, chosen_metrics
from understudy.settings import check_choice, check_name, check_whole
from understudy.spark.batches import unnamed_segments
from understudy.spark.columns import Columns, column
from understudy.spark.executor_errors import errors_of_executors
from understudy.spark.fitting import fitted
from understudy.spark.totals import Counting, Totals, totals
from understudy.wording import number_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SAMPLES = 1000
_RESULTS = ("metric", "score", "low", "high", "segments", "signature")  # columns of the table of scores


class SparkScores(GroupScores):
    """The scores of groups of rows of a Spark data frame."""

    def to_spark(self, session: SparkSession, like: DataFrame) -> DataFrame:
        """The table as a Spark data frame. The types of the groups are those of `like`, the data frame that was
        scored.
        """
        from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

        types = [
            ("metric", StringType()),
            ("score", DoubleType()),
            ("low", DoubleType()),
            ("high", DoubleType()),
        ]
        types += [("segments", LongType()), ("signature", StringType())]
        schema = StructType([like.schema[name] for name in self.by] + [StructField(*each) for each in types])
        return session.createDataFrame([tuple(row.values()) for row in self.rows()], schema)


def score(
    df: DataFrame,
    hypothesis: str = "hyp",
    references: Sequence[str] | str | None = ("ref",),
    metrics: Metrics = ("bleu",),
    *,
    by: Sequence[str] | str = (),
    level: str = "corpus",
    lang: str | None = None,
    documents: str | None = None,
    ci: bool = False,
    id: str | None = None,
    samples: int = _SAMPLES,
    seed: int = SEED,
    nulls: str = "error",
) -> Scores | SparkScores:
    """Score the rows of a Spark data frame, or each group of them: the scores that `understudy.score` gives for the
    same rows, digit for digit, however the rows are partitioned.

    `hypothesis` and `references` are columns of strings; a column of references may also have arrays of strings. `by`
    are the columns that rows are grouped by, such as the system and the domain. The result is a `SparkScores`; without
    `by`, it is the same as that of `understudy.score`, with one system, named after the column.

    With `ci`, every score has a 95% confidence interval from the Poisson bootstrap (`understudy.resampling.
    poisson_bootstrap`). The weight of a segment depends on its name in the column `id`, so the interval does not depend
    on partitions; a name may be used once in each group.

    `nulls` says what to do about a hypothesis that is null: raise an error, take it for an empty translation, or drop
    the row. A null among several references is a reference that the segment lacks. `documents` is the column of
    document names, if a metric uses documents.
    """
    check_choice("level", level, ("corpus", "mean"))
    check_name("hypothesis", hypothesis)
    check_whole("samples", samples)
    check_whole("seed", seed, least=0, most=LARGEST_SEED)
    if ci and id is None:
        what = (
            "a string or an integer that is different for every segment. Numbers that Spark assigns depend on "
            "partitions, so intervals would, too."
        )
        raise BadParameter(
            f"ci needs the names of segments: id='COLUMN', {what}",
            on_command_line=f"--ci needs the names of segments: --id COLUMN, {what}",
        )
    chosen = chosen_metrics(metrics, lang)
    columns = Columns.checked(
        df, [hypothesis], references, chosen, by=by, id=id if ci else None, documents=documents, nulls=nulls
    )
    _check_not_results(columns.by)
    if columns.id is not None:
        check_names_unique(df, columns)
    fits = fitted(df, columns, chosen)
    counting = Counting(columns, tuple(chosen), level, samples if ci else 0, seed, fits)
    found = totals(df, columns.selected(df), counting)
    scores = {
        of_group.group: [
            _score(metric, number, of_group, counting)
            for number, metric in enumerate(fits.get(of_group.group, chosen))
        ]
        for of_group in found
    }
    if columns.by:
        return SparkScores(columns.by, level, chosen, scores)
    whole = found[0]
    return Scores(
        level=level,
        metrics=chosen,
        systems=[SystemScores(hypothesis, scores[()], segments=[], unparsed=[0] * len(chosen))],
        segments=whole.segments,
        references=whole.references,
        of_input=[whole.inputs[number] for number in range(len(chosen))],
    )


def _check_not_results(by: Sequence[str]) -> None:
    """Raise an error if a column of groups has the name of a result: the table of scores would have it twice."""
    for name in by:
        if name.lower() in _RESULTS:  # Spark's names are the same in any case
            raise BadParameter(
                f"by: column '{name}' has the name of a column of results ({', '.join(_RESULTS)}). Rename it, "
                f"df.withColumnRenamed('{name}', 'group')."
            )


def _score(metric: Metric, unit: int, of_group: Totals, counting: Counting) -> Score:
    numbers = of_group.of_unit(unit)
    statistics = unit_statistics(metric, unit, of_group, numbers[0])
    if counting.level == "mean":
        found = metric.mean_of_total(float(numbers[0, 0]), of_group.segments, statistics)
    else:
        found = metric.corpus_score(statistics)
    if not counting.samples:
        return found
    interval = interval_of(sample_scores(metric, unit, of_group, counting), CONFIDENCE)
    choices = {**found.signature.choices, "ci": f"poisson-{counting.samples}-{counting.seed}"}
    return replace(found, interval=interval, signature=Signature(choices))


def unit_statistics(metric: Metric, unit: int, of_group: Totals, sums: Any) -> Statistics:
    """Sums of a metric's counts, with what else is known of them."""
    return Statistics(
        sums,
        metric.columns,
        metric.spec,
        of_group.segments,
        of_group.references if metric.reads_references else (0, 0),
        metric.fitted_on,
        of_group.inputs[unit],
    )


def sample_scores(metric: Metric, unit: int, of_group: Totals, counting: Counting) -> Any:
    """The scores of the samples that are not empty."""
    drawn = of_group.of_unit(unit)[1:].astype(np.float64)[of_group.nonempty]
    if not len(drawn):
        few = number_of(of_group.segments, "segment")
        raise BadParameter(f"samples={counting.samples}: all samples of {few} are empty. Use more samples.")
    if counting.level == "mean":
        return drawn[:, 0] / of_group.sample_segments[of_group.nonempty]
    return metric.scores_of(unit_statistics(metric, unit, of_group, drawn))


def check_names_unique(df: DataFrame, columns: Columns) -> None:
    """Raise an error if two rows of a group that are scored have the same name: they would always be drawn together."""
    from pyspark.sql import functions

    assert columns.id is not None
    keys = [column(name) for name in (*columns.by, columns.id)]
    with errors_of_executors():
        counted = columns.kept(df).groupBy(*keys).agg(functions.count("*").alias("copies"))
        repeated = counted.filter(functions.col("copies") > 1).orderBy(functions.lit(1)).limit(1).collect()
    for row in repeated:
        if row[len(columns.by)] is None:
            raise unnamed_segments(columns.id)
        where = "".join(f", {name} {value!r}" for name, value in zip(columns.by, row, strict=False))
        problem = (
            f"id: {row[-1]:,} rows have the name {row[len(columns.by)]!r} in column '{columns.id}'{where}, expected "
            "a different one for every segment. Name all columns that segments are grouped by:"
        )
        raise BadInput(f"{problem} by=[...].", on_command_line=f"{problem} --by COLUMN.")
