"""SearchedSegment: the tokens of a hypothesis and its references, and the words that a search may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.metrics.base.words import WordMetric
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.edits import Tokens
from understudy.resampling.randomness import generator
from understudy.text.tokenizers import Tokenizer

OTHER_WORDS = 5  # from other segments
UNRELATED = ("black", "helicopters")  # where there are no other segments


def segments_to_search(system: ProbedSystem, number: int) -> list[int]:
    """Segments from the whole range of scores: ranked by the first metric and divided into `number` groups of equal
    size, the middle one of each group. Segments whose references are all empty, or that have no score, are left out.
    """
    metric = system.metrics[0]
    scores = system.scores(range(len(system.hypotheses)), system.hypotheses)[:, 0]
    known = [
        segment
        for segment, references in enumerate(system.references)
        if not np.isnan(scores[segment]) and any(reference.split() for reference in references)
    ]
    ranked = sorted(known, key=lambda segment: (metric.worth(scores[segment]), segment))
    chosen = min(number, len(ranked))
    return sorted(ranked[int((group + 0.5) * len(ranked) / chosen)] for group in range(chosen))


@dataclass(frozen=True, eq=False)
class SearchedSegment:
    """A segment in tokens of the metric that is searched against."""

    segment: int
    tokenizer: Tokenizer
    hypothesis: Tokens
    references: tuple[Tokens, ...]
    other_words: tuple[str, ...]
    texts: dict[Tokens, str]  # hypothesis and references as they are

    @classmethod
    def of(cls, system: ProbedSystem, segment: int, metric: int, seed: int) -> SearchedSegment:
        """The segment in tokens of the metric, or of the system if the metric does not compare words."""
        chosen = system.metrics[metric]
        words = isinstance(chosen, WordMetric) and chosen.cuts_text
        tokenizer = chosen.tokenizer() if words else system.tokenizer()
        texts = [system.hypotheses[segment], *system.references[segment]]
        hypothesis, *references = tokenized = [tuple(tokenizer(text)) for text in texts]
        return cls(
            segment,
            tokenizer,
            hypothesis,
            tuple(references),
            _words_of_others(system, segment, tokenizer, seed),
            dict(zip(tokenized, texts, strict=True)),
        )

    @property
    def longest(self) -> int:
        """The number of tokens of the longest text."""
        return max(len(tokens) for tokens in self.texts)

    @property
    def vocabulary(self) -> list[str]:
        """Every word of hypothesis, references and other segments, once."""
        return list(dict.fromkeys([*(word for tokens in self.texts for word in tokens), *self.other_words]))

    def is_reference(self, tokens: Tokens) -> bool:
        """Whether tokens are those of a reference, apart from whitespace and letter case."""
        return _without_case(tokens) in self._references_without_case

    def written(self, tokens: Tokens) -> str:
        """Text with these tokens; that of the files, if they have it."""
        text = self.texts.get(tokens)
        return " ".join(tokens) if text is None else text

    @cached_property
    def _references_without_case(self) -> frozenset[str]:
        return frozenset(_without_case(tokens) for tokens in self.references)


def _words_of_others(system: ProbedSystem, segment: int, tokenizer: Tokenizer, seed: int) -> tuple[str, ...]:
    """One word of each of a few other segments."""
    drawn = generator(seed, "search", "words", segment)
    others = [other for other in drawn.permutation(len(system.hypotheses)).tolist() if other != segment]
    texts = [tokenizer(system.references[other][0]) for other in others[:OTHER_WORDS]]
    words = [tokens[int(drawn.integers(len(tokens)))] for tokens in texts if tokens]
    return tuple(words) or UNRELATED


def _without_case(tokens: Sequence[str]) -> str:
    return "".join(tokens).lower()
