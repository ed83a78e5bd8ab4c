"""What variants of a hypothesis are made of: its tokens, those of its references, and words of other segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from understudy.probing.permutations.bounds import block_spans
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.tokens import TokenizedText, TokenReader
from understudy.probing.variants.writing import Phrase

# Words for systems that have few themselves: the paper's, and others that are as unlikely in a translation.
ARBITRARY_WORDS = (
    *("black", "helicopters", "purple", "giraffes", "yodelling", "umbrellas", "seventeen", "turnips"),
    *("sideways", "accordions", "lukewarm", "penguins", "mustard", "zeppelins", "marmalade", "trombones"),
)

Ngram = tuple[str, ...]


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
        """The hypothesis, split at its bigram mismatches."""
        references = [reference.tokens for reference in self.references]
        return [self.phrase(*span) for span in block_spans(self.hypothesis.tokens, references)]

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
    def clips(self) -> dict[Ngram, int]:
        """How often each n-gram can match: as often as in the reference that has it most often."""
        clips: dict[Ngram, int] = {}
        for reference in self.references:
            for ngram, count in _ngrams(reference.tokens, self.max_order).items():
                if count > clips.get(ngram, 0):
                    clips[ngram] = count
        return clips

    def matches(self, tokens: Sequence[str]) -> list[int]:
        """The clipped matches of every order."""
        found = [0] * self.max_order
        for ngram, count in _ngrams(tokens, self.max_order).items():
            if clip := self.clips.get(ngram):
                found[len(ngram) - 1] += min(count, clip)
        return found


def _ngrams(tokens: Sequence[str], max_order: int) -> Counter[Ngram]:
    # zip of shifted copies is several times as fast as slices.
    ngrams: Counter[Ngram] = Counter()
    for order in range(1, max_order + 1):
        ngrams.update(zip(*(tokens[start:] for start in range(order)), strict=False))
    return ngrams


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
        tokens = reader.tokens(word)
        if len(tokens) == 1:
            words.setdefault(tokens[0], Phrase(word, tokens))
    return list(words.values())
