"""Columns: text held where it lies, from strings and from Arrow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy._core import Column, NotText
from understudy.corpus.columns import as_hypotheses, as_references
from understudy.errors import BadInput, InvalidText, LengthMismatch, NoSegments, WrongType

pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))

TEXTS = ["", "plain", "Grüße, 世界", "longer than twelve bytes, so that a view points elsewhere", "🙂"]


def listed(column: Column) -> list[str | None]:
    return [column[i] for i in range(len(column))]


@given(st.lists(st.one_of(st.none(), st.text())))
def test_strings_come_back(texts: list[str | None]) -> None:
    assert listed(Column.from_strings(texts)) == texts


def test_columns_index_and_slice_like_lists() -> None:
    column = Column.from_strings(TEXTS)
    assert column[-1] == TEXTS[-1]
    assert listed(column[1:3]) == TEXTS[1:3]
    assert listed(column[3:1]) == []
    assert len(column[:100]) == len(TEXTS)
    with pytest.raises(IndexError):
        column[len(TEXTS)]
    with pytest.raises(ValueError, match="step 1"):
        column[::2]


def test_rows_are_taken_as_often_as_they_are_named() -> None:
    column = Column.from_strings([*TEXTS, None])
    rows = [3, 3, 0, 5, 2]
    assert listed(column.taken(np.array(rows))) == [[*TEXTS, None][row] for row in rows]
    for outside in ([6], [0, -1]):
        with pytest.raises(IndexError):
            column.taken(np.array(outside))


def test_a_slice_outlives_its_column() -> None:
    column = Column.from_strings([text + "!" for text in TEXTS])
    part = column[1:2]
    del column
    assert part[0] == "plain!"


@pytest.mark.parametrize(
    "array",
    [
        pa.array([*TEXTS, None]),
        pa.array([*TEXTS, None], pa.large_string()),
        pa.array([*TEXTS, None], pa.string_view()),
        pa.array(["before", *TEXTS, None])[1:],
        pa.chunked_array([TEXTS[:2], [*TEXTS[2:], None]]),
        pl.Series([*TEXTS, None]),
        pl.Series(["before", *TEXTS, None])[1:],
    ],
    ids=["string", "large", "view", "sliced", "chunked", "polars", "polars sliced"],
)
def test_arrow_is_read_where_it_lies(array: object) -> None:
    column = Column.from_arrow(array)
    del array
    assert listed(column) == [*TEXTS, None]
    assert column.absent_rows() == [len(TEXTS)]


def test_arrow_columns_without_text_are_refused() -> None:
    with pytest.raises(NotText, match="Arrow type 'l'"):
        Column.from_arrow(pa.array([1, 2]))
    with pytest.raises(NotText, match="dictionary"):
        Column.from_arrow(pa.array(["a", "b"]).dictionary_encode())
    broken = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.array([0, 2], np.int32).tobytes()), pa.py_buffer(b"\xc3(")]
    )
    with pytest.raises(NotText, match="value 1 is not valid UTF-8"):
        Column.from_arrow(broken)


@pytest.mark.parametrize(
    "values",
    [
        TEXTS,
        tuple(TEXTS),
        iter(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype=object),
        pa.array(TEXTS),
        pa.array(TEXTS).dictionary_encode(),
        pl.Series(TEXTS),
        pl.Series(TEXTS, dtype=pl.Categorical),
        pd.Series(TEXTS, dtype="category"),
        Column.from_strings(TEXTS),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_every_usual_holder_of_text_is_taken(values: object) -> None:
    assert listed(as_hypotheses(values)) == TEXTS


@pytest.mark.parametrize(
    "values",
    [
        [["a", "b"], "c", ("d",)],
        [("a", "b", None), ["c"], ["d", None]],
        pa.array([["a", "b"], ["c"], ["d"]]),
        pl.Series([["a", "b"], ["c"], ["d"]]),
        pd.Series([["a", "b"], ["c"], ["d"]]),
        iter([["a", "b"], "c", np.array(["d"])]),
    ],
    ids=["lists", "with None", "arrow", "polars", "pandas", "iterator"],
)
def test_references_may_vary_in_number(values: object) -> None:
    references = as_references(values, 3)
    assert [references[i] for i in range(3)] == [["a", "b"], ["c"], ["d"]]
    assert references.counts == (1, 2)


# As many columns as segments: to iterate over such a table gives as many names or columns as there are segments.
TABLE = {"ref1": ["a", "b"], "ref2": ["c", None]}


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(TABLE),
        pd.DataFrame({"ref1": ["a", "b"], "ref2": ["c", float("nan")]}, dtype=object, index=[7, 3]),
        pd.DataFrame(TABLE, dtype="string"),
        pd.DataFrame(TABLE, dtype="category"),
        pl.DataFrame(TABLE),
        pa.table(TABLE),
        pa.RecordBatch.from_pydict(TABLE),
    ],
    ids=["pandas", "with NaN", "pandas strings", "pandas categories", "polars", "pyarrow", "record batch"],
)
def test_a_table_has_the_references_of_a_segment_in_a_row(table: object) -> None:
    references = as_references(table, 2)
    assert [references[i] for i in range(2)] == [["a", "c"], ["b"]]
    with pytest.raises(WrongType, match=r"of 2 columns, expected one column .* table\['ref1'\]"):
        as_hypotheses(table)
    with pytest.raises(WrongType, match="segment 1 is"):
        as_references([table, table], 2)


def test_what_is_wrong_in_a_table_is_found_by_its_column() -> None:
    with pytest.raises(WrongType, match="references, column 'id': segment 1 is int"):
        as_references(pd.DataFrame({"ref": ["a"], "id": [1]}), 1)
    with pytest.raises(
        WrongType, match="references, column 'id': expected a column of strings, got Arrow type"
    ):
        as_references(pl.DataFrame({"ref": ["a"], "id": [1]}), 1)
    with pytest.raises(BadInput, match="two columns named 'ref'"):
        as_references(pd.DataFrame([["a", "b"]], columns=["ref", "ref"]), 1)
    with pytest.raises(NoSegments, match="no columns"):
        as_references(pd.DataFrame(index=[0]), 1)


class KeyedTexts:
    """A mapping that does not say so."""

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:
        return ["a", "b", "c"]


@pytest.mark.parametrize(
    "values", [KeyedTexts(), {"a": 1, "b": 2, "c": 3}.keys(), {"a", "b", "c"}, np.array("abc")]
)
def test_what_has_no_order_of_segments_is_refused(values: object) -> None:
    with pytest.raises(WrongType, match="hypotheses: got "):
        as_hypotheses(values)
    with pytest.raises(WrongType, match="references: got "):
        as_references(values, 3)
    with pytest.raises(WrongType, match="references: segment 2 is "):
        as_references(["a", values], 2)


def test_a_two_dimensional_array_has_the_references_of_a_segment_in_a_row() -> None:
    references = as_references(np.array([["a", "b"], ["c", "d"], ["e", "f"]]), 3)
    assert references[2] == ["e", "f"]
    assert references.counts == (2, 2)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ("a sentence", WrongType, "got a single str"),
        (b"a sentence", WrongType, "got a single bytes"),
        ([], NoSegments, "no segments"),
        ({"a": 1}, WrongType, "got dict"),
        (3, WrongType, "got int"),
        (["a", 3], WrongType, "segment 2 is int"),
        (["a", None], WrongType, "segment 2 is None"),
        (["a", b"b"], WrongType, "segment 2 is bytes"),
        (["a", "b\ud800"], InvalidText, r"segment 2 has a lone surrogate \(U\+D800\) at character 2"),
        (pa.array([1, 2]), WrongType, "column of strings"),
        (pd.Series(["a", float("nan")], dtype=object), WrongType, "segment 2 is float"),
    ],
)
def test_what_cannot_be_hypotheses_is_refused(values: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        as_hypotheses(values)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ("one string", WrongType, "got a single str"),
        ([["a", "b", "c"], ["d", "e", "f"]], BadInput, "transposed: got 2 lists of 3"),
        (["a", "b"], LengthMismatch, "3 segments, references have 2"),
        ([["a"], [], ["b"]], BadInput, "segment 2 has none"),
        ([["a"], [None], ["b"]], BadInput, "segment 2 has none"),
        ([["a"], None, ["b"]], WrongType, "segment 2 is None"),
        ([["a"], [["b"]], ["c"]], WrongType, "segment 2 is list"),
        ([["a"], 7, ["c"]], WrongType, "segment 2 is int"),
    ],
)
def test_what_cannot_be_references_is_refused(values: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        as_references(values, 3)


def test_one_segment_with_a_flat_list_gets_a_hint() -> None:
    with pytest.raises(LengthMismatch, match=r"\[\[first, second\]\]"):
        as_references(["first", "second"], 1)
