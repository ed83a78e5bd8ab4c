"""Trees and their marks as data for the script of the HTML report: lists of numbers and words without repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from understudy.breakdown.tree_views import SegmentTrees, TreeNodes, TreeView


def view_data(views: Sequence[TreeView]) -> list[dict[str, Any]]:
    """What each view shows, without its segments."""
    return [
        {
            "label": f"{view.kind} ({', '.join(view.metrics)})",
            "kind": view.kind,
            "part": view.part,
            "depth": view.depth,
            "least": view.least,
        }
        for view in views
    ]


def trees_by_segment(
    views: Sequence[TreeView], systems: Sequence[str]
) -> dict[int, list[dict[str, Any] | None]]:
    """By the number of a segment: its trees in every view, None where that view has none of it."""
    found: dict[int, list[dict[str, Any] | None]] = {}
    for index, view in enumerate(views):
        for segment in view.segments:
            of_views = found.setdefault(segment.number, [None] * len(views))
            of_views[index] = _segment(segment, systems, in_text_order=view.kind == "dependencies")
    return found


def _segment(segment: SegmentTrees, systems: Sequence[str], *, in_text_order: bool) -> dict[str, Any]:
    def nodes(tree: TreeNodes) -> dict[str, Any]:
        words = {} if tree.words == tree.labels else {"words": tree.words}
        # Constituents come in the order of their words anyway.
        places = {"places": tree.places} if in_text_order else {}
        return {"labels": tree.labels, "parents": tree.parents, **words, **places}

    return {
        "references": list(map(nodes, segment.references)),
        "outputs": [nodes(segment.outputs[name]) for name in systems],
        "marks": [segment.marks[name] for name in systems],
        "referenceMarks": [segment.reference_marks[name] for name in systems],
    }
