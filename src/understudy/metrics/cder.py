"""CDER: word error rate with block moves, each of which costs one edit (Leusch et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.base.error_rate import ErrorRate


@dataclass(frozen=True, kw_only=True, repr=False)
class CDER(ErrorRate):
    """CDER, word error rate with long jumps.

    >>> score = CDER().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    50.00 (3 edits / 6 words)
    """

    name: ClassVar[str] = "cder"
    title: ClassVar[str] = "CDER"
    summary: ClassVar[str] = "WER with block moves: a jump in the hypothesis costs one edit."
    formula: ClassVar[str] = (
        r"d(i,l) = \min\left\{d(i{-}1,l{-}1) + [h_i \neq r_l],\; d(i{-}1,l) + 1,\; d(i,l{-}1) + 1,\; "
        r"\min_{i'} d(i',l) + 1\right\}, \quad \mathrm{CDER} = d(c,r) / r"
    )
    citation: ClassVar[str] = (
        "Gregor Leusch, Nicola Ueffing, Hermann Ney: CDER: Efficient MT Evaluation Using Block Movements. EACL 2006."
    )
    not_for: ClassVar[str] = (
        "Hypotheses with surplus text. All reference words must be covered, but skipping a span of the hypothesis "
        "costs one edit, whatever its length."
    )
    edits: ClassVar[str] = "long-jumps"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "ref_length")
