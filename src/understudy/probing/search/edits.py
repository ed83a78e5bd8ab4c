"""Edits of a text, as a sequence of tokens, and all texts that are one edit away."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Tokens = tuple[str, ...]

_DELETED = 4  # tokens at most, in one edit
_MOVED = 6
_SPLICED = range(2, 5)  # orders of the n-grams of the references


@dataclass(frozen=True)
class Replacement:
    """Tokens in place of others: a deletion if there are no new tokens, an insertion if there are no old ones."""

    start: int
    end: int
    new: Tokens

    def applied(self, tokens: Tokens) -> Tokens:
        """
        >>> Replacement(1, 2, ("dog", "cat")).applied(("the", "cat", "sat"))
        ('the', 'dog', 'cat', 'sat')
        """
        return tokens[: self.start] + self.new + tokens[self.end :]

    def described(self, tokens: Tokens) -> str:
        """
        >>> Replacement(0, 1, ("a",)).described(("the", "cat")), Replacement(2, 2, ("sat",)).described(("the", "cat"))
        ("replace 'the' by 'a'", "insert 'sat' at the end")
        """
        if not self.new:
            return f"delete {_quoted(tokens[self.start : self.end])}"
        if self.start < self.end:
            return f"replace {_quoted(tokens[self.start : self.end])} by {_quoted(self.new)}"
        place = (
            f"before {_quoted(tokens[self.end : self.end + 1])}" if self.end < len(tokens) else "at the end"
        )
        return f"insert {_quoted(self.new)} {place}"


@dataclass(frozen=True)
class Exchange:
    """Two blocks of tokens that change places. If nothing is between them, one of them moves past the other."""

    first: tuple[int, int]  # start and end
    second: tuple[int, int]

    def applied(self, tokens: Tokens) -> Tokens:
        """
        >>> Exchange((0, 1), (2, 4)).applied(("cats", "and", "hot", "dogs"))
        ('hot', 'dogs', 'and', 'cats')
        """
        (start, end), (other_start, other_end) = self.first, self.second
        between = tokens[end:other_start]
        return (
            tokens[:start] + tokens[other_start:other_end] + between + tokens[start:end] + tokens[other_end:]
        )

    def described(self, tokens: Tokens) -> str:
        """
        >>> Exchange((0, 1), (1, 3)).described(("here", "we", "are"))
        "move 'here' after 'we are'"
        """
        first, second = (tokens[start:end] for start, end in (self.first, self.second))
        if self.first[1] < self.second[0]:
            return f"swap {_quoted(first)} and {_quoted(second)}"
        if len(second) < len(first):
            return f"move {_quoted(second)} before {_quoted(first)}"
        return f"move {_quoted(first)} after {_quoted(second)}"


@dataclass(frozen=True)
class Repetition:
    """A block of tokens said twice."""

    start: int
    end: int

    def applied(self, tokens: Tokens) -> Tokens:
        """
        >>> Repetition(0, 2).applied(("very", "very", "good"))
        ('very', 'very', 'very', 'very', 'good')
        """
        return tokens[: self.end] + tokens[self.start :]

    def described(self, tokens: Tokens) -> str:
        """
        >>> Repetition(0, 1).described(("very", "good"))
        "repeat 'very'"
        """
        return f"repeat {_quoted(tokens[self.start : self.end])}"


Edit = Replacement | Exchange | Repetition


class Neighborhood:
    """All texts that are one edit away from another: any word of a vocabulary can be inserted or replace a token, and
    any n-gram of the references, or the rest of a reference from any token on, can replace a block.
    """

    def __init__(self, vocabulary: Sequence[str], references: Sequence[Tokens]) -> None:
        self.words = [(word,) for word in vocabulary]
        self.ngrams = _distinct(
            reference[start : start + order]
            for reference in references
            for order in _SPLICED
            for start in range(len(reference) - order + 1)
        )
        # Made when they are needed: all together they are as large as the square of the references.
        self.rests = [(reference, start) for reference in references for start in range(len(reference))]

    def edits(self, tokens: Tokens, generator: np.random.Generator) -> Iterator[Edit]:
        """All edits of a text in random order, in which kinds of edits alternate: there are few deletions and many
        insertions, and both are to be tried early. Some edits lead to the same text.
        """
        kinds = [
            _drawn(shape, edit, generator) for shape, edit in self._kinds(len(tokens)) if math.prod(shape) > 0
        ]
        while kinds:
            unfinished = []
            for kind in kinds:
                edit = next(kind, None)
                if edit is not None:
                    unfinished.append(kind)
                    yield edit
            kinds = unfinished

    def _kinds(self, length: int) -> list[tuple[tuple[int, ...], Callable[..., Edit | None]]]:
        """Kinds of edits of so many tokens: the ranges of their numbers, and the edit with such numbers, if any."""
        words, ngrams, rests = self.words, self.ngrams, self.rests

        def deletion(start: int, more: int) -> Edit | None:
            return _replacement(start, start + 1 + more, (), length)

        def insertion(place: int, word: int) -> Edit | None:
            return Replacement(place, place, words[word])

        def substitution(place: int, word: int) -> Edit | None:
            return Replacement(place, place + 1, words[word])

        def swap(place: int, other: int) -> Edit | None:
            return Exchange((place, place + 1), (other, other + 1)) if place + 1 < other else None

        def move(start: int, more: int, place: int) -> Edit | None:
            end = start + 1 + more
            if end > length or start <= place <= end:
                return None
            return (
                Exchange((place, start), (start, end))
                if place < start
                else Exchange((start, end), (end, place))
            )

        def fill(start: int, more: int, word: int) -> Edit | None:
            return _replacement(start, start + 2 + more, words[word] * (2 + more), length)

        def repetition(start: int, more: int) -> Edit | None:
            end = start + 1 + more
            return Repetition(start, end) if end <= length else None

        def splice(start: int, replaced: int, ngram: int) -> Edit | None:
            return _replacement(start, start + replaced, ngrams[ngram], length)

        def rest(place: int, rest: int) -> Edit | None:
            reference, start = rests[rest]
            return Replacement(place, length, reference[start:])

        return [
            ((length, _DELETED), deletion),
            ((length + 1, len(words)), insertion),
            ((length, len(words)), substitution),
            ((length, length), swap),
            ((length, _MOVED, length + 1), move),
            ((length, _MOVED, len(words)), fill),
            ((length, _MOVED), repetition),
            ((length + 1, _SPLICED.stop, len(ngrams)), splice),
            ((length + 1, len(rests)), rest),
        ]


def _replacement(start: int, end: int, new: Tokens, length: int) -> Edit | None:
    return Replacement(start, end, new) if end <= length else None


def _drawn(
    shape: tuple[int, ...], edit: Callable[..., Edit | None], generator: np.random.Generator
) -> Iterator[Edit]:
    for drawn in _each_once(math.prod(shape), generator):
        numbers = []
        rest = drawn
        for size in reversed(shape):
            rest, number = divmod(rest, size)
            numbers.append(number)
        made = edit(*reversed(numbers))
        if made is not None:
            yield made


def _each_once(count: int, generator: np.random.Generator) -> Iterator[int]:
    """The numbers below `count` in random order: by steps of a random size that has no divisor in common with it. A
    true shuffle would take longer than scoring the few texts that are needed before the next step.
    """
    number, step = (int(drawn) for drawn in generator.integers(count, size=2))
    while math.gcd(step, count) > 1:
        step += 1
    for _ in range(count):
        yield number
        number = (number + step) % count


def _distinct(sequences: Iterator[Tokens]) -> list[Tokens]:
    return list(dict.fromkeys(sequences))


def _quoted(tokens: Sequence[str]) -> str:
    return f"'{' '.join(tokens)}'"
