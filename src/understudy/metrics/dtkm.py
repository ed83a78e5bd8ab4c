"""DTKM, the dependency tree kernel metric: TKM on trees whose nodes are words (Liu & Gildea 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.tree_kernel import TreeKernel
from understudy.metrics.base.tree_metric import DependencyMetric
from understudy.metrics.stm import LIU_GILDEA, NOT_FOR
from understudy.metrics.tkm import COLLINS_DUFFY, TKM


@dataclass(frozen=True, kw_only=True, repr=False)
class DTKM(TreeKernel, DependencyMetric):
    """The kernel of dependency trees: a production is a word with all that hangs on it.

    >>> from understudy import ParsedColumn
    >>> word = ParsedColumn.from_conllu(["1\\tSlept\\t_\\t_\\t_\\t_\\t0\\t_\\t_\\t_"])
    >>> DTKM().corpus(word, word).value
    100.0
    """

    name: ClassVar[str] = "dtkm"
    title: ClassVar[str] = "DTKM"
    summary: ClassVar[str] = (
        "The cosine between the counts of all fragments, of any shape, in the dependency trees of a translation and of "
        "the reference that is most like it."
    )
    formula: ClassVar[str] = TKM.formula.replace("TKM", "DTKM")
    citation: ClassVar[str] = f"{LIU_GILDEA} {COLLINS_DUFFY}"
    not_for: ClassVar[str] = (
        f"Single segments: most have no production in common with a reference, and score 0. {NOT_FOR} Schemes of "
        "dependencies differ in what hangs on what."
    )
