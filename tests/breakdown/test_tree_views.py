"""Trees side by side: which are kept, and what is marked in them."""

from __future__ import annotations

from typing import Any

from material import tree_comparison
from understudy.breakdown.tree_views import TreeView


def views(*specs: str, **choices: Any) -> list[TreeView]:
    return tree_comparison.report_parts(specs, **choices)[2]


def test_metrics_that_count_the_same_parts_share_a_view() -> None:
    described = [
        (view.metrics, view.kind, view.part, view.depth, view.least)
        for view in views("tkm", "stm", "hwcm", "dstm:max_depth=2", "dtkm:lowercase=yes", "bleu")
    ]
    assert described == [
        (["STM", "TKM"], "constituents", "subtree", 4, 1),
        (["HWCM"], "dependencies", "chain", 4, 1),
        (["DSTM"], "dependencies", "subtree", 2, 1),
        (["DTKM"], "dependencies", "subtree", 4, 2),
    ]
    assert [view.least for view in views("tkm:single_nodes=yes")] == [1]


def test_marks_are_of_any_reference_and_of_each_of_them() -> None:
    segment = views("stm")[0].segments[3]
    assert segment.number == 4
    assert segment.outputs["first"].labels == ["S", "NP", "NN", "S", "NP", "NN"]
    assert segment.outputs["first"].words == [None, None, "a", None, None, "b"]
    # Each reference has the tree once, so only the first of two counts.
    assert segment.marks["first"] == [3, 2, 1, 0, 0, 0]
    assert segment.reference_marks["first"] == [[3, 2, 1], [3, 2, 1]]
    assert segment.outputs["second"].labels == []
    assert segment.reference_marks["second"] == [[0, 0, 0], [0, 0, 0]]


def test_segments_are_those_where_systems_differ_most() -> None:
    _, breakdown, found = tree_comparison.report_parts(["stm"], limit=2)
    apart = {
        segment.number: abs(segment.scores["stm"]["first"] - segment.scores["stm"]["second"]) * segment.length
        for segment in breakdown.segments
    }
    largest = sorted(apart, key=lambda number: -apart[number])[:2]
    assert [segment.number for segment in found[0].segments] == sorted(largest)


def test_words_know_their_places_in_the_text() -> None:
    first = views("hwcm")[0].segments[0].outputs["first"]
    assert first.words == ["had", "I", "dog", "a", "."]
    assert first.places == [1, 0, 3, 2, 4]
