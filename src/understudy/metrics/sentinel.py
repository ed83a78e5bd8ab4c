"""Sentinel: a baseline that sees one text only, and compares it with nothing (Perrella et al. 2024)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.metrics.base.averages import SCORE_UNIT, average_columns, averaged, mean_of
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics

_HYPOTHESIS, SOURCE = "hypothesis", "source"
_LENGTH = "characters"  # the feature that is the length of a text


def _characters(text: str) -> float:
    return float(np.log1p(len(text)))


def _words(text: str) -> float:
    return float(np.log1p(len(text.split())))


def _word_length(text: str) -> float:
    words = text.split()
    return sum(map(len, words)) / len(words) if words else 0.0


def _share(kind: Callable[[str], bool]) -> Callable[[str], float]:
    def share(text: str) -> float:
        # Texts have few distinct characters, and only these are looked up.
        return sum(count for character, count in Counter(text).items() if kind(character)) / (len(text) or 1)

    return share


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def _repetition(text: str) -> float:
    words = text.casefold().split()
    return 1 - len(set(words)) / len(words) if words else 0.0


FEATURES: dict[str, Callable[[str], float]] = {
    _LENGTH: _characters,
    "words": _words,
    "word-length": _word_length,
    "digits": _share(str.isdigit),
    "capitals": _share(str.isupper),
    "punctuation": _share(_is_punctuation),
    "repetition": _repetition,
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Sentinel(Metric):
    """One feature of the hypothesis or of the source; reference-free.

    >>> Sentinel().segments(["It rained.", "It rained all day."]).round(2).tolist()
    [2.4, 2.94]
    >>> Sentinel(feature="punctuation").corpus(["It rained.", "Yes!"]).value
    0.175
    """

    sees: str = param(_HYPOTHESIS, "the only text that is read", choices=(_HYPOTHESIS, SOURCE))
    feature: str = param(
        _LENGTH,
        "what is seen of the text: the log number of characters or words, the mean word length, or the share of "
        "digits, capitals, punctuation or repeated words",
        choices=tuple(FEATURES),
    )

    name: ClassVar[str] = "sentinel"
    title: ClassVar[str] = "sentinel"
    summary: ClassVar[str] = "Baseline that sees only the length or surface of the hypothesis or the source."
    formula: ClassVar[str] = r"\frac{1}{S} \sum_s f(t_s), \quad f(t) = \ln(1 + |t|) \text{ by default}"
    citation: ClassVar[str] = (
        "Simple forms of the sentinel metrics of Stefano Perrella, Lorenzo Proietti, Alessandro Scirè, Edoardo Barba, "
        "Roberto Navigli: Guardians of the Machine Translation Meta-Evaluation: Sentinel Metrics Fall In! ACL 2024."
    )
    not_for: ClassVar[str] = (
        "Translation quality: it compares nothing. It shows how well length or surface alone agree with human scores."
    )
    higher_is_better: ClassVar[bool | None] = False  # long segments have more errors
    percent: ClassVar[bool] = False
    reads_references: ClassVar[bool] = False
    blind_to: ClassVar[frozenset[str]] = frozenset({"order"})

    @property
    def reads_sources(self) -> bool:  # type: ignore[override]
        return self.sees == SOURCE

    @property
    def label(self) -> str:
        return self.spec

    @property
    def full_marks(self) -> bool:
        return False  # a copy of the reference has the length of the reference

    # --- counting and scoring: the mean over segments -----------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return average_columns("value")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:  # noqa: ARG002
        seen = references.sources if self.reads_sources else hypotheses
        assert seen is not None, "`statistics` has checked that there are sources"
        value = FEATURES[self.feature]
        values = np.array([value(seen[row] or "") for row in range(len(hypotheses))], dtype=np.float64)
        return averaged([values / SCORE_UNIT])

    def score(self, statistics: Statistics) -> Floats:
        return SCORE_UNIT * mean_of(statistics, "value")

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {self.feature: self.score(totals).item()}
