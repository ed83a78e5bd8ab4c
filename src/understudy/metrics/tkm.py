"""TKM, the tree kernel metric: subtrees of all shapes at once, as a cosine (Liu & Gildea 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.tree_kernel import TreeKernel
from understudy.metrics.base.tree_metric import ConstituentMetric
from understudy.metrics.stm import LIU_GILDEA, NOT_FOR

COLLINS_DUFFY = (
    "The kernel: Michael Collins, Nigel Duffy: Convolution Kernels for Natural Language. NIPS 2001."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class TKM(TreeKernel, ConstituentMetric):
    """The kernel of constituent trees, without the words. The example is the paper's figure 2.

    >>> from understudy import ParsedColumn
    >>> translation, reference = "(S (NP (PRON)) (VP (V) (NP (PRON))))", "(S (NP (PRON)) (VP (V) (NP (ART) (N))))"
    >>> metric = TKM()
    >>> [metric.kernel(translation, other) for other in (reference, translation)], metric.kernel(reference, reference)
    ([7.0, 12.0], 10.0)
    >>> score = metric.corpus(ParsedColumn.from_brackets([translation]), ParsedColumn.from_brackets([reference]))
    >>> print(f"{score.fraction:.3f}")
    0.639
    """

    name: ClassVar[str] = "tkm"
    title: ClassVar[str] = "TKM"
    summary: ClassVar[str] = (
        "The cosine between the counts of all fragments, of any shape, in the constituent trees of a translation and "
        "of the reference that is most like it."
    )
    formula: ClassVar[str] = (
        r"\mathrm{TKM} = \max_{t \in \text{ref}} \frac{H(\text{hyp}) \cdot H(t)}{|H(\text{hyp})| \, |H(t)|}"
    )
    citation: ClassVar[str] = f"{LIU_GILDEA} {COLLINS_DUFFY}"
    not_for: ClassVar[str] = (
        "Long sentences: the largest fragments are so many that a small difference in structure leaves nearly nothing "
        f"in common. Judging meaning: the words make no difference. {NOT_FOR}"
    )
