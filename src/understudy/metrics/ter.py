"""TER: how many edits, shifts of whole phrases among them, make a translation its reference (Snover et al. 2006)."""

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

FOR_TERCOM = ("normalized", "asian_support", "no_punct", "references_twice")
TERCOM = ("tercom", "tercom-java", "tercom-sacrebleu")


class Tercom(TypedDict):
    """How the core is to rewrite text, in Tercom's tokenizer."""

    normalized: bool
    asian: bool
    no_punct: bool
    as_sacrebleu: bool
    as_java: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class TER(WordMetric):
    """TER, every choice named. The defaults are Tercom's, with the beam and the white space of sacreBLEU.
    `TER.preset("tercom")` is Tercom to the last edit, `TER.preset("sacrebleu")` is sacreBLEU, faults included.

    >>> score = TER().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f}", score.detail["shifts"])
    16.67 1
    >>> TER(normalized=True, lowercase=False).spec
    'ter:lowercase=false,normalized=true'
    """

    lowercase: bool | Literal["ascii"] = param(
        True, "fold case first: Unicode's, or only A to Z", choices=(True, False, "ascii")
    )
    tokenize: str = param(
        Unchosen("tercom"),
        "Tercom's tokenizer; tercom-java, which to the letter takes a no-break space for a letter; tercom-sacrebleu, "
        "with sacreBLEU's faults; or any of `understudy tokenizers`",
    )
    normalized: bool = param(
        False, "let Tercom's tokenizer set punctuation apart; else it splits at white space"
    )
    asian_support: bool = param(
        False, "let Tercom's tokenizer split Chinese and Japanese, and drop their punctuation too"
    )
    no_punct: bool = param(False, "let Tercom's tokenizer drop . , ? : ; ! \" ( and )")
    references_twice: bool = param(False, "tokenize references a second time, as sacreBLEU does by mistake")
    max_shift_size: int = param(10, "the most words that are shifted at once; 0: no shifts", between=LIMITS)
    max_shift_distance: int = param(
        50, "how far apart the two places of a shift may be, in words", between=LIMITS
    )
    shifts: str = param(
        "tercom",
        "whose rules: sacrebleu measures distances to a place in the reference, not to what is aligned with it, and "
        "shifts a phrase into itself one word too far",
        choices=("tercom", "sacrebleu"),
    )
    beam: int = param(
        25,
        "how far off the usual, in the unit of beam_of, an alignment is still looked at; 0: any",
        between=LIMITS,
    )
    beam_of: str = param(
        "places",
        "words off the diagonal, as in sacreBLEU; or by costs, edits more than the cheapest so far, as in Tercom",
        choices=("places", "costs"),
    )
    max_candidates: int = param(
        0, "how many shifts are tried for a pair of texts; 0: any number", between=LIMITS
    )
    at_limit: str = param(
        "keep",
        "do the best shift found when max_candidates is reached, or discard it as sacreBLEU does",
        choices=("keep", "discard"),
    )

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    summary: ClassVar[str] = (
        "The number of edits (insertions, deletions, substitutions of words, and shifts of phrases) that turn a "
        "translation into its closest reference, per word of the references' mean length."
    )
    formula: ClassVar[str] = (
        r"\mathrm{TER} = \frac{\sum_s \min_r \mathrm{edits}(s, r)}{\sum_s \overline{|r|}}"
    )
    citation: ClassVar[str] = (
        "Matthew Snover, Bonnie Dorr, Richard Schwartz, Linnea Micciulla, John Makhoul: A Study of Translation Edit "
        "Rate with Targeted Human Annotation. AMTA 2006."
    )
    not_for: ClassVar[str] = (
        "Judging meaning: a wrong negation costs one edit, a free translation many. It counts words, so that "
        "languages with rich inflection and those written without spaces need care (`asian_support`, `tokenize`). "
        "Scores above 100 are possible. HTER, against references made by post-editing, is another measure."
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
        "tercom": "Tercom 0.10.0, but for texts of punctuation alone with no_punct",
        "sacrebleu": "sacreBLEU 2.6.0; with 3, 5, 6 or 7 references a corpus may differ by 1e-14",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenize not in TERCOM:
            for flag in FOR_TERCOM:
                if getattr(self, flag):
                    raise BadParameter(
                        f"{flag}=true: that is for tokenize=tercom, got tokenize={self.tokenize}."
                    )

    def tokenizer(self) -> Tokenizer:
        if self.tokenize in TERCOM:
            native = (
                "ascii-spaces" if self.tokenize == "tercom-java" else "none"
            )  # of text that is rewritten first
            return Tokenizer(self.tokenize, self.tokenize, native=native)
        if (name := self.tokenize.partition(":")[0]) not in KINDS:
            raise BadParameter(f"no tokenizer '{name}'. {did_you_mean(name, [*TERCOM, *KINDS])}")
        return super().tokenizer()

    @property
    def undecided_reader(self) -> Reader | None:
        # Who says how Tercom's tokenizer is to work has chosen it.
        return None if any(getattr(self, flag) for flag in FOR_TERCOM) else super().undecided_reader

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
        """The words that are counted.

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
