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
    """The dependency tree kernel: a production is a word with all its dependents.

    >>> from understudy import ParsedColumn
    >>> word = ParsedColumn.from_conllu(["1\\tSlept\\t_\\t_\\t_\\t_\\t0\\t_\\t_\\t_"])
    >>> DTKM().corpus(word, word).value
    100.0
    """

    name: ClassVar[str] = "dtkm"
    title: ClassVar[str] = "DTKM"
    summary: ClassVar[str] = (
        "Dependency tree kernel: cosine of fragment counts with the most similar reference."
    )
    formula: ClassVar[str] = TKM.formula.replace("TKM", "DTKM")
    citation: ClassVar[str] = f"{LIU_GILDEA} {COLLINS_DUFFY}"
    not_for: ClassVar[str] = (
        f"Single segments: most share no production with a reference and score 0. {NOT_FOR} Annotation schemes "
        "differ in which word is the head."
    )
