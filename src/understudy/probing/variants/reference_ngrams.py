"""N-grams of different references, with as many matches of every order as the hypothesis (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from understudy.probing.tokens import TokenizedText
from understudy.probing.variants.candidates import Candidates
from understudy.probing.variants.draws import Draws
from understudy.probing.variants.replaced_words import unrelated_word
from understudy.probing.variants.sources import SegmentSources
from understudy.probing.variants.writing import Phrase

_AT_ONCE = 16  # selections whose matches are counted together ...
_FRUITLESS = 8  # ... and how often none of them has enough, before the search gives up
_TRIES = 20  # to draw an n-gram whose tokens can still match


def reference_ngrams(sources: SegmentSources, draws: Draws) -> Candidates:
    """A randomized search: n-grams from random places in random references, in random order, filled up with words that
    are in no reference.
    """
    wanted = sources.matches([sources.hypothesis.tokens])[0]
    if not wanted[0]:
        return "No token matches." if sources.length else "The hypothesis has no tokens."
    fruitless = 0
    while fruitless < _FRUITLESS:
        selections = [_selection(wanted.tolist(), sources, draws) for _ in range(_AT_ONCE)]
        candidates = [selection for selection in selections if selection is not None]
        if not candidates:
            fruitless += 1
            continue
        found = sources.matches([_tokens(candidate) for candidate in candidates])
        # Where n-grams meet, more may match by chance: the same number is preferred.
        same = (found == wanted).all(axis=1)
        chosen = same if same.any() else (found >= wanted).all(axis=1)
        fruitless = 0 if chosen.any() else fruitless + 1
        yield from (candidate for candidate, is_chosen in zip(candidates, chosen, strict=True) if is_chosen)
    return (
        f"The last {_FRUITLESS * _AT_ONCE} random selections had too few matches or could not be completed."
    )


def _selection(matches: Sequence[int], sources: SegmentSources, draws: Draws) -> list[Phrase] | None:
    """N-grams that may have these matches; None if they are not found."""
    lengths = fragment_lengths(matches, draws)
    fragments = _anywhere(lengths, sources, draws) or _apart(lengths, sources, draws)
    fillers = _fillers(sources.length - sum(lengths), sources, draws)
    if fragments is None or fillers is None:
        return None
    selection = [*fragments, *fillers]
    draws.shuffle(selection)
    return selection


def fragment_lengths(matches: Sequence[int], draws: Draws) -> list[int]:
    """Random lengths of separate n-grams that together have these matches of order 1, 2, ..., or more of some orders if
    no lengths have exactly these.

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
        return _fewer_lengths(matches, draws)
    lengths = [sum(number > index for number in at_least) for index in range(at_least[0])]
    for _ in range(beyond):
        lengths[draws.below(longest)] += 1
    return lengths


def _fewer_lengths(matches: Sequence[int], draws: Draws) -> list[int]:
    """Random lengths that have no fewer matches: k n-grams with t tokens together have at least t - k (n - 1) of order
    n.
    """
    tokens = max(number + below for below, number in enumerate(matches) if number)
    most = [(tokens - number) // below for below, number in enumerate(matches) if below and number]
    cuts = list(range(1, tokens))
    draws.shuffle(cuts)
    cuts = sorted(cuts[: max(0, min(most, default=tokens) - 1)])
    return [end - start for start, end in pairwise([0, *cuts, tokens])]


def _anywhere(lengths: Sequence[int], sources: SegmentSources, draws: Draws) -> list[Phrase] | None:
    """N-grams of these lengths from any references, as long as each token can match; None if they are not found."""
    left = sources.clips.copy()
    fragments = []
    for length in sorted(lengths, reverse=True):
        long_enough = [reference for reference in sources.references if len(reference.tokens) >= length]
        for _ in range(_TRIES if long_enough else 0):
            reference = draws.choice(long_enough)
            start = draws.below(len(reference.tokens) - length + 1)
            if _taken(reference.tokens[start : start + length], left):
                fragments.append(_phrase(reference, start, length))
                break
        else:
            return None
    return fragments


def _taken(tokens: Sequence[str], left: dict[str, int]) -> bool:
    """Take tokens of which so many are left, all or none."""
    for number, token in enumerate(tokens):
        if not left[token]:
            for taken in tokens[:number]:
                left[taken] += 1
            return False
        left[token] -= 1
    return True


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
    before = accumulate(in_order, initial=0)
    return [
        _phrase(reference, gap + taken, length)
        for gap, taken, length in zip(gaps, before, in_order, strict=False)
    ]


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


def _tokens(phrases: Sequence[Phrase]) -> list[str]:
    return [token for phrase in phrases for token in phrase.tokens]
