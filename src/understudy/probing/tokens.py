"""The tokens of the probed texts, as a metric compares them, and their places in the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from understudy.metrics.base.metric import Metric
from understudy.metrics.base.words import LETTER_CASES, WordMetric
from understudy.metrics.bleu import BLEU
from understudy.probing.probed_system import ProbedSystem
from understudy.text.scripts import unspaced_language

_LOOKED_AT = 100  # references that suffice to detect a script


class Place(NamedTuple):
    """Where a token is in its text."""

    start: int
    end: int


@dataclass(frozen=True)
class TokenizedText:
    """A text with its tokens."""

    text: str
    tokens: tuple[str, ...]  # as the metric compares them
    is_dropped: Callable[[str], bool]  # whether the tokenizer drops a character, as all do with spaces

    @cached_property
    def places(self) -> list[Place] | None:
        """The place of every token; None if the tokenizer changes more than letter case, e.g. replaces entities."""
        return _places(self.tokens, self.text, self.is_dropped)

    def words(self, start: int, end: int) -> tuple[str, ...]:
        """Tokens as the text writes them, in its own letter case."""
        if self.places is None:
            return self.tokens[start:end]
        return tuple(self.text[place.start : place.end] for place in self.places[start:end])

    def written(self, start: int, end: int) -> str:
        """The part of the text that consists of these tokens."""
        if self.places is None:
            return " ".join(self.tokens[start:end])
        return self.text[self.places[start].start : self.places[end - 1].end]


class TokenReader:
    """Tokenizes texts like the first metric that compares words. If there is none, like BLEU."""

    def __init__(self, system: ProbedSystem) -> None:
        self.metric = _word_metric(system.metrics) or _bleu(system)
        self._is_dropped = cache(lambda character: not self.tokens(character))

    @property
    def tokenizer(self) -> str:
        """The signature of the tokenizer."""
        return self.metric.choices()["tok"]

    @property
    def letter_case(self) -> str:
        return LETTER_CASES[self.metric.lowercase]

    @property
    def max_order(self) -> int:
        """The maximum order of n-grams: the metric's, else BLEU's."""
        order: int = getattr(self.metric, "max_order", BLEU().max_order)
        return order

    def tokens(self, text: str) -> tuple[str, ...]:
        return tuple(self.metric.tokens(text))

    def read(self, text: str) -> TokenizedText:
        return TokenizedText(text, self.tokens(text), self._is_dropped)


def _word_metric(metrics: Sequence[Metric]) -> WordMetric | None:
    return next(
        (metric for metric in metrics if isinstance(metric, WordMetric) and metric.cuts_text),
        None,
    )


def _bleu(system: ProbedSystem) -> BLEU:
    language = system.language or unspaced_language(
        [text for group in system.references[:_LOOKED_AT] for text in group]
    )
    return BLEU().for_language(language) if language else BLEU()


def _places(tokens: Sequence[str], text: str, is_dropped: Callable[[str], bool]) -> list[Place] | None:
    """
    >>> [tuple(place) for place in _places(["it", ",", "too"], "It,  too", str.isspace)]
    [(0, 2), (2, 3), (5, 8)]
    >>> _places(["&"], "&amp;", str.isspace)
    """
    lowered = text.lower()
    places: list[Place] = []
    position = 0
    for token in tokens:
        while (end := _end(token, text, lowered, position)) is None:
            if position >= len(text) or not is_dropped(text[position]):
                return None
            position += 1
        places.append(Place(position, end))
        position = end
    return places if all(map(is_dropped, text[position:])) else None


def _end(token: str, text: str, lowered: str, start: int) -> int | None:
    """Where a token ends that starts there, perhaps in another letter case; None if it does not."""
    if text.startswith(token, start):
        return start + len(token)
    if len(lowered) == len(text):
        return start + len(token) if lowered.startswith(token, start) else None
    # "İ" is two characters in lower case.
    ends = range(start + len(token), start, -1)
    return next((end for end in ends if text[start:end].lower() == token), None)
