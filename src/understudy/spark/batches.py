"""Batches of rows on the executors: Arrow columns, which the core reads where they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadInput
from understudy.scoring.group_scores import Group
from understudy.spark.columns import ALIKE, COPIES, DOCUMENT, GROUP, HYPOTHESIS, ID, REFERENCE, Columns
from understudy.wording import number_of

_SHOWN = 60  # characters of a text in messages


@dataclass(frozen=True, eq=False)
class TextBatch:
    """The texts of some rows."""

    batch: Any  # of Arrow, without rows that are to be dropped
    columns: Columns
    hypotheses: tuple[Column, ...]
    references: References | None

    @classmethod
    def of(cls, batch: Any, columns: Columns) -> TextBatch | None:
        """The texts of a batch; None if it has no rows, or all were dropped."""
        _check_long_form(batch, columns)
        batch = _without_nulls(batch, columns)
        if batch.num_rows == 0:
            return None
        hypotheses = tuple(
            Column.from_arrow(batch.column(f"{HYPOTHESIS}{i}")) for i in range(len(columns.hypotheses))
        )
        return cls(batch, columns, hypotheses, _references_of(batch, columns))

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def rows(self, rows: NDArray[np.intp]) -> TextBatch:
        """Some of the rows."""
        if len(rows) == len(self):
            return self
        found = TextBatch.of(self.batch.take(_as_arrow(rows)), self.columns)
        assert found is not None, "a group has rows"
        return found

    @property
    def names(self) -> Column:
        """The names of segments."""
        array = self.batch.column(ID)
        if array.null_count:
            raise unnamed_segments(self.columns.id)
        return Column.from_arrow(array)

    @property
    def reference_counts(self) -> NDArray[np.int64]:
        """The number of references of every row."""
        counts = np.zeros(len(self), np.int64)
        for column in () if self.references is None else self.references.columns:
            counts += 1
            counts[column.absent_rows()] -= 1
        return counts

    def groups(self) -> Iterator[tuple[Group, NDArray[np.intp]]]:
        """Groups of rows, and the rows of each."""
        yield from groups_of_rows(
            [self.batch.column(f"{GROUP}{i}") for i in range(len(self.columns.by))], len(self)
        )


def groups_of_rows(labels: Sequence[Any], rows: int) -> Iterator[tuple[Group, NDArray[np.intp]]]:
    """Groups of so many rows, and the rows of each. The labels are Arrow arrays, one for each column of labels."""
    codes = np.zeros(rows, np.int64)
    for label in labels:
        encoded = label.dictionary_encode(null_encoding="encode")
        codes = codes * len(encoded.dictionary) + encoded.indices.to_numpy(zero_copy_only=False)
        codes = np.unique(codes, return_inverse=True)[1]  # numbered anew: many columns would overflow
    _, first, group_of = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(group_of, kind="stable")
    ends = np.cumsum(np.bincount(group_of))
    for row, of_group in zip(first, np.split(order, ends[:-1]), strict=True):
        yield tuple(label[int(row)].as_py() for label in labels), of_group


def unnamed_segments(column: str | None) -> BadInput:
    """The error for segments without a name."""
    return BadInput(f"id: column '{column}' has nulls. Every segment needs a name of its own.")


def _references_of(batch: Any, columns: Columns) -> References | None:
    """The references of every row, and the documents. A null, and an array that is null or shorter than others, is a
    reference that the segment lacks.
    """
    texts: list[Column] = []
    for i in range(len(columns.references)):
        array = batch.column(f"{REFERENCE}{i}")
        texts += map(Column.from_arrow, _elements(array) if hasattr(array, "values") else [array])
    if not columns.references:
        return None
    documents = None
    if columns.documents is not None:
        labels = batch.column(DOCUMENT)
        if labels.null_count:
            raise BadInput(
                f"documents: column '{columns.documents}' has nulls. Every segment needs a document."
            )
        documents = Column.from_arrow(labels)
    return References(tuple(texts), documents)


def _elements(lists: Any) -> Iterator[Any]:
    """The first elements of all lists, then the second, and so on."""
    import pyarrow

    offsets = lists.offsets.to_numpy()
    starts, lengths = offsets[:-1], np.diff(offsets)
    lengths = np.where(lists.is_null().to_numpy(zero_copy_only=False), 0, lengths)
    for place in range(max(1, int(lengths.max(initial=0)))):
        lacking = lengths <= place
        indices = pyarrow.array(np.where(lacking, 0, starts + place), pyarrow.int64(), mask=lacking)
        yield lists.values.take(indices)


def _without_nulls(batch: Any, columns: Columns) -> Any:
    import pyarrow
    import pyarrow.compute

    keep = np.ones(batch.num_rows, bool)
    for i, name in enumerate(columns.hypotheses):
        place = f"{HYPOTHESIS}{i}"
        array = batch.column(place)
        if not array.null_count:
            continue
        if columns.nulls == "error":
            first = _first(batch, columns, array.is_null())
            what = (
                f"the translation of system '{name}'"
                if f"{COPIES}0" in batch.schema.names
                else f"column '{name}'"
            )
            raise BadInput(
                f"hypothesis: {what} is null in {array.null_count:,} of {number_of(len(array), 'row')} of a "
                f"batch{first}. Use nulls='empty' for empty translations, or nulls='drop' to leave these rows out."
            )
        if columns.nulls == "empty":
            filled = pyarrow.compute.fill_null(array, "")
            batch = batch.set_column(batch.schema.get_field_index(place), place, filled)
        keep &= ~array.is_null().to_numpy(zero_copy_only=False) if columns.nulls == "drop" else True
    keep_references = _with_references(batch, columns)
    if not keep_references.all() and columns.nulls != "drop":
        lacking = int((~keep_references).sum())
        first = _first(batch, columns, pyarrow.array(~keep_references))
        raise BadInput(
            f"references: {number_of(lacking, 'row')} of a batch {'has' if lacking == 1 else 'have'} none "
            f"({', '.join(columns.references)}){first}. Every segment needs at least one reference; nulls='drop' "
            "leaves these rows out."
        )
    keep &= keep_references
    return batch if keep.all() else batch.filter(pyarrow.array(keep))


def _with_references(batch: Any, columns: Columns) -> NDArray[np.bool_]:
    """Which rows have a reference, if any is expected."""
    found = np.zeros(batch.num_rows, bool)
    for i in range(len(columns.references)):
        array = batch.column(f"{REFERENCE}{i}")
        for texts in _elements(array) if hasattr(array, "values") else [array]:
            found |= ~texts.is_null().to_numpy(zero_copy_only=False)
    return found if columns.references else np.ones(batch.num_rows, bool)


def _first(batch: Any, columns: Columns, lacking: Any) -> str:
    """Where the first of these rows is: its id; else a text beside it, because rows have no numbers."""
    row = int(np.flatnonzero(lacking.to_numpy(zero_copy_only=False))[0])
    if ID in batch.schema.names:
        return f", first at id {batch.column(ID)[row].as_py()}"
    beside = [f"{HYPOTHESIS}{i}" for i in range(len(columns.hypotheses))]
    beside += [f"{REFERENCE}{i}" for i in range(len(columns.references))]
    for name, column in zip(beside, (*columns.hypotheses, *columns.references), strict=True):
        text = batch.column(name)[row].as_py()
        text = next(filter(None, text), None) if isinstance(text, list) else text
        if text:
            return f", first where '{column}' is {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'!r}"
    return ""


def _check_long_form(batch: Any, columns: Columns) -> None:
    """If the systems of a segment were in rows of their own: each must have one, with the same references."""
    names = batch.schema.names
    for i, system in enumerate(columns.hypotheses):
        if f"{COPIES}{i}" not in names:
            return
        copies = batch.column(f"{COPIES}{i}").to_numpy(zero_copy_only=False)
        for row in np.flatnonzero(copies != 1)[:1]:
            name = batch.column(ID)[int(row)].as_py()
            raise BadInput(
                f"id: segment '{name}' has {number_of(int(copies[row]), 'row')} of system '{system}', expected one row "
                "for every segment and system."
            )
    alike = batch.column(ALIKE).to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(~alike.astype(bool))[:1]:
        raise BadInput(
            f"references: segment '{batch.column(ID)[int(row)].as_py()}' has other references for one system than for "
            "another. Systems can be compared only with the same references."
        )


def _as_arrow(rows: NDArray[np.intp]) -> Any:
    import pyarrow

    return pyarrow.array(rows.astype(np.int64))
