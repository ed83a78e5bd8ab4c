"""Batches of rows: text columns in, segment scores out, or sums that add up to corpus scores.

What the adaptors for tables share (Polars, DuckDB, pandas, Ray, Daft, `datasets`). Columns go to the core as they are:
Arrow columns are not copied.

A segment score is missing where the hypothesis is missing or the segment has no reference. In a corpus score, such a
row is an error, because leaving it out would change the score. An empty string is an empty translation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.corpus.columns import References, as_hypotheses, column_of_table, listed, reference_columns
from understudy.errors import BadInput, BadParameter, NoSegments, WrongType, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score
from understudy.metrics.base.statistics import Statistics
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import checked_names

Names = str | Sequence[str]  # of columns


def table_metrics(metrics: Metrics, lang: str | None = None) -> list[Metric]:
    """The metrics, each of which names a column or rows of the result."""
    chosen = chosen_metrics(metrics, lang)
    for index, metric in enumerate(chosen):
        if metric.spec in [other.spec for other in chosen[:index]]:
            raise BadParameter(f"metrics: {metric.spec} is listed twice.")
    return chosen


def batch_metrics(metrics: Metrics, lang: str | None = None) -> list[Metric]:
    """The same for batches that are scored one by one. A metric that must see all references has to be fitted."""
    chosen = table_metrics(metrics, lang)
    for metric in chosen:
        if metric.needs_fit and not metric.fitted_on:
            texts = "references" if metric.reads_references else "hypotheses"
            raise BadParameter(
                f"{metric.spec} must see all {texts} before it scores a batch. Fit it first: "
                f"understudy.metric({metric.spec!r}).fit({texts})."
            )
    return chosen


def segment_scores(metric: Metric, hypotheses: Any, references: Iterable[Any]) -> NDArray[np.float64]:
    """The segment scores of one batch, NaN where the hypothesis is missing or the segment has no reference. Each of
    the references is a column of strings, or of lists of strings.

    >>> from understudy import CHRF
    >>> segment_scores(CHRF(), ["a cat", None], [["a cat", "a dog"]])
    array([100.,  nan])
    """
    column, others = _texts(metric, hypotheses, references)
    absent = set(column.absent_rows())
    if others:
        absent |= set.intersection(*(set(other.absent_rows()) for other in others))
    if not absent and len(column):
        return metric.segments(column, References(tuple(others)) if others else None)
    scores = np.full(len(column), np.nan)
    present = [row for row in range(len(column)) if row not in absent]
    if present:
        texts, *answers = ([text[row] for row in present] for text in (column, *others))
        scores[present] = metric.segments(texts, [*zip(*answers, strict=True)] if answers else None)
    return scores


def corpus_score(metric: Metric, hypotheses: Any, references: Iterable[Any]) -> Score:
    """The corpus score of columns that are complete. A missing hypothesis, and a segment without references, is an
    error.
    """
    column, others = _texts(metric, hypotheses, references)
    as_hypotheses(column)  # first of all, refuse missing ones
    return metric.corpus(column, References(tuple(others)) if others else None)


def batch_statistics(metric: Metric, hypotheses: Any, references: Iterable[Any]) -> Statistics:
    """The statistics of one batch, which may be empty, under the same conditions."""
    column, others = _texts(metric, hypotheses, references)
    if not len(column):
        return replace(metric.statistics_of(np.zeros((0, len(metric.columns)), np.int64)), segments=0)
    as_hypotheses(column)
    statistics = metric.statistics(column, References(tuple(others)) if others else None)
    if statistics.of_input:
        raise BadInput(
            f"{metric.spec} depends on more than the texts of a batch ({', '.join(statistics.of_input)}). Use "
            "understudy.score."
        )
    return statistics


def score_of_sums(metric: Metric, sums: Any, segments: int, references: tuple[int, int]) -> Score:
    """The corpus score of statistics that were added up elsewhere."""
    if not segments:
        raise NoSegments("there are no segments to score.")
    totals = metric.statistics_of(np.asarray(sums))
    return metric.corpus_score(replace(totals, segments=int(segments), references=references))


def of_table(table: Any, name: Any, what: str) -> Any:
    """The column of that name: of a table of pyarrow, pandas or Polars, or of a mapping."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    known = [*table] if isinstance(table, Mapping) else [*(names if names is not None else [])]
    if name not in known:
        raise BadInput(f"{what}: unknown column {name!r}. {did_you_mean(name, map(str, known))}")
    return table[name]


def texts_of_table(table: Any, hypothesis: str, references: Names) -> tuple[Any, list[Any]]:
    """The text columns of a table, by name."""
    return of_table(table, hypothesis, "hypothesis"), [
        of_table(table, name, "references") for name in checked_names("references", references)
    ]


def as_record(score: Score) -> dict[str, Any]:
    """A corpus score as a row of the long table."""
    return {
        "metric": score.spec,
        "value": score.value,
        "segments": score.segments,
        "signature": str(score.signature),
    }


@dataclass(frozen=True)
class _TextsOfBatches:
    metrics: Metrics
    hypothesis: str
    references: Names
    lang: str | None = None

    def __post_init__(self) -> None:
        assert self._chosen

    @cached_property
    def _chosen(self) -> list[Metric]:
        return batch_metrics(self.metrics, self.lang)

    @property
    def __name__(self) -> str:  # Ray names its tasks by it
        return type(self).__qualname__


@dataclass(frozen=True)
class SegmentScores(_TextsOfBatches):
    """Adds a column of segment scores for each metric to a batch of rows, named by the metric's spec. A batch is a
    pyarrow table, a data frame of pandas or Polars, or a mapping of names to columns; the result is of the same kind.
    A column of the same name is replaced.

    >>> add_scores = SegmentScores("chrf", hypothesis="hyp", references="ref")
    >>> add_scores({"hyp": ["a cat"], "ref": ["a cat"]})["chrf"]
    array([100.])
    """

    def __call__(self, batch: Any) -> Any:
        hypotheses, references = texts_of_table(batch, self.hypothesis, self.references)
        if isinstance(hypotheses, str):
            raise WrongType(
                f"column {self.hypothesis!r}: got a single row, expected a batch. Use map(..., batched=True)."
            )
        scores = {metric.spec: segment_scores(metric, hypotheses, references) for metric in self._chosen}
        if isinstance(batch, Mapping):
            return {**batch, **scores}
        if hasattr(batch, "append_column"):
            import pyarrow as pa

            for name, column in scores.items():
                if name in batch.column_names:
                    batch = batch.drop_columns([name])
                batch = batch.append_column(name, pa.array(column, from_pandas=True))  # missing, not NaN
            return batch
        if hasattr(batch, "with_columns"):
            import polars as pl

            return batch.with_columns(
                pl.Series(name, column, dtype=pl.Float64).fill_nan(None) for name, column in scores.items()
            )
        return batch.assign(**scores)


@dataclass(frozen=True)
class CorpusSums(_TextsOfBatches):
    """Sums the statistics of a batch, for each metric and each group of rows with the same labels in the columns `by`.
    `scores` adds such sums to corpus scores, in any order and however the rows were split into batches.

    >>> sums = CorpusSums("bleu", hypothesis="hyp", references="ref")
    >>> parts = [sums({"hyp": [text], "ref": ["a cat sat there"]}) for text in ("a cat sat there", "a cat")]
    >>> [row["value"] for row in sums.scores(parts)]
    [71.65313105737896]
    """

    by: Names = ()

    def __call__(self, batch: Any) -> Any:
        """One row per group and metric, as a pyarrow table."""
        import pyarrow as pa

        hypotheses, references = texts_of_table(batch, self.hypothesis, self.references)
        labels = [_labels(batch, name) for name in self._by]
        keys = list(zip(*labels, strict=True)) if labels else [()] * len(hypotheses)
        groups = {key: index for index, key in enumerate(dict.fromkeys(keys))}
        places = np.array([groups[key] for key in keys], np.intp)
        segments = np.bincount(places, minlength=len(groups))
        limits = _reference_limits(references, places, len(groups))
        rows: dict[str, list[Any]] = {name: [] for name in (*self._by, *_SUMS)}
        for metric in self._chosen:
            counted = batch_statistics(metric, hypotheses, references)
            totals = np.zeros((len(groups), len(metric.columns)), counted.array.dtype)
            np.add.at(totals, places, counted.array)
            for key, total, number, counts in zip(groups, totals, segments, limits, strict=True):
                whole = total.dtype == np.int64
                of_row = (
                    *key,
                    metric.spec,
                    int(number),
                    *(counts if metric.reads_references else counted.references),
                    total.tolist() if whole else None,
                    None if whole else total.tolist(),
                )
                for values, value in zip(rows.values(), of_row, strict=True):
                    values.append(value)
        numbers = (pa.string(), *[pa.int64()] * 3, pa.list_(pa.int64()), pa.list_(pa.float64()))
        types = dict(zip(_SUMS, numbers, strict=True))
        return pa.table({name: pa.array(values, types.get(name)) for name, values in rows.items()})

    def scores(self, parts: Iterable[Any]) -> list[dict[str, Any]]:
        """The corpus scores, one row per group and metric: the labels, `metric`, `value`, `segments`, `signature`."""
        totals: dict[tuple[Any, ...], Statistics] = {}
        metrics = {metric.spec: metric for metric in self._chosen}
        for part in parts:
            for row in part.to_pylist():
                *key, spec, segments, fewest, most, integers, floats = row.values()
                statistics = replace(
                    metrics[spec].statistics_of(np.array(floats if integers is None else integers)),
                    segments=segments,
                    references=(fewest, most),
                )
                of_group = (*key, spec)
                known = totals.get(of_group)
                totals[of_group] = statistics if known is None else known + statistics
        if not totals:
            raise NoSegments("there are no segments to score.")
        return [
            {**dict(zip(self._by, key, strict=True)), **as_record(metrics[spec].corpus_score(total))}
            for (*key, spec), total in totals.items()
        ]

    @property
    def _by(self) -> tuple[str, ...]:
        return checked_labels(self.by)


def checked_labels(by: Names) -> tuple[str, ...]:
    """The names of the columns with labels, which become columns of the result beside those of the scores.

    >>> checked_labels("value")
    Traceback (most recent call last):
    understudy.errors.BadParameter: by: 'value' is a column of the result. Rename the column of the data.
    """
    names = checked_names("by", by)
    for name in names:
        if name in RESULT or name in _SUMS:
            raise BadParameter(f"by: {name!r} is a column of the result. Rename the column of the data.")
    return names


RESULT = ("metric", "value", "segments", "signature")
_SUMS = ("metric", "segments", "fewest_references", "most_references", "integer_sums", "float_sums")


def _labels(table: Any, name: str) -> Sequence[Any]:
    """The label of each row. NaN is a missing label: it does not equal itself, so each would be a group."""
    labels = listed(of_table(table, name, "by"), "by")
    return [None if isinstance(label, float) and math.isnan(label) else label for label in labels]


def _reference_limits(
    references: Iterable[Any], places: NDArray[np.intp], groups: int
) -> list[tuple[int, int]]:
    """The minimum and maximum number of references per segment, in each group."""
    columns = [column for each in references for column in _text_columns(each, "references", lists=True)]
    numbers = np.full(len(places), len(columns))
    for column in columns:
        numbers[[*column.absent_rows()]] -= 1
    fewest, most = np.full(groups, len(columns)), np.zeros(groups, np.int64)
    np.minimum.at(fewest, places, numbers)
    np.maximum.at(most, places, numbers)
    return [*zip(fewest.tolist(), most.tolist(), strict=True)]


def _texts(metric: Metric, hypotheses: Any, references: Iterable[Any]) -> tuple[Column, list[Column]]:
    (column,) = _text_columns(hypotheses, "hypotheses", lists=False)
    if not metric.reads_references:
        return column, []
    others = [other for each in references for other in _text_columns(each, "references", lists=True)]
    if not others:
        raise BadInput(f"{metric.spec} needs at least one column of references.")
    return column, others


def _text_columns(values: Any, what: str, *, lists: bool) -> Sequence[Column]:
    """One column of strings, or the columns of lists of strings, in which any text may be missing."""
    try:
        return (column_of_table({what: values}, what, "table"),)
    except WrongType:
        rows = listed(values, what)
        if all(row is None for row in rows):  # in Arrow, a type of its own
            return (Column.from_strings([None] * len(rows)),)
        if not lists or any(
            isinstance(row, (str, bytes)) or not hasattr(row, "__len__") for row in rows if row is not None
        ):
            raise
    return reference_columns([[None] if row is None or not len(row) else row for row in rows], None)
