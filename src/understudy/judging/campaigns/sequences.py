"""The order in which a judge meets the items: outputs of one segment dispersed, systems balanced at every moment,
hidden repeats and controls far from their originals.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

Block = TypeVar("Block", bound=Hashable)
_FAR = 20  # items between a repeat and its original, if there are enough
_ENOUGH_FOR_ONE = (
    10  # items of a judge from which on there is at least one repeat and one control, if any are asked for
)


def far_enough(items: int) -> int:
    """The least number of other items between an item and its repeat or control, for a judge with so many items.

    >>> far_enough(250), far_enough(30), far_enough(4)
    (20, 10, 1)
    """
    return max(1, min(_FAR, items // 3))


def dispersed(parts: Sequence[Sequence[tuple[int, Block]]], rng: np.random.Generator) -> list[Block]:
    """The blocks of all parts in one order. A part is a segment or a document, with one block for every system or
    screen, given with its number. The order has passes, each with one block of every part, so that the blocks of a part
    are a third of the parts or more away from each other. Within a pass, systems follow each other in random order,
    each once before any comes again, as the rows of a random Latin square.
    """
    width = max((1 + number for part in parts for number, _ in part), default=1)
    chunks = np.array_split(rng.permutation(len(parts)), max(1, -(-len(parts) // width)))
    passes: list[list[list[Block]]] = [[] for _ in range(width)]  # by pass and chunk
    for chunk in chunks:
        rows, columns, symbols = (rng.permutation(width) for _ in range(3))
        for turn, of_pass in enumerate(passes):
            wanted = symbols[(rows[: len(chunk)] + columns[turn]) % width]
            row = [dict(parts[part]).get(number) for part, number in zip(chunk, wanted, strict=True)]
            of_pass.append([block for block in row if block is not None])
    return [block for of_pass in passes for half in _halves(of_pass) for block in _shuffled(half, rng)]


def _halves(chunks: list[list[Block]]) -> list[list[list[Block]]]:
    """What is in the first half of one pass is there in all, and so never soon after itself."""
    if len(chunks) > 1:
        return [chunks[: len(chunks) // 2], chunks[len(chunks) // 2 :]]
    (only,) = chunks
    return [[only[: len(only) // 2]], [only[len(only) // 2 :]]]


def _shuffled(chunks: list[list[Block]], rng: np.random.Generator) -> Iterator[Block]:
    for chunk in rng.permutation(len(chunks)):
        for place in rng.permutation(len(chunks[chunk])):
            yield chunks[chunk][place]


@dataclass(frozen=True)
class Insertion(Generic[Block]):
    """An item to be hidden in a sequence: after so many blocks."""

    after: int
    of: Block  # the item that is repeated or degraded


def insertions(
    sequence: Sequence[Sequence[Block]],
    share: float,
    priority: Mapping[Block, float],
    rng: np.random.Generator,
    *,
    before_too: bool = False,
    but: Collection[Block] = (),
) -> list[Insertion[Block]]:
    """Items of a sequence of blocks that come again, at least `far_enough` items away: afterwards, or with
    `before_too` also before. Those with the lowest priority number are taken, so that judges share them; items without
    one, and those in `but`, are never taken.
    """
    positions = {item: place for place, item in enumerate(item for block in sequence for item in block)}
    wanted = round(share * len(positions))
    if share > 0 and len(positions) >= _ENOUGH_FOR_ONE:
        wanted = max(1, wanted)
    starts = [0]  # how many items there are before the end of each block
    for block in sequence:
        starts.append(starts[-1] + len(block))
    gap = far_enough(len(positions))
    found: list[Insertion[Block]] = []
    possible = [item for item in positions if item in priority and item not in but]
    for item in sorted(possible, key=lambda item: priority[item]):
        if len(found) == wanted:
            break
        place = positions[item]
        first_after = bisect_left(starts, place + 1 + gap)
        slots = list(range(first_after, len(starts)))
        if before_too:
            slots += [slot for slot, start in enumerate(starts) if start + gap <= place]
        if slots:
            found.append(Insertion(slots[int(rng.integers(len(slots)))], item))
    return found
