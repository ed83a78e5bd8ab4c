"""Edit distances as textbooks have them: whole tables of numbers, cell by cell, over lists of tokens.

Nothing here is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

Tokens = Sequence[str]


class Edits(NamedTuple):
    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def sum(self) -> int:
        return self.substitutions + self.deletions + self.insertions


def levenshtein_table(hypothesis: Tokens, reference: Tokens) -> list[list[int]]:
    """D[i][j]: the distance of the first i words of the reference and the first j of the hypothesis."""
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i in range(len(reference) + 1):
        for j in range(len(hypothesis) + 1):
            if i == 0 or j == 0:
                table[i][j] = i + j
            else:
                table[i][j] = min(
                    table[i - 1][j] + 1,
                    table[i][j - 1] + 1,
                    table[i - 1][j - 1] + (reference[i - 1] != hypothesis[j - 1]),
                )
    return table


def word_edits(hypothesis: Tokens, reference: Tokens) -> Edits:
    """The edits of one cheapest way: common ends first, then from the end a deletion where that is cheapest,
    an insertion where the shorter hypothesis is nearer to the longer reference, else a step on both sides."""
    h, r = list(hypothesis), list(reference)
    hits = substitutions = deletions = insertions = 0
    while h and r and h[0] == r[0]:
        h, r, hits = h[1:], r[1:], hits + 1
    while h and r and h[-1] == r[-1]:
        h, r, hits = h[:-1], r[:-1], hits + 1
    table = levenshtein_table(h, r)
    i, j = len(r), len(h)
    while i and j:
        if table[i][j] == table[i - 1][j] + 1:
            deletions, i = deletions + 1, i - 1
        elif table[i][j - 1] < table[i - 1][j - 1]:
            insertions, j = insertions + 1, j - 1
        else:
            i, j = i - 1, j - 1
            hits, substitutions = hits + (r[i] == h[j]), substitutions + (r[i] != h[j])
    return Edits(hits, substitutions, deletions + i, insertions + j)


def bag_edits(hypothesis: Tokens, reference: Tokens) -> Edits:
    """Of words without order, by the formula that programs use: 1 - (correct - max(0, c - r)) / r."""
    c, r = len(hypothesis), len(reference)
    correct = sum((Counter(hypothesis) & Counter(reference)).values())
    edits = r - (correct - max(0, c - r))
    surplus, lack = max(0, c - r), max(0, r - c)
    return Edits(correct, edits - surplus - lack, lack, surplus)


def jump_distance(hypothesis: Tokens, reference: Tokens) -> int:
    """With jumps (Leusch et al. 2006): within a row, every place is at most one edit above the lowest."""
    row = [0] + [1] * len(hypothesis)
    for word in reference:
        after = [row[0] + 1]
        for i, other in enumerate(hypothesis, start=1):
            after.append(min(row[i] + 1, after[i - 1] + 1, row[i - 1] + (word != other)))
        lowest = min(after)
        row = [min(cost, lowest + 1) for cost in after]
    return row[-1]


def best_reference(
    distance: Callable[[Tokens], int], references: Sequence[Tokens], *, average: bool
) -> tuple[int, int]:
    """The number of edits, and the index of the reference that counts."""
    mean = Fraction(sum(map(len, references)), len(references))

    def order(which: int) -> tuple[Fraction, int, int, int]:
        edits = distance(references[which])
        length = mean if average else Fraction(len(references[which]))
        rate = Fraction(edits) / length if length else Fraction(min(edits, 1))
        return rate, edits, -len(references[which]), which

    chosen = min(range(len(references)), key=order)
    return distance(references[chosen]), chosen
