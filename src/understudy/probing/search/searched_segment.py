"""SearchedSegment: the words of a hypothesis and its references, and others that a search may use."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from unicodedata import normalize

import numpy as np

from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.edits import Tokens
from understudy.probing.tokens import TokenizedText, TokenReader
from understudy.probing.variants.sources import ARBITRARY_WORDS
from understudy.probing.variants.writing import Phrase, written
from understudy.resampling.randomness import generator

_OTHER_WORDS = 5  # from other segments


def segments_to_search(system: ProbedSystem, number: int) -> list[int]:
    """Segments from the whole range of scores: ranked by the first metric and divided into `number` groups of equal
    size, the middle one of each group. Segments whose references are all empty, or that have no score, are left out.
    """
    worths = system.metrics[0].worth(system.segment_scores[:, 0])
    known = [
        segment
        for segment, references in enumerate(system.references)
        if not np.isnan(worths[segment]) and any(reference.split() for reference in references)
    ]
    ranked = sorted(known, key=lambda segment: (worths[segment], segment))
    chosen = min(number, len(ranked))
    return sorted(ranked[int((group + 0.5) * len(ranked) / chosen)] for group in range(chosen))


@dataclass(frozen=True, eq=False)
class SearchedSegment:
    """A segment in words of the metric that is searched against: its tokens in the letter case of the text."""

    segment: int
    reader: TokenReader
    hypothesis: Tokens
    references: tuple[Tokens, ...]
    other_words: tuple[str, ...]
    phrases: dict[str, Phrase]  # each word with its token, as the metric compares it
    texts: dict[Tokens, str | None] = field(
        default_factory=dict
    )  # known texts; None: no text has these words

    @classmethod
    def of(cls, system: ProbedSystem, segment: int, metric: int, seed: int) -> SearchedSegment:
        """The segment in words of a metric; if it does not compare words, in those of BLEU."""
        reader = TokenReader(replace(system, metrics=(system.metrics[metric],)))
        own = [reader.read(text) for text in (system.hypotheses[segment], *system.references[segment])]
        others = _words_of_others(system, segment, reader, seed)
        hypothesis, *references = (_words(text) for text in own)
        return cls(
            segment,
            reader,
            hypothesis,
            tuple(references),
            tuple(phrase.text for phrase in others),
            {phrase.text: phrase for phrase in (*(each for text in own for each in _phrases(text)), *others)},
            {_words(text): text.text for text in reversed(own)},
        )

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest text."""
        return max(len(words) for words in (self.hypothesis, *self.references))

    @property
    def vocabulary(self) -> list[str]:
        """Every word of hypothesis, references and other segments, once."""
        own = (word for words in (self.hypothesis, *self.references) for word in words)
        return list(dict.fromkeys([*own, *self.other_words]))

    def is_reference(self, words: Tokens) -> bool:
        """Whether the words are those of a reference, apart from spacing, letter case and combining characters."""
        return _without_case(words) in self._references_without_case

    def can_be_written(self, words: Tokens) -> bool:
        """Whether the tokenizer splits some text into these words."""
        return self._text(words) is not None

    def written(self, words: Tokens) -> str:
        """Such a text; that of the files, if they have it."""
        return self._text(words) or ""

    def _text(self, words: Tokens) -> str | None:
        if words not in self.texts:
            phrases = [self.phrases[word] for word in words]
            tokens = tuple([phrase.tokens[0] for phrase in phrases])
            self.texts[words] = written(phrases, tokens, self.reader.tokens)
        return self.texts[words]

    @cached_property
    def _references_without_case(self) -> frozenset[str]:
        return frozenset(_without_case(words) for words in self.references)


def _words_of_others(system: ProbedSystem, segment: int, reader: TokenReader, seed: int) -> list[Phrase]:
    """One word of each of a few other segments; arbitrary words if there are no other segments."""
    drawn = generator(seed, "search", "words", segment)
    others = [other for other in drawn.permutation(len(system.hypotheses)).tolist() if other != segment]
    texts = [system.references[other][0] for other in others[:_OTHER_WORDS]] or ARBITRARY_WORDS[:_OTHER_WORDS]
    found = [_phrases(reader.read(text)) for text in texts]
    return [phrases[int(drawn.integers(len(phrases)))] for phrases in found if phrases]


def _phrases(text: TokenizedText) -> list[Phrase]:
    return [Phrase(word, (token,)) for word, token in zip(_words(text), text.tokens, strict=True)]


def _words(text: TokenizedText) -> Tokens:
    return text.words(0, len(text.tokens))


def _without_case(words: Tokens) -> str:
    return normalize("NFC", "".join(words)).lower()
