"""CER: character error rate, the character-level Levenshtein distance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.metrics.base.parameters import param
from understudy.metrics.wer import WER


@dataclass(frozen=True, kw_only=True, repr=False)
class CER(WER):
    """Character error rate: WER on characters.

    >>> score = CER().corpus(["the cats"], ["the cat sat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    27.27 (3 edits / 11 characters: hits 8, substitutions 0, deletions 3, insertions 0)
    """

    tokenize: str = param(
        "char-spaced",
        "characters compared: all except leading and trailing whitespace, as in jiwer; or `char`, no whitespace",
        choices=("char-spaced", "char"),
    )

    name: ClassVar[str] = "cer"
    title: ClassVar[str] = "CER"
    summary: ClassVar[str] = "Character-level Levenshtein distance per reference character."
    formula: ClassVar[str] = r"\mathrm{CER} = \frac{S + D + I}{r}"
    not_for: ClassVar[str] = (
        "Languages with free word order: a moved phrase counts as both a deletion and an insertion. Translation "
        "quality in general: a wrong word with a similar spelling costs little."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "jiwer": {"empty_reference": "insertions"},  # jiwer.cer with its defaults
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "jiwer": "jiwer 4, cer; single reference only",
    }
    unit: ClassVar[str] = "characters"
