"""STM, the subtree metric: how much of the structure of a translation its references have (Liu & Gildea 2005)."""

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
    "Comparing trees of different parsers, or texts in a language that has no parser. Parsers give even a lousy "
    "sentence a decent tree; they make more errors in bad translations than in good ones."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class STM(TreeOverlap, ConstituentMetric):
    """Subtrees of constituent trees, without the words. The example is the paper's figure 2.

    >>> from understudy import ParsedColumn
    >>> translation = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V) (NP (PRON))))"])
    >>> reference = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V) (NP (ART) (N))))"])
    >>> score = STM(max_depth=3).corpus(translation, reference)
    >>> print(f"{score.value:.1f} = mean of {score.explanation}")
    70.2 = mean of 85.7/75.0/50.0
    """

    name: ClassVar[str] = "stm"
    title: ClassVar[str] = "STM"
    summary: ClassVar[str] = (
        "The subtrees of a translation's constituent tree, of the depths 1 to D and without the words, that a "
        "reference's tree has, too."
    )
    formula: ClassVar[str] = (
        r"\mathrm{STM} = \frac{1}{|R|} \sum_{n \in R} \frac{\sum_{t \in \text{subtrees}_n(\text{hyp})} "
        r"\text{count}_\text{clip}(t)}{\sum_{t \in \text{subtrees}_n(\text{hyp})} \text{count}(t)}"
        + DEPTHS_REACHED
    )
    citation: ClassVar[str] = LIU_GILDEA
    not_for: ClassVar[str] = f"Judging meaning: the words make no difference. {NOT_FOR}"
    part: ClassVar[str] = "subtree"
