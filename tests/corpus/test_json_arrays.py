"""JSON arrays are read entry by entry, as Python's parser reads them at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from understudy.corpus import lines
from understudy.corpus.files import ByteReader
from understudy.corpus.json_arrays import begins_with_bracket, entries_of_array
from understudy.errors import BadInput, InvalidText

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
_REUSED = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)


@_REUSED
@given(st.lists(_VALUES, min_size=1, max_size=8), st.sampled_from([None, 1]), st.integers(1, 40))
def test_entries_are_those_of_the_whole_array(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entries: list[Any], indent: int | None, block: int
) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    file = tmp_path / "a.json"
    file.write_text(json.dumps(entries, indent=indent, ensure_ascii=False), encoding="utf-8")
    assert begins_with_bracket(str(file))
    assert list(entries_of_array(str(file))) == entries


@pytest.mark.parametrize("block", range(1, 12))
@pytest.mark.parametrize("text", ["[0.5]", "[1e+5, -0.25e-3 ]", '[12, "a\\u00e9"]\n', "[true,1]"])
def test_values_may_be_cut_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, block: int
) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    file = tmp_path / "a.json"
    file.write_text(text, encoding="utf-8")
    assert list(entries_of_array(str(file))) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "[1,\n 2 3]",
        '["a",\n"b"',
        '[{"a": 1},\n {"a" 2}]',
        "[1, ]",
        "[1] 2",
        '["\\x"]',
        '["é\n"]',
        "[1,\n\n  tru]",
    ],
)
@pytest.mark.parametrize("block", [1, 5, 1 << 20])
def test_errors_are_where_the_parser_of_the_whole_finds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, block: int
) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    file = tmp_path / "a.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(json.JSONDecodeError) as expected:
        json.loads(text)
    with pytest.raises(BadInput) as found:
        list(entries_of_array(str(file)))
    assert f"line {expected.value.lineno}, column " in str(found.value)


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 20])
def test_bytes_that_are_not_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    file = tmp_path / "a.json"
    for text, line, offset in (
        (b'["\xc3\xa9\xe4\xbd",\n1]', 1, 4),
        (b'["a",\n"\xff"]', 2, 7),
        (b'["a"]\xe4\xbd', 1, 5),
    ):
        file.write_bytes(text)
        with pytest.raises(InvalidText, match=f"line {line}: byte 0x.. at offset {offset} is not UTF-8"):
            list(entries_of_array(str(file)))


def test_an_error_is_found_without_reading_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", 100)
    read: list[int] = []
    whole = ByteReader.read

    def counted(reader: ByteReader, size: int) -> bytes:
        read.append(size)
        return whole(reader, size)

    monkeypatch.setattr(ByteReader, "read", counted)
    file = tmp_path / "a.json"
    file.write_text("[1, 2, oops, " + ", ".join(["3"] * 10_000) + "]")
    with pytest.raises(BadInput, match="line 1, column 8"):
        list(entries_of_array(str(file)))
    assert len(read) < 5
