"""PER: position-independent word error rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.metrics.base.error_rate import ErrorRate
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics


@dataclass(frozen=True, kw_only=True, repr=False)
class PER(ErrorRate):
    """The position-independent word error rate.

    >>> score = PER().corpus(["on the mat the cat sat"], ["the cat sat on the red mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    14.29 (1 edits / 7 words: hits 6, substitutions 0, deletions 1, insertions 0)
    """

    surplus: str = param(
        "segment",
        "where lengths are compared: in each segment, or only for the corpus, so that long hypotheses compensate "
        "for short ones",
        choices=("segment", "corpus"),
    )

    name: ClassVar[str] = "per"
    title: ClassVar[str] = "PER"
    summary: ClassVar[str] = "Position-independent word error rate."
    formula: ClassVar[str] = (
        r"\mathrm{PER} = 1 - \frac{\mathrm{hits} - \max(0, c - r)}{r} = \frac{\max(c, r) - \mathrm{hits}}{r}"
    )
    citation: ClassVar[str] = (
        "C. Tillmann, S. Vogel, H. Ney, A. Zubiaga, H. Sawaf: Accelerated DP Based Search for Statistical "
        "Translation. Eurospeech 1997."
    )
    not_for: ClassVar[str] = (
        "Fluency: shuffling the words of a hypothesis does not change the score. The difference from WER shows "
        "the share of errors due to word order."
    )
    edits: ClassVar[str] = "unordered"
    blind_to: ClassVar[frozenset[str]] = frozenset({"order"})
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # Moses' evaluator and PER.pl sum the lengths first, then compare them.
        "moses": {"tokenize": "none", "surplus": "corpus"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "moses": "Moses' evaluator and PER.pl; single reference only",
    }

    def total_edits(self, statistics: Statistics) -> NDArray[Any]:
        if self.surplus == "segment":
            return super().total_edits(statistics)
        hits = statistics["hits"]
        have = hits + statistics["substitutions"] + statistics["insertions"]
        want = self.total_length(statistics)
        edits = np.asarray(np.maximum(have, want) - hits)
        return edits if self.ref_length == "average" else edits.astype(np.int64)
