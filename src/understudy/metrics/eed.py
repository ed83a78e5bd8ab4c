"""EED: the edit distance between characters, extended by jumps to other phrases (Stanchev et al. 2019)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.averages import average_columns, mean_of
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Unchosen, all_digits, param, without
from understudy.metrics.base.statistics import Statistics
from understudy.text.languages import language_of

COSTS = ("alpha", "rho", "deletion", "insertion", "substitution")


@dataclass(frozen=True, kw_only=True, repr=False)
class EED(Metric):
    """The extended edit distance, as the authors' EED.py computes it: a corpus score is the mean of the segments'.

    >>> score = EED().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f}")
    35.37
    >>> EED(rho=0.0).spec
    'eed:rho=0.0'
    """

    alpha: float = param(2.0, "what a jump costs, which is possible where the reference has a space")
    rho: float = param(0.3, "what a character costs that is not visited just once")
    deletion: float = param(0.2, "what a character of the translation costs that the reference lacks")
    insertion: float = param(1.0, "what a character of the reference costs that the translation lacks")
    substitution: float = param(1.0, "what one character in the place of another costs")
    language: str = param(
        Unchosen("en"),
        "how text is prepared: en sets . ! ? and , apart, ja unifies forms of characters, none leaves it as it is",
        choices=("en", "ja", "none"),
    )
    lowercase: bool = param(False, "fold case first, as Unicode does")
    arithmetic: str = param(
        "program",
        "single precision and the slip of the authors' program in what counts as visited; or exact, as in the paper",
        choices=("program", "exact"),
        key="arith",
    )

    name: ClassVar[str] = "eed"
    title: ClassVar[str] = "EED"
    summary: ClassVar[str] = (
        "The characters to substitute, delete and insert, and the jumps between phrases, that make a translation its "
        "reference, with a penalty for what is read twice or not at all, per character of the reference."
    )
    formula: ClassVar[str] = (
        r"\mathrm{EED} = \min\left(\frac{(e + \alpha \cdot j) + \rho \cdot v}{|r| + \rho \cdot v}, 1\right)"
    )
    citation: ClassVar[str] = (
        "Peter Stanchev, Weiyue Wang, Hermann Ney: EED: Extended Edit Distance Measure for Machine Translation. WMT "
        "2019. As computed by EED.py and EED.cpp."
    )
    not_for: ClassVar[str] = (
        "Languages written without spaces: only where the reference has one can a phrase be jumped to. Judging "
        "surplus text: a character too many costs a fifth of one that is missing."
    )
    higher_is_better: ClassVar[bool | None] = False
    best_reference: ClassVar[bool] = True
    counts_single_references: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "eed.py": {},
        # In double precision, and with the true minimum of a row.
        "paper": {"arithmetic": "exact"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "eed.py": "EED.py",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in COSTS:
            if not 0 <= getattr(self, name) < math.inf:
                raise BadParameter(f"{name}={getattr(self, name):g}: expected a number from 0.")

    def for_language(self, language: str) -> EED:
        # For all others text is prepared as English is, unless someone says otherwise.
        japanese = language_of(language).code == "ja" and isinstance(self.language, Unchosen)
        return replace(self, language="ja") if japanese else self

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        # Characters are those compared, with a space before and after each text.
        return (*average_columns("rate"), "hyp_characters", "ref_characters", "coverage")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(references.columns), len(hypotheses), len(self.columns)), np.int64)
        _core.count_eed(
            self._prepared(hypotheses),
            [self._prepared(column) for column in references.columns],
            rows,
            letter_case="lower" if self.lowercase else "keep",
            **{name: getattr(self, name) for name in COSTS},
            as_program=self.arithmetic == "program",
            threads=threads,
        )
        return of_best_reference(self, rows, references)

    def _prepared(self, column: Column) -> Column:
        prepare = PREPARE.get(self.language)
        if prepare is None:
            return column
        texts = (column[row] for row in range(len(column)))
        return Column.from_strings([None if text is None else prepare(text) for text in texts])

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        return 100 * mean_of(statistics, "rate")

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {name: totals[name].item() for name in ("hyp_characters", "ref_characters", "coverage")}

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            f"(hyp_chars = {detail['hyp_characters']} ref_chars = {detail['ref_characters']}, "
            f"{detail['coverage']} visits too many or missing)"
        )

    def choices(self) -> dict[str, str]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "lang": self.language,
            "costs": "/".join(all_digits(getattr(self, name)) for name in COSTS),
            **without(super().choices(), "lowercase", "language", *COSTS),
            **({"unicode": _core.UNICODE_VERSION} if self.lowercase else {}),
            **({"nfkc": unicodedata.unidata_version} if self.language == "ja" else {}),
        }


# --- what EED.py does to text before comparing it -----------------------------------------------------------------

# The full stop in the second one stands for any character: "Mr Smith" becomes "Mr.mith", in EED.py as here.
_ENGLISH = [
    (re.compile(r"\s+"), " "),
    (re.compile(r"(\d) ([.,]) (\d)"), r"\1\2\3"),
    (re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) ."), r"\1."),
]
_ENGLISH_MARKS = re.compile(r"[.!?,]")
_ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}


def prepared_english(text: str) -> str:
    """English as EED.py compares it.

    >>> prepared_english("No, 3.5 is more than 3. 4!")
    'No , 3 .5 is more than 3.4 !'
    """
    text = _ENGLISH_MARKS.sub(r" \g<0>", text.rstrip())
    for pattern, replacement in _ENGLISH:
        text = pattern.sub(replacement, text)
    for spaced, whole in _ABBREVIATIONS.items():
        text = text.replace(spaced, whole)
    return text


def prepared_japanese(text: str) -> str:
    """Japanese as EED.py compares it.

    >>> prepared_japanese("ＡＢＣ ｶﾞ")
    'ABC ガ'
    """
    return unicodedata.normalize("NFKC", text.rstrip())


PREPARE: dict[str, Callable[[str], str]] = {"en": prepared_english, "ja": prepared_japanese}
