"""TKM, the tree kernel metric: cosine of tree fragment counts (Liu & Gildea 2005)."""

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
    """The constituency tree kernel, without words. The example is figure 2 of the paper.

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
        "Constituency tree kernel: cosine of fragment counts with the most similar reference."
    )
    formula: ClassVar[str] = (
        r"\mathrm{TKM} = \max_{t \in \text{ref}} \frac{H(\text{hyp}) \cdot H(t)}{|H(\text{hyp})| \, |H(t)|}"
    )
    citation: ClassVar[str] = f"{LIU_GILDEA} {COLLINS_DUFFY}"
    not_for: ClassVar[str] = (
        "Long sentences: large fragments dominate, so a small difference in structure leaves almost nothing in "
        f"common. Adequacy: the words are ignored. {NOT_FOR}"
    )
