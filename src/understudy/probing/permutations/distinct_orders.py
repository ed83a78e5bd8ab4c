"""The number of different sequences of tokens that the orders of some blocks spell.

Blocks may be repeated, and different orders may spell the same sequence: "of | the" and the block "of the".
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from operator import add
from typing import TypeAlias

Block: TypeAlias = tuple[str, ...]

_MOST_BEGINNINGS = 50_000  # of sequences, by their readings: with more, the sequences are not counted


def distinct_orders(blocks: Sequence[Block]) -> int | None:
    """The number of different sequences; None if it takes too long to count them.

    >>> distinct_orders([("a",), ("b",), ("a",)]), distinct_orders([("of",), ("the",), ("of", "the")])
    (3, 5)
    """
    counts = Counter(blocks)
    ambiguous = ambiguous_blocks(counts)
    clear = [count for block, count in counts.items() if block not in ambiguous]
    if not ambiguous:
        return _orders(clear)
    # Blocks that are part of no second reading are at the same places in all readings of a sequence. So they separate
    # the ambiguous ones, whichever of them it is: count with equal separators, then fill in their orders.
    sequences = _sequences({block: counts[block] for block in ambiguous}, sum(clear))
    return None if sequences is None else sequences * _orders(clear)


def _orders(counts: Sequence[int]) -> int:
    """The multinomial coefficient."""
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def ambiguous_blocks(blocks: Collection[Block]) -> set[Block]:
    """The blocks that can be part of two different readings of one sequence; none if the blocks are a uniquely
    decodable code (Sardinas and Patterson 1953).

    >>> sorted(ambiguous_blocks([("a",), ("a", "b"), ("b",), ("c",), ("c", "d")]))
    [('a',), ('a', 'b'), ('b',)]
    """
    by_first: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        by_first[block[0]].append(block)
    # Two readings of the same beginning, of which one is ahead by a few tokens: the empty tuple if none is.
    before: dict[Block, list[tuple[Block | None, tuple[Block, ...]]]] = defaultdict(list)
    open_ends: list[Block] = []
    for group in by_first.values():
        for shorter in group:
            for longer in group:
                if len(shorter) < len(longer) and longer[: len(shorter)] == shorter:
                    ahead = longer[len(shorter) :]
                    before[ahead].append((None, (shorter, longer)))
                    open_ends.append(ahead)
    seen = set(open_ends)
    while open_ends:
        ahead = open_ends.pop()
        for block in by_first.get(ahead[0], ()):
            common = min(len(ahead), len(block))
            if ahead[:common] != block[:common]:
                continue
            after = (ahead if len(ahead) > len(block) else block)[common:]
            before[after].append((ahead, (block,)))
            if after and after not in seen:
                seen.add(after)
                open_ends.append(after)
    return _on_paths_to((), before)


def _on_paths_to(end: Block, before: dict[Block, list[tuple[Block | None, tuple[Block, ...]]]]) -> set[Block]:
    """The blocks on all paths to an end, found backwards."""
    found: set[Block] = set()
    seen, reached = {end}, [end]
    while reached:
        for previous, blocks in before.get(reached.pop(), ()):
            found.update(blocks)
            if previous is not None and previous not in seen:
                seen.add(previous)
                reached.append(previous)
    return found


# A reading of the beginning of a sequence: the blocks that are left, as one number, and of the current block its number
# and how many of its tokens have been read; between blocks, both are -1.
_Reading: TypeAlias = tuple[int, int, int]
_BETWEEN = (-1, -1)
# The beginnings of sequences by their readings: how many there are with 0, 1, 2, ... separators.
_Beginnings: TypeAlias = dict[frozenset[_Reading], list[int]]


def _sequences(counts: dict[Block, int], separators: int) -> int | None:
    """The number of different sequences of all these blocks and of some separators, which occur in no block. All
    readings of a beginning are followed together, so that each sequence is counted once.
    """
    blocks, numbers = list(counts), list(counts.values())
    if math.prod(number + 1 for number in numbers) * (separators + 1) > _MOST_BEGINNINGS:
        return None
    # What is left of each kind of block is one digit of a number.
    units = [math.prod(number + 1 for number in numbers[:index]) for index in range(len(blocks))]
    left = sum(number * unit for number, unit in zip(numbers, units, strict=True))
    beginnings: _Beginnings = {frozenset([(left, *_BETWEEN)]): [1] + [0] * separators}
    followed = 0
    for _ in range(sum(len(block) * number for block, number in counts.items())):
        longer: _Beginnings = {}
        for readings, ways in _separated(beginnings).items():
            followed += len(readings)
            if followed * (separators + 1) > _MOST_BEGINNINGS:
                return None
            for continued in _continued(readings, blocks, units, numbers):
                _add(longer, continued, ways)
        beginnings = longer
    return sum(ways[separators] for ways in _separated(beginnings).values())


def _separated(beginnings: _Beginnings) -> _Beginnings:
    """The beginnings, each followed by any number of separators: what is read as between blocks remains."""
    within: _Beginnings = {}
    between: _Beginnings = {}
    for readings, ways in beginnings.items():
        remaining = frozenset(reading for reading in readings if reading[1] < 0)
        if remaining == readings:
            _add(between, remaining, ways)
            continue
        within[readings] = ways
        if remaining:
            _add(between, remaining, [0, *ways[:-1]])
    return {**within, **{readings: list(accumulate(ways)) for readings, ways in between.items()}}


def _continued(
    readings: Iterable[_Reading], blocks: Sequence[Block], units: Sequence[int], numbers: Sequence[int]
) -> Iterable[frozenset[_Reading]]:
    """The readings after one more token, by that token."""
    after: dict[str, set[_Reading]] = defaultdict(set)
    for left, current, read in readings:
        if current >= 0:
            starts = [(left, current, read)]
        else:
            starts = [
                (left - unit, index, 0)
                for index, (unit, number) in enumerate(zip(units, numbers, strict=True))
                if left // unit % (number + 1)
            ]
        for rest, index, position in starts:
            block = blocks[index]
            ended = position + 1 == len(block)
            after[block[position]].add((rest, *_BETWEEN) if ended else (rest, index, position + 1))
    return map(frozenset, after.values())


def _add(beginnings: _Beginnings, readings: frozenset[_Reading], ways: list[int]) -> None:
    known = beginnings.get(readings)
    beginnings[readings] = ways if known is None else list(map(add, known, ways))
