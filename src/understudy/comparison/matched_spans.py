"""Which words of an output its references have too: spans of words per order of n-gram, and pieces of its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from understudy.comparison.tokenized import words_of
from understudy.metrics.words import WordMetric

Ngram = tuple[str, ...]
Span = tuple[int, int]  # of words: the first, and the one after the last

MAX_ORDER = 4  # the longest n-grams looked at, as in BLEU

# What tokenizers write for other characters of the text: 13a reads these entities, SentencePiece marks a space.
_ENTITIES = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPACE_MARK = "▁"
_FURTHEST = 20  # so many characters may be passed over that the tokenizer leaves out, such as <skipped>


@dataclass(frozen=True)
class Piece:
    """A part of a text. All pieces of a text, one after the other, are the text."""

    text: str
    order: int  # the longest n-gram in it that a reference has; 0 if none has any


def ngrams(words: Sequence[str], order: int) -> Iterable[Ngram]:
    """All n-grams of that order, from left to right.

    >>> list(ngrams(["a", "b", "c"], 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(words[start:] for start in range(order)), strict=False)


def most_in_a_reference(references: Sequence[Sequence[str]], order: int) -> Counter[Ngram]:
    """How often each n-gram may be matched: as often as it occurs in the one reference that has it most often
    (Papineni et al. 2001, section 2.1.1).
    """
    most: Counter[Ngram] = Counter()
    for words in references:
        most |= Counter(ngrams(words, order))
    return most


def matched_spans(
    words: Sequence[str], references: Sequence[Sequence[str]], max_order: int = MAX_ORDER
) -> dict[int, list[Span]]:
    """The spans of the output that are n-grams of a reference, by order. Matches are clipped as in BLEU, order by
    order; of more occurrences than a reference has, the first ones match.

    >>> matched_spans("the the cat".split(), ["the cat sat".split()])
    {1: [(0, 1), (2, 3)], 2: [(1, 3)], 3: [], 4: []}
    """
    found: dict[int, list[Span]] = {}
    for order in range(1, max_order + 1):
        left = most_in_a_reference(references, order)
        found[order] = []
        for start, ngram in enumerate(ngrams(words, order)):
            if left[ngram] > 0:
                left[ngram] -= 1
                found[order].append((start, start + order))
    return found


def matched_pieces(text: str, references: Iterable[str], reader: WordMetric) -> list[Piece]:
    """The text cut where matches begin and end. Words that follow each other are in one piece where a reference has
    them one after the other.

    >>> from understudy import BLEU
    >>> pieces = matched_pieces("The cat, it sat.", ["The cat sat."], BLEU())
    >>> [(piece.text, piece.order) for piece in pieces]
    [('The cat', 2), (', it ', 0), ('sat.', 2)]
    """
    words = words_of(text, reader)
    spans = matched_spans(words, [words_of(reference, reader) for reference in references])
    every_place = _places(text, words)
    pieces: list[Piece] = []
    done = 0
    for run, order in _runs(spans):
        places = [place for place in every_place[run[0] : run[1]] if place is not None]
        if not places:
            continue  # the tokenizer made words that are nowhere in the text
        start, end = max(places[0][0], done), max(places[-1][1], done)
        if start > done:
            pieces.append(Piece(text[done:start], 0))
        if end > start:
            pieces.append(Piece(text[start:end], order))
        done = end
    if done < len(text) or not pieces:
        pieces.append(Piece(text[done:], 0))
    return pieces


def _runs(spans: dict[int, list[Span]]) -> list[tuple[Span, int]]:
    """Words that match, joined where two in a row match together, with the longest n-gram inside."""
    joined = {start for start, _ in spans.get(2, [])}
    runs: list[Span] = []
    covered = sorted({place for matches in spans.values() for span in matches for place in range(*span)})
    for place in covered:
        if runs and runs[-1][1] == place and place - 1 in joined:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return [
        (
            run,
            max(
                (order for order, matches in spans.items() for span in matches if _inside(span, run)),
                default=1,
            ),
        )
        for run in runs
    ]


def _inside(span: Span, run: Span) -> bool:
    return run[0] <= span[0] and span[1] <= run[1]


def _places(text: str, words: Sequence[str]) -> list[Span | None]:
    """Where the words are in the text, by characters; None for words that the tokenizer made up."""
    folded, origins = _folded(text)
    places: list[Span | None] = []
    position = 0
    for word in words:
        while position < len(folded) and folded[position].isspace():
            position += 1
        start = length = -1
        for written in _written(word):
            length = len(written)
            start = folded.find(written, position, position + length + _FURTHEST)
            if start >= 0:
                break
        if start < 0 or length == 0:
            places.append(None)
            continue
        position = start + length
        places.append((origins[start], origins[position - 1] + 1))
    return places


def _folded(text: str) -> tuple[str, list[int]]:
    """The text in lower case, and for every character of that, the one of the text that it comes from."""
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(text):
        for part in character.lower():
            characters.append(part)
            origins.append(index)
    return "".join(characters), origins


def _written(word: str) -> list[str]:
    """How a word may stand in the text."""
    plain = "".join(part for character in word.removeprefix(_SPACE_MARK) for part in character.lower())
    escaped = "".join(_ENTITIES.get(character, character) for character in plain)
    return [plain] if escaped == plain else [plain, escaped]
