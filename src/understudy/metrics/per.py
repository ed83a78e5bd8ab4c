"""PER: the position-independent error rate, a WER that is blind to the order of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.metrics.error_rate import ErrorRate


@dataclass(frozen=True, kw_only=True, repr=False)
class PER(ErrorRate):
    """The position-independent error rate.

    >>> score = PER().corpus(["on the mat the cat sat"], ["the cat sat on the red mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    14.29 (1 edits / 7 words: hits 6, substitutions 0, deletions 1, insertions 0)
    """

    name: ClassVar[str] = "per"
    title: ClassVar[str] = "PER"
    summary: ClassVar[str] = "The words that a translation lacks or has too many of, in whatever order."
    formula: ClassVar[str] = (
        r"\mathrm{PER} = 1 - \frac{\mathrm{hits} - \max(0, c - r)}{r} = \frac{\max(c, r) - \mathrm{hits}}{r}"
    )
    citation: ClassVar[str] = (
        "C. Tillmann, S. Vogel, H. Ney, A. Zubiaga, H. Sawaf: Accelerated DP Based Search for Statistical "
        "Translation. Eurospeech 1997."
    )
    not_for: ClassVar[str] = (
        "Judging whether a text can be read: a translation with its words shuffled scores as well as before. "
        "Beside WER it shows how much of that is a matter of order."
    )
    edits: ClassVar[str] = "unordered"
    blind_to: ClassVar[frozenset[str]] = frozenset({"order"})
