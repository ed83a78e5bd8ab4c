"""Exact match: how many segments are identical to a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base import Metric
from understudy.metrics.parameters import param
from understudy.metrics.statistics import Statistics
from understudy.text.tokenizers import tokenizer


@dataclass(frozen=True, kw_only=True, repr=False)
class ExactMatch(Metric):
    """The share of segments that are identical to one of their references.

    >>> print(ExactMatch().corpus(["It rains.", "It snows. "], ["It is raining.", "It snows."]).value)
    50.0
    """

    tokenize: str | None = param(
        None, "compare the tokens of this tokenizer (default: the text, without white space around it)"
    )
    lowercase: bool | Literal["ascii"] = param(
        False,
        "fold case first: Unicode's, or only A to Z as the Perl scripts do",
        choices=(False, True, "ascii"),
    )

    name: ClassVar[str] = "exact-match"
    title: ClassVar[str] = "exact match"
    summary: ClassVar[str] = "The share of segments that are identical to a reference."
    formula: ClassVar[str] = r"\frac{1}{n} \sum_{i=1}^n [h_i \in R_i]"
    citation: ClassVar[str] = "None needed."
    not_for: ClassVar[str] = (
        "Judging quality: most good translations differ from their references. A high share tells of references "
        "among the training data, of post-edited output taken for a reference, or of very short segments."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenize is not None:
            tokenizer(self.tokenize)  # fails now rather than in the middle of a file

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "segments")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        chosen = None if self.tokenize is None else tokenizer(self.tokenize)
        letter_case = {False: "keep", True: "lower", "ascii": "lower-ascii"}[self.lowercase]
        texts, case_left = [hypotheses, *references.columns], letter_case
        if chosen is not None:
            prepared = [chosen.prepare(column, letter_case) for column in texts]
            texts, case_left = [column for column, _ in prepared], prepared[0][1]
        matches = np.empty((len(hypotheses), 1), np.int64)
        _core.count_exact(
            texts[0],
            texts[1:],
            matches,
            tokenizer=None if chosen is None else chosen.native,
            letter_case=case_left,
            threads=threads,
        )
        return np.hstack([matches, np.ones_like(matches)])

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        return np.asarray(100 * statistics["matches"] / np.maximum(statistics["segments"], 1))

    def explain(self, detail: Mapping[str, Any]) -> str:
        return f"({detail['matches']} / {detail['segments']} segments)"

    def choices(self) -> dict[str, str]:
        needs_unicode_tables = self.lowercase is True or self.tokenize == "intl"
        return {
            "case": {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase],
            "tok": "no" if self.tokenize is None else tokenizer(self.tokenize).signature,
            **({"unicode": _core.UNICODE_VERSION} if needs_unicode_tables else {}),
        }
