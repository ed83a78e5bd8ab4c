"""Trees of all systems and references of a segment, with matching parts marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from understudy import _core
from understudy._core import Column, TreeReading
from understudy.breakdown.results import SegmentView
from understudy.breakdown.segment_views import most_different
from understudy.corpus.columns import References
from understudy.corpus.parsed_column import ParsedColumn
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.threads import checked_threads
from understudy.metrics.base.tree_kernel import TreeKernel
from understudy.metrics.base.tree_metric import ConstituentMetric, DependencyMetric, TreeMetric
from understudy.metrics.base.tree_overlap import TreeOverlap
from understudy.scoring.counted_systems import CountedSystems

_SEGMENTS = 100  # of so many the trees are kept
_KERNEL_DEPTH = 4  # so deep are matches marked where a kernel alone is asked for, which has no largest depth


@dataclass(frozen=True)
class TreeNodes:
    """The trees of one text: nodes before their children, and siblings in the order of the text."""

    labels: list[str]  # what they are compared by
    parents: list[int]  # -1 for a root
    words: list[str | None]
    places: list[int]  # the nodes with words by their order in the text; -1 for a node without


@dataclass(frozen=True)
class SegmentTrees:
    """The trees of one segment. A mark is the depth of the deepest part that matches at a node, 0 for none: of the
    subtrees from there down, or of the chains that end there.
    """

    number: int  # from 1
    references: list[TreeNodes]
    outputs: dict[str, TreeNodes]  # by system
    marks: dict[str, list[int]]  # by system: what any of the references has, as it is counted
    reference_marks: dict[str, list[list[int]]]  # by system, then by reference: what the system has


@dataclass(frozen=True)
class TreeView:
    """The trees that one metric compares, or several that compare the same."""

    metrics: list[str]  # their labels
    kind: str  # constituents or dependencies
    part: str  # what is marked: subtree or chain
    depth: int  # the deepest part that is looked for
    least: int  # less deep ones count for none of the metrics
    segments: list[SegmentTrees]


def tree_views(
    counted: CountedSystems,
    segments: Sequence[SegmentView],
    *,
    baseline: str | None = None,
    limit: int = _SEGMENTS,
    threads: int | None = None,
) -> list[TreeView]:
    """The trees of systems that are counted already, of the segments on which systems differ most: from the baseline,
    or any two. None if no metric compares trees.
    """
    metrics = [metric for metric in counted.metrics if isinstance(metric, TreeMetric)]
    if not metrics:
        return []
    corpus = counted.corpus
    assert corpus.references is not None, "metrics of trees need references"
    outputs = {system: corpus[runs[0]] for system, runs in corpus.runs.items()}
    labels = Counter(metric.label for metric in metrics)
    views = []
    for (_, part, depth), together in _marked_alike(metrics).items():
        first = together[0]
        kept = most_different(segments, first, baseline=baseline, limit=limit)
        chosen = sorted(segment.number - 1 for segment in kept)
        trees = _ChosenTrees.of(first, chosen, outputs, corpus.references, checked_threads(threads))
        single_nodes = any(metric.single_nodes for metric in together if isinstance(metric, TreeKernel))
        views.append(
            TreeView(
                [metric.label if labels[metric.label] == 1 else metric.spec for metric in together],
                first.kind,
                part,
                depth,
                1 if single_nodes or isinstance(first, TreeOverlap) else 2,
                [trees.marked(row, number + 1, part, depth) for row, number in enumerate(chosen)],
            )
        )
    return views


# What is marked: in which trees, which parts of them, and how deep.
_Marking = tuple[tuple[object, ...], str, int]


def _marked_alike(metrics: Sequence[Metric]) -> dict[_Marking, list[TreeMetric]]:
    """Metrics whose matches are the same parts of the same trees. A kernel counts whole productions, as subtrees have
    them, so it goes with a metric of subtrees where there is one.
    """
    groups: dict[_Marking, list[TreeMetric]] = {}
    for metric in metrics:
        if isinstance(metric, TreeOverlap):
            groups.setdefault((_reading_of(metric), metric.part, metric.max_depth), []).append(metric)
    for metric in metrics:
        if isinstance(metric, TreeKernel):
            trees = _reading_of(metric)
            fitting = (marking for marking in groups if marking[:2] == (trees, "subtree"))
            groups.setdefault(next(fitting, (trees, "subtree", _KERNEL_DEPTH)), []).append(metric)
    return groups


def _reading_of(metric: TreeMetric) -> tuple[object, ...]:
    """Every choice that decides what the trees are."""
    kind = ConstituentMetric if isinstance(metric, ConstituentMetric) else DependencyMetric
    return (metric.kind, *(getattr(metric, field.name) for field in fields(kind)))


@dataclass(frozen=True, eq=False)
class _ChosenTrees:
    """The trees of some segments as a metric reads them."""

    metric: TreeMetric
    outputs: dict[str, Column]
    references: list[Column]

    @classmethod
    def of(
        cls,
        metric: TreeMetric,
        rows: Sequence[int],
        outputs: Mapping[str, Column],
        references: References,
        threads: int,
    ) -> _ChosenTrees:
        answers = References(tuple(_some(column, rows) for column in references.columns))
        found: dict[str, Column] = {}
        others: list[Column] = []
        for system, column in outputs.items():
            found[system], others, _ = metric.trees(_some(column, rows), answers, threads)
        return cls(metric, found, others)

    def marked(self, row: int, number: int, part: str, depth: int) -> SegmentTrees:
        outputs = {system: column[row] or "" for system, column in self.outputs.items()}
        references = [trees for column in self.references if (trees := column[row]) is not None]

        def marks(trees: str, others: Sequence[str]) -> list[int]:
            return _marks(trees, others, reading, part, depth)

        reading = self.metric.reading
        return SegmentTrees(
            number,
            [_nodes(trees, reading) for trees in references],
            {system: _nodes(trees, reading) for system, trees in outputs.items()},
            {system: marks(trees, references) for system, trees in outputs.items()},
            {system: [marks(other, [trees]) for other in references] for system, trees in outputs.items()},
        )


def _nodes(trees: str, reading: TreeReading) -> TreeNodes:
    nodes = _core.tree_nodes(trees, reading)
    offsets = _core.tree_word_places(trees, reading)
    assert isinstance(nodes, list), "counted before"
    assert isinstance(offsets, list), "counted before"
    in_order = sorted(offset for offset in offsets if offset >= 0)
    place_of = {offset: place for place, offset in enumerate(in_order)}
    return TreeNodes(
        [label for label, _, _ in nodes],
        [parent for _, _, parent in nodes],
        [word for _, word, _ in nodes],
        [place_of.get(offset, -1) for offset in offsets],
    )


def _marks(trees: str, others: Sequence[str], reading: TreeReading, part: str, depth: int) -> list[int]:
    by_depth = _core.matching_tree_nodes(trees, others, reading=reading, part=part, max_depth=depth)
    assert isinstance(by_depth, list), "counted before"
    marks = [0] * len(_core.tree_nodes(trees, reading))
    for levels, nodes in enumerate(by_depth, start=1):
        for node in nodes:
            marks[node] = levels
    return marks


def _some(column: Column, rows: Sequence[int]) -> Column:
    """Some segments of a column, with their trees if it has any."""
    if isinstance(column, ParsedColumn):
        return ParsedColumn.picked([column], [(0, row) for row in rows])
    return Column.from_strings([column[row] for row in rows])
