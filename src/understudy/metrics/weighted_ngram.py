"""The weighted n-gram model: n-gram matches weighted by word salience (Babych and Hartley 2004)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column, DocumentWords
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadInput, BadParameter, BadSegment
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.parameters import ORDERS, param
from understudy.metrics.base.ratios import ratio_or_zero
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric

# Far above any salience. The sums can hold about 2^33 / _LARGEST_WEIGHT n-grams of this weight.
_LARGEST_WEIGHT = 1000

_MEASURES = ("f1", "precision", "recall")


@dataclass(frozen=True, kw_only=True, repr=False)
class WeightedNgram(WordMetric):
    """The weighted n-gram model. Word salience is estimated from all references of the test set.

    >>> references = ["the minister resigned on Monday", "the weather on Monday was mild", "the dog slept"]
    >>> hypotheses = ["the minister resigned", "the weather was mild", "the cat slept"]
    >>> score = WeightedNgram().corpus(hypotheses, references)
    >>> print(f"{score.value:.2f} {score.explanation}")
    46.28 (P = 63.1 R = 36.5)

    With document labels, salience is computed per document:

    >>> score = WeightedNgram().corpus(hypotheses, references, documents=["news", "news", "novel"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    46.67 (P = 63.6 R = 36.8)
    """

    max_order: int = param(4, "maximum n-gram order, N", between=ORDERS, key="order")
    salience: str = param(
        "s-score", "salience measure: the authors' S-score, or tf.idf", choices=("s-score", "tf.idf")
    )
    threshold: float = param(1.0, "a word's weight is its salience if the salience exceeds this threshold")
    below: float = param(1.0, "weight of all other words, including words not in the references")
    measure: str = param(
        "f1",
        "measure reported as the score; in the paper, F1 correlates with fluency and recall with adequacy",
        choices=_MEASURES,
    )
    documents: str = param(
        "given",
        "unit for salience: documents if they are known, otherwise (or with `segment`) segments",
        choices=("given", "segment"),
        key="docs",
    )

    name: ClassVar[str] = "weighted-ngram"
    title: ClassVar[str] = "WNM"
    summary: ClassVar[str] = "N-gram overlap, each match weighted by the salience of its last word."
    formula: ClassVar[str] = (
        r"P = \frac{\sum_{w_1 \ldots w_n \text{ matching}} W(w_n)}{\sum_{w_1 \ldots w_n \text{ in the translation}} "
        r"W(w_n)}, \quad R = \frac{\sum_{w_1 \ldots w_n \text{ matching}} W(w_n)}"
        r"{\sum_{w_1 \ldots w_n \text{ in the reference}} W(w_n)}, \quad F = \frac{2 P R}{P + R}, \quad "
        r"S(w) = \ln \frac{\left(p_\text{here}(w) - p_\text{elsewhere}(w)\right) \cdot (N - N_w) / N}"
        r"{p_\text{everywhere}(w)}"
    )
    citation: ClassVar[str] = (
        "Bogdan Babych, Anthony Hartley: Extending the BLEU MT Evaluation Method with Frequency Weightings. ACL "
        "2004. Where the paper is not specific, as computed by the authors' program WNM 01-1."
    )
    not_for: ClassVar[str] = (
        "Comparing scores across test sets: word weights depend on all references of the set. Small test sets, "
        "where almost every word appears salient. Comparing scores with and without documents."
    )
    needs_fit: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # The authors' program: words without a salience score, and words not in the reference, have weight 0. Input is
        # tokenized, without punctuation.
        "wnm": {"lowercase": "ascii", "tokenize": "none", "threshold": 0.0, "below": 0.0},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "wnm": "wnm-01-1.pl, except that words with a negative weight count as 0",
    }
    aliases: ClassVar[Mapping[str, str]] = {"wnm": "wnm"}
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("threshold", "below"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise BadParameter(f"{name}={value:g}: expected a number of at least 0.")
        if self.below > _LARGEST_WEIGHT:
            raise BadParameter(
                f"below={self.below:g}: expected a number from 0 to {_LARGEST_WEIGHT}. Larger weights would "
                "overflow the integer sums and outweigh all salient words."
            )

    @property
    def reads_documents(self) -> bool:
        return self.documents == "given"

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matching", "hyp_weight", "ref_weight")  # in units of 2^-30

    def learn(self, parts: Iterable[References]) -> DocumentWords:
        documents: DocumentWords | None = None
        for part in parts:
            names = self._names(part)
            if documents is None:
                documents = DocumentWords(**self.reading, named=names is not None)
            elif documents.named != (names is not None):
                raise BadInput(
                    "some parts of the references have document labels, others do not. Give documents for all parts "
                    "or for none."
                )
            documents.add(self.prepared_references(part), names)
        if documents is None:
            raise BadInput("no references to fit the metric on.")
        return documents

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        documents = self._learned
        assert isinstance(documents, DocumentWords), "`statistics` fits the metric first"
        names = self._names(references)
        self._refuse_other_kind(documents, names)
        prepared, columns = self.prepared(hypotheses, references)
        rows = np.empty((len(columns), len(hypotheses), len(self.columns)), np.int64)
        unknown = _core.count_weighted_ngrams(
            prepared,
            columns,
            names,
            documents,
            rows,
            salience=self.salience,
            threshold=self.threshold,
            below=self.below,
            max_order=self.max_order,
            **self.reading,
            threads=threads,
        )
        if unknown is not None:
            where = "" if names is None else f" in document '{names[unknown]}'"
            raise BadSegment.at(
                "references: ",
                unknown,
                f" has words that do not occur{where} in the references {self.name} was fitted on. Fit it on all "
                "references of the test set.",
            )
        return of_best_reference(self, rows, references)

    def _names(self, references: References) -> Column | None:
        """The document names of all segments, if documents are used."""
        return references.documents if self.reads_documents else None

    def _refuse_other_kind(self, documents: DocumentWords, names: Column | None) -> None:
        if documents.named and names is None:
            raise BadInput(
                f"{self.name} was fitted with documents, but these segments have no document labels. Give "
                "documents, one name per segment."
            )
        if names is not None and not documents.named:
            raise BadInput(
                f"{self.name} was fitted on references without documents. Fit it with documents, or omit them "
                "here."
            )

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return 100 * self._measures(statistics)[self.measure]

    @staticmethod
    def _measures(statistics: Statistics) -> dict[str, Floats]:
        matching, in_hypothesis, in_reference = (
            statistics.array[..., i].astype(np.float64) for i in range(3)
        )
        precision = ratio_or_zero(matching, in_hypothesis)
        recall = ratio_or_zero(matching, in_reference)
        return {
            "f1": ratio_or_zero(2 * precision * recall, precision + recall),
            "precision": precision,
            "recall": recall,
        }

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {
            **{name: 100 * value.item() for name, value in self._measures(totals).items()},
            **{name: totals[name].item() * 2.0**-_core.WEIGHT_BITS for name in self.columns},
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        shown = {"F": "f1", "P": "precision", "R": "recall"}
        others = (f"{letter} = {detail[name]:.1f}" for letter, name in shown.items() if name != self.measure)
        return f"({' '.join(others)})"

    def choices(self) -> dict[str, str]:
        return {**super().choices(), "docs": "segment"}  # unless documents are given: see `Metric.of_input`
