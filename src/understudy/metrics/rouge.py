"""ROUGE: how much of a reference a text recalls, by n-grams or by longest common subsequences (Lin 2004)."""

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
from understudy.metrics.averages import average_columns, averaged, mean_of
from understudy.metrics.best_reference import best_of
from understudy.metrics.parameters import Unchosen, param
from understudy.metrics.shares import share
from understudy.metrics.statistics import Statistics
from understudy.metrics.unsplit_text import Reader
from understudy.metrics.words import LETTER_CASES, WordMetric
from understudy.text.tokenizers import Tokenizer, tokenizer

Floats = NDArray[np.float64]

MEASURES = ("f1", "precision", "recall")
KINDS = (*map(str, range(1, 10)), "L", "Lsum")
NEWLINE = "newline"


@dataclass(frozen=True, kw_only=True, repr=False)
class ROUGE(WordMetric):
    """ROUGE-1 to ROUGE-9, ROUGE-L and ROUGE-Lsum. The defaults are those of PyPI's rouge-score.

    >>> score = ROUGE(kind="1").corpus(["the cat sat on the mat"], ["a cat was on the mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    66.67 (P = 66.7 R = 66.7: means of segments)
    >>> ROUGE(kind="2", use_stemmer=True).spec, ROUGE(kind="Lsum").label
    ('rouge:kind=2,use_stemmer=true', 'ROUGE-Lsum')
    """

    kind: str = param(
        "L",
        "what is shared: n-grams of that length; a longest common subsequence of words; or one for every pair of "
        "sentences",
        choices=KINDS,
    )
    measure: str = param("f1", "which of the three is the score", choices=MEASURES)
    use_stemmer: bool = param(False, "compare the stems of English words (Porter's, as NLTK has it)")
    multi_ref: str = param(
        "max",
        "of several references: the one with the highest F1, as rouge-score has it; or the sums of all, as in "
        "ROUGE-1.5.5",
        choices=("max", "pool"),
    )
    separator: str = param(
        NEWLINE,
        "what stands between the sentences of a text, for Lsum: `newline`, or any text, such as `<n>` or `\\\\n`",
    )
    tokenize: str = param(
        Unchosen("rouge"),
        "the tokenizer, see `understudy tokenizers`; `rouge` drops all scripts but the Latin",
    )

    name: ClassVar[str] = "rouge"
    title: ClassVar[str] = "ROUGE"
    summary: ClassVar[str] = (
        "What a text and its reference have in common, n-grams or a longest common subsequence of words, as a part of "
        "either: the mean over segments of F1, precision or recall."
    )
    formula: ClassVar[str] = (
        r"R = \frac{\text{common}}{\text{in the reference}}, \quad P = \frac{\text{common}}{\text{in the text}}, "
        r"\quad F_1 = \frac{2 P R}{P + R}"
    )
    citation: ClassVar[str] = (
        "Chin-Yew Lin: ROUGE: A Package for Automatic Evaluation of Summaries. Text Summarization Branches Out 2004. "
        "As computed by rouge-score 0.1.2 and, with multi_ref=pool, by ROUGE-1.5.5."
    )
    not_for: ClassVar[str] = (
        "Other scripts than the Latin with its own tokenizer, which drops them: set tokenize. Translations, where it "
        "is no better than BLEU or chrF; it was made for summaries."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "rouge1": {"kind": "1"},
        "rouge2": {"kind": "2"},
        "rouge3": {"kind": "3"},
        "rouge4": {"kind": "4"},
        "rougel": {},
        "rougelsum": {"kind": "Lsum"},
    }
    aliases: ClassVar[Mapping[str, str]] = {
        **{name: name for name in presets},
        **{f"rouge-{name.removeprefix('rouge')}": name for name in presets},
    }
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if isinstance(self.kind, int):  # ROUGE(kind=1) can only mean one thing
            object.__setattr__(self, "kind", str(self.kind))
        super().__post_init__()
        if self.use_stemmer and self.tokenize != "rouge":
            raise BadParameter(
                f"use_stemmer=true, tokenize={self.tokenize}: only words of the tokenizer 'rouge' are stemmed."
            )
        if not self.separator:
            raise BadParameter("separator is empty: expected 'newline' or some text.")

    @property
    def label(self) -> str:
        """ROUGE-1, ROUGE-L, ..."""
        return f"{self.title}-{self.kind}"

    @property
    def sees_no(self) -> frozenset[str]:
        return frozenset({"order"}) if self.kind == "1" else frozenset()

    def tokenizer(self) -> Tokenizer:
        return tokenizer("rouge-porter") if self.use_stemmer else super().tokenizer()

    @property
    def undecided_reader(self) -> Reader | None:
        return None if self.use_stemmer else super().undecided_reader  # which only its tokenizer can do

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return average_columns(*MEASURES)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        common, in_text, in_reference = self._counts(hypotheses, references, threads).astype(np.float64)
        if self.multi_ref == "pool":
            return averaged(_measures(*(part.sum(axis=0) for part in (common, in_text, in_reference))))
        measures = _measures(common, in_text, in_reference)
        best = best_of(measures[0], references), np.arange(len(hypotheses))  # by F1
        return averaged([measure[best] for measure in measures])

    def _counts(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        """What is common, in the hypothesis and in the reference [3, references, segments]."""
        prepared, columns = self.prepared(hypotheses, references)
        if self.kind.isdigit():
            order = int(self.kind)
            rows = np.empty((len(columns), len(hypotheses), 2 + order), np.int64)
            _core.count_ngrams_by_reference(
                prepared, columns, rows, **self.reading, max_order=order, threads=threads
            )
            lengths = np.maximum(rows[..., :2] - (order - 1), 0)
            return np.stack([rows[..., -1], lengths[..., 0], lengths[..., 1]])
        rows = np.empty((len(columns), len(hypotheses), 3), np.int64)
        _core.count_lcs(
            prepared,
            columns,
            rows,
            separator=self._sentence_end if self.kind == "Lsum" else "",
            **self.reading,
            threads=threads,
        )
        return np.moveaxis(rows, -1, 0)

    @property
    def _sentence_end(self) -> str:
        return "\n" if self.separator == NEWLINE else self.separator

    def prepared_text(self, column: Column) -> Column:
        """Tokenizers that are no part of the core are given sentence by sentence what is compared so."""
        segmenter = self.tokenizer().segmenter
        if self.kind != "Lsum" or segmenter is None:
            return super().prepared_text(column)
        end = self._sentence_end
        lowered = column.lowered(LETTER_CASES[self.lowercase])
        return Column.from_strings(
            None if text is None else end.join(map(segmenter, text.split(end)))
            for text in (lowered[row] for row in range(len(lowered)))
        )

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return 100 * mean_of(statistics, self.measure)

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        means = {measure: 100 * mean_of(totals, measure).item() for measure in MEASURES}
        return {**means, "segments": totals["segments"].item()}

    def explain(self, detail: Mapping[str, Any]) -> str:
        shown = {"F": "f1", "P": "precision", "R": "recall"}
        others = " ".join(
            f"{letter} = {detail[measure]:.1f}"
            for letter, measure in shown.items()
            if measure != self.measure
        )
        return f"({others}: means of segments)"

    def choices(self) -> dict[str, str]:
        return {
            **super().choices(),
            "kind": self.kind,
            "measure": self.measure,
            "refs": self.multi_ref,
            **({"sep": repr(self.separator)[1:-1]} if self.kind == "Lsum" else {}),
        }


def _measures(common: Floats, in_text: Floats, in_reference: Floats) -> tuple[Floats, Floats, Floats]:
    """F1, precision and recall; 0 of nothing."""
    precision = common / np.maximum(in_text, 1.0)
    recall = common / np.maximum(in_reference, 1.0)
    # In this order of operations, which decides the last digit and is rouge-score's.
    return share(2 * precision * recall, precision + recall), precision, recall
