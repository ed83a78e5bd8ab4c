"""HTER: the TER of a hypothesis against the text to which a judge corrected it (Snover et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.arrays import Floats
from understudy.errors import MissingExtra, NoTokenizerChosen
from understudy.metrics.ter import TER

HTER = "HTER"  # the question that corrections answer
HTER_NOTE = "HTER: TER of a hypothesis against the text to which a judge corrected it, in percent."


def hter(hypotheses: Sequence[str], corrected: Sequence[str], language: str | None = None) -> Floats:
    """In percent of the words of the corrected text; of its characters in a script without word boundaries, if the
    target language is unknown or its tokenizer is not installed.

    >>> hter(["the cat sat on mat"], ["the cat sat on the mat"]).round(2).tolist()
    [16.67]
    """
    if not hypotheses:
        return np.empty(0)
    given, texts = list(hypotheses), list(corrected)
    try:
        metric = TER() if language is None else TER().for_language(language)
        return metric.segments(given, texts)
    except (NoTokenizerChosen, MissingExtra):
        return TER(tokenize="char").segments(given, texts)
