"""chrF, chrF+ and chrF++: F-score of character and word n-grams (Popović 2015, 2017)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.candidate_sets import CandidateSets, ReferenceGroups
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import ORDERS_OR_NONE, all_digits, moved_last, param, without
from understudy.metrics.base.statistics import Statistics

_MOST_BETA = 1e154  # its square is still finite
EPSILON = _core.CHRF_EPSILON  # chrF++.py's value for 0/0


@dataclass(frozen=True, kw_only=True, repr=False)
class CHRF(Metric):
    """chrF. The defaults are sacreBLEU's.

    >>> score = CHRF().corpus(["the cat sat on the mat"], [["a cat sat on the mat", "the cat lay on the mat"]])
    >>> print(f"{score.value:.2f}")
    88.96
    >>> CHRF(word_order=2).spec, CHRF(word_order=2, beta=3).label
    ('chrf++', 'chrF3++')
    """

    char_order: int = param(6, "maximum character n-gram order", between=ORDERS_OR_NONE, key="nc")
    word_order: int = param(
        0, "maximum word n-gram order: 1 for chrF+, 2 for chrF++", between=ORDERS_OR_NONE, key="nw"
    )
    beta: float = param(2.0, "weight of recall relative to precision")
    lowercase: bool = param(False, "lowercase text first (Unicode)")
    whitespace: bool = param(False, "include whitespace in character n-grams", key="space")
    average: str = param(
        "effective",
        "averaging over orders: mean precision and mean recall over orders that occur in both texts, then F; or "
        "(eps) mean F over all orders",
        choices=("effective", "eps"),
    )

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "Character n-gram F-score, weighted towards recall."
    formula: ClassVar[str] = (
        r"\mathrm{chrF}_\beta = (1 + \beta^2) \cdot "
        r"\frac{\mathrm{chrP} \cdot \mathrm{chrR}}{\beta^2 \cdot \mathrm{chrP} + \mathrm{chrR}}"
    )
    citation: ClassVar[str] = (
        "Maja Popović: chrF: character n-gram F-score for automatic MT evaluation. WMT 2015. With words: Maja "
        "Popović: chrF++: words helping character n-grams. WMT 2017. Beta 2: Maja Popović: chrF deconstructed: "
        "beta parameters and n-gram weights. WMT 2016."
    )
    not_for: ClassVar[str] = (
        "Comparing scores with different numbers of references or different signatures. Distinguishing texts with "
        "similar spelling but different meaning."
    )
    panel: ClassVar[tuple[int, str] | None] = (2, "chrf++")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sacrebleu": {},
        "chrf": {},
        "chrf+": {"word_order": 1},
        "chrf++": {"word_order": 2},
        # The author's program: its defaults and its mean of F over all orders.
        "chrf++.py": {"word_order": 2, "average": "eps"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "sacrebleu": "sacreBLEU 2.6.0",
        "chrf": "sacreBLEU 2.6.0",
        "chrf+": "sacreBLEU 2.6.0 with --chrf-word-order 1",
        "chrf++": "sacreBLEU 2.6.0 with --chrf-word-order 2",
        "chrf++.py": (
            "chrF++.py, except that a segment without any match scores 0; chrF++.py repeats the previous segment's "
            "score"
        ),
    }
    aliases: ClassVar[Mapping[str, str]] = {"chrf+": "chrf+", "chrf++": "chrf++"}
    best_reference: ClassVar[bool] = True
    counts_single_references: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order + self.word_order == 0:
            raise BadParameter(
                "char_order=0, word_order=0: no n-grams are counted. Set one of them to at least 1."
            )
        if not 0 <= self.beta <= _MOST_BETA:
            raise BadParameter(f"beta={self.beta:g}: expected a number from 0 to {_MOST_BETA:g}.")

    @property
    def label(self) -> str:
        """chrF, chrF+ or chrF++, with beta if it is not 2, as in chrF3++; wordF if no character n-grams are counted."""
        beta = "" if self.beta == 2 else all_digits(self.beta)
        if self.char_order == 0:
            return f"wordF{beta}"
        return f"{self.title}{beta}{'+' * self.word_order}"

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        orders = [
            *(f"char_{n}" for n in range(1, self.char_order + 1)),
            *(f"word_{n}" for n in range(1, self.word_order + 1)),
        ]
        return tuple(f"{what}_{order}" for what in ("hyp", "ref", "match") for order in orders)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        width = 3 * (self.char_order + self.word_order)
        rows = np.empty((len(references.columns), len(hypotheses), width), np.int64)
        _core.count_chrf(hypotheses, references.columns, rows, **self._reading, threads=threads)
        return of_best_reference(self, rows, references)

    @cached_property
    def _reading(self) -> dict[str, Any]:
        return {
            "letter_case": "lower" if self.lowercase else "keep",
            "whitespace": self.whitespace,
            "char_order": self.char_order,
            "word_order": self.word_order,
        }

    # --- candidates against references, in core/ngram/utilities.cpp ------------------------------------------------

    aggregates: ClassVar[bool] = True

    def scores_of_pairs(self, sets: CandidateSets, threads: int) -> Floats:
        scores = np.empty(sets.pair_starts[-1])
        _core.chrf_pairs(*sets.arguments, scores, **self._reading, formula=self._formula, threads=threads)
        return scores

    def scores_of_groups(self, sets: CandidateSets, groups: ReferenceGroups, threads: int) -> Floats:
        scores = np.empty(sets.candidate_counts @ groups.counts)
        _core.chrf_groups(
            *sets.arguments,
            *groups.arguments,
            scores,
            **self._reading,
            formula=self._formula,
            threads=threads,
        )
        return scores

    # --- scoring: numbers to a number, in core/ngram/chrf_score.cpp ------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return self._formula.scores(statistics.array)

    @cached_property
    def _formula(self) -> _core.ChrfFormula:
        # For an integral beta, an int in sacreBLEU, nothing is rounded before the multiplication.
        square = int(self.beta) ** 2 if self.beta.is_integer() else self.beta**2
        return _core.ChrfFormula(
            orders=self.char_order + self.word_order,
            recall_weight=float(square),
            weights=float(1 + square),
            mean_of_f_scores=self.average == "eps",
        )

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        precision, recall = self._formula.precision_and_recall(totals.array).tolist()
        hypothesis, reference, matches = totals.array.astype(int).reshape(3, -1).tolist()
        return {
            "precision": 100 * precision,
            "recall": 100 * recall,
            # By order, characters first.
            "f_scores": (100 * self._formula.f_scores(totals.array)).tolist(),
            "matches": matches,
            "hyp_ngrams": hypothesis,
            "ref_ngrams": reference,
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return f"(P = {detail['precision']:.1f} R = {detail['recall']:.1f})"

    maximum_orders: ClassVar[tuple[str, ...]] = ("char_order", "word_order")

    def for_counting(self) -> CHRF:
        return replace(self, beta=2.0, average="effective")

    def choices(self) -> dict[str, str]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.average == "eps" else "yes",
            **moved_last(without(super().choices(), "lowercase", "average"), "beta"),
            **({"unicode": _core.UNICODE_VERSION} if self.lowercase else {}),
        }
