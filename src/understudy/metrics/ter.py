"""TER, translation edit rate: word edits and phrase shifts to the closest reference (Snover et al. 2006)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base.error_rate import edit_rate
from understudy.metrics.base.parameters import LIMITS, Unchosen, param, without
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.unsplit_text import Reader
from understudy.metrics.base.words import LETTER_CASES, WordMetric
from understudy.text.tokenizers import KINDS, Tokenizer

_FOR_TERCOM = ("normalized", "asian_support", "no_punct", "references_twice")
TERCOM = ("tercom", "tercom-java", "tercom-sacrebleu")


class Tercom(TypedDict):
    """Options of Tercom's tokenizer in the core."""

    normalized: bool
    asian: bool
    no_punct: bool
    as_sacrebleu: bool
    as_java: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class TER(WordMetric):
    """TER. The defaults are Tercom's, with sacreBLEU's beam and definition of whitespace. `TER.preset("tercom")` is
    identical to Tercom edit by edit, `TER.preset("sacrebleu")` to sacreBLEU, including its bugs.

    >>> score = TER().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f}", score.detail["shifts"])
    16.67 1
    >>> TER(normalized=True, lowercase=False).spec
    'ter:lowercase=false,normalized=true'
    """

    lowercase: bool | Literal["ascii"] = param(
        True,
        "lowercase text first: all of Unicode (true) or A to Z only (ascii)",
        choices=(True, False, "ascii"),
    )
    tokenize: str = param(
        Unchosen("tercom"),
        "Tercom's tokenizer; tercom-java, exactly as in Java, where a no-break space is a letter; "
        "tercom-sacrebleu, with sacreBLEU's bugs; or a tokenizer of `understudy tokenizers`",
    )
    normalized: bool = param(
        False, "Tercom's tokenizer separates punctuation; otherwise it splits at whitespace only"
    )
    asian_support: bool = param(
        False,
        "Tercom's tokenizer splits Chinese and Japanese characters, and no_punct also drops their punctuation",
    )
    no_punct: bool = param(False, "Tercom's tokenizer drops . , ? : ; ! \" ( and )")
    references_twice: bool = param(False, "tokenize references twice, a bug in sacreBLEU")
    max_shift_size: int = param(
        10, "maximum length of a shifted phrase in words; 0 disables shifts", between=LIMITS
    )
    max_shift_distance: int = param(50, "maximum shift distance in words", between=LIMITS)
    shifts: str = param(
        "tercom",
        "shift rules: tercom; or sacrebleu, which measures distances to a reference position, not to the aligned "
        "hypothesis position, and shifts a phrase into itself one word too far",
        choices=("tercom", "sacrebleu"),
    )
    beam: int = param(
        25,
        "beam width, in the unit of beam_of; 0 for no limit",
        between=LIMITS,
    )
    beam_of: str = param(
        "places",
        "unit of the beam: places, words off the diagonal, as in sacreBLEU; or costs, edits above the cheapest so "
        "far, as in Tercom",
        choices=("places", "costs"),
    )
    max_candidates: int = param(
        0, "maximum number of shift candidates per pair of texts; 0 for no limit", between=LIMITS
    )
    at_limit: str = param(
        "keep",
        "when max_candidates is reached: apply the best shift found, or discard it as sacreBLEU does",
        choices=("keep", "discard"),
    )

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    summary: ClassVar[str] = (
        "Word edits and phrase shifts to the closest reference, per word of mean reference length."
    )
    formula: ClassVar[str] = (
        r"\mathrm{TER} = \frac{\sum_s \min_r \mathrm{edits}(s, r)}{\sum_s \overline{|r|}}"
    )
    citation: ClassVar[str] = (
        "Matthew Snover, Bonnie Dorr, Richard Schwartz, Linnea Micciulla, John Makhoul: A Study of Translation Edit "
        "Rate with Targeted Human Annotation. AMTA 2006."
    )
    not_for: ClassVar[str] = (
        "Adequacy: a wrong negation costs one edit, a free translation many. TER compares words: take care with "
        "morphologically rich languages, and with scripts without word boundaries (`asian_support`, `tokenize`). "
        "Scores can exceed 100. HTER, which uses post-edited references, is a different measure."
    )
    higher_is_better: ClassVar[bool] = False
    panel: ClassVar[tuple[int, str] | None] = (3, "ter")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tercom": {"tokenize": "tercom-java", "beam": 20, "beam_of": "costs"},
        "sacrebleu": {
            "tokenize": "tercom-sacrebleu",
            "references_twice": True,
            "shifts": "sacrebleu",
            "max_candidates": 1000,
            "at_limit": "discard",
        },
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "tercom": "Tercom 0.10.0, except for punctuation-only texts with no_punct",
        "sacrebleu": "sacreBLEU 2.6.0; with 3, 5, 6 or 7 references, corpus scores may differ by 1e-14",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenize not in TERCOM:
            for flag in _FOR_TERCOM:
                if getattr(self, flag):
                    raise BadParameter(
                        f"{flag}=true: only available with tokenize=tercom, got tokenize={self.tokenize}."
                    )

    def tokenizer(self) -> Tokenizer:
        if self.tokenize in TERCOM:
            native = (
                "ascii-spaces" if self.tokenize == "tercom-java" else "none"
            )  # for text that is rewritten first
            return Tokenizer(self.tokenize, self.tokenize, native=native)
        if (name := self.tokenize.partition(":")[0]) not in KINDS:
            raise BadParameter(f"unknown tokenizer '{name}'. {did_you_mean(name, [*TERCOM, *KINDS])}")
        return super().tokenizer()

    @property
    def undecided_reader(self) -> Reader | None:
        # Setting an option of Tercom's tokenizer selects that tokenizer.
        return None if any(getattr(self, flag) for flag in _FOR_TERCOM) else super().undecided_reader

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "ref_length", "insertions", "deletions", "substitutions", "shifts")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(hypotheses), len(self.columns)), np.int64)
        _core.count_ter(*self.prepared(hypotheses, references), rows, **self._counting, threads=threads)
        return rows

    @cached_property
    def _counting(self) -> dict[str, Any]:
        return {
            **self.reading,
            **self._tercom,
            "references_twice": self.references_twice,
            "beam": self.beam,
            "beam_of_costs": self.beam_of == "costs",
            "shifts_as_sacrebleu": self.shifts == "sacrebleu",
            "max_shift_size": self.max_shift_size,
            "max_shift_distance": self.max_shift_distance,
            "max_candidates": self.max_candidates,
            "discard_at_limit": self.at_limit == "discard",
        }

    @property
    def _tercom(self) -> Tercom:
        return {
            "normalized": self.normalized,
            "asian": self.asian_support,
            "no_punct": self.no_punct,
            "as_sacrebleu": self.tokenize == "tercom-sacrebleu",
            "as_java": self.tokenize == "tercom-java",
        }

    def tokens(self, text: str) -> list[str]:
        """The words compared.

        >>> TER(normalized=True).tokens("Jim's car, isn't it?")
        ['jim', "'s", 'car', ',', "isn't", 'it', '?']
        """
        if self.tokenize not in TERCOM:
            return super().tokens(text)
        return _core.tercom_tokens(
            text,
            letter_case=LETTER_CASES[self.lowercase],
            **self._tercom,
        )

    @property
    def if_too_long(self) -> str:
        return "" if self.beam and self.beam_of == "places" else ", or set beam=25,beam_of=places"

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        return edit_rate(statistics["edits"], self._reference_length(statistics))

    def detail(self, totals: Statistics) -> dict[str, Any]:
        counts = {name: totals[name].item() for name in self.columns}
        return {**counts, "ref_length": self._reference_length(totals).item()}

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            f"({detail['edits']} edits: {detail['insertions']} ins, {detail['deletions']} del, "
            f"{detail['substitutions']} sub, {detail['shifts']} shifts; ref_len = {detail['ref_length']:g})"
        )

    def choices(self) -> dict[str, str]:
        yes_or_no = {True: "yes", False: "no"}
        reworded = ("normalized", "asian_support", "no_punct", "references_twice")
        shifts = ("max_shift_size", "max_shift_distance", "shifts")
        limits = ("beam", "beam_of", "max_candidates", "at_limit")
        return {
            **without(super().choices(), *reworded, *shifts, *limits),
            "norm": yes_or_no[self.normalized],
            "punct": yes_or_no[not self.no_punct],
            "asian": yes_or_no[self.asian_support],
            "reftok": "twice" if self.references_twice else "once",
            "shift": f"{self.max_shift_size}/{self.max_shift_distance}-{self.shifts}",
            "beam": f"{self.beam}-{self.beam_of}" if self.beam else "none",
            "limit": f"{self.max_candidates}-{self.at_limit}" if self.max_candidates else "none",
        }

    @staticmethod
    def _reference_length(statistics: Statistics) -> NDArray[np.float64]:
        return np.asarray(statistics["ref_length"] / _core.LENGTH_UNITS, dtype=np.float64)
