"""Parquet and Arrow files, and data sets of several of them, one column at a time and batch by batch.

A Parquet file is read by row group, an Arrow file (`.arrow`, `.feather`, `.ipc`; in the file or the stream format) by
record batch. A compressed file is decompressed once, into a temporary file, because Parquet is read from its end.
Texts reach the core without a Python string for each of them.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

from understudy.corpus.data_sets import files_of_data_set
from understudy.corpus.files import ByteReader, not_found, reported, shown, without_compression
from understudy.corpus.temporary_bytes import TemporaryBytes
from understudy.errors import BadInput, InvalidText, MissingExtra, MissingFile

_ROWS = 8192  # of a Parquet file that are decoded together
_BUFFER = 1 << 20  # bytes of a Parquet column that are read at once: a row group may be larger than memory


class ArrowTable:
    """The columns of a file or data set. Nothing but the names and types of columns has been read."""

    def __init__(self, path: str, kind: str) -> None:
        try:
            self._arrow = import_module("pyarrow")
            self._parquet = import_module("pyarrow.parquet")
        except ImportError:
            what = "Parquet files" if kind == "parquet" else "Arrow files"
            raise MissingExtra.of(what, "pyarrow", "parquet") from None
        self.path, self._kind = path, kind
        self._files = files_of_data_set(path)
        self._decompressed: dict[str, TemporaryBytes] = {}
        first = self._schema(self._files[0])
        self._types = dict(zip(first.names, first.types, strict=True))
        self.columns = list(first.names)
        # By file, because the order of the columns may differ.
        self._names = {self._files[0]: self.columns}
        for file in self._files[1:]:
            self._names[file] = list(self._schema(file).names)
            for column in self.columns:
                if column not in self._names[file]:
                    raise BadInput(f"{shown(file)} has no column {column!r}, unlike {shown(self._files[0])}.")

    def is_text(self, column: str) -> bool:
        """Whether all cells are strings or null."""
        types = self._arrow.types
        found = self._types[column]
        return bool(types.is_string(found) or types.is_large_string(found))

    def arrays(self, column: str) -> Generator[Any, None, None]:
        """The column, in consecutive arrays. The generator owns the open file."""
        for file in self._files:
            rows = 0
            try:
                for array in self._arrays(file, column):
                    if array.type != self._types[column]:
                        raise BadInput(
                            f"{shown(file)}: {column!r} is of type {array.type}, but {self._types[column]} in "
                            f"{shown(self._files[0])}."
                        )
                    yield array
                    rows += len(array)
            except UnicodeDecodeError:
                raise InvalidText(f"{shown(file)}, after row {rows}: {column!r} is not UTF-8.") from None
            except (self._arrow.ArrowException, OSError) as error:
                if isinstance(error, BadInput):
                    raise
                raise BadInput(f"{shown(file)}: damaged after row {rows} ({error}).") from None

    def column(self, arrays: list[Any]) -> Any:
        """Several arrays as one column."""
        return self._arrow.chunked_array(arrays)

    def _schema(self, file: str) -> Any:
        if not os.path.isfile(file):
            raise MissingFile(not_found(file))
        opened, _ = self._opened(file)
        with opened:
            return opened.schema_arrow if self._kind == "parquet" else opened.schema

    def _arrays(self, file: str, column: str) -> Iterator[Any]:
        read = 0
        opened, source = self._opened(file, column)
        with opened:
            batches: Iterator[Any]
            done: Callable[[Any], int]  # how much of the total has been read with a batch
            if self._kind == "parquet":
                total, done = opened.metadata.num_rows, lambda batch: read + len(batch)
                batches = itertools.chain.from_iterable(
                    opened.iter_batches(_ROWS, row_groups=[group], columns=[column], use_threads=False)
                    for group in range(opened.num_row_groups)
                )
            elif hasattr(opened, "num_record_batches"):
                total = opened.num_record_batches
                batches, done = map(opened.get_batch, range(total)), lambda _: read + 1
            else:  # the number of batches of a stream is not known, but the place in the file is
                begun = source.tell()
                total = source.seek(0, os.SEEK_END)
                source.seek(begun)
                batches, done = opened, lambda _: source.tell()
            size = os.path.getsize(file)
            with reported(size, lambda: size * read // max(total, 1)):
                for batch in batches:
                    read = done(batch)
                    yield batch.column(column)
                read = total

    def _opened(self, file: str, column: str | None = None) -> tuple[Any, Any]:
        """The reader, and what it reads."""
        source: Any = file if without_compression(file) == file else self._decompress(file).opened()
        try:
            if self._kind == "parquet":
                return self._parquet.ParquetFile(source, buffer_size=_BUFFER, pre_buffer=False), source
            # Not mapped into memory, which would count as memory of this process.
            source = self._arrow.OSFile(source) if source == file else source
            place = None if column is None else self._names[file].index(column)
            return self._opened_arrow(source, place), source
        except (self._arrow.ArrowException, OSError) as error:
            what = "a Parquet" if self._kind == "parquet" else "an Arrow"
            raise BadInput(f"{shown(file)} is not {what} file: {str(error).splitlines()[0]}") from None

    def _decompress(self, file: str) -> TemporaryBytes:
        if file not in self._decompressed:
            found = TemporaryBytes(shown(file))
            with closing(ByteReader(file)) as reader:
                while block := reader.read(_BUFFER):
                    found.append(block)
            self._decompressed[file] = found
        return self._decompressed[file]

    def _opened_arrow(self, source: Any, place: int | None) -> Any:
        """In the file format, or in the stream format, which Hugging Face's data sets are stored in. `place`: of the
        only column that is read.
        """
        ipc = self._arrow.ipc
        wanted = None if place is None else ipc.IpcReadOptions(included_fields=[place])
        try:
            return ipc.open_file(source, options=wanted)
        except self._arrow.ArrowInvalid:
            source.seek(0)
            return ipc.open_stream(source, options=wanted)
