"""The text of a hypothesis, split into pieces that do or do not match its references, for marking."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from understudy.breakdown.matched_spans import ReferenceNgrams, Span, matched_spans
from understudy.breakdown.tokenized import Words
from understudy.metrics.base.words import WordMetric
from understudy.metrics.ter import TERCOM
from understudy.text.scripts import UNSPACED, has_unspaced

# What tokenizers write for other characters of the text: 13a reads these entities (the last only intl-mteval),
# SentencePiece marks a space.
_ENTITIES = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;"}
_SPACE_MARK = "▁"
_FURTHEST = 20  # so many characters may be passed over that the tokenizer leaves out, such as <skipped>

# These tokenizers know a word by the spaces around it, so that in scripts without spaces a sentence is a word.
_BY_SPACES = frozenset(("13a", "intl", "intl-mteval", "zh", "zh-fixed", *TERCOM))
_CUT = re.compile(f"[{UNSPACED}]|[^{UNSPACED}]+")


@dataclass(frozen=True)
class Piece:
    """A part of a text. All pieces of a text, one after the other, are the text."""

    text: str
    order: int  # order of the largest n-gram in it that matches a reference; 0: no match


@dataclass(frozen=True, eq=False)
class Marker:
    """Marks matches in the hypotheses of one segment: by the metric's tokens, or by characters in scripts without word
    boundaries that the tokenizer does not split.
    """

    references: ReferenceNgrams
    reader: WordMetric

    @classmethod
    def of(cls, references: Iterable[str], reader: WordMetric) -> Marker:
        return cls(
            ReferenceNgrams.of([_words_to_mark(reference, reader) for reference in references]), reader
        )

    def pieces(self, text: str) -> list[Piece]:
        """The text cut where matches begin and end. Words that follow each other are in one piece where a reference has
        them one after the other.

        >>> from understudy import BLEU
        >>> pieces = Marker.of(["The cat sat."], BLEU()).pieces("The cat, it sat.")
        >>> [(piece.text, piece.order) for piece in pieces]
        [('The cat', 2), (', it ', 0), ('sat.', 2)]
        """
        pieces: list[Piece] = []
        done = 0
        for start, end, order in self.marks(text):
            if start > done:
                pieces.append(Piece(text[done:start], 0))
            pieces.append(Piece(text[start:end], order))
            done = end
        if done < len(text) or not pieces:
            pieces.append(Piece(text[done:], 0))
        return pieces

    def marks(self, text: str) -> list[tuple[int, int, int]]:
        """The pieces as numbers: start, end, and the order of the largest matching n-gram."""
        words = _words_to_mark(text, self.reader)
        every_place = _places(text, words)
        marks: list[tuple[int, int, int]] = []
        done = 0
        for (first, after), order in _runs(matched_spans(words, self.references), len(words)):
            places = [place for place in every_place[first:after] if place is not None]
            if not places:
                continue  # the tokenizer made words that are nowhere in the text
            start, end = max(places[0][0], done), max(places[-1][1], done)
            if end > start:
                marks.append((start, end, order))
            done = end
        return marks


def cut_into_characters(text: str, reader: WordMetric) -> bool:
    """Whether some words of the text are marked by characters."""
    return reader.tokenize in _BY_SPACES and has_unspaced(text)


def _words_to_mark(text: str, reader: WordMetric) -> Words:
    """The words of a text as the reader has them, or characters of them.

    >>> from understudy import BLEU
    >>> _words_to_mark("GPT坐了 ok", BLEU())
    ['GPT', '坐', '了', 'ok']
    """
    words = reader.tokens(text)
    if not cut_into_characters(text, reader):
        return words
    found: Words = []
    for word in words:
        parts: Words = []
        for part in _CUT.findall(word):
            if parts and unicodedata.category(part[0])[0] == "M":
                parts[-1] += part  # a vowel or tone above a letter is no character by itself
            else:
                parts.append(part)
        found += parts
    return found


def _runs(spans: dict[int, list[Span]], words: int) -> list[tuple[Span, int]]:
    """Matching words, joined if they match together, with the order of the largest n-gram."""
    joined = {start for start, _ in spans.get(2, [])}
    covered = [False] * words
    for order, matches in spans.items():
        for start, end in matches:
            covered[start:end] = [True] * order
    runs: list[Span] = []
    run_of = [-1] * words
    for place in range(words):
        if not covered[place]:
            continue
        if place - 1 in joined:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
        run_of[place] = len(runs) - 1
    longest = [1] * len(runs)
    for order, matches in spans.items():  # from short to long
        for start, end in matches:
            if run_of[start] == run_of[end - 1]:
                longest[run_of[start]] = order
    return list(zip(runs, longest, strict=True))


def _places(text: str, words: Sequence[str]) -> list[Span | None]:
    """The positions of words in the text, in characters; None for words that the tokenizer added."""
    places: list[Span | None] = []
    position = 0
    for word in words:
        # As a rule a word stands in the text as it is, at once or after a space.
        start = text.find(word, position, position + len(word) + 1)
        if start < 0 or not word:
            return _places_of_changed(text, words)
        position = start + len(word)
        places.append((start, position))
    return places


def _places_of_changed(text: str, words: Sequence[str]) -> list[Span | None]:
    """The same where the tokenizer changes case, reads entities, or leaves something out."""
    folded, origins = _folded(text)
    places: list[Span | None] = []
    position = 0
    for word in words:
        while position < len(folded) and folded[position].isspace():
            position += 1
        start, written = _found(_fold(word.removeprefix(_SPACE_MARK)), folded, position)
        if start < 0 or not written:
            places.append(None)
            continue
        position = start + len(written)
        places.append((origins[start], origins[position - 1] + 1))
    return places


def _found(written: str, folded: str, position: int) -> tuple[int, str]:
    """Where a word is, and how it stands there; -1 if it is nowhere near."""
    for spelling in (written, "".join(_ENTITIES.get(character, character) for character in written)):
        start = folded.find(spelling, position, position + len(spelling) + _FURTHEST)
        if start >= 0:
            return start, spelling
    return -1, written


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """The text in lower case, and for every character of that, the one of the text that it comes from."""
    folded = _fold(text)
    if len(folded) == len(text):
        return folded, range(len(text))
    # One character becomes two (İ does): they are distinguished.
    return folded, [index for index, character in enumerate(text) for _ in _fold(character)]


def _fold(text: str) -> str:
    """Lower case, in which a character is the same wherever it stands: not so a Greek sigma at the end of a word."""
    return text.lower().replace("ς", "σ")
