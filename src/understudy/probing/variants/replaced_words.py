"""Words that are in no reference, replaced by arbitrary words that are in none either (section 3.2)."""

from __future__ import annotations

from understudy.probing.variants.candidates import Candidates
from understudy.probing.variants.draws import Draws
from understudy.probing.variants.sources import SegmentSources
from understudy.probing.variants.writing import Phrase

_TRIES = 50  # to draw a word that is in no reference


def replaced_words(sources: SegmentSources, draws: Draws) -> Candidates:
    """First with all such words replaced, then with all or some of them, chosen at random: a metric that compares more
    than words may not notice some.
    """
    outside = sources.outside_words
    if not outside:
        return "Every word is in a reference." if sources.length else "The hypothesis has no tokens."
    replaced = outside
    while True:
        words = [unrelated_word(sources, draws) for _ in replaced]
        known = [word for word in words if word is not None]
        if len(known) < len(words):
            return "Almost every other word of the system is in a reference."
        yield _with(sources, replaced, known)
        some = [place for place in outside if draws.below(2)]
        replaced = some if some and draws.below(2) else outside


def unrelated_word(sources: SegmentSources, draws: Draws) -> Phrase | None:
    """A word that is neither in the references nor in the hypothesis; None if none is found."""
    for _ in range(_TRIES):
        word = draws.choice(sources.vocabulary)
        if word.tokens[0] not in sources.reference_words and word.tokens[0] not in sources.own_words:
            return word
    return None


def _with(sources: SegmentSources, places: list[int], words: list[Phrase]) -> list[Phrase]:
    """The hypothesis with other words in these places."""
    phrases = []
    start = 0
    for place, word in zip(places, words, strict=True):
        if start < place:
            phrases.append(sources.phrase(start, place))
        phrases.append(word)
        start = place + 1
    if start < sources.length:
        phrases.append(sources.phrase(start, sources.length))
    return phrases
