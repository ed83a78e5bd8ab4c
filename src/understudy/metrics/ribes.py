"""RIBES: rank correlation of word order (Isozaki et al. 2010)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.averages import average_columns, averaged, mean_of
from understudy.metrics.base.best_reference import best_of
from understudy.metrics.base.parameters import param
from understudy.metrics.base.ratios import ratio_or_zero
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric

_PARTS = ("score", "tau", "precision", "brevity")


@dataclass(frozen=True, kw_only=True, repr=False)
class RIBES(WordMetric):
    """RIBES, as computed by the authors' RIBES.py or by NLTK.

    >>> score = RIBES().corpus(["Bob hit John yesterday"], ["John hit Bob yesterday"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    50.00 (tau = 50.0 P = 100.0 BP = 100.0: means of segments)
    """

    alpha: float = param(0.25, "exponent of unigram precision")
    beta: float = param(0.1, "exponent of the brevity penalty")
    context: str = param(
        "left-first",
        "context used for a repeated word if either side disambiguates it: left, as in RIBES.py; or right, as in "
        "NLTK 3.10 and later, which omits the longest left contexts",
        choices=("left-first", "right-first"),
    )
    lone_word: str = param(
        "one",
        "rank correlation for a match with a one-word reference: 1, as in RIBES.py, or 0, as in NLTK",
        choices=("one", "zero"),
        key="lone",
    )

    name: ClassVar[str] = "ribes"
    title: ClassVar[str] = "RIBES"
    summary: ClassVar[str] = "Rank correlation of word order, with unigram-precision and brevity penalties."
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
        "Languages with free word order, or systems whose errors are mainly lexical: unaligned words have little "
        "weight. Very short segments, where one or two words decide."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # RIBES.py without options: input is tokenized and lowercased.
        "ribes.py": {"tokenize": "none", "lowercase": True},
        # nltk.translate.ribes_score: input is tokenized.
        "nltk": {"tokenize": "none", "context": "right-first", "lone_word": "zero"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "ribes.py": "RIBES.py 1.03.1 without options, which fails on an empty reference; understudy scores it 0",
        "nltk": "NLTK 3.10, corpus_ribes and sentence_ribes; NLTK 3.9 and earlier give different scores",
    }
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise BadParameter(f"{name}={value:g}: expected a number of at least 0.")

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return average_columns(*_PARTS)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        prepared, columns = self.prepared(hypotheses, references)
        rows = np.empty((len(columns), len(hypotheses), 4), np.int64)
        _core.count_ribes(prepared, columns, rows, search=self.context, **self.reading, threads=threads)
        aligned, in_order, length, wanted = (rows[..., i].astype(np.float64) for i in range(4))
        parts = self._parts(aligned, in_order, length, wanted)
        best = best_of(parts[0], references), np.arange(len(hypotheses))
        return averaged([part[best] for part in parts])

    def _parts(self, aligned: Floats, in_order: Floats, length: Floats, wanted: Floats) -> tuple[Floats, ...]:
        """The score of every segment and its components; all 0 for an empty hypothesis."""
        words = np.maximum(length, 1.0)
        pairs = aligned * (aligned - 1) / 2
        tau = ratio_or_zero(in_order, pairs)
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
        means = {part: 100 * mean_of(totals, part).item() for part in _PARTS[1:]}
        return {**means, "segments": totals["segments"].item()}

    def explain(self, detail: Mapping[str, Any]) -> str:
        tau, precision, brevity = (detail[part] for part in _PARTS[1:])
        return f"(tau = {tau:.1f} P = {precision:.1f} BP = {brevity:.1f}: means of segments)"

    def choices(self) -> dict[str, str]:
        # The alignment of NLTK 3.10 and later.
        context = "left" if self.context == "left-first" else "right-nltk3.10"
        return {**super().choices(), "context": context}
