"""EED: character edit distance with jumps (Stanchev et al. 2019)."""

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

_COSTS = ("alpha", "rho", "deletion", "insertion", "substitution")


@dataclass(frozen=True, kw_only=True, repr=False)
class EED(Metric):
    """The extended edit distance, as computed by the authors' EED.py: the corpus score is the mean segment score.

    >>> score = EED().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f}")
    35.37
    >>> EED(rho=0.0).spec
    'eed:rho=0.0'
    """

    alpha: float = param(2.0, "cost of a jump; jumps are allowed at spaces of the reference")
    rho: float = param(0.3, "coverage cost of a character that is not visited exactly once")
    deletion: float = param(0.2, "cost of deleting a hypothesis character")
    insertion: float = param(1.0, "cost of inserting a reference character")
    substitution: float = param(1.0, "cost of substituting a character")
    language: str = param(
        Unchosen("en"),
        "preprocessing: en separates . ! ? and , from words; ja normalizes character forms; none leaves text "
        "unchanged",
        choices=("en", "ja", "none"),
    )
    lowercase: bool = param(False, "lowercase text first (Unicode)")
    arithmetic: str = param(
        "program",
        "program: single precision and the coverage bug of the authors' program; exact: as in the paper",
        choices=("program", "exact"),
        key="arith",
    )

    name: ClassVar[str] = "eed"
    title: ClassVar[str] = "EED"
    summary: ClassVar[str] = (
        "Character edit distance with jumps and a coverage penalty, per reference character."
    )
    formula: ClassVar[str] = (
        r"\mathrm{EED} = \min\left(\frac{(e + \alpha \cdot j) + \rho \cdot v}{|r| + \rho \cdot v}, 1\right)"
    )
    citation: ClassVar[str] = (
        "Peter Stanchev, Weiyue Wang, Hermann Ney: EED: Extended Edit Distance Measure for Machine Translation. WMT "
        "2019. As computed by EED.py and EED.cpp."
    )
    not_for: ClassVar[str] = (
        "Scripts without word boundaries: jumps are possible only at spaces of the reference. Hypotheses with "
        "surplus text: a surplus character costs a fifth of a missing one."
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
        for name in _COSTS:
            if not 0 <= getattr(self, name) < math.inf:
                raise BadParameter(f"{name}={getattr(self, name):g}: expected a number of at least 0.")

    def for_language(self, language: str) -> EED:
        # All other languages are preprocessed like English unless `language` is set.
        japanese = language_of(language).code == "ja" and isinstance(self.language, Unchosen)
        return replace(self, language="ja") if japanese else self

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        # Lengths are in characters as compared, with a space before and after each text.
        return (*average_columns("rate"), "hyp_characters", "ref_characters", "coverage")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(references.columns), len(hypotheses), len(self.columns)), np.int64)
        _core.count_eed(
            self._prepared(hypotheses),
            [self._prepared(column) for column in references.columns],
            rows,
            letter_case="lower" if self.lowercase else "keep",
            **{name: getattr(self, name) for name in _COSTS},
            as_program=self.arithmetic == "program",
            threads=threads,
        )
        return of_best_reference(self, rows, references)

    def _prepared(self, column: Column) -> Column:
        prepare = _PREPARE.get(self.language)
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
            f"(hyp_chars = {detail['hyp_characters']} ref_chars = {detail['ref_characters']} coverage errors = "
            f"{detail['coverage']})"
        )

    def choices(self) -> dict[str, str]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "lang": self.language,
            "costs": "/".join(all_digits(getattr(self, name)) for name in _COSTS),
            **without(super().choices(), "lowercase", "language", *_COSTS),
            **({"unicode": _core.UNICODE_VERSION} if self.lowercase else {}),
            **({"nfkc": unicodedata.unidata_version} if self.language == "ja" else {}),
        }


# --- what EED.py does to text before comparing it -----------------------------------------------------------------

# The full stop in the second pattern matches any character: "Mr Smith" becomes "Mr.mith", as in EED.py.
_ENGLISH = [
    (re.compile(r"\s+"), " "),
    (re.compile(r"(\d) ([.,]) (\d)"), r"\1\2\3"),
    (re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) ."), r"\1."),
]
_ENGLISH_MARKS = re.compile(r"[.!?,]")
_ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}


def _prepared_english(text: str) -> str:
    """English as EED.py compares it.

    >>> _prepared_english("No, 3.5 is more than 3. 4!")
    'No , 3 .5 is more than 3.4 !'
    """
    text = _ENGLISH_MARKS.sub(r" \g<0>", text.rstrip())
    for pattern, replacement in _ENGLISH:
        text = pattern.sub(replacement, text)
    for spaced, whole in _ABBREVIATIONS.items():
        text = text.replace(spaced, whole)
    return text


def _prepared_japanese(text: str) -> str:
    """Japanese as EED.py compares it.

    >>> _prepared_japanese("ＡＢＣ ｶﾞ")
    'ABC ガ'
    """
    return unicodedata.normalize("NFKC", text.rstrip())


_PREPARE: dict[str, Callable[[str], str]] = {"en": _prepared_english, "ja": _prepared_japanese}
