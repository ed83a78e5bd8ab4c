"""CharacTER as its paper describes it (Wang et al. 2016) and CharacTER.py fixes what the paper leaves open: every
shift is made and measured, with whole tables of numbers.

Nothing here is shared with the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

Words = list[str]


class Found(NamedTuple):
    rate: Fraction
    edits: int  # of characters
    shift_cost: Fraction
    shifts: int
    characters: int


def levenshtein(one: Sequence[str], other: Sequence[str]) -> int:
    row = list(range(len(other) + 1))
    for i, symbol in enumerate(one, start=1):
        after = [i]
        for j, wanted in enumerate(other, start=1):
            after.append(min(row[j] + 1, after[j - 1] + 1, row[j - 1] + (symbol != wanted)))
        row = after
    return row[-1]


def shifted(hypothesis: Words, reference: Words) -> Iterator[Words]:
    """The hypothesis with one phrase moved, in all ways: a phrase that starts at i is put where the reference has it,
    at j, as far as the two agree from there on."""
    for i in range(len(hypothesis)):
        for j in range(len(reference)):
            length = 0
            while (
                i + length < len(hypothesis)
                and j + length < len(reference)
                and hypothesis[i + length] == reference[j + length]
            ):
                length += 1
            if length > 0 and i != j:
                phrase, rest = hypothesis[i : i + length], hypothesis[:i] + hypothesis[i + length :]
                yield rest[:j] + phrase + rest[j:]


def cost_of_shifts(original: Words, final: Words) -> Fraction:
    """The mean length of its words for every phrase that is found later in the shifted text."""
    cost, i = Fraction(0), 0
    while i < len(original):
        later = [j for j in range(i + 1, len(final)) if final[j] == original[i]]
        if original[i] == final[i] or not later:
            i += 1
            continue
        length = 1
        while later[0] + length < len(final) and original[i + length] == final[later[0] + length]:
            length += 1
        cost += Fraction(sum(map(len, original[i : i + length])), length)
        i += length
    return cost


def character(hypothesis: Words, reference: Words, *, capped: bool = True) -> Found:
    words, shifts = hypothesis, 0
    distance = levenshtein(words, reference)
    # Of equally good shifts that which gives the greatest list of words counts.
    while best := max(((-levenshtein(w, reference), w) for w in shifted(words, reference)), default=None):
        if -best[0] >= distance:
            break
        distance, words, shifts = -best[0], best[1], shifts + 1
    cost = cost_of_shifts(hypothesis, words)
    edits, characters = levenshtein(" ".join(words), " ".join(reference)), len(" ".join(words))
    rate = (edits + cost) / characters if characters else Fraction(1)
    return Found(min(Fraction(1), rate) if capped else rate, edits, cost, shifts, characters)
