"""The number of permutations that BLEU cannot tell apart, by segment (Callison-Burch et al. 2006, section 3.1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from understudy.probing.permutations.distinct_orders import distinct_orders
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.tokens import TokenizedText, TokenReader


@dataclass(frozen=True)
class SegmentBound:
    """The blocks of one hypothesis between bigram mismatch sites, and the number of their permutations."""

    segment: int  # from 0
    blocks: tuple[tuple[str, ...], ...]  # tokens, in the letter case of the hypothesis
    length: int  # tokens, their k
    matches: int  # clipped bigram matches, their b: always length minus number of blocks
    # Different sequences of tokens, as the metric compares tokens; None where an exact count is too expensive.
    distinct: int | None
    same_ending: int | None = None  # those of them that end with the final block, e.g. with the full stop

    @property
    def sites(self) -> str:
        """The hypothesis with its mismatch sites, as the paper prints them.

        >>> SegmentBound(0, (("which", "will"), ("he", "was")), 4, 2, 2).sites
        'which will | he was'
        """
        return " | ".join(" ".join(block) for block in self.blocks)

    @property
    def permutations(self) -> int:
        """(k - b)!, the paper's equation 1."""
        return math.factorial(self.length - self.matches)

    @property
    def log10(self) -> float:
        """Its decimal logarithm."""
        return math.lgamma(self.length - self.matches + 1) / math.log(10)


@dataclass(frozen=True)
class PermutationBounds:
    """The bounds of all segments."""

    tokenizer: str  # its signature
    segments: tuple[SegmentBound, ...]
    letter_case: str = "keep"  # how tokens are compared: keep, lower or lower-ascii

    @cached_property
    def largest(self) -> SegmentBound:
        """The segment with the most permutations; the first of them if tied."""
        return max(self.segments, key=lambda bound: bound.length - bound.matches)


def permutation_bounds(system: ProbedSystem) -> PermutationBounds:
    """The bound of every segment."""
    reader = TokenReader(system)
    return PermutationBounds(
        reader.tokenizer,
        tuple(
            _segment_bound(
                segment, reader.read(hypothesis), [reader.tokens(reference) for reference in references]
            )
            for segment, (hypothesis, references) in enumerate(
                zip(system.hypotheses, system.references, strict=True)
            )
        ),
        reader.letter_case,
    )


def _segment_bound(
    segment: int, hypothesis: TokenizedText, references: Sequence[Sequence[str]]
) -> SegmentBound:
    """The bound of one hypothesis, with the tokens of its references."""
    spans = block_spans(hypothesis.tokens, references)
    compared = [hypothesis.tokens[start:end] for start, end in spans]
    length = len(hypothesis.tokens)
    return SegmentBound(
        segment,
        tuple(hypothesis.words(start, end) for start, end in spans),
        length,
        length - len(spans),
        distinct_orders(compared),
        distinct_orders(compared[:-1]),
    )


def mismatch_blocks(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """The tokens of a hypothesis, split at its bigram mismatches.

    >>> mismatch_blocks("to be or to be".split(), ["to be or not to be".split(), "not to be".split()])
    (('to', 'be', 'or'), ('to', 'be'))
    """
    return tuple(tuple(hypothesis[start:end]) for start, end in block_spans(hypothesis, references))


def block_spans(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """The start and end of every block. As in BLEU, a bigram matches as often as it occurs in the reference that has it
    most often: its first occurrences in the hypothesis.
    """
    bigrams = list(pairwise(hypothesis))
    left: dict[tuple[str, str], int] = dict.fromkeys(bigrams, 0)
    for reference in references:
        for bigram, count in Counter(pairwise(reference)).items():
            if count > left.get(bigram, count):
                left[bigram] = count
    sites = []
    for site, bigram in enumerate(bigrams, start=1):
        if left[bigram]:
            left[bigram] -= 1
        else:
            sites.append(site)
    return list(pairwise([0, *sites, len(hypothesis)])) if hypothesis else []
