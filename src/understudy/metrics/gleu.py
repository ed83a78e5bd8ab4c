"""GLEU: minimum of n-gram precision and recall, designed for single sentences (Wu et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.best_reference import best_of
from understudy.metrics.base.parameters import ORDERS, param, without
from understudy.metrics.base.ratios import ratio_or_zero
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric

Counts = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, repr=False)
class GLEU(WordMetric):
    """Google's GLEU.

    >>> score = GLEU().corpus(["the cat sat on the mat"], [["a cat sat on the mat", "the cat lay on the mat"]])
    >>> print(f"{score.value:.2f} {score.explanation}")
    77.78 (14 matches / 18 n-grams: P = 77.8 R = 77.8)
    """

    min_len: int = param(1, "minimum n-gram order", between=ORDERS)
    max_len: int = param(4, "maximum n-gram order", between=ORDERS)

    name: ClassVar[str] = "gleu"
    title: ClassVar[str] = "GLEU"
    summary: ClassVar[str] = "Minimum of n-gram precision and recall, all orders pooled."
    formula: ClassVar[str] = (
        r"\mathrm{GLEU} = \min\left(\frac{m}{\#_\text{translation}}, \frac{m}{\#_\text{reference}}\right), \quad "
        r"m = \sum_{w_1 \ldots w_n} \min\left(\#_\text{translation}(w_1 \ldots w_n), "
        r"\#_\text{reference}(w_1 \ldots w_n)\right)"
    )
    citation: ClassVar[str] = (
        "Yonghui Wu, Mike Schuster, Zhifeng Chen, Quoc V. Le, Mohammad Norouzi and others: Google's Neural Machine "
        "Translation System: Bridging the Gap between Human and Machine Translation. 2016, section 6. For a corpus "
        "and several references: as computed by NLTK."
    )
    not_for: ClassVar[str] = (
        "Comparison with the GLEU of grammatical error correction (Napoles et al. 2015), a different metric of "
        "the same name. The corpus score adds little to BLEU; GLEU was designed as a sentence-level reward."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # nltk.translate.gleu_score: input is tokenized.
        "nltk": {"tokenize": "none"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "nltk": "NLTK 3.10, corpus_gleu and sentence_gleu",
    }
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_len < self.min_len:
            raise BadParameter(f"max_len={self.max_len}: expected at least min_len, {self.min_len}.")

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "ngrams", "hyp_ngrams", "ref_ngrams")

    def count(self, hypotheses: Column, references: References, threads: int) -> Counts:
        prepared, columns = self.prepared(hypotheses, references)
        rows = np.empty((len(columns), len(hypotheses), 2 + self.max_len), np.int64)
        _core.count_ngrams_by_reference(
            prepared, columns, rows, **self.reading, max_order=self.max_len, threads=threads
        )
        matches = rows[..., 1 + self.min_len :].sum(axis=-1)
        in_hypothesis, in_reference = self._ngrams(rows[..., 0]), self._ngrams(rows[..., 1])
        more = np.maximum(in_hypothesis, in_reference)
        counted = np.stack([matches, more, in_hypothesis, in_reference], axis=-1)
        # A reference with denominator 0 is never preferred to one with n-grams, although both score 0, as in NLTK.
        best = best_of(np.where(more > 0, ratio_or_zero(matches, more), -1.0), references)
        return np.asarray(counted[best, np.arange(len(hypotheses))])

    def _ngrams(self, lengths: Counts) -> Counts:
        """The number of n-grams in texts of these lengths."""
        orders = range(self.min_len, self.max_len + 1)
        counts = [np.maximum(lengths - n + 1, 0) for n in orders]
        return np.asarray(np.sum(counts, axis=0, dtype=np.int64))

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        return 100 * ratio_or_zero(statistics["matches"], statistics["ngrams"])

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {
            **super().detail(totals),
            "precision": 100 * ratio_or_zero(totals["matches"], totals["hyp_ngrams"]).item(),
            "recall": 100 * ratio_or_zero(totals["matches"], totals["ref_ngrams"]).item(),
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            f"({detail['matches']} matches / {detail['ngrams']} n-grams: "
            f"P = {detail['precision']:.1f} R = {detail['recall']:.1f})"
        )

    def choices(self) -> dict[str, str]:
        own = without(super().choices(), "min_len", "max_len")
        return {**own, "order": f"{self.min_len}-{self.max_len}"}
