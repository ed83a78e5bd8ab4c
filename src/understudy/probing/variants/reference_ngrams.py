"""N-grams of different references, with as many matches of every order as the hypothesis (section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from understudy.probing.tokens import TokenizedText
from understudy.probing.variants.candidates import Candidates
from understudy.probing.variants.draws import Draws
from understudy.probing.variants.replaced_words import unrelated_word
from understudy.probing.variants.sources import SegmentSources
from understudy.probing.variants.writing import Phrase

_FAILURES = 100  # in sequence, after which the search gives up
_TRIES = 20  # to draw an n-gram whose tokens can still match


def reference_ngrams(sources: SegmentSources, draws: Draws) -> Candidates:
    """A randomized search: n-grams from random places in random references, in random order, filled up with words that
    are in no reference.
    """
    matches = sources.matches(sources.hypothesis.tokens)
    if not matches[0]:
        return "No token matches." if sources.length else "The hypothesis has no tokens."
    longest = max(len(reference.tokens) for reference in sources.references)
    failures = 0
    while failures < _FAILURES:
        lengths = fragment_lengths(matches, draws)
        exact = lengths is not None
        if lengths is None:
            lengths = [len(block.tokens) for block in sources.blocks if _in_references(block, sources)]
        fragments = _anywhere(lengths, sources, draws) or _apart(lengths, sources, draws)
        if fragments is None:
            failures += 1
            continue
        fillers = _fillers(sources.length - sum(lengths), sources, draws)
        if fillers is None:
            return "Almost every other word of the system is in a reference."
        candidate = [*fragments, *fillers]
        draws.shuffle(candidate)
        found = sources.matches([token for phrase in candidate for token in phrase.tokens])
        # Where n-grams meet, more may match. It is the same number that is looked for, unless no n-grams have it.
        if found == matches or (
            not exact and all(more >= less for more, less in zip(found, matches, strict=True))
        ):
            failures = 0
            yield candidate
        else:
            failures += 1
    if max(fragment_lengths(matches, draws) or [0]) > longest:
        return "No reference is as long as the matching part of the hypothesis."
    return f"{_FAILURES} selections in sequence have other numbers of matches."


def fragment_lengths(matches: Sequence[int], draws: Draws) -> list[int] | None:
    """Random lengths of separate n-grams that together have these matches of order 1, 2, ...; None if there are none.

    >>> import numpy as np
    >>> sorted(fragment_lengths([15, 10, 5, 3], Draws(np.random.default_rng(1))))
    [2, 2, 2, 3, 6]
    """
    # An n-gram of length l has l - n + 1 matches of order n: the differences are the numbers of n-grams with at least
    # 1, 2, ... tokens.
    at_least = [shorter - longer for shorter, longer in pairwise(matches)]
    if not at_least:
        return [1] * matches[-1]
    longest, beyond = at_least[-1], matches[-1]
    if longest < 0 or any(less < more for less, more in pairwise(at_least)) or (beyond and not longest):
        return None
    lengths = [sum(number > index for number in at_least) for index in range(at_least[0])]
    for _ in range(beyond):
        lengths[draws.below(longest)] += 1
    return lengths


def _in_references(block: Phrase, sources: SegmentSources) -> bool:
    return all(token in sources.reference_words for token in block.tokens)


def _anywhere(lengths: Sequence[int], sources: SegmentSources, draws: Draws) -> list[Phrase] | None:
    """N-grams of these lengths from any references, as long as each token can match; None if they are not found."""
    drawn: Counter[str] = Counter()
    fragments = []
    for length in sorted(lengths, reverse=True):
        long_enough = [reference for reference in sources.references if len(reference.tokens) >= length]
        for _ in range(_TRIES if long_enough else 0):
            reference = draws.choice(long_enough)
            start = draws.below(len(reference.tokens) - length + 1)
            tokens = reference.tokens[start : start + length]
            if _can_match(tokens, drawn, sources):
                drawn.update(tokens)
                fragments.append(_phrase(reference, start, length))
                break
        else:
            return None
    return fragments


def _can_match(tokens: Sequence[str], drawn: Counter[str], sources: SegmentSources) -> bool:
    clips = sources.clips
    return all(drawn[token] + count <= clips[(token,)] for token, count in Counter(tokens).items())


def _apart(lengths: Sequence[int], sources: SegmentSources, draws: Draws) -> list[Phrase] | None:
    """N-grams of these lengths that do not overlap, from one reference; None if none is long enough."""
    long_enough = [reference for reference in sources.references if len(reference.tokens) >= sum(lengths)]
    if not long_enough:
        return None
    reference = draws.choice(long_enough)
    in_order = list(lengths)
    draws.shuffle(in_order)
    free = len(reference.tokens) - sum(lengths)
    gaps = sorted(draws.below(free + 1) for _ in in_order)
    fragments = []
    for number, length in enumerate(in_order):
        fragments.append(_phrase(reference, gaps[number] + sum(in_order[:number]), length))
    return fragments


def _phrase(reference: TokenizedText, start: int, length: int) -> Phrase:
    return Phrase(reference.written(start, start + length), reference.tokens[start : start + length])


def _fillers(number: int, sources: SegmentSources, draws: Draws) -> list[Phrase] | None:
    """Words that match nothing: those of the hypothesis first."""
    fillers = [sources.phrase(place, place + 1) for place in sources.outside[:number]]
    while len(fillers) < number:
        word = unrelated_word(sources, draws)
        if word is None:
            return None
        fillers.append(word)
    return fillers
