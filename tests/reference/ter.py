"""TER the slow way: every table computed in full, every shift tried, nothing kept from one to the next.

Snover et al. 2006, section 3.2, with the limits of Tercom or as sacreBLEU has them. It knows nothing of bits, ids
or bounds: an oracle for `understudy.TER` that can be read beside the paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

INFINITE = math.inf
Words = list[str]


@dataclass(frozen=True)
class Limits:
    beam: int = 25
    beam_of: str = "places"
    shifts: str = "tercom"
    shift_size: int = 10
    shift_distance: int = 50
    candidates: int = 1000
    keep_at_limit: bool = True


@dataclass(frozen=True)
class Edits:
    insertions: int
    deletions: int
    substitutions: int
    shifts: int

    @property
    def total(self) -> int:
        return self.insertions + self.deletions + self.substitutions + self.shifts


def ter_edits(hypothesis: Sequence[str], reference: Sequence[str], limits: Limits | None = None) -> Edits:
    """The edits that greedy shifting finds."""
    limits = limits or Limits()
    words, reference, shifts, tried = list(hypothesis), list(reference), 0, 0
    if not reference:
        return Edits(len(words), 0, 0, 0)
    while True:
        cost, path = alignment(words, reference, limits)
        shifted: list[tuple[float, int, int, int, Words]] = []
        reached = False
        for batch in shift_batches(words, reference, path, limits):
            for start, length, target in batch:
                moved = shift(words, start, length, target, limits.shifts)
                gain = cost - alignment(moved, reference, limits)[0]
                shifted.append((gain, length, -start, -target, moved))
            tried += len(batch)
            reached = limits.candidates > 0 and tried >= limits.candidates
            if reached:
                break
        best = best_shift(shifted, limits)
        if best is None or best[0] <= 0 or (reached and not limits.keep_at_limit):
            break
        words = best[-1]
        shifts += 1
        if reached:
            break
    _, path = alignment(words, reference, limits)
    return Edits(path.count("I"), path.count("D"), path.count("S"), shifts)


def best_shift(
    shifted: list[tuple[float, int, int, int, Words]], limits: Limits
) -> tuple[float, int, int, int, Words] | None:
    """The one that gains most; of several the longest, then the leftmost, then the one that goes furthest left."""
    if limits.beam_of == "places":
        return max(shifted, default=None)
    # Tercom takes them in that order, and stops when no shift of a length could gain more: so it would be, but for
    # a beam of costs.
    best = None
    for candidate in sorted(shifted, key=lambda one: one[1:4], reverse=True):
        if best is not None and best[0] > 2 * candidate[1]:
            break
        if candidate[0] > (0 if best is None else best[0]):
            best = candidate
    return best


def alignment(words: Words, reference: Words, limits: Limits) -> tuple[float, str]:
    """The cost of making the words the reference, and how: '=' and 'S' take one of each, 'I' a word of the
    former alone, 'D' one of the latter alone."""
    rows, columns = len(words) + 1, len(reference) + 1
    costs = [[INFINITE] * columns for _ in range(rows)]
    steps = [[""] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            if limits.beam_of == "places" and not within_places(i, j, words, reference, limits.beam):
                continue
            ways = []
            if i > 0 and j > 0:
                same = words[i - 1] == reference[j - 1]
                ways.append((costs[i - 1][j - 1] + (not same), "=" if same else "S"))
            if i > 0:
                ways.append((costs[i - 1][j] + 1, "I"))
            if j > 0:
                ways.append((costs[i][j - 1] + 1, "D"))
            # min keeps the first of equals
            costs[i][j], steps[i][j] = min(ways, key=lambda way: way[0], default=(0, ""))
        if limits.beam_of == "costs" and limits.beam > 0 and 0 < i < rows - 1:
            diagonal = (costs[i - 1][j - 1] + (words[i - 1] != reference[j - 1]) for j in range(1, columns))
            dearest = min(diagonal) + limits.beam
            costs[i] = [cost if cost <= dearest else INFINITE for cost in costs[i]]
    path, i, j = "", rows - 1, columns - 1
    while i > 0 or j > 0:
        path = steps[i][j] + path
        i, j = i - (path[0] != "D"), j - (path[0] != "I")
    return costs[-1][-1], path


def within_places(i: int, j: int, words: Words, reference: Words, beam: int) -> bool:
    if i == 0 or beam == 0:
        return True
    ratio = len(reference) / len(words)
    width = math.ceil(ratio / 2 + beam) if beam < ratio / 2 else beam
    diagonal = math.floor(i * ratio)
    return diagonal - width <= j and (j < diagonal + width or i == len(words))


def shift_batches(
    words: Words, reference: Words, path: str, limits: Limits
) -> Iterator[list[tuple[int, int, int]]]:
    """The shifts worth trying, (start, length, target), all of one phrase to one place of the reference at a time."""
    wrong_words, wrong_reference, last_before = [], [], []
    for step in path:
        if step != "D":
            wrong_words.append(step != "=")
        if step != "I":
            wrong_reference.append(step != "=")
            last_before.append(len(wrong_words) - 1)
    for start in range(len(words)):
        for place in range(len(reference)):
            other = place if limits.shifts == "sacrebleu" else last_before[place]
            if abs(start - other) > limits.shift_distance:
                continue
            for length in range(1, limits.shift_size + 1):
                phrase = words[start : start + length]
                if len(phrase) < length or phrase != reference[place : place + length]:
                    break
                if not any(wrong_words[start : start + length]):
                    continue  # it is right where it is
                if not any(wrong_reference[place : place + length]):
                    continue  # the place has what it needs
                if start <= last_before[place] < start + length:
                    continue  # it is there already
                targets = [last_before[p] + 1 if p >= 0 else 0 for p in range(place - 1, place + length)]
                different = [
                    target
                    for before, target in zip([None, *targets], targets, strict=False)
                    if target != before
                ]
                yield [(start, length, target) for target in different]


def shift(words: Words, start: int, length: int, target: int, rules: str) -> Words:
    """The words with a phrase taken out and put back before `target`. If that is within the phrase or just behind
    it, the phrase goes to the right: in sacreBLEU by as many words as target is behind start, else by one less."""
    phrase, rest = words[start : start + length], words[:start] + words[start + length :]
    if target > start + length:
        at = target - length
    elif target > start and rules == "tercom":
        at = target - 1
    else:
        at = target
    return rest[:at] + phrase + rest[at:]
