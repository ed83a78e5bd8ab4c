"""ROUGE: n-gram, longest-common-subsequence or skip-bigram overlap with a reference (Lin 2004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from understudy.metrics.base.parameters import Unchosen, all_digits, param, without
from understudy.metrics.base.ratios import ratio_or_zero
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.unsplit_text import Reader
from understudy.metrics.base.words import LETTER_CASES, WordMetric
from understudy.text.tokenizers import Tokenizer, tokenizer

MEASURES = ("f1", "precision", "recall")
KINDS = (*map(str, range(1, 10)), "L", "Lsum", "W", "S", "SU")
_NEWLINE = "newline"
_ANY_SKIP = -1
_WEIGHT = 1.2  # the default of ROUGE-1.5.5
_MOST_WEIGHT = 10  # a million words to this power is still finite


@dataclass(frozen=True, kw_only=True, repr=False)
class ROUGE(WordMetric):
    """ROUGE-1 to ROUGE-9, ROUGE-L, ROUGE-Lsum, ROUGE-W, ROUGE-S and ROUGE-SU. The defaults are those of rouge-score
    on PyPI and, for variants it lacks, those of Lin (2004).

    >>> score = ROUGE(kind="1").corpus(["the cat sat on the mat"], ["a cat was on the mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    66.67 (P = 66.7 R = 66.7: means of segments)
    >>> ROUGE(kind="2", use_stemmer=True).spec, ROUGE(kind="Lsum").label, ROUGE(kind="SU", max_skip=4).label
    ('rouge:kind=2,use_stemmer=true', 'ROUGE-Lsum', 'ROUGE-SU4')
    """

    kind: str = param(
        "L",
        "variant: 1 to 9 (n-grams), L (longest common subsequence), Lsum (union LCS over sentences), W (weighted "
        "LCS, favoring runs), S (skip-bigrams), SU (skip-bigrams and unigrams)",
        choices=KINDS,
    )
    measure: str = param("f1", "measure reported as the score", choices=MEASURES)
    use_stemmer: bool = param(False, "compare English stems (NLTK's Porter stemmer)")
    multi_ref: str = param(
        "max",
        "multiple references: the one with the highest F1, as in rouge-score; or counts pooled over all, as in "
        "ROUGE-1.5.5",
        choices=("max", "pool"),
        key="refs",
    )
    separator: str = param(
        _NEWLINE,
        "Lsum: sentence separator, `newline` or any string, such as `<n>` or `\\\\n`",
        key="sep",
    )
    weight: float = param(_WEIGHT, "W: exponent of run lengths (`-w` of ROUGE-1.5.5)")
    max_skip: int = param(
        _ANY_SKIP,
        "S and SU: maximum skip distance in words (`-2` of ROUGE-1.5.5); -1 for no limit",
        between=(_ANY_SKIP, 2**31),
    )
    rules: str = param(
        "lin2004",
        "W and SU: Lin's definition; or that of ROUGE-1.5.5, where runs are consecutive in the reference only and "
        "its length is weighted twice (W), and the last word does not count as a unigram (SU)",
        choices=("lin2004", "rouge-1.5.5"),
    )
    tokenize: str = param(
        Unchosen("rouge"),
        "tokenizer, see `understudy tokenizers`; `rouge` drops non-Latin scripts",
    )

    name: ClassVar[str] = "rouge"
    title: ClassVar[str] = "ROUGE"
    summary: ClassVar[str] = (
        "N-gram or longest-common-subsequence overlap: mean segment F1, precision or recall."
    )
    formula: ClassVar[str] = (
        r"R = \frac{\text{common}}{\text{in the reference}}, \quad P = \frac{\text{common}}{\text{in the text}}, "
        r"\quad F_1 = \frac{2 P R}{P + R}; \quad \text{for W, of lengths } m \text{ and } n: "
        r"R = \left(\frac{\mathrm{WLCS}}{m^w}\right)^{1/w}, \quad "
        r"P = \left(\frac{\mathrm{WLCS}}{n^w}\right)^{1/w}"
    )
    citation: ClassVar[str] = (
        "Chin-Yew Lin: ROUGE: A Package for Automatic Evaluation of Summaries. Text Summarization Branches Out 2004. "
        "As computed by rouge-score 0.1.2 and, with multi_ref=pool, by ROUGE-1.5.5."
    )
    not_for: ClassVar[str] = (
        "Non-Latin scripts with the default tokenizer, which drops them: set tokenize. Translation, where it is "
        "no better than BLEU or chrF; it was designed for summaries."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "rouge1": {"kind": "1"},
        "rouge2": {"kind": "2"},
        "rouge3": {"kind": "3"},
        "rouge4": {"kind": "4"},
        "rougel": {},
        "rougelsum": {"kind": "Lsum"},
        "rougew": {"kind": "W"},
        "rouges": {"kind": "S"},
        "rouges4": {"kind": "S", "max_skip": 4},
        "rouges9": {"kind": "S", "max_skip": 9},
        "rougesu": {"kind": "SU"},
        "rougesu4": {"kind": "SU", "max_skip": 4},
        "rougesu9": {"kind": "SU", "max_skip": 9},
        # ROUGE-1.5.5.pl, kind L unless set otherwise: without stemming, and not rounded to five decimal places.
        "rouge-1.5.5": {"multi_ref": "pool", "rules": "rouge-1.5.5"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        **{
            f"rouge{kind}": f"rouge-score 0.1.2, rouge{kind.upper().replace('SUM', 'sum')}"
            for kind in ("1", "2", "3", "4", "l", "lsum")
        },
        "rouge-1.5.5": "ROUGE-1.5.5.pl without stemming: kind=1 to 9, L, W (-w 1.2), S, SU; rounded to five decimals",
    }
    # Common spellings: rougeL, ROUGE-L, ROUGE-SU4, rougeSU*, ROUGE-W-1.2.
    aliases: ClassVar[Mapping[str, str]] = {
        **{name: name for name in presets if name != "rouge-1.5.5"},
        **{f"rouge-{name.removeprefix('rouge')}": name for name in presets if name != "rouge-1.5.5"},
        **{f"rouge{dash}{kind}*": f"rouge{kind}" for dash in ("", "-") for kind in ("s", "su")},
        "rouge-w-1.2": "rougew",
    }
    best_reference: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if isinstance(self.kind, int):  # ROUGE(kind=1) is unambiguous
            object.__setattr__(self, "kind", str(self.kind))
        super().__post_init__()
        if self.use_stemmer and self.tokenize != "rouge":
            raise BadParameter(
                f"use_stemmer=true, tokenize={self.tokenize}: stemming is available only with tokenize=rouge."
            )
        if not self.separator:
            raise BadParameter("separator is empty: expected 'newline' or a string.")
        if self.weight != _WEIGHT and self.kind != "W":
            raise BadParameter(f"weight={self.weight:g}: only available with kind=W, got kind={self.kind}.")
        if self.max_skip != _ANY_SKIP and self.kind not in ("S", "SU"):
            raise BadParameter(
                f"max_skip={self.max_skip}: only available with kind=S and kind=SU, got kind={self.kind}."
            )
        if not 1 <= self.weight <= _MOST_WEIGHT:
            raise BadParameter(f"weight={self.weight:g}: expected a number from 1 to {_MOST_WEIGHT}.")

    @property
    def label(self) -> str:
        """ROUGE-1, ROUGE-L, ROUGE-W-1.2, ROUGE-SU4, ..."""
        return f"{self.title}-{self.kind}{self._degree}"

    @property
    def _degree(self) -> str:
        if self.kind == "W":
            return f"-{all_digits(self.weight)}"
        if self.kind in ("S", "SU"):
            return "*" if self.max_skip == _ANY_SKIP else str(self.max_skip)
        return ""

    @property
    def if_too_long(self) -> str:
        return ", or set max_skip" if self.kind in ("S", "SU") and self.max_skip == _ANY_SKIP else ""

    @property
    def full_marks(self) -> bool:
        return self.multi_ref == "max" and (self.rules == "lin2004" or self.kind not in ("W", "SU"))

    @property
    def sees_no(self) -> frozenset[str]:
        return frozenset({"order"}) if self.kind == "1" else frozenset()

    def tokenizer(self) -> Tokenizer:
        return tokenizer("rouge-porter") if self.use_stemmer else super().tokenizer()

    @property
    def undecided_reader(self) -> Reader | None:
        return None if self.use_stemmer else super().undecided_reader  # stemming requires its own tokenizer

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return average_columns(*MEASURES)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        common, in_text, in_reference = self._counts(hypotheses, references, threads).astype(np.float64)
        if self.multi_ref == "pool":
            return averaged(self._measures(*(part.sum(axis=0) for part in (common, in_text, in_reference))))
        measures = self._measures(common, in_text, in_reference)
        best = best_of(measures[0], references), np.arange(len(hypotheses))  # by F1
        return averaged([measure[best] for measure in measures])

    def _measures(
        self, common: Floats, in_text: Floats, in_reference: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """F1, precision and recall; 0 if the denominator is 0."""
        precision = ratio_or_zero(common, in_text)
        recall = ratio_or_zero(common, in_reference)
        if self.kind == "W":
            precision, recall = (_core.power(part, 1 / self.weight) for part in (precision, recall))
        # The order of operations is rouge-score's; it affects the last digit.
        return ratio_or_zero(2 * precision * recall, precision + recall), precision, recall

    def _counts(self, hypotheses: Column, references: References, threads: int) -> NDArray[Any]:
        """The counts of matches, of the hypothesis and of the reference [3, references, segments]."""
        prepared, columns = self.prepared(hypotheses, references)
        shape = (len(columns), len(hypotheses), 3)
        if self.kind == "W":
            return self._weighted(prepared, columns, shape, threads)
        if self.kind in ("S", "SU"):
            rows = np.empty(shape, np.int64)
            last_word = "all" if self.rules == "lin2004" else "all-but-last"
            _core.count_skip_bigrams(
                prepared,
                columns,
                rows,
                max_skip=2**32 if self.max_skip == _ANY_SKIP else self.max_skip,
                single_words=last_word if self.kind == "SU" else "none",
                **self.reading,
                threads=threads,
            )
            return np.moveaxis(rows, -1, 0)
        if self.kind.isdigit():
            order = int(self.kind)
            rows = np.empty((len(columns), len(hypotheses), 2 + order), np.int64)
            _core.count_ngrams_by_reference(
                prepared, columns, rows, **self.reading, max_order=order, threads=threads
            )
            lengths = np.maximum(rows[..., :2] - (order - 1), 0)
            return np.stack([rows[..., -1], lengths[..., 0], lengths[..., 1]])
        rows = np.empty(shape, np.int64)
        _core.count_lcs(
            prepared,
            columns,
            rows,
            separator=self._sentence_end if self.kind == "Lsum" else "",
            **self.reading,
            threads=threads,
        )
        return np.moveaxis(rows, -1, 0)

    def _weighted(
        self, hypotheses: Column, references: Sequence[Column], shape: tuple[int, int, int], threads: int
    ) -> Floats:
        """The same for weighted LCS, where runs of words and text lengths are weighted."""
        rows = np.empty(shape, np.float64)
        as_program = self.rules == "rouge-1.5.5"
        _core.count_weighted_lcs(
            hypotheses,
            references,
            rows,
            weight=self.weight,
            runs_of_reference=as_program,
            **self.reading,
            threads=threads,
        )
        common, length, reference_length = np.ascontiguousarray(np.moveaxis(rows, -1, 0))
        in_reference = _core.power(reference_length, self.weight)
        if as_program:
            in_reference = _core.power(in_reference, self.weight)
        return np.stack([common, _core.power(length, self.weight), in_reference])

    @property
    def _sentence_end(self) -> str:
        return "\n" if self.separator == _NEWLINE else self.separator

    def prepared_text(self, column: Column) -> Column:
        """For Lsum, tokenizers outside the core get the text sentence by sentence."""
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
        without_effect = [
            *([] if self.kind == "Lsum" else ["sep"]),
            *([] if self.kind in ("W", "SU") else ["rules"]),
        ]
        # The tokens' entry says if they are stems, that of the kind how runs weigh and what is skipped.
        own = without(super().choices(), "use_stemmer", "weight", "max_skip", *without_effect)
        return {**own, "kind": f"{self.kind}{self._degree}"}
