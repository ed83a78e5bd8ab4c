"""HWCM, the headword chain metric: n-grams along the dependencies instead of along the text (Liu & Gildea 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.parameters import DEPTHS, param
from understudy.metrics.base.tree_metric import DependencyMetric
from understudy.metrics.base.tree_overlap import DEPTHS_REACHED, TreeOverlap
from understudy.metrics.stm import LIU_GILDEA, NOT_FOR


@dataclass(frozen=True, kw_only=True, repr=False)
class HWCM(TreeOverlap, DependencyMetric):
    """Headword chains, from head to dependent: *have pen*, *have pen red* in *I have a red pen*.

    >>> from understudy import ParsedColumn
    >>> heads = {"I": 2, "have": 0, "a": 5, "red": 5, "pen": 2}
    >>> numbered = enumerate(heads.items(), 1)
    >>> lines = [f"{i}\\t{word}\\t_\\t_\\t_\\t_\\t{head}\\t_\\t_\\t_" for i, (word, head) in numbered]
    >>> pen = ParsedColumn.from_conllu(["\\n".join(lines)])
    >>> HWCM(max_depth=3).corpus(pen, pen).detail["totals"]
    [5, 4, 2]
    """

    max_depth: int = param(4, "maximum chain length in words, D", between=DEPTHS, key="depth")
    segment_zero: float = param(0.001, "the same at segment level")

    name: ClassVar[str] = "hwcm"
    title: ClassVar[str] = "HWCM"
    summary: ClassVar[str] = "Mean clipped precision of headword chains of length 1 to D."
    formula: ClassVar[str] = (
        r"\mathrm{HWCM} = \frac{1}{|R|} \sum_{n \in R} \frac{\sum_{g \in \text{chain}_n(\text{hyp})} "
        r"\text{count}_\text{clip}(g)}{\sum_{g \in \text{chain}_n(\text{hyp})} \text{count}(g)}"
        + DEPTHS_REACHED
    )
    citation: ClassVar[str] = LIU_GILDEA
    not_for: ClassVar[str] = f"{NOT_FOR} Annotation schemes differ in which word is the head."
    part: ClassVar[str] = "chain"
