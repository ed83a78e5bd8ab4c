"""STM, the subtree metric: clipped precision of constituency subtrees (Liu & Gildea 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.tree_metric import ConstituentMetric
from understudy.metrics.base.tree_overlap import DEPTHS_REACHED, TreeOverlap

LIU_GILDEA = (
    "Ding Liu, Daniel Gildea: Syntactic Features for Evaluation of Machine Translation. ACL Workshop on Intrinsic and "
    "Extrinsic Evaluation Measures for Machine Translation and/or Summarization, 2005."
)
NOT_FOR = (
    "Comparing trees from different parsers, or languages without a parser. Parsers assign plausible trees even "
    "to bad translations, and make more errors on them than on good ones."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class STM(TreeOverlap, ConstituentMetric):
    """Subtrees of constituency trees, without words. The example is figure 2 of the paper.

    >>> from understudy import ParsedColumn
    >>> translation = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V) (NP (PRON))))"])
    >>> reference = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V) (NP (ART) (N))))"])
    >>> score = STM(max_depth=3).corpus(translation, reference)
    >>> print(f"{score.value:.1f} = mean of {score.explanation}")
    70.2 = mean of 85.7/75.0/50.0
    """

    name: ClassVar[str] = "stm"
    title: ClassVar[str] = "STM"
    summary: ClassVar[str] = "Mean clipped precision of constituency subtrees of depth 1 to D, without words."
    formula: ClassVar[str] = (
        r"\mathrm{STM} = \frac{1}{|R|} \sum_{n \in R} \frac{\sum_{t \in \text{subtrees}_n(\text{hyp})} "
        r"\text{count}_\text{clip}(t)}{\sum_{t \in \text{subtrees}_n(\text{hyp})} \text{count}(t)}"
        + DEPTHS_REACHED
    )
    citation: ClassVar[str] = LIU_GILDEA
    not_for: ClassVar[str] = f"Adequacy: the words are ignored. {NOT_FOR}"
    part: ClassVar[str] = "subtree"
