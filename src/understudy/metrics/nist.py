"""NIST: information-weighted n-gram matches with a brevity penalty (Doddington 2002)."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column, ReferenceNgrams
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadInput, BadSegment
from understudy.metrics.base.parameters import ORDERS, param, without
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric

# The brevity penalty is 0.5 at two thirds of the reference length (Doddington 2002, section 4.3).
_BETA = -math.log(0.5) / math.log(1.5) ** 2


@dataclass(frozen=True, kw_only=True, repr=False)
class NIST(WordMetric):
    """NIST, as computed by mteval. Information weights are estimated from all references of the test set.

    >>> references = [["the cat sat on the mat", "a cat sat on the mat"], "the dog slept"]
    >>> nist = NIST()
    >>> nist.corpus(["the cat sat on a mat", "the dog sat"], references)
    <NIST 3.16: corpus of 2 segments, 1 to 2 references>

    To score parts of a test set consistently, and to add them up, fit the metric once on the whole set:

    >>> fitted = nist.fit(references)
    >>> parts = [fitted.statistics(["the cat sat on a mat"], references[:1]),
    ...          fitted.statistics(["the dog sat"], references[1:])]
    >>> print(f"{fitted.corpus_score(parts[0] + parts[1]).value:.2f}")
    3.16
    """

    max_order: int = param(5, "maximum n-gram order, N", between=ORDERS, key="order")
    zero_is_no_word: bool = param(
        False,
        "compute the information weight of a bigram `0 x` as if no word preceded x: a bug in mteval, where Perl "
        "treats 0 as false",
        choices=(False, True),
        key="zero",
    )
    multi_ref: str = param(
        "pool",
        "multiple references: clip n-gram counts by the maximum over references; or, for each order, use only the "
        "reference with the highest score and its length, as in NLTK",
        choices=("pool", "best"),
        key="refs",
    )

    name: ClassVar[str] = "nist"
    title: ClassVar[str] = "NIST"
    summary: ClassVar[str] = "Information-weighted n-gram matches (bits) with a brevity penalty."
    formula: ClassVar[str] = (
        r"\mathrm{NIST} = \exp\left(-\beta \ln^2 \min\left(1, \tfrac{c}{\bar r}\right)\right) \cdot \sum_{n=1}^N "
        r"\frac{\sum_{\text{matching } w_1 \ldots w_n} \mathrm{Info}(w_1 \ldots w_n)}"
        r"{\sum_{w_1 \ldots w_n \text{ in the translation}} 1}, \quad "
        r"\mathrm{Info}(w_1 \ldots w_n) = \log_2 \frac{\#(w_1 \ldots w_{n-1})}{\#(w_1 \ldots w_n)}, \quad "
        r"\beta = \frac{\ln 2}{\ln^2 1.5}"
    )
    citation: ClassVar[str] = (
        "George Doddington: Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence "
        "Statistics. HLT 2002. As computed by mteval-v13a.pl and mteval-v14.pl."
    )
    not_for: ClassVar[str] = (
        "Comparing scores across test sets: the information weights, and hence the scale, depend on all "
        "references of the set. Small test sets, whose n-gram frequencies are poor estimates."
    )
    percent: ClassVar[bool] = False
    needs_fit: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # mteval-v13a.pl and mteval-v14.pl without options: case-insensitive in ASCII.
        "mteval-v13a": {"lowercase": "ascii", "zero_is_no_word": True},
        # mteval-v14.pl --international-tokenization.
        "mteval-v14-intl": {"lowercase": True, "tokenize": "intl-mteval", "zero_is_no_word": True},
        # nltk.translate.nist_score.corpus_nist: input is tokenized.
        "nltk": {"tokenize": "none", "multi_ref": "best"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "mteval-v13a": "mteval-v13a.pl and mteval-v14.pl without options",
        "mteval-v14-intl": "mteval-v14.pl --international-tokenization",
        "nltk": "NLTK 3.10, corpus_nist; an order without n-grams counts 0, where NLTK divides by zero",
    }

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return (
            "hyp_length",
            "ref_length",  # the mean over a segment's references, in units of 1 / LENGTH_UNITS
            *(f"info_{n}" for n in orders),  # of the matches, in units of 2^-24 bits
            *(f"rest_{n}" for n in orders),  # the remainder, in units of 2^-53 bits
            *(f"total_{n}" for n in orders),
        )

    def learn(self, parts: Iterable[References]) -> ReferenceNgrams:
        ngrams: ReferenceNgrams | None = None
        for part in parts:
            if ngrams is None:
                ngrams = ReferenceNgrams(**self.reading, max_order=self.max_order)
            ngrams.add(self.prepared_references(part))
        if ngrams is None:
            raise BadInput("no references to fit the metric on.")
        ngrams.finish()
        return ngrams

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        ngrams = self._learned
        assert isinstance(ngrams, ReferenceNgrams), "`statistics` fits the metric first"
        if self.multi_ref == "best" and len(references.columns) > 1:
            return self._count_best(hypotheses, references, ngrams, threads)
        rows = np.empty((len(hypotheses), len(self.columns)), np.int64)
        unknown = _core.count_nist(
            *self.prepared(hypotheses, references),
            ngrams,
            rows,
            **self.reading,
            zero_is_no_word=self.zero_is_no_word,
            threads=threads,
        )
        self._refuse_unknown(unknown)
        return rows

    def _count_best(
        self, hypotheses: Column, references: References, ngrams: ReferenceNgrams, threads: int
    ) -> NDArray[np.int64]:
        """For each order, the reference whose matches carry the most information (the longest, if tied), and the mean
        length of the selected references.
        """
        shape = len(references.columns), len(hypotheses)
        rows = np.empty((*shape, len(self.columns)), np.int64)
        told = np.empty((*shape, self.max_order), np.float64)
        unknown = _core.count_nist_by_reference(
            *self.prepared(hypotheses, references),
            ngrams,
            rows,
            told,
            **self.reading,
            zero_is_no_word=self.zero_is_no_word,
            compensated=sys.version_info >= (3, 12),  # as in NLTK, which uses sum()
            threads=threads,
        )
        self._refuse_unknown(unknown)
        for of_reference, column in zip(told, references.columns, strict=True):
            of_reference[column.absent_rows()] = -1
        wanted = self.columns.index("ref_length")
        segments = np.arange(len(hypotheses))
        best: NDArray[np.int64] = rows.max(axis=0)  # identical for all references present
        best[:, wanted] = 0
        for n in range(1, self.max_order + 1):
            most = told[..., n - 1] == told[..., n - 1].max(axis=0)
            taken = rows[np.where(most, rows[..., wanted], -1).argmax(axis=0), segments]
            parts = [self.columns.index(f"{part}_{n}") for part in ("info", "rest")]
            best[:, parts] = taken[:, parts]
            best[:, wanted] += taken[:, wanted]
        best[:, wanted] //= self.max_order
        return best

    def _refuse_unknown(self, segment: int | None) -> None:
        if segment is not None:
            raise BadSegment.at(
                "references: ",
                segment,
                f" has words that do not occur in the references {self.name} was fitted on. Fit it on all references "
                "of the test set.",
            )

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return self.brevity_penalty(statistics) * np.cumsum(self.information(statistics), axis=-1)[..., -1]

    def information(self, statistics: Statistics) -> Floats:
        """Information of matching n-grams, in bits per hypothesis n-gram, for orders 1 ... N."""
        whole = statistics.block("info") * 2.0**-_core.INFORMATION_BITS
        rest = statistics.block("rest") * 2.0**-_core.REST_BITS
        return np.asarray((whole + rest) / np.maximum(statistics.block("total"), 1.0))

    def brevity_penalty(self, statistics: Statistics) -> Floats:
        """1 for a hypothesis at least as long as its references on average, 1/2 at two thirds of that length."""
        length = statistics["hyp_length"].astype(np.float64)
        wanted = self._reference_length(statistics)
        ratio = np.divide(length, wanted, out=np.ones_like(wanted), where=wanted > length)
        return _core.exp(-_BETA * _core.log(ratio) ** 2)  # empty hypothesis: exp(-infinity) = 0

    # --- explaining -----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        information = self.information(totals)
        penalty = self.brevity_penalty(totals)
        length, wanted = totals["hyp_length"].item(), self._reference_length(totals).item()
        return {
            "information": information.tolist(),
            "totals": totals.block("total").astype(int).tolist(),
            "brevity_penalty": penalty.item(),
            "hyp_length": length,
            "ref_length": wanted,
            "length_ratio": length / wanted if wanted else 0.0,
            # NIST-1 ... NIST-N: cumulative (orders up to n) and individual (order n alone).
            "cumulative": (penalty * np.cumsum(information)).tolist(),
            "individual": (penalty * information).tolist(),
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            "/".join(f"{bits:.2f}" for bits in detail["information"])
            + f" (BP = {detail['brevity_penalty']:.3f} ratio = {detail['length_ratio']:.3f}"
            + f" hyp_len = {detail['hyp_length']} ref_len = {detail['ref_length']:g})"
        )

    def choices(self) -> dict[str, str]:
        choices = {**super().choices(), "zero": "none" if self.zero_is_no_word else "word"}
        return without(choices, "refs") if self.multi_ref == "pool" else choices

    def _reference_length(self, statistics: Statistics) -> Floats:
        return np.asarray(statistics["ref_length"] / _core.LENGTH_UNITS, dtype=np.float64)
