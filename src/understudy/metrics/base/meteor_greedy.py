"""METEOR's alignment as in NLTK: greedy, stage by stage, from the last word to the first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

from understudy.metrics.base.meteor_tasks import STAGES

Match = tuple[int, int]  # positions in hypothesis and reference
_Words = dict[int, str]  # unmatched words, by position


def greedy_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stages: Collection[str],
    stem: Callable[[str], str],
    synonyms: Callable[[str], Iterable[str]],
) -> dict[str, list[Match]]:
    """The matches of each stage.

    Each word of the hypothesis, from the last to the first, is matched with the last unmatched reference word that
    fits. After the stem stage only the stems remain, so synonyms are looked up for stems.
    """
    left, right = dict(enumerate(hypothesis)), dict(enumerate(reference))
    found = {}
    for stage in stages:
        if stage == "stem":
            left = {place: stem(word) for place, word in left.items()}
            right = {place: stem(word) for place, word in right.items()}
        fits = synonyms if stage == "synonym" else _itself
        found[stage] = _taken(left, right, fits)
        for place, other in found[stage]:
            del left[place], right[other]
    return found


def _itself(word: str) -> Iterable[str]:
    return (word,)


def _taken(left: _Words, right: _Words, fits: Callable[[str], Iterable[str]]) -> list[Match]:
    places: dict[str, list[int]] = {}
    for place, word in sorted(right.items()):
        places.setdefault(word, []).append(place)
    matches = []
    for place, word in sorted(left.items(), reverse=True):
        last = max(
            (places[other] for other in fits(word) if places.get(other)), default=[], key=lambda at: at[-1]
        )
        if last:
            matches.append((place, last.pop()))
    return matches


def _chunks(matches: Iterable[Match]) -> int:
    """The number of chunks: matches that are adjacent in both texts form one chunk."""
    ordered = sorted(matches)
    breaks = sum((place + 1, other + 1) != following for (place, other), following in pairwise(ordered))
    return breaks + 1 if ordered else 0


def row(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    found: dict[str, list[Match]],
    is_function_word: Callable[[str], bool],
    copies_are_free: bool,
) -> list[int]:
    """METEOR's statistics for the alignment, in column order."""
    texts = (hypothesis, reference)
    function = [[is_function_word(word) for word in text] for text in texts]
    numbers = [*map(len, texts), *map(sum, function)]
    for stage in STAGES:
        for kind in (False, True):
            for side in (0, 1):
                numbers.append(sum(function[side][match[side]] == kind for match in found.get(stage, [])))
    everything = [match for matches in found.values() for match in matches]
    runs = _chunks(everything)
    whole = len(everything) == len(hypothesis) == len(reference)
    return [
        *numbers,
        0 if copies_are_free and whole and runs == 1 else runs,
        len(everything),
        len(everything),
    ]
