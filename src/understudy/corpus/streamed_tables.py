"""Tables that come in batches: data sets, scanners and readers of pyarrow, and streamed data sets of Hugging Face.

All columns are read in one pass, and only those that are needed. A reader can be read once; the others are read again
where that is necessary. Such objects are recognized by what they can do, so that pyarrow need not be imported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import Any

from understudy._core import Column, NotText
from understudy.corpus.columns import as_labels
from understudy.corpus.label_runs import LabelRuns
from understudy.errors import BadInput, NoSegments, UnderstudyError, WrongType

_ROWS = 8192  # of a batch


class StreamedTable:
    """The columns of a table that is not in memory."""

    def __init__(
        self,
        what: str,
        columns: Sequence[str],
        batches: Callable[[Sequence[str]], Iterable[Any]],
        *,
        once: bool = False,
    ) -> None:
        """`batches` gives Arrow batches with these columns. `once`: it can be called only once."""
        self.what = what  # for messages
        self.columns = list(columns)
        self.once = once
        self._batches = batches
        self._pass: _Pass | None = None
        for index, column in enumerate(self.columns):
            if column in self.columns[:index]:
                raise BadInput(f"the table ({what}) has two columns named {column!r}.")

    def source(self, name: str, column: str, role: str) -> StreamedSource:
        """A column as a source. Columns that are opened before the first is read are read together."""
        joined = self._pass
        if joined is None or joined.begun or joined.closed or column in joined.columns:
            if self.once and joined is not None and joined.begun:
                raise BadInput(
                    f"{role}s: the stream ({self.what}) can be read only once, and is needed twice. Save it to a file, "
                    "or use a pyarrow data set or table."
                )
            joined = self._pass = _Pass(self._read)
        joined.columns[column] = deque()
        return StreamedSource(joined, name, column, f"{role}s, column {column!r}")

    def labels(self, column: str, what: str) -> LabelRuns:
        """A column as labels of segments, which are read now."""
        if self.once:
            raise BadInput(
                f"{what}: column {column!r} of the stream ({self.what}) is needed before the texts, but the stream can "
                "be read only once. Omit the column, or use a pyarrow data set or table."
            )
        return LabelRuns((label, sum(1 for _ in run)) for label, run in groupby(self._labels(column, what)))

    def _read(self, columns: Sequence[str]) -> Iterator[Any]:
        arrow = import_module("pyarrow")
        rows = 0
        try:
            for batch in self._batches(columns):
                rows += len(batch)
                yield batch
        except (arrow.ArrowException, OSError) as error:
            if isinstance(error, UnderstudyError):
                raise
            raise BadInput(
                f"the stream ({self.what}) cannot be read: {' '.join(str(error).split())}"
            ) from None
        if self.once and rows == 0:
            raise NoSegments(
                f"the stream ({self.what}) has no rows. Was it read before? It can be read only once."
            )

    def _labels(self, column: str, what: str) -> Iterator[str]:
        for batch in self._read([column]):
            found = as_labels(batch.column(column), f"{what}, column {column!r}")
            for row in range(len(found)):
                if (label := found[row]) is None:
                    raise WrongType(f"{what}, column {column!r}: a segment has none, expected a string.")
                yield label


@dataclass(frozen=True, eq=False, repr=False)
class StreamedText:
    """A column of a streamed table."""

    name: str
    table: StreamedTable
    column: str

    def opened(self, role: str) -> StreamedSource:
        return self.table.source(self.name, self.column, role)


class _Pass:
    """One reading of a table. Of each column, what was read and not yet taken."""

    def __init__(self, batches: Callable[[Sequence[str]], Iterable[Any]]) -> None:
        self.columns: dict[str, deque[Any]] = {}
        self.begun = self.closed = False
        self._batches = batches
        self._left: Iterator[Any] = iter(())

    def take(self, column: str, count: int) -> list[Any]:
        """Arrays of so many rows; of fewer only at the end."""
        if not self.begun:
            self.begun, self._left = True, iter(self._batches(list(self.columns)))
        waiting, taken = self.columns[column], []
        while count > 0 and (waiting or self._read()):
            array = waiting.popleft()
            if len(array) > count:
                waiting.appendleft(array[count:])
                array = array[:count]
            taken.append(array)
            count -= len(array)
        return taken

    def _read(self) -> bool:
        batch = next(self._left, None)
        if batch is None:
            return False
        for column, waiting in self.columns.items():
            waiting.append(batch.column(column))
        return True


class StreamedSource:
    """One column, as a source of segments."""

    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    identifiers: Iterable[str] | None = None
    language: str | None = None

    def __init__(self, read: _Pass, name: str, column: str, what: str) -> None:
        self.name = self.where = self.origin = name
        self._pass, self._column, self._what = read, column, what

    def take(self, count: int) -> Column:
        arrays = self._pass.take(self._column, count)
        if not arrays:
            return Column.from_strings([])
        try:
            return Column.from_arrow(import_module("pyarrow").chunked_array(map(_decoded, arrays)))
        except NotText:
            cure = "Omit the column: select the columns with text, e.g. with select_columns or scanner(columns=[...])."
            if "list" in str(arrays[0].type):
                cure = "Use one column for each reference, or load the table into memory."
            raise WrongType(f"{self._what}: expected strings, got {arrays[0].type}. {cure}") from None

    def close(self) -> None:
        self._pass.closed = True


def _decoded(array: Any) -> Any:
    """Text, of which Arrow's dictionaries keep every value once."""
    return array.dictionary_decode() if hasattr(array, "dictionary_decode") else array


# --- what is such a table --------------------------------------------------------------------------------------


def streamed_table(values: Any, what: str) -> StreamedTable | None:
    """The table, if it is a stream. What resembles one and cannot be read raises an error."""
    kind = type(values).__name__
    if isinstance(values, (str, list, tuple, dict)) or hasattr(values, "shape"):
        return None
    if hasattr(values, "read_next_batch"):  # pyarrow.RecordBatchReader
        return StreamedTable(kind, values.schema.names, lambda _: values, once=True)
    if hasattr(values, "projected_schema"):  # pyarrow.dataset.Scanner
        return StreamedTable(kind, values.projected_schema.names, lambda _: values.to_batches())
    if hasattr(values, "scanner") and hasattr(values, "schema"):  # pyarrow.dataset.Dataset
        return StreamedTable(kind, values.schema.names, lambda columns: _batches(values, columns))
    if hasattr(values, "select_columns") and hasattr(values, "iter"):  # datasets.IterableDataset
        return StreamedTable(kind, _names(values, what), lambda columns: _rows(values, columns, what))
    if hasattr(values, "collect_schema"):  # polars.LazyFrame
        raise WrongType(
            f"{what}: got a {kind}, expected a table. Use frame.collect(), or write it to a Parquet file."
        )
    if type(values).__module__.startswith("pyspark."):
        raise WrongType(f"{what}: got a data frame of Spark. Use the functions of understudy.spark.")
    return None


def _batches(data: Any, columns: Sequence[str]) -> Iterable[Any]:
    """In order and without reading ahead, which would keep 16 batches, and of Parquet files all that was read."""
    options = {"batch_size": _ROWS, "batch_readahead": 1, "fragment_readahead": 1, "use_threads": False}
    if getattr(getattr(data, "format", None), "default_extname", "") == "parquet":
        scanning = import_module("pyarrow.dataset").ParquetFragmentScanOptions
        options["fragment_scan_options"] = scanning(pre_buffer=False, use_buffered_stream=True)
    found: Iterable[Any] = data.to_batches(columns=list(columns), **options)
    return found


def _names(data: Any, what: str) -> list[str]:
    """The names of the columns, from the first row if the data set does not know them."""
    first = None if data.column_names else next(iter(data), None)
    names = list(data.column_names or first or ())
    if not names:
        raise NoSegments(f"{what}: the data set ({type(data).__name__}) has no rows.")
    return names


def tables_of_rows(data: Any, rows: int) -> Iterator[Any]:
    """A data set of Hugging Face as Arrow tables of so many rows, whatever its format: no Python object for each text.
    If it does not know the types of its columns, a text that is missing has a type of its own, which the library cannot
    join to others: then there are Python objects first.
    """
    if data.features is not None:
        yield from data.with_format("arrow").iter(batch_size=rows)
        return
    arrow = import_module("pyarrow")
    for batch in data.with_format(None).iter(batch_size=rows):
        arrays = {name: arrow.array(values) for name, values in batch.items()}
        yield arrow.table(
            {
                name: array.cast(arrow.string()) if arrow.types.is_null(array.type) else array
                for name, array in arrays.items()
            }
        )


def _rows(data: Any, columns: Sequence[str], what: str) -> Iterator[Any]:
    try:
        for table in tables_of_rows(data.select_columns(list(columns)), _ROWS):
            yield from table.to_batches()
    except KeyError as error:
        if error.args[0] not in columns:
            raise
        raise BadInput(
            f"{what}: a row has no column {error.args[0]!r}. Every row needs all columns."
        ) from None
    except UnicodeEncodeError as error:
        raise WrongType(f"{what}: expected columns of strings ({error}).") from None
