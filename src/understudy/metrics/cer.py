"""CER: the character error rate, Levenshtein's distance between characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.metrics.base.parameters import param
from understudy.metrics.wer import WER


@dataclass(frozen=True, kw_only=True, repr=False)
class CER(WER):
    """The character error rate: WER with characters for words.

    >>> score = CER().corpus(["the cats"], ["the cat sat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    27.27 (3 edits / 11 characters: hits 8, substitutions 0, deletions 3, insertions 0)
    """

    tokenize: str = param(
        "char-spaced",
        "which characters count: all but white space at the ends, as in jiwer; or `char`, without white space",
        choices=("char-spaced", "char"),
    )

    name: ClassVar[str] = "cer"
    title: ClassVar[str] = "CER"
    summary: ClassVar[str] = (
        "The fewest characters to substitute, delete and insert to turn a reference into the translation, per "
        "character of the reference."
    )
    formula: ClassVar[str] = r"\mathrm{CER} = \frac{S + D + I}{r}"
    not_for: ClassVar[str] = (
        "Languages or systems that order words freely: whatever is moved is wrong twice. Judging translations: a wrong "
        "word that is spelled alike costs little."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "jiwer": {"empty_reference": "insertions"},  # jiwer.cer with its defaults
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "jiwer": "jiwer 4's cer; it takes one reference",
    }
    unit: ClassVar[str] = "characters"
