"""RIBES: whether a translation has its words in the reference's order (Isozaki et al. 2010)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.averages import average_columns, averaged, mean_of
from understudy.metrics.base.best_reference import best_of
from understudy.metrics.base.parameters import param
from understudy.metrics.base.shares import share
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric

Floats = NDArray[np.float64]

PARTS = ("score", "tau", "precision", "brevity")


@dataclass(frozen=True, kw_only=True, repr=False)
class RIBES(WordMetric):
    """RIBES, with the choices of its authors' program, RIBES.py, or of NLTK.

    >>> score = RIBES().corpus(["Bob hit John yesterday"], ["John hit Bob yesterday"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    50.00 (tau = 50.0 P = 100.0 BP = 100.0: means of segments)
    """

    alpha: float = param(0.25, "the power of the share of words that are aligned")
    beta: float = param(0.1, "the power of the penalty for brevity")
    context: str = param(
        "left-first",
        "which neighbours tell words apart that occur more than once, if both sides do: the left, as in RIBES.py, or "
        "the right, as in NLTK from 3.10 on, which leaves out the longest left ones",
        choices=("left-first", "right-first"),
    )
    lone_word: str = param(
        "one",
        "how well ordered the match of a reference of one word is: perfectly, as in RIBES.py, or, as in NLTK, not",
        choices=("one", "zero"),
        key="lone",
    )

    name: ClassVar[str] = "ribes"
    title: ClassVar[str] = "RIBES"
    summary: ClassVar[str] = (
        "The rank correlation between the order of words in a translation and in its reference, lowered where words "
        "have no counterpart and where the translation is too short."
    )
    formula: ClassVar[str] = (
        r"\mathrm{RIBES} = \frac{\tau + 1}{2} \cdot \left(\frac{m}{c}\right)^\alpha \cdot "
        r"\min\left(1, e^{1-r/c}\right)^\beta, \quad \frac{\tau + 1}{2} = "
        r"\frac{\text{pairs of aligned words in the same order}}{m (m - 1) / 2}"
    )
    citation: ClassVar[str] = (
        "Hideki Isozaki, Tsutomu Hirao, Kevin Duh, Katsuhito Sudoh, Hajime Tsukada: Automatic Evaluation of "
        "Translation Quality for Distant Language Pairs. EMNLP 2010. As computed by RIBES.py 1.03.1."
    )
    not_for: ClassVar[str] = (
        "Languages that order words freely, or systems whose faults are the choice of words: what is not aligned "
        "weighs little. Very short segments, where a word or two decide."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # RIBES.py without options: text comes as tokens, case is folded.
        "ribes.py": {"tokenize": "none", "lowercase": True},
        # nltk.translate.ribes_score: text comes as tokens.
        "nltk": {"tokenize": "none", "context": "right-first", "lone_word": "zero"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "ribes.py": "RIBES.py 1.03.1 without options; it stops at an empty reference, which scores 0 here",
        "nltk": "NLTK 3.10's corpus_ribes and sentence_ribes; NLTK 3.9 and older give other numbers",
    }
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise BadParameter(f"{name}={value:g}: expected a number from 0.")

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return average_columns(*PARTS)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        prepared, columns = self.prepared(hypotheses, references)
        rows = np.empty((len(columns), len(hypotheses), 4), np.int64)
        _core.count_ribes(prepared, columns, rows, search=self.context, **self.reading, threads=threads)
        aligned, in_order, length, wanted = (rows[..., i].astype(np.float64) for i in range(4))
        parts = self._parts(aligned, in_order, length, wanted)
        best = best_of(parts[0], references), np.arange(len(hypotheses))
        return averaged([part[best] for part in parts])

    def _parts(self, aligned: Floats, in_order: Floats, length: Floats, wanted: Floats) -> tuple[Floats, ...]:
        """The score of every segment, and what it is made of; all 0 for no text."""
        words = np.maximum(length, 1.0)
        pairs = aligned * (aligned - 1) / 2
        tau = share(in_order, pairs)
        if self.lone_word == "one":
            tau = np.where((aligned == 1) & (wanted == 1), 1.0, tau)
        precision = aligned / words
        brevity = np.where(length > 0, _core.exp(np.minimum(1.0 - wanted / words, 0.0)), 0.0)
        score = tau * _core.power(precision, self.alpha) * _core.power(brevity, self.beta)
        return score, tau, precision, brevity

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return 100 * mean_of(statistics, "score")

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        means = {part: 100 * mean_of(totals, part).item() for part in PARTS[1:]}
        return {**means, "segments": totals["segments"].item()}

    def explain(self, detail: Mapping[str, Any]) -> str:
        tau, precision, brevity = (detail[part] for part in PARTS[1:])
        return f"(tau = {tau:.1f} P = {precision:.1f} BP = {brevity:.1f}: means of segments)"

    def choices(self) -> dict[str, str]:
        # NLTK aligns words so from 3.10 on.
        context = "left" if self.context == "left-first" else "right-nltk3.10"
        return {**super().choices(), "context": context}
