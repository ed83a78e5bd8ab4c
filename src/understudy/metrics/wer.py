"""WER: word error rate, the word-level Levenshtein distance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.metrics.base.error_rate import ErrorRate
from understudy.metrics.base.parameters import param, without


@dataclass(frozen=True, kw_only=True, repr=False)
class WER(ErrorRate):
    """The word error rate.

    >>> score = WER().corpus(["the cat on a mat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    33.33 (2 edits / 6 words: hits 4, substitutions 1, deletions 1, insertions 0)
    """

    empty_reference: str = param(
        "one",
        "score against an empty reference: 100 (one), or 100 per inserted word (insertions), as in jiwer",
        choices=("one", "insertions"),
        key="empty",
    )

    name: ClassVar[str] = "wer"
    title: ClassVar[str] = "WER"
    summary: ClassVar[str] = "Word-level Levenshtein distance per reference word."
    formula: ClassVar[str] = r"\mathrm{WER} = \frac{S + D + I}{r}"
    citation: ClassVar[str] = (
        "Vladimir Levenshtein: Binary Codes Capable of Correcting Deletions, Insertions and Reversals. 1966. With "
        "multiple references: Sonja Nießen, Franz Josef Och, Gregor Leusch, Hermann Ney: An Evaluation Tool for "
        "Machine Translation: Fast Evaluation for MT Research. LREC 2000."
    )
    not_for: ClassVar[str] = (
        "Languages with free word order: a moved phrase counts as both a deletion and an insertion."
    )
    edits: ClassVar[str] = "ordered"
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "jiwer": {"tokenize": "jiwer", "empty_reference": "insertions"},  # jiwer.wer with its defaults
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "jiwer": "jiwer 4, wer; single reference only",
    }

    @property
    def counts_each_insertion(self) -> bool:
        return self.empty_reference == "insertions"

    def choices(self) -> dict[str, str]:
        choices = super().choices()
        return without(choices, "empty") if self.empty_reference == "one" else choices
