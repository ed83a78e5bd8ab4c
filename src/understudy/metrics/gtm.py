"""GTM: F-measure of matching words, with longer runs counting more (Melamed, Green, Turian 2003)."""

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
from understudy.metrics.base.parameters import all_digits, param
from understudy.metrics.base.ratios import ratio_or_zero
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric


@dataclass(frozen=True, kw_only=True, repr=False)
class GTM(WordMetric):
    """The General Text Matcher, as GTM 1.4 computes it.

    >>> score = GTM().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(score)  # doctest: +ELLIPSIS
    GTM = 70.71 (P = 70.7 R = 70.7; 6 words in 2 runs, hyp_len = 6 ref_len = 6) [nrefs:1|...]
    >>> GTM(exponent=1).label, GTM(measure="recall").spec
    ('GTM-1', 'gtm:measure=recall')
    """

    exponent: float = param(
        2.0,
        "exponent applied to run lengths; with 1, runs count no more than single words and word order has no "
        "effect",
        key="e",
    )
    measure: str = param("f", "measure reported as the score", choices=("f", "precision", "recall"))

    name: ClassVar[str] = "gtm"
    title: ClassVar[str] = "GTM"
    summary: ClassVar[str] = "F-measure of matching words; longer runs count more."
    formula: ClassVar[str] = (
        r"P = \frac{M}{c}, \quad R = \frac{M}{\bar r}, \quad F = \frac{2 P R}{P + R}, \quad "
        r"M = \Bigl(\sum_{\text{runs}} \mathrm{length}^e\Bigr)^{1/e}"
    )
    citation: ClassVar[str] = (
        "I. Dan Melamed, Ryan Green, Joseph P. Turian: Precision and Recall of Machine Translation. HLT-NAACL 2003. "
        "Joseph P. Turian, Luke Shen, I. Dan Melamed: Evaluation of Machine Translation and its Evaluation. MT Summit "
        "IX, 2003. As computed by GTM 1.4."
    )
    not_for: ClassVar[str] = (
        "Comparing scores with different exponents or different numbers of references: more references give more "
        "matches and longer runs. A copy of a reference longer than the mean reference length scores below 100."
    )
    pools_references: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # The program splits at whitespace only and preserves case.
        "gtm-1.4": {"tokenize": "none"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "gtm-1.4": "GTM 1.4",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.exponent < math.inf:
            raise BadParameter(f"exponent={self.exponent:g}: expected a number of at least 1.")

    @property
    def label(self) -> str:
        """GTM, with parameters that differ from the default: GTM-1, GTM recall."""
        exponent = "" if self.exponent == 2 else f"-{all_digits(self.exponent)}"
        return f"{self.title}{exponent}{'' if self.measure == 'f' else f' {self.measure}'}"

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return (
            "size",  # of the matching, in whole units of 1 / LENGTH_UNITS of a word
            "size_rest",  # the remainder, in units of 2^-32 of those
            "hyp_length",
            "ref_length",  # the mean over a segment's references, in units of 1 / LENGTH_UNITS
            "matches",  # words, in the same units: the last run may be cut off at that mean
            "runs",
        )

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(hypotheses), len(self.columns)), np.int64)
        _core.count_gtm(
            *self.prepared(hypotheses, references),
            rows,
            **self.reading,
            exponent=self.exponent,
            threads=threads,
        )
        return rows

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return 100 * self.measures(statistics)[self.measure]

    def measures(self, statistics: Statistics) -> dict[str, Floats]:
        """Precision, recall and F as fractions; 0 if the denominator is 0."""
        size = statistics["size"] + statistics["size_rest"] * 2.0**-_core.SIZE_REST_BITS
        hypothesis = statistics["hyp_length"] * float(_core.LENGTH_UNITS)
        reference = statistics["ref_length"].astype(np.float64)
        found = {
            "precision": ratio_or_zero(size, hypothesis),
            "recall": ratio_or_zero(size, reference),
            "f": ratio_or_zero(2 * size, hypothesis + reference),  # equal to 2PR / (P + R)
        }
        # A match is never larger than its text; any excess is rounding error in the roots.
        return {name: np.minimum(value, 1.0) for name, value in found.items()}

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        units = _core.LENGTH_UNITS
        size = totals["size"] + totals["size_rest"] * 2.0**-_core.SIZE_REST_BITS
        return {
            **{name: 100 * value.item() for name, value in self.measures(totals).items()},
            "size": float(size / units),
            "matches": totals["matches"].item() / units,
            "runs": totals["runs"].item(),
            "hyp_length": totals["hyp_length"].item(),
            "ref_length": totals["ref_length"].item() / units,
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            f"(P = {detail['precision']:.1f} R = {detail['recall']:.1f}; {detail['matches']:g} words in "
            f"{detail['runs']} runs, hyp_len = {detail['hyp_length']} ref_len = {detail['ref_length']:g})"
        )
