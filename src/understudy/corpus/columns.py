"""Segments in memory as columns for the core.

Accepts lists, tuples, any other iterable of strings, numpy and pandas columns, and objects with the Arrow PyCapsule
interface (pyarrow, Polars, ...), which are read without copying. A table (a pandas or Polars data frame, a pyarrow
table) contains references, one per column. A single string, a mapping, transposed references and unequal lengths
raise errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest
from numbers import Integral
from typing import Any

from understudy._core import Column, NotText
from understudy.errors import BadInput, InvalidText, LengthMismatch, NoSegments, WrongType
from understudy.wording import number_of


@dataclass(frozen=True, eq=False)
class References:
    """The references, one column each; a segment may lack some of them, but not all."""

    columns: tuple[Column, ...]
    documents: Column | None = None  # the document of every segment, if known
    sources: Column | None = None  # the source text of every segment, if given

    def __post_init__(self) -> None:
        first, *others = self.columns
        if self.documents is not None:
            _check_documents(self.documents, len(first))
        if self.sources is not None:
            _check_sources(self.sources, len(first))
        for other in others:
            if len(other) != len(first):
                raise LengthMismatch(
                    f"references have different numbers of segments: {len(first):,} and {len(other):,}."
                )
        lacking = [column.absent_rows() for column in self.columns]
        if all(lacking):
            for segment in sorted(set.intersection(*map(set, lacking))):
                raise BadInput(
                    f"references: segment {segment + 1} has none. Every segment needs at least one reference."
                )

    @classmethod
    def of_present_texts(cls, columns: tuple[Column, ...]) -> References:
        """Columns of one length that lack nothing, unchecked."""
        references = object.__new__(cls)
        vars(references).update(columns=columns, documents=None, sources=None)
        return references

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, index: int) -> list[str]:
        """The references of one segment."""
        return [text for column in self.columns if (text := column[index]) is not None]

    @property
    def counts(self) -> tuple[int, int]:
        """The minimum and maximum number of references per segment."""
        most = len(self.columns)
        absent: dict[int, int] = {}
        for column in self.columns:
            for row in column.absent_rows():
                absent[row] = absent.get(row, 0) + 1
        if not absent:
            return most, most
        fewest_absent = min(absent.values()) if len(absent) == len(self) else 0
        return most - max(absent.values()), most - fewest_absent


def as_hypotheses(values: Any) -> Column:
    """The hypotheses, one string each.

    >>> len(as_hypotheses(["The cat sat.", "It rained."]))
    2
    """
    column = as_column(values, "hypotheses")
    if len(column) == 0:
        raise NoSegments("hypotheses: no segments. Is the file or list empty?")
    for row in column.absent_rows():
        raise WrongType(
            f"hypotheses: segment {row + 1} is None, expected a string ('' is an empty translation)."
        )
    return column


def as_references(
    values: Any, segments: int | None = None, documents: Any = None, sources: Any = None
) -> References:
    """The references, grouped by segment: `values[i]` is a string or the list of all references of segment i. If
    `segments` is given, any other number is an error. `documents[i]` is the document of segment i, `sources[i]` its
    source text.

    >>> as_references([["a cat", "one cat"], "a dog"], segments=2)[0]
    ['a cat', 'one cat']
    """
    if hasattr(values, "as_references"):  # a test set
        values = values.as_references()
    references = values if isinstance(values, References) else References(reference_columns(values, segments))
    if segments is not None and len(references) != segments:
        raise LengthMismatch(
            f"hypotheses have {number_of(segments, 'segment')}, references have {len(references):,}. "
            + (
                "For multiple references of one segment, use [[first, second]]."
                if segments == 1
                else "Was a line lost? Both must have one entry per segment, in the same order."
            )
        )
    if documents is not None:
        references = replace(references, documents=as_labels(documents, "documents"))
    if sources is not None:
        references = replace(references, sources=as_column(sources, "sources"))
    return references


def as_segment(hypothesis: Any, references: Any) -> tuple[Column, References]:
    """One hypothesis, and a string or all references for it, as columns of one segment.

    >>> hypothesis, references = as_segment("a cat", ["a cat", "one cat"])
    >>> len(hypothesis), references[0]
    (1, ['a cat', 'one cat'])
    """
    texts = [references] if type(references) is str else references
    # In the usual case there is nothing to check, and to check it all the same takes as long as to score it.
    if type(hypothesis) is str and type(texts) in (list, tuple) and set(map(type, texts)) == {str}:
        try:
            columns = tuple([Column.from_strings((text,)) for text in texts])
            return Column.from_strings((hypothesis,)), References.of_present_texts(columns)
        except UnicodeEncodeError:  # what follows tells where
            pass
    return as_hypotheses([hypothesis]), as_references([references], 1)


def _check_documents(documents: Column, segments: int) -> None:
    if len(documents) != segments:
        raise LengthMismatch(
            f"documents has {len(documents):,} entries, expected {segments:,}. Entry i must be the document of "
            "segment i."
        )
    for row in documents.absent_rows():
        raise WrongType(f"documents: segment {row + 1} is None, expected the name of its document.")


def _check_sources(sources: Column, segments: int) -> None:
    if len(sources) != segments:
        raise LengthMismatch(
            f"sources: got {number_of(len(sources), 'segment')}, expected {segments:,}. Entry i must be the source of "
            "segment i."
        )
    for row in sources.absent_rows():
        raise WrongType(f"sources: segment {row + 1} is None, expected a string.")


def reference_columns(values: Any, segments: int | None) -> tuple[Column, ...]:
    if isinstance(values, Column):
        return (values,)
    if names := columns_of_table(values, "references"):
        return tuple(column_of_table(values, name, "references") for name in names)
    if _speaks_arrow(values):
        try:
            return (Column.from_arrow(values),)
        except NotText:
            values = listed(values, "references")  # possibly a column of lists

    rows = listed(values, "references")
    if not rows:
        raise NoSegments("references: the list is empty.")
    if set(map(type, rows)) == {str} or all(isinstance(row, str) for row in rows):  # the first is fast
        return (as_column(rows, "references"),)

    groups = [_group(row, index) for index, row in enumerate(rows)]
    if segments is not None and len(groups) != segments and all(len(group) == segments for group in groups):
        raise transposed(len(groups), segments)
    for index, group in enumerate(groups):
        if not group:
            raise BadInput(
                f"references: segment {index + 1} has none. Every segment needs at least one reference."
            )
    return tuple(as_column(column, "references") for column in zip_longest(*groups))


def transposed(lists: int, segments: int) -> BadInput:
    """The error for as many lists as references, each as long as the hypotheses."""
    return BadInput(
        f"references look transposed: got {lists:,} lists of {segments:,}, expected {segments:,} lists, one per "
        "segment, each with the references of that segment. Use list(zip(*references))."
    )


def _group(row: Any, index: int) -> Sequence[Any]:
    """The references of one segment as a sequence."""
    if isinstance(row, str):
        return (row,)
    if isinstance(row, (list, tuple)):
        return row
    items = None if isinstance(row, bytes) or columns_of_table(row, "references") else items_of(row)
    if items is None:
        raise WrongType(
            f"references: segment {index + 1} is {kind_of(row)}, expected a string or a list of strings."
        )
    return items


def as_column(values: Any, what: str, *, expected: str = "a string", unit: str = "segment") -> Column:
    """A column of texts; `what` and `unit` name it and its rows in messages."""
    if isinstance(values, Column):
        return values
    if names := columns_of_table(values, what):
        raise WrongType(
            f"{what}: got a table ({type(values).__name__}) of {len(names)} "
            f"column{'s' if len(names) != 1 else ''}, expected one column of strings. Select it by name, e.g. "
            f"table[{names[0]!r}]."
        )
    if _speaks_arrow(values):
        try:
            return Column.from_arrow(values)
        except NotText as error:
            if "'dictionary'" not in str(error):  # categorical: codes in Arrow, values in a list
                raise WrongType(f"{what}: expected a column of strings, got {error}.") from None
    items = listed(values, what)
    try:
        return Column.from_strings(items)
    except UnicodeEncodeError:
        raise InvalidText(_lone_surrogate(items, what, unit)) from None
    except TypeError:  # rare, and checking every item first costs more than building the column
        for index, item in enumerate(items):
            if item is not None and not isinstance(item, str):
                raise WrongType(
                    f"{what}: {unit} {index + 1} is {kind_of(item)}, expected {expected}."
                ) from None
        raise


def as_labels(values: Any, what: str) -> Column:
    """Labels of segments, such as the names of documents. Numbers of documents become their names.

    >>> as_labels([1, 1, 2], "documents")[2]
    '2'
    """
    if isinstance(values, Column) or columns_of_table(values, what):
        return as_column(values, what)
    if _speaks_arrow(values):
        try:
            return Column.from_arrow(values)
        except NotText:
            pass
    items = listed(_with_none(values), what)
    if set(map(type, items)) != {str}:
        items = [_as_label(item) for item in items]
    return as_column(items, what, expected="a string or an integer")


def _as_label(value: Any) -> Any:
    """An integer as text, also one that pandas made a float because another label is missing."""
    if isinstance(value, Integral):
        return str(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else value


def columns_of_table(values: Any, what: str) -> list[Any]:
    """The names of a table's columns; none if it is not a table. Iterating over a table gives names in pandas,
    columns in Polars and nothing in pyarrow, so tables must be detected before lists.
    """
    if isinstance(values, (list, tuple)) or len(getattr(values, "shape", ())) != 2:
        return []
    # `columns` are the names in pandas and Polars, the columns themselves in pyarrow.
    found = getattr(values, "column_names", getattr(values, "columns", None))
    if found is None:  # an array
        return []
    names = list(found)
    if not names:
        raise NoSegments(f"{what}: the table ({type(values).__name__}) has no columns.")
    for index, name in enumerate(names):
        if name in names[:index]:
            raise BadInput(f"{what}: the table ({type(values).__name__}) has two columns named {name!r}.")
    return names


def column_of_table(table: Any, name: Any, what: str) -> Column:
    """One column of a table, in which texts may be missing."""
    return as_column(_with_none(table[name]), f"{what}, column {name!r}")


def labels_of_table(table: Any, name: Any, what: str) -> Column:
    """One column of a table, as labels."""
    return as_labels(table[name], f"{what}, column {name!r}")


def _with_none(values: Any) -> Any:
    """A pandas column, in which missing values may be None, NaN or NA, with None for all of them."""
    return values.astype(object).where(values.notna(), None) if _is_pandas_column(values) else values


def is_column(values: Any) -> bool:
    """Whether it is a column of texts by its type: one of ours, or of numpy, pandas, Polars or Arrow."""
    if isinstance(values, (Column, str, bytes, list, tuple)):
        return isinstance(values, Column)
    return len(getattr(values, "shape", ())) == 1 or (
        _speaks_arrow(values) and not columns_of_table(values, "")
    )


def _speaks_arrow(values: Any) -> bool:
    # pandas supports it only with pyarrow installed, and only for its own string type.
    return not _is_pandas(values) and (
        hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")
    )


def _is_pandas_column(values: Any) -> bool:
    return _is_pandas(values) and len(getattr(values, "shape", ())) == 1 and hasattr(values, "where")


def _is_pandas(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "pandas"


def listed(values: Any, what: str) -> Sequence[Any]:
    if isinstance(values, (str, bytes)):
        raise WrongType(
            f"{what}: got a single {type(values).__name__}, expected a list. Use [text] for one "
            f"segment{', or open the file first' if len(values) < 200 else ''}."
        )
    items = items_of(values)
    if items is None:
        raise WrongType(f"{what}: got {kind_of(values)}, expected a list of strings, one per segment.")
    return items


def items_of(values: Any) -> Sequence[Any] | None:
    """Its items in order; None if they have no order, as in a set or a mapping."""
    if isinstance(values, (list, tuple)):
        return values
    if isinstance(values, (Mapping, Set)) or not isinstance(values, Iterable):
        return None
    names = ("tolist", "to_list", "to_pylist")
    if to_list := next((found for name in names if (found := getattr(values, name, None))), None):
        items = to_list()
        return items if isinstance(items, list) else None  # a zero-dimensional array gives its only value
    # An object with keys is a mapping, registered or not, and iterating over it gives the keys.
    return None if hasattr(values, "keys") else list(values)


def _lone_surrogate(items: Sequence[Any], what: str, unit: str) -> str:
    for index, item in enumerate(items):
        try:
            str(item).encode("utf-8")
        except UnicodeEncodeError as error:
            return (
                f"{what}: {unit} {index + 1} has a lone surrogate (U+{ord(item[error.start]):04X}) at character "
                f"{error.start + 1}. Was it decoded with errors='surrogateescape'?"
            )
    return f"{what}: text that cannot be encoded in UTF-8."


def kind_of(value: Any) -> str:
    """The name of the type of an input, for messages."""
    return "None" if value is None else f"{type(value).__name__} ({str(value)[:30]!r})"
