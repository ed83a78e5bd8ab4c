"""The number of permutations that BLEU cannot tell apart, by segment (Callison-Burch et al. 2006, section 3.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from understudy.probing.probed_system import ProbedSystem


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
    raise NotImplementedError


def mismatch_blocks(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """The tokens of a hypothesis, split at its bigram mismatches."""
    raise NotImplementedError
