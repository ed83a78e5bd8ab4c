"""BLEU: clipped n-gram precision with a brevity penalty (Papineni et al. 2002)."""

from __future__ import annotations

import math
import sys
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
from understudy.metrics.base.candidate_sets import CandidateSets, ReferenceGroups
from understudy.metrics.base.parameters import ORDERS, all_digits, moved_last, param, without
from understudy.metrics.base.smoothing import SMOOTHINGS, Smoothing
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric

# Since Python 3.12, sum() of floats uses compensated (Neumaier) summation. Scores differ in the last digit from those
# of earlier versions, so the result depends on the interpreter.
_SUMS_ARE_COMPENSATED = sys.version_info >= (3, 12)


# mteval smooths, and orders longer than the text cost nothing, but they still count in the mean over orders.
_MTEVAL: dict[str, Any] = {"effective_order": False, "empty_order": "one", "no_match": "smooth"}


# Only other values are signed: the defaults have the signatures that they had before these parameters existed.
_UNSIGNED = {"average": "geometric", "steepness": "1"}
_LAST_KEYS = ("smooth", "order", "weights", "average", "brevity", "steepness", "empty", "nomatch")


@dataclass(frozen=True, kw_only=True, repr=False)
class BLEU(WordMetric):
    """BLEU. The defaults are sacreBLEU's.

    >>> score = BLEU().corpus(["the cat sat on the mat"], [["a cat sat on the mat", "the cat lay on the mat"]])
    >>> print(f"{score.value:.2f}")
    84.09
    >>> BLEU(tokenize="intl", lowercase=True).spec
    'bleu:lowercase=true,tokenize=intl'
    """

    max_order: int = param(4, "maximum n-gram order, N", between=ORDERS, key="order")
    weights: tuple[float, ...] | None = param(
        None, "weight of each order; they must sum to 1 (default: 1/N each)"
    )
    average: str = param(
        "geometric",
        "average of the precisions: geometric, as defined, or arithmetic",
        choices=("geometric", "arithmetic"),
    )
    smooth: str = param("exp", "smoothing method for orders without a match", choices=tuple(SMOOTHINGS))
    smooth_value: float | None = param(
        None, "parameter of the smoothing method: epsilon of floor, k of add-k, ..."
    )
    effective_order: bool | None = param(
        None,
        "effective order: use only orders that occur in the hypothesis (default: true at segment level, false at "
        "corpus level)",
    )
    brevity: str = param(
        "closest",
        "effective reference length for the brevity penalty",
        choices=("closest", "shortest", "average"),
    )
    brevity_steepness: float = param(
        1.0,
        "steepness k of the brevity penalty exp(k(1 - r/c)): 0 means no penalty, except for an empty hypothesis",
        key="steepness",
    )
    empty_order: str = param(
        "zero",
        "precision of orders without n-grams in the hypothesis: 0 (zero), 1 (one), or 0 of 1 per segment (count-one)",
        choices=("zero", "one", "count-one"),
        key="empty",
    )
    no_match: str = param(
        "zero",
        "score of a hypothesis without any match: 0, or smoothed like any other",
        choices=("zero", "smooth"),
        key="nomatch",
    )

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "Geometric mean of clipped n-gram precisions times a brevity penalty."
    formula: ClassVar[str] = (
        r"\mathrm{BLEU} = \min\left(1, e^{1-r/c}\right) \cdot \exp\left(\sum_{n=1}^N w_n \log p_n\right)"
    )
    citation: ClassVar[str] = (
        "Kishore Papineni, Salim Roukos, Todd Ward, Wei-Jing Zhu: BLEU: a Method for Automatic Evaluation of "
        "Machine Translation. ACL 2002. Signature and defaults: Matt Post: A Call for Clarity in Reporting BLEU "
        "Scores. WMT 2018."
    )
    not_for: ClassVar[str] = (
        "Comparing systems of different types, or scores with different numbers of references or different "
        "signatures. Single segments. Differences of a point without a significance test (Callison-Burch, "
        "Osborne, Koehn 2006)."
    )
    panel: ClassVar[tuple[int, str] | None] = (1, "bleu")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sacrebleu": {},
        # "Currently, case folding is the only text normalization performed" (report, section 2.3).
        "papineni2002": {"lowercase": True, "smooth": "none"},
        # mteval-v13a.pl without options: case-insensitive in ASCII.
        "mteval-v13a": {"lowercase": "ascii", **_MTEVAL},
        # mteval-v14.pl --international-tokenization: case-insensitive in all of Unicode.
        "mteval-v14-intl": {"lowercase": True, "tokenize": "intl-mteval", **_MTEVAL},
        "multi-bleu": {"tokenize": "ascii-spaces", "smooth": "none"},
        # Moses' mert/sentence-bleu: input is tokenized; an order longer than the text counts as 1 of 1.
        "sentence-bleu": {
            "tokenize": "ascii-spaces",
            "smooth": "add-k-all",
            "effective_order": False,
            "no_match": "smooth",
        },
        # nltk.translate.bleu_score.corpus_bleu: input is tokenized; every segment adds at least one n-gram.
        "nltk": {"tokenize": "none", "smooth": "none", "empty_order": "count-one", "effective_order": False},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "sacrebleu": "sacreBLEU 2.6.0",
        "mteval-v13a": "mteval-v13a.pl without options",
        "mteval-v14-intl": "mteval-v14.pl --international-tokenization",
        "multi-bleu": "multi-bleu.perl; with lowercase=ascii, multi-bleu.perl -lc",
        "sentence-bleu": "Moses sentence-bleu at segment level, in single precision; it splits at spaces only",
        "nltk": "NLTK 3.10, corpus_bleu and sentence_bleu; 0 where NLTK returns 1e-77 or less",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None:
            if len(self.weights) != self.max_order:
                raise BadParameter(
                    f"weights: got {len(self.weights)}, expected {self.max_order}, one per order. Set max_order "
                    "to change the number of orders."
                )
            if not (min(self.weights) >= 0 and abs(sum(self.weights) - 1) <= 1e-9):  # so that NaN fails too
                raise BadParameter(f"weights={self.weights}: expected non-negative numbers that sum to 1.")
        if self.smooth_value is not None and self._smoothing.default is None:
            raise BadParameter(
                f"smooth_value={self.smooth_value}: smoothing method '{self.smooth}' has no parameter."
            )
        if self.smooth_value is not None and not 0 <= self.smooth_value < math.inf:
            raise BadParameter(f"smooth_value={self.smooth_value}: expected a number of at least 0.")
        if self.smooth_value == 0 and self._smoothing.divides:
            raise BadParameter(
                f"smooth_value=0: smoothing method '{self.smooth}' divides by it. Use a value above 0."
            )
        if not 0 <= self.brevity_steepness < math.inf:
            raise BadParameter(
                f"brevity_steepness={self.brevity_steepness:g}: expected a number of at least 0. The default is 1."
            )

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.counted_orders + 1)
        return (
            "hyp_length",
            "ref_length",
            *(f"match_{n}" for n in orders),
            *(f"total_{n}" for n in orders),
        )

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = self.count_ngrams(hypotheses, references, threads)
        if orders := self._at_least_one:
            first = self.columns.index("total_1")
            totals = rows[:, first : first + orders]
            np.maximum(totals, 1, out=totals)
        return rows

    @property
    def _at_least_one(self) -> int:
        """The number of orders of which every segment has at least one n-gram."""
        if self.empty_order != "count-one":
            return 0
        return (self._smoothing.true_totals_from or self.counted_orders + 1) - 1

    def count_ngrams(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        """The lengths, the clipped n-gram counts and the total n-gram counts."""
        rows = np.empty((len(hypotheses), 2 + 2 * self.counted_orders), np.int64)
        _core.count_ngrams(*self.prepared(hypotheses, references), rows, **self._counting, threads=threads)
        return rows

    @cached_property
    def _counting(self) -> dict[str, Any]:
        return {**self.reading, "reference_length": self.brevity, "max_order": self.counted_orders}

    # --- candidates against references, in core/ngram/utilities.cpp ------------------------------------------------

    aggregates: ClassVar[bool] = True

    def scores_of_pairs(self, sets: CandidateSets, threads: int) -> Floats:
        scores = np.empty(sets.pair_starts[-1])
        prepared = sets.prepared(self.prepared_text).arguments
        _core.bleu_pairs(*prepared, scores, **self._utility, threads=threads)
        return scores

    def scores_of_groups(self, sets: CandidateSets, groups: ReferenceGroups, threads: int) -> Floats:
        scores = np.empty(sets.candidate_counts @ groups.counts)
        prepared = sets.prepared(self.prepared_text).arguments
        _core.bleu_groups(*prepared, *groups.arguments, scores, **self._utility, threads=threads)
        return scores

    @cached_property
    def _utility(self) -> dict[str, Any]:
        return {
            **self.reading,
            "max_order": self.counted_orders,
            "formula": self.for_segments()._formula,
            "length_units": self._length_units,
            "at_least_one": self._at_least_one,
        }

    # --- scoring: numbers to a number, in core/ngram/bleu_score.cpp ------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return self._formula.scores(statistics.array)

    def combine(self, precisions: Floats, statistics: Statistics) -> Floats:
        """BLEU from precisions in percent and the lengths in the statistics."""
        return self._formula.combined(precisions, statistics.array)

    def precisions(self, statistics: Statistics) -> Floats:
        """The smoothed clipped precisions p_1 ... p_N in percent."""
        return self._formula.precisions(statistics.array)

    def brevity_penalty(self, statistics: Statistics) -> Floats:
        """1 for a hypothesis at least as long as its reference, e^(k(1 - r/c)) for a shorter one, 0 for an empty
        one.
        """
        return self._formula.brevity_penalties(statistics.array)

    @cached_property
    def _formula(self) -> _core.BleuFormula:
        return _core.BleuFormula(
            max_order=self.max_order,
            counted_orders=self.counted_orders,
            smoothing=self._smoothing.method,
            smooth_value=self._smooth_value,
            weights=list(self.weights or ()),
            arithmetic_average=self.average == "arithmetic",
            effective_order=bool(self.effective_order),
            empty_order_is_one=self.empty_order == "one",
            smooth_without_match=self.no_match == "smooth",
            brevity_steepness=self.brevity_steepness,
            length_units=self._length_units,
            compensated_sums=_SUMS_ARE_COMPENSATED,
        )

    # --- explaining -----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        precisions = self.precisions(totals)
        penalty = self.brevity_penalty(totals)
        orders = slice(0, self.max_order)
        hypothesis_length = totals["hyp_length"].item()
        reference_length = totals["ref_length"].item() / self._length_units
        if self.brevity != "average":
            reference_length = int(reference_length)
        return {
            "precisions": precisions.tolist(),
            "matches": totals.block("match")[orders].astype(int).tolist(),
            "totals": totals.block("total")[orders].astype(int).tolist(),
            "brevity_penalty": penalty.item(),
            "hyp_length": hypothesis_length,
            "ref_length": reference_length,
            "length_ratio": hypothesis_length / reference_length if reference_length else 0.0,
            # BLEU-1 ... BLEU-N: cumulative (orders up to n) and individual (order n alone).
            "cumulative": (penalty * self._formula.averages(precisions, totals.array)).tolist(),
            "individual": (penalty * precisions).tolist(),
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            "/".join(f"{precision:.1f}" for precision in detail["precisions"])
            + f" (BP = {detail['brevity_penalty']:.3f} ratio = {detail['length_ratio']:.3f}"
            + f" hyp_len = {detail['hyp_length']} ref_len = {detail['ref_length']})"
        )

    def choices(self) -> dict[str, str]:
        value = None if self._smoothing.default is None else self._smooth_value
        own = without(super().choices(), "effective_order", "smooth_value")
        own["smooth"] = self.smooth if value is None else f"{self.smooth}[{all_digits(value)}]"
        if self.weights is None:
            own["weights"] = "uniform"
        own = without(own, *(key for key, value in _UNSIGNED.items() if own[key] == value))
        return {  # in sacreBLEU's order where it has the same entries
            "case": own.pop("case"),
            "eff": "yes" if self.effective_order else "no",
            **moved_last(own, *(key for key in _LAST_KEYS if key in own)),
        }

    maximum_orders: ClassVar[tuple[str, ...]] = ("max_order",)

    def for_counting(self) -> BLEU:
        counts_one = self.empty_order == "count-one"
        return replace(
            self,
            max_order=self.counted_orders,
            weights=None,
            average="geometric",
            smooth=self.smooth if counts_one and self._smoothing.true_totals_from else "exp",
            smooth_value=None,
            effective_order=None,
            brevity_steepness=1.0,
            empty_order="count-one" if counts_one else "zero",
            no_match="zero",
        )

    def for_segments(self) -> BLEU:
        return self._with_effective_order if self.effective_order is None else self

    @cached_property
    def _with_effective_order(self) -> BLEU:
        return replace(self, effective_order=True)

    # ---------------------------------------------------------------------------------------------------------

    @property
    def _smoothing(self) -> Smoothing:
        return SMOOTHINGS[self.smooth]

    @property
    def _smooth_value(self) -> float:
        return self.smooth_value if self.smooth_value is not None else self._smoothing.default or 0.0

    @property
    def counted_orders(self) -> int:
        """The maximum order counted: some smoothing methods need one more."""
        return self.max_order + self._smoothing.extra_orders

    @property
    def _length_units(self) -> int:
        return _core.LENGTH_UNITS if self.brevity == "average" else 1
