"""The totals of every group: counted on the executors, and added up by Spark.

Each executor counts its rows and emits totals of statistics: over all its rows, and in every bootstrap sample. They are
integers (see `understudy.resampling.exact_sums`), so Spark's sums of them are exact, in any order. No group has to
be in one place: one with most of the rows is no problem.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import name_hashes
from understudy.arrays import one_blas_thread
from understudy.errors import BadInput, InputWarning, NoSegments
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.exact_sums import Integers, exact_sums_of
from understudy.resampling.poisson_bootstrap import SEGMENTS, Key, PoissonTotals, drawn_at_all, totals_of
from understudy.scoring.group_scores import Group
from understudy.scoring.text_warnings import warn_of_unreadable
from understudy.spark.batches import TextBatch, groups_of_rows
from understudy.spark.columns import GROUP, Columns
from understudy.spark.executor_errors import check_version, errors_of_executors
from understudy.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NUMBERS_AT_ONCE = 2**22  # that an executor keeps before it emits them

_UNIT, _POSITION, _SAMPLE, _FEWEST, _MOST, _INPUT, _WARNING = (
    *("unit", "position", "sample", "fewest", "most", "input", "warning"),
)

Fits = Mapping[Group, Sequence[Metric]]  # the metrics by group, where one of them needs a fit


@dataclass(frozen=True)
class Counting:
    """What executors count. Units are numbered: for every system its metrics, then for
    every pair of systems the metrics again.
    """

    columns: Columns
    metrics: tuple[Metric, ...]
    level: str
    samples: int
    seed: int
    fits: Fits = field(default_factory=dict)
    pairs: tuple[tuple[int, int], ...] = ()  # of systems, whose segment scores are compared
    version: str = __version__

    @property
    def width(self) -> int:
        """The most numbers that a unit has."""
        return max(2, *(len(metric.columns) for metric in self.metrics))

    def partition(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The totals of the groups of a partition."""
        check_version(self.version)
        kept: dict[Group, _GroupTotals] = {}
        warning = None
        types: list[Any] = []
        for batch in batches:
            types = [batch.schema.field(f"{GROUP}{i}").type for i in range(len(self.columns.by))]
            texts = TextBatch.of(batch, self.columns)
            if texts is None:
                continue
            if warning is None:
                warning = _warning(self.metrics, texts)
            with one_blas_thread():
                self._count(texts, kept)
            if sum(each.size for each in kept.values()) > _NUMBERS_AT_ONCE:
                yield from self._emitted(kept, types, warning)
                kept = {}
        yield from self._emitted(kept, types, warning)

    def _count(self, texts: TextBatch, kept: dict[Group, _GroupTotals]) -> None:
        hashes = name_hashes(texts.names) if self.samples else None
        references = texts.reference_counts
        # Only once for all groups, except for metrics that know the group's texts.
        common = None if self.fits else [self._statistics(self.metrics, texts, i) for i in self._systems]
        for group, rows in texts.groups():
            of_group = [
                self._statistics(self.fits[group], texts.rows(rows), i)
                if common is None
                else [statistics[rows] for statistics in common[i]]
                for i in self._systems
            ]
            totals = kept.setdefault(group, _GroupTotals(PoissonTotals(self.samples, self.seed)))
            totals.add_facts(references[rows], [statistics for each in of_group for statistics in each])
            tables = self._tables(of_group)
            totals.sums.add(tables, None if hashes is None else hashes[rows])

    @property
    def _systems(self) -> range:
        return range(len(self.columns.hypotheses))

    def _statistics(self, metrics: Sequence[Metric], texts: TextBatch, system: int) -> list[Statistics]:
        return [
            metric.statistics(texts.hypotheses[system], texts.references, threads=1) for metric in metrics
        ]

    def _tables(self, of_systems: Sequence[Sequence[Statistics]]) -> list[NDArray[Any]]:
        scores: list[list[NDArray[np.float64]]] = []
        if self.level == "mean" or self.pairs:
            scores = [
                [metric.segment_scores(each) for metric, each in zip(self.metrics, of_system, strict=True)]
                for of_system in of_systems
            ]
        tables: list[NDArray[Any]] = [each.array for of_system in of_systems for each in of_system]
        if self.level == "mean":
            tables = [each[:, np.newaxis] for of_system in scores for each in of_system]
        for a, b in self.pairs:
            for first, second in zip(scores[a], scores[b], strict=True):
                difference = first - second
                tables.append(np.stack([difference, difference**2], axis=1))
        return tables

    def _emitted(
        self, kept: Mapping[Group, _GroupTotals], types: Sequence[Any], warning: str | None
    ) -> Iterator[Any]:
        import pyarrow

        for group, totals in kept.items():
            for (unit, position), sums in totals.sums.sums.items():
                rows = np.union1d(
                    [0], np.flatnonzero(sums.any(axis=1))
                )  # the others are 0, as if never emitted
                numbers = np.zeros((len(rows), self.width), np.int64)
                numbers[:, : sums.shape[1]] = sums[rows]
                facts: list[Any] = (
                    [totals.fewest, totals.most, None, warning] if unit == SEGMENTS else [None] * 4
                )
                if 0 <= unit < len(totals.inputs):
                    facts[2] = totals.inputs[unit]
                columns = {
                    **{
                        f"{GROUP}{i}": pyarrow.array([value] * len(rows), kind)
                        for i, (value, kind) in enumerate(zip(group, types, strict=True))
                    },
                    _UNIT: pyarrow.array(np.full(len(rows), unit, np.int32)),
                    _POSITION: pyarrow.array(np.full(len(rows), position, np.int32)),
                    _SAMPLE: pyarrow.array(rows.astype(np.int32)),
                    **{
                        name: pyarrow.array([fact] + [None] * (len(rows) - 1), kind)
                        for name, fact, kind in zip(
                            (_FEWEST, _MOST, _INPUT, _WARNING),
                            facts,
                            (pyarrow.int32(), pyarrow.int32(), pyarrow.string(), pyarrow.string()),
                            strict=True,
                        )
                    },
                    **{
                        f"s{k}": pyarrow.array(np.ascontiguousarray(numbers[:, k])) for k in range(self.width)
                    },
                }
                yield pyarrow.RecordBatch.from_pydict(columns)

    def schema(self, df: DataFrame) -> str:
        """Of what is emitted, as Spark writes it."""
        groups = [
            f"{GROUP}{i} {df.schema[name].dataType.simpleString()}" for i, name in enumerate(self.columns.by)
        ]
        facts = [f"{_UNIT} int, {_POSITION} int, {_SAMPLE} int, {_FEWEST} int, {_MOST} int, {_INPUT} string"]
        numbers = [f"s{k} bigint" for k in range(self.width)]
        return ", ".join([*groups, *facts, f"{_WARNING} string", *numbers])


@dataclass
class _GroupTotals:
    """What one executor knows of a group."""

    sums: PoissonTotals
    fewest: int = 2**31 - 1
    most: int = 0
    inputs: list[str] = field(default_factory=list)  # what the input adds to the signature, by unit

    @property
    def size(self) -> int:
        return sum(each.size for each in self.sums.sums.values())

    def add_facts(self, references: NDArray[np.int64], counted: Sequence[Statistics]) -> None:
        self.fewest, self.most = (
            min(self.fewest, int(references.min())),
            max(self.most, int(references.max())),
        )
        self.inputs = [json.dumps(dict(each.of_input), sort_keys=True) for each in counted]


@dataclass(frozen=True)
class Totals:
    """The totals of a group, from all executors."""

    group: Group
    sums: dict[Key, Integers]
    references: tuple[int, int]
    inputs: dict[int, Mapping[str, str]]

    @property
    def segments(self) -> int:
        return int(totals_of(self.sums, SEGMENTS)[0, 0])

    @property
    def sample_segments(self) -> Integers:
        """The number of segments of every sample."""
        return np.asarray(totals_of(self.sums, SEGMENTS)[1:, 0])

    @property
    def nonempty(self) -> NDArray[np.bool_]:
        """Which samples have a segment."""
        return drawn_at_all(self.sums)

    def of_unit(self, unit: int) -> NDArray[Any]:
        """The totals of a unit [1 + samples, K]: over all segments, then in every sample."""
        return totals_of(self.sums, unit)

    def exact_totals(self, unit: int) -> list[Fraction]:
        """The totals of a unit over all segments, not rounded."""
        return exact_sums_of(
            {place: sums[0] for (number, place), sums in self.sums.items() if number == unit}
        )


def totals(df: DataFrame, selected: DataFrame, counting: Counting) -> list[Totals]:
    """The totals of every group. `selected` are the columns of `df` that executors read."""
    from pyspark.sql import functions

    keys = [*(f"{GROUP}{i}" for i in range(len(counting.columns.by))), _UNIT, _POSITION, _SAMPLE]
    with errors_of_executors():
        found = (
            selected.mapInArrow(counting.partition, counting.schema(df))
            .groupBy(*keys)
            .agg(
                functions.min(_FEWEST).alias(_FEWEST),
                functions.max(_MOST).alias(_MOST),
                functions.min(_INPUT).alias(_INPUT),
                functions.max(_INPUT).alias("other"),
                functions.max(_WARNING).alias(_WARNING),
                *[functions.sum(f"s{k}").alias(f"s{k}") for k in range(counting.width)],
            )
            .toArrow()
        )
    if not found.num_rows:
        raise NoSegments("the data frame has no rows to score.")
    _warn(found)
    return list(_by_group(found, counting))


def _by_group(found: Any, counting: Counting) -> Iterator[Totals]:
    """In order. There are as many rows as samples of all groups, so that none has a Python object."""
    labels = [found.column(f"{GROUP}{i}").combine_chunks() for i in range(len(counting.columns.by))]
    table = _Rows(
        unit=found.column(_UNIT).to_numpy(),
        position=found.column(_POSITION).to_numpy(),
        sample=found.column(_SAMPLE).to_numpy(),
        numbers=[found.column(f"s{k}").to_numpy() for k in range(counting.width)],
        facts=found.select([_FEWEST, _MOST, _INPUT, "other"]),
    )
    groups = groups_of_rows(labels, found.num_rows)
    for group, rows in sorted(groups, key=lambda each: _sortable(each[0])):
        yield table.totals(group, rows, counting)


@dataclass(frozen=True, eq=False)
class _Rows:
    """What Spark has added up: a row for each group, unit, position of digits and sample."""

    unit: NDArray[np.int32]
    position: NDArray[np.int32]
    sample: NDArray[np.int32]
    numbers: list[Integers]
    facts: Any

    def totals(self, group: Group, rows: NDArray[np.intp], counting: Counting) -> Totals:
        sums: dict[Key, Integers] = {}
        inputs: dict[int, Mapping[str, str]] = {}
        references = (0, 0)
        widths = _widths(counting)
        for first in rows[self.sample[rows] == 0].tolist():  # every total has one
            key = unit, position = int(self.unit[first]), int(self.position[first])
            of_key = rows[(self.unit[rows] == unit) & (self.position[rows] == position)]
            sums[key] = np.zeros((1 + counting.samples, widths[unit]), np.int64)
            for column in range(widths[unit]):
                sums[key][self.sample[of_key], column] = self.numbers[column][of_key]
            fewest, most, of_input, other = (self.facts.column(k)[first].as_py() for k in range(4))
            if unit == SEGMENTS:
                references = (fewest, most)
            if of_input is not None:
                if of_input != other:
                    raise BadInput(f"parts of the input differ: {of_input} and {other}.")
                inputs[unit] = json.loads(of_input)
        return Totals(group, sums, references, inputs)


def _widths(counting: Counting) -> dict[int, int]:
    """The number of numbers that each unit has."""
    of_metrics = [1 if counting.level == "mean" else len(metric.columns) for metric in counting.metrics]
    of_systems = of_metrics * len(counting.columns.hypotheses)
    widths = [*of_systems, *[2] * (len(counting.pairs) * len(counting.metrics))]
    return {SEGMENTS: 1, **dict(enumerate(widths))}


def _sortable(group: Group) -> tuple[tuple[bool, Any], ...]:
    """In order, and null after everything else."""
    return tuple((value is None, 0 if value is None else value) for value in group)


def _warning(metrics: Iterable[Metric], texts: TextBatch) -> str | None:
    """What `understudy.score` would warn of; empty if nothing."""
    if texts.references is None:
        return ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        reading = [metric for metric in metrics if metric.reads_references]
        warn_of_unreadable(reading, "the reference", texts.references.columns[0])
    return next((str(each.message) for each in caught if issubclass(each.category, InputWarning)), "")


def _warn(found: Any) -> None:
    for message in sorted(set(filter(None, found.column(_WARNING).to_pylist()))):
        warnings.warn(message, InputWarning, stacklevel=4)
