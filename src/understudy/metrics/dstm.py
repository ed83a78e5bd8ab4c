"""DSTM, the dependency subtree metric: STM on trees whose nodes are words (Liu & Gildea 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.tree_metric import DependencyMetric
from understudy.metrics.base.tree_overlap import TreeOverlap
from understudy.metrics.stm import LIU_GILDEA, NOT_FOR, STM


@dataclass(frozen=True, kw_only=True, repr=False)
class DSTM(TreeOverlap, DependencyMetric):
    """Subtrees of dependency trees: a word with its dependents, in text order.

    >>> from understudy import ParsedColumn
    >>> lines = ["1\\tI\\t_\\t_\\t_\\t_\\t2\\t_\\t_\\t_", "2\\tslept\\t_\\t_\\t_\\t_\\t0\\t_\\t_\\t_"]
    >>> slept = ParsedColumn.from_conllu(["\\n".join(lines)])
    >>> DSTM().corpus(slept, slept).detail["totals"]
    [2, 1, 0, 0]
    """

    name: ClassVar[str] = "dstm"
    title: ClassVar[str] = "DSTM"
    summary: ClassVar[str] = "Mean clipped precision of dependency subtrees of depth 1 to D."
    formula: ClassVar[str] = STM.formula.replace("STM", "DSTM")
    citation: ClassVar[str] = LIU_GILDEA
    not_for: ClassVar[str] = (
        f"Single segments with large D: a subtree matches only as a whole. {NOT_FOR} Annotation schemes differ in "
        "which word is the head."
    )
    part: ClassVar[str] = "subtree"
