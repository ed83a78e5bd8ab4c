"""The segments of a CoNLL-U file, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, repeat
from typing import NamedTuple

from understudy.corpus.files import shown
from understudy.corpus.parsed_column import GIVEN
from understudy.errors import BadInput

_NO_TREE = (0, "")  # a segment that the file does not mention, and has no line


class _Sentence(NamedTuple):
    """Consecutive lines that are not empty; only comments if `words` is at their end."""

    line: int
    text: str
    words: int  # where the comments at the beginning end

    @property
    def next_line(self) -> int:
        return self.line + self.text.count("\n")


class ConlluSegments:
    """The segments, each as the number of its first line and its text. The file is given in consecutive parts, of which
    only the first sentence is read before a segment is asked for.
    """

    def __init__(self, parts: Iterable[str], path: str) -> None:
        """`path` is for messages."""
        self.parser = GIVEN
        self._path = path
        self._total: int | None = None  # the number of segments, if given
        self._total_line = 0
        self._number = re.compile(r"(?m)^# *segment *= *([^\n]*?) *$")
        self._sentences = _sentences(parts)
        self._first = self._read_head()

    def __iter__(self) -> Iterator[tuple[int, str]]:
        if self._first is None:
            segments: Iterator[tuple[int, str]] = iter(())
        elif self._number_in(self._first) is None:
            segments = self._unnumbered(self._first)
        else:
            segments = self._numbered(self._first)
        count = 0
        for segment in segments:
            count += 1
            if self._total is not None and count > self._total:
                raise self._refusal(
                    self._total_line,
                    f"'# segments = {self._total}', but found segment {count + sum(1 for _ in segments)}. "
                    "Correct the count.",
                )
            yield segment
        yield from repeat(_NO_TREE, max((self._total or 0) - count, 0))

    def _read_head(self) -> _Sentence | None:
        """Reads the comments before the first words, and returns the first sentence."""
        patterns = {name: re.compile(rf"(?m)^# *{name} *= *([^\n]*?) *$") for name in ("segments", "parser")}
        found: dict[str, tuple[int, str]] = {}
        first: _Sentence | None = None
        for sentence in self._sentences:
            for name, pattern in patterns.items():
                match = pattern.search(sentence.text, 0, sentence.words)
                if match and name not in found:
                    found[name] = sentence.line + sentence.text.count("\n", 0, match.start()), match[1]
            if sentence.words < len(sentence.text):
                first = sentence
                break
        if "segments" in found:
            self._total_line, said = found["segments"]
            self._total = _whole(said)
            if self._total is None:
                raise self._refusal(self._total_line, f"'# segments = {said}': expected a number.")
        if "parser" in found:
            self.parser = found["parser"][1] or GIVEN
        return first

    def _unnumbered(self, first: _Sentence) -> Iterator[tuple[int, str]]:
        """Every sentence is a segment."""
        yield first.line, first.text
        for sentence in self._sentences:
            if sentence.words == len(sentence.text):
                continue
            if self._number_in(sentence) is not None:
                raise self._without_number(first)
            yield sentence.line, sentence.text

    def _numbered(self, first: _Sentence) -> Iterator[tuple[int, str]]:
        """The sentences of a segment are consecutive; what is between them belongs to it."""
        number = self._checked_number(first, 1)
        yield from repeat(_NO_TREE, number - 1)
        segment, between = [first], list[_Sentence]()
        for sentence in self._sentences:
            if sentence.words == len(sentence.text):
                between.append(sentence)
                continue
            last, number = number, self._checked_number(sentence, number)
            if number == last:
                segment += [*between, sentence]
            else:
                yield segment[0].line, _joined(segment)
                yield from repeat(_NO_TREE, number - last - 1)
                segment = [sentence]
            between = []
        yield segment[0].line, _joined(segment)

    def _checked_number(self, sentence: _Sentence, last: int) -> int:
        said = self._number_in(sentence)
        if said is None:
            raise self._without_number(sentence)
        number = _whole(said[1])
        if number is None or number < last:
            raise self._refusal(
                sentence.line + sentence.text.count("\n", 0, said.start()),
                f"segment '{said[1]}', expected a number of at least {last}: segments must be in order.",
            )
        return number

    def _number_in(self, sentence: _Sentence) -> re.Match[str] | None:
        return self._number.search(sentence.text, 0, sentence.words)

    def _without_number(self, sentence: _Sentence) -> BadInput:
        return self._refusal(
            sentence.line,
            "a sentence without '# segment = NUMBER', which other sentences have. Add it to all or to none.",
        )

    def _refusal(self, line: int, what: str) -> BadInput:
        return BadInput(f"{shown(self._path)}, line {line}: {what}")


def _sentences(parts: Iterable[str]) -> Iterator[_Sentence]:
    block = re.compile(r"(?:[^\n]+(?:\n|\Z))+")
    comments = re.compile(r"(?:#[^\n]*(?:\n|\Z))*")
    line = 1
    for text in _whole_blocks(_with_unix_line_ends(parts)):
        counted = 0
        for found in block.finditer(text):
            start, end = found.span()
            line += text.count("\n", counted, start)
            counted = start
            head = comments.match(text, start, end)
            yield _Sentence(line, text[start:end], head.end() - start if head else 0)
        line += text.count("\n", counted)


def _whole_blocks(parts: Iterable[str]) -> Iterator[str]:
    """The same text, cut before empty lines only."""
    waiting: list[str] = []
    for part in parts:
        cut = part.rfind("\n\n") + 1
        if cut or (part.startswith("\n") and waiting and waiting[-1].endswith("\n")):
            yield "".join([*waiting, part[:cut]])
            waiting = [part[cut:]]
        else:
            waiting.append(part)
    yield "".join(waiting)


def _with_unix_line_ends(parts: Iterable[str]) -> Iterator[str]:
    """Parts that are not empty, with LF for CRLF."""
    waiting = ""  # a CR whose LF may be in the next part
    for part in parts:
        text = waiting + part
        waiting = "\r" if text.endswith("\r") else ""
        if text := text.removesuffix("\r").replace("\r\n", "\n"):
            yield text
    if waiting:
        yield waiting


def _joined(sentences: list[_Sentence]) -> str:
    """The text from the first sentence to the last, with the empty lines between them."""
    pieces = [sentences[0].text]
    for before, sentence in pairwise(sentences):
        pieces += ["\n" * (sentence.line - before.next_line), sentence.text]
    return "".join(pieces)


def _whole(text: str) -> int | None:
    # A number with more digits must be a mistake.
    return int(text) if re.fullmatch(r"[0-9]{1,8}", text) else None
