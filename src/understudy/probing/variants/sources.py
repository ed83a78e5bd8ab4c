"""What variants of a hypothesis are made of: its tokens, those of its references, and words of other segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.bleu import BLEU
from understudy.probing.permutations.bounds import block_spans
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.tokens import TokenizedText, TokenReader
from understudy.probing.variants.writing import Phrase

# Words for systems that have few themselves: the paper's, and others that are as unlikely in a translation.
ARBITRARY_WORDS = (
    *("black", "helicopters", "purple", "giraffes", "yodelling", "umbrellas", "seventeen", "turnips"),
    *("sideways", "accordions", "lukewarm", "penguins", "mustard", "zeppelins", "marmalade", "trombones"),
)


def sources_of(system: ProbedSystem, reader: TokenReader) -> list[SegmentSources]:
    """The sources of every segment."""
    hypotheses = [reader.read(hypothesis) for hypothesis in system.hypotheses]
    words = _vocabulary(hypotheses, reader)
    return [
        SegmentSources(
            hypothesis, [reader.read(reference) for reference in references], words, reader.max_order
        )
        for hypothesis, references in zip(hypotheses, system.references, strict=True)
    ]


class SegmentSources:
    """One hypothesis, its references, and words of the whole system."""

    def __init__(
        self,
        hypothesis: TokenizedText,
        references: Sequence[TokenizedText],
        vocabulary: list[Phrase],
        max_order: int,
    ) -> None:
        self.hypothesis, self.references = hypothesis, references
        self.vocabulary, self.max_order = vocabulary, max_order

    @property
    def length(self) -> int:
        return len(self.hypothesis.tokens)

    def phrase(self, start: int, end: int) -> Phrase:
        """A part of the hypothesis."""
        return Phrase(self.hypothesis.written(start, end), self.hypothesis.tokens[start:end])

    @cached_property
    def blocks(self) -> list[Phrase]:
        """The hypothesis, split at its bigram mismatches. If a bigram occurs more often than it can match, one of its
        mismatches may be inside a longer match, which has to remain whole.
        """
        tokens = self.hypothesis.tokens
        spans: list[tuple[int, int]] = []
        for start, end in block_spans(tokens, [reference.tokens for reference in self.references]):
            if spans and self._in_longer_match(start):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return [self.phrase(*span) for span in spans]

    def _in_longer_match(self, site: int) -> bool:
        """Whether a trigram across the site is in a reference."""
        tokens = self.hypothesis.tokens
        return any(tokens[max(0, start) : start + 3] in self._trigrams for start in (site - 2, site - 1))

    @cached_property
    def _trigrams(self) -> frozenset[tuple[str, ...]]:
        return frozenset(
            trigram
            for reference in (each.tokens for each in self.references)
            for trigram in zip(reference, reference[1:], reference[2:], strict=False)
        )

    @cached_property
    def reference_words(self) -> frozenset[str]:
        return frozenset(token for reference in self.references for token in reference.tokens)

    @cached_property
    def own_words(self) -> frozenset[str]:
        return frozenset(self.hypothesis.tokens)

    @cached_property
    def outside(self) -> list[int]:
        """Where the hypothesis has tokens that are in no reference."""
        return [
            place for place, token in enumerate(self.hypothesis.tokens) if token not in self.reference_words
        ]

    @cached_property
    def outside_words(self) -> list[int]:
        """The same without punctuation."""
        return [place for place in self.outside if any(map(str.isalnum, self.hypothesis.tokens[place]))]

    @cached_property
    def clips(self) -> dict[str, int]:
        """How often each token can match: as often as in the reference that has it most often."""
        clips: dict[str, int] = {}
        for reference in self.references:
            for token, count in Counter(reference.tokens).items():
                if count > clips.get(token, 0):
                    clips[token] = count
        return clips

    def matches(self, sequences: Sequence[Iterable[str]]) -> NDArray[np.int64]:
        """The clipped matches of sequences of tokens [sequences, orders], as BLEU counts them."""
        # Tokens may contain spaces; their numbers do not.
        columns = [Column.from_strings([coded] * len(sequences)) for coded in self._coded_references]
        counts = self._bleu.count(
            Column.from_strings([self._coded(sequence) for sequence in sequences]),
            References.of_present_texts(tuple(columns)),
            1,
        )
        return np.asarray(counts[:, self._match_columns], dtype=np.int64)

    @cached_property
    def _bleu(self) -> BLEU:
        return BLEU(tokenize="none", max_order=self.max_order, smooth="none")

    @cached_property
    def _match_columns(self) -> list[int]:
        names = self._bleu.columns
        return [names.index(f"match_{order}") for order in range(1, self.max_order + 1)]

    @cached_property
    def _codes(self) -> dict[str, str]:
        return {token: str(number) for number, token in enumerate(self.reference_words)}

    @cached_property
    def _coded_references(self) -> list[str]:
        return [self._coded(reference.tokens) for reference in self.references]

    def _coded(self, tokens: Iterable[str]) -> str:
        return " ".join([self._codes.get(token, "x") for token in tokens])


def _vocabulary(hypotheses: Sequence[TokenizedText], reader: TokenReader) -> list[Phrase]:
    """The different words of a system, and the arbitrary ones."""
    words: dict[str, Phrase] = {}
    for hypothesis in hypotheses:
        tokens = hypothesis.tokens
        if words.keys() >= set(tokens):
            continue
        for token, word in zip(tokens, hypothesis.words(0, len(tokens)), strict=True):
            if token not in words and any(map(str.isalpha, word)):
                words[token] = Phrase(word, (token,))
    for word in ARBITRARY_WORDS:
        for token in (tokens := reader.tokens(word)):  # characters, if these are the tokens
            words.setdefault(token, Phrase(word if len(tokens) == 1 else token, (token,)))
    return list(words.values())
