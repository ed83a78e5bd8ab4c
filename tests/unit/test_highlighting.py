"""Which words of a translation are marked."""

from __future__ import annotations

import pytest

from understudy.report.highlighting import matched_spans


@pytest.mark.parametrize(
    ("output", "references", "marked"),
    [
        ("the cat sat", ["the cat lay"], [("the cat", 2)]),
        ("the the the", ["the cat and the dog"], [("the the", 1)]),  # no more often than a reference has it
        ("a b c d e", ["a b c d e"], [("a b c d e", 4)]),
        ("a b x c", ["a b", "x c"], [("a b x c", 2)]),  # stretches side by side are one
        ("a b c", ["a b", "b c"], [("a b c", 2)]),
        ("Nothing here", ["something there"], []),
        ("", ["a"], []),
        ("a", [""], []),
        ("😀 ok then", ["ok then"], [("ok then", 2)]),
        ("市图书馆开放", ["图书馆"], [("图书馆", 3)]),
        ("كتب المدينة الجديدة", ["المدينة الجديدة"], [("المدينة الجديدة", 2)]),
        ("don't stop", ["don't go"], [("don't", 1)]),
    ],
)
def test_what_a_reference_has_is_marked(
    output: str, references: list[str], marked: list[tuple[str, int]]
) -> None:
    found = matched_spans(output, references)
    assert [(output[start:end], n) for start, end, n in found] == marked
