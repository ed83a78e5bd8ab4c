"""WordMetric: the base of all word-based metrics; tokenization, letter case, and their record in the signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypedDict, TypeVar

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Unchosen, param, without
from understudy.metrics.base.unsplit_text import Reader
from understudy.text.languages import field_tokenizer
from understudy.text.tokenizers import Tokenizer, tokenizer

W = TypeVar("W", bound="WordMetric")

LETTER_CASES: dict[bool | str, str] = {False: "keep", True: "lower", "ascii": "lower-ascii"}


class Reading(TypedDict):
    """The core's options for tokenizing prepared text."""

    tokenizer: str
    letter_case: str


@dataclass(frozen=True, kw_only=True, repr=False)
class WordMetric(Metric):
    """A word-based metric."""

    lowercase: bool | Literal["ascii"] = param(
        False,
        "lowercase text first: all of Unicode (true), or A to Z only (ascii) as in the Perl scripts",
        choices=(False, True, "ascii"),
    )
    tokenize: str = param(Unchosen("13a"), "tokenizer, see `understudy tokenizers`")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.tokenizer()  # to fail early rather than in the middle of a file

    def tokenizer(self) -> Tokenizer:
        """The tokenizer."""
        return tokenizer(self.tokenize)

    @property
    def cuts_text(self) -> bool:
        """Whether it compares words rather than whole texts."""
        return True

    @property
    def undecided_reader(self) -> Reader | None:
        return self if self.cuts_text and isinstance(self.tokenize, Unchosen) else None

    def for_language(self: W, language: str) -> W:
        fitting = field_tokenizer(language) if self.undecided_reader is not None else None
        return self if fitting is None else replace(self, tokenize=fitting)

    def tokens(self, text: str) -> list[str]:
        """The tokens compared."""
        return self.tokenizer()(text, letter_case=LETTER_CASES[self.lowercase])

    def prepared(self, hypotheses: Column, references: References) -> tuple[Column, Sequence[Column]]:
        """Hypotheses and references, prepared for the core."""
        if self._tokenizer.segmenter is None:
            return hypotheses, references.columns
        return self.prepared_text(hypotheses), self.prepared_references(references)

    def prepared_references(self, references: References) -> list[Column]:
        """The references, prepared for the core."""
        return [self.prepared_text(column) for column in references.columns]

    def prepared_text(self, column: Column) -> Column:
        """One column, prepared for the core."""
        return self._tokenizer.prepare(column, LETTER_CASES[self.lowercase])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return self.tokenizer()

    @cached_property
    def reading(self) -> Reading:
        """The core's options for the prepared text."""
        chosen = self._tokenizer
        return {
            "tokenizer": chosen.native,
            "letter_case": chosen.case_left(LETTER_CASES[self.lowercase]),
        }

    def choices(self) -> dict[str, str]:
        needs_unicode_tables = self.lowercase is True or self.tokenize.startswith("intl")
        return {
            "case": {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase],
            "tok": self.tokenizer().signature,
            **({"unicode": _core.UNICODE_VERSION} if needs_unicode_tables else {}),
            **without(super().choices(), "lowercase", "tokenize"),
        }
