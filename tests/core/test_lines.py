"""Lines: only LF ends one, whatever the size of the pieces they come in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy._core import InvalidUtf8, LineReader

AWKWARD = st.text(alphabet=st.sampled_from("ab\r\n\x0b\x0c\x85\u2028\u2029é世🙂 \t\x00\ufeff"))


def read(pieces: list[bytes], take: int) -> list[str | None]:
    reader = LineReader()
    lines: list[str | None] = []

    def drain() -> None:
        while reader.available:
            column = reader.take(take)
            lines.extend(column[i] for i in range(len(column)))

    for piece in pieces:
        reader.feed(piece)
        drain()
    reader.finish()
    drain()
    assert len(reader.take(take)) == 0
    return lines


def expected(text: str) -> list[str]:
    lines = text.removeprefix("\ufeff").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


@given(AWKWARD, st.integers(1, 5), st.integers(1, 4), st.booleans())
def test_lines_do_not_depend_on_the_pieces(text: str, size: int, take: int, mark: bool) -> None:
    text = "\ufeff" + text if mark else text
    data = text.encode()
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    assert read(pieces, take) == expected(text)


def test_carriage_returns_belong_to_the_line_end_only_before_lf() -> None:
    assert read([b"a\r\nb\rc\nd\r"], 10) == ["a", "b\rc", "d"]


def test_empty_lines_are_lines_and_the_end_of_the_last_line_is_not() -> None:
    assert read([b""], 1) == []
    assert read([b"\n"], 1) == [""]
    assert read([b"a\n\nb"], 1) == ["a", "", "b"]


@pytest.mark.parametrize(
    ("data", "line", "offset"),
    [
        (b"\xff", 1, 0),
        (b"ok\nab\xe9cd\n", 2, 5),
        (b"\xef\xbb\xbfok\n\xc0\x80\n", 2, 6),
        (b"ok\n\xe4\xb8\n", 2, 3),
        (b"ok\n\xed\xa0\x80\n", 2, 3),
        (b"a\nb\n" * 1000 + b"\xf5", 2001, 4000),
    ],
)
@pytest.mark.parametrize("take", [1, 7, 10_000])
def test_invalid_bytes_are_named_by_line_and_offset(data: bytes, line: int, offset: int, take: int) -> None:
    with pytest.raises(InvalidUtf8) as caught:
        read([data[:3], data[3:]], take)
    assert caught.value.args[:2] == (line, offset)
    assert caught.value.args[2] == data[offset]


@given(st.binary())
def test_exactly_the_bytes_that_python_refuses_are_refused(data: bytes) -> None:
    outcomes: list[object] = []
    for decode in (lambda: expected(data.decode("utf-8")), lambda: read([data], 1_000_000)):
        try:
            outcomes.append(decode())
        except UnicodeDecodeError as error:
            outcomes.append(error.start)
        except InvalidUtf8 as error:
            outcomes.append(error.args[1])
    assert outcomes[0] == outcomes[1]
