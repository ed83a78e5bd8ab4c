"""The blocks of the hypothesis between bigram mismatches, in another order (section 3.1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from understudy.probing.variants.candidates import Candidates
from understudy.probing.variants.draws import Draws
from understudy.probing.variants.sources import SegmentSources
from understudy.probing.variants.writing import Phrase

_LISTED = 120  # orders that are listed rather than drawn


def permuted_blocks(sources: SegmentSources, draws: Draws) -> Candidates:
    """Random orders, each with the same probability."""
    blocks = sources.blocks
    if len(blocks) < 2:
        return "There is only one block." if blocks else "The hypothesis has no tokens."
    counts = Counter(block.tokens for block in blocks)
    orders = math.factorial(len(blocks)) // math.prod(map(math.factorial, counts.values()))
    if orders <= _LISTED:
        listed = list(_orders({block.tokens: block for block in blocks}, counts, len(blocks)))
        draws.shuffle(listed)
        yield from listed
        return "There are no other orders of the blocks."
    while True:
        order = blocks.copy()
        draws.shuffle(order)
        yield order


def _orders(
    blocks: dict[tuple[str, ...], Phrase], counts: Counter[tuple[str, ...]], length: int
) -> Iterator[list[Phrase]]:
    """All different orders of the blocks, each of which occurs that often."""
    if length == 0:
        yield []
    for tokens, block in blocks.items():
        if counts[tokens]:
            counts[tokens] -= 1
            for rest in _orders(blocks, counts, length - 1):
                yield [block, *rest]
            counts[tokens] += 1
