"""Exact match: percentage of segments identical to a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import LETTER_CASES, WordMetric
from understudy.text.tokenizers import Tokenizer

_NO_TOKENS = "no"


@dataclass(frozen=True, kw_only=True, repr=False)
class ExactMatch(WordMetric):
    """Percentage of segments identical to one of their references.

    >>> print(ExactMatch().corpus(["It rains.", "It snows. "], ["It is raining.", "It snows."]).value)
    50.0
    """

    tokenize: str = param(
        _NO_TOKENS,
        "tokenizer whose tokens are compared; `no` compares the text without surrounding whitespace",
    )

    name: ClassVar[str] = "exact-match"
    title: ClassVar[str] = "exact match"
    summary: ClassVar[str] = "Percentage of segments identical to a reference."
    formula: ClassVar[str] = r"\frac{1}{n} \sum_{i=1}^n [h_i \in R_i]"
    citation: ClassVar[str] = "No publication."
    not_for: ClassVar[str] = (
        "Translation quality: most good translations differ from their references. A high percentage indicates "
        "references in the training data, post-edited output used as a reference, or very short segments."
    )

    def tokenizer(self) -> Tokenizer:
        return super().tokenizer() if self.cuts_text else Tokenizer(_NO_TOKENS, _NO_TOKENS, _NO_TOKENS)

    @property
    def cuts_text(self) -> bool:
        return self.tokenize != _NO_TOKENS

    def tokens(self, text: str) -> list[str]:
        """The tokens compared: words, or the whole text as one token.

        >>> ExactMatch().tokens(" It snows. "), ExactMatch(tokenize="13a").tokens(" It snows. ")
        (['It snows.'], ['It', 'snows', '.'])
        """
        if self.cuts_text:
            return super().tokens(text)
        whole = (Column.from_strings([text]).lowered(LETTER_CASES[self.lowercase])[0] or "").strip()
        return [whole] if whole else []

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "segments")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        matches = np.empty((len(hypotheses), 1), np.int64)
        _core.count_exact(
            *self.prepared(hypotheses, references),
            matches,
            tokenizer=self.reading["tokenizer"] if self.cuts_text else None,
            letter_case=self.reading["letter_case"],
            threads=threads,
        )
        return np.hstack([matches, np.ones_like(matches)])

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        return np.asarray(100 * statistics["matches"] / np.maximum(statistics["segments"], 1))

    def explain(self, detail: Mapping[str, Any]) -> str:
        return f"({detail['matches']} / {detail['segments']} segments)"
