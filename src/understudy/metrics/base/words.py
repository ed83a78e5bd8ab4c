"""WordMetric: what all metrics that compare words share, which is how text becomes words and how that is told."""

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
    """How the core makes words of text that is prepared."""

    tokenizer: str
    letter_case: str


@dataclass(frozen=True, kw_only=True, repr=False)
class WordMetric(Metric):
    """A metric that compares words."""

    lowercase: bool | Literal["ascii"] = param(
        False,
        "fold case first: Unicode's, or only A to Z as the Perl scripts do",
        choices=(False, True, "ascii"),
    )
    tokenize: str = param(Unchosen("13a"), "the tokenizer, see `understudy tokenizers`")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.tokenizer()  # fails now rather than in the middle of a file

    def tokenizer(self) -> Tokenizer:
        """What makes words of text."""
        return tokenizer(self.tokenize)

    @property
    def cuts_text(self) -> bool:
        """Whether it compares the words of texts at all, and not whole texts."""
        return True

    @property
    def undecided_reader(self) -> Reader | None:
        return self if self.cuts_text and isinstance(self.tokenize, Unchosen) else None

    def for_language(self: W, language: str) -> W:
        fitting = field_tokenizer(language) if self.undecided_reader is not None else None
        return self if fitting is None else replace(self, tokenize=fitting)

    def tokens(self, text: str) -> list[str]:
        """What is counted of a text: its words, or what it is cut into instead."""
        return self.tokenizer()(text, letter_case=LETTER_CASES[self.lowercase])

    def prepared(self, hypotheses: Column, references: References) -> tuple[Column, Sequence[Column]]:
        """The text that the core is to read."""
        if self._tokenizer.segmenter is None:
            return hypotheses, references.columns
        return self.prepared_text(hypotheses), self.prepared_references(references)

    def prepared_references(self, references: References) -> list[Column]:
        """The references alone."""
        return [self.prepared_text(column) for column in references.columns]

    def prepared_text(self, column: Column) -> Column:
        """One column alone."""
        return self._tokenizer.prepare(column, LETTER_CASES[self.lowercase])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return self.tokenizer()

    @cached_property
    def reading(self) -> Reading:
        """How the core is to read it."""
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
