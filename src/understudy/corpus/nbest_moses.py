"""Moses' format of n-best lists, `SEGMENT ||| TEXT ||| FEATURES ||| SCORE`, and what other decoders make of it."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Any

from understudy.corpus.files import shown
from understudy.corpus.nbest_rows import (
    Layout,
    NumberedLines,
    Row,
    Rows,
    layout_of,
    number_in,
    segment_number,
)
from understudy.corpus.numbers import as_number, is_number
from understudy.errors import BadInput

# The separator is a token of its own: `a|||b` is text.
SEPARATOR = re.compile(r"(?:(?<=\s)|^)\|\|\|(?=\s|$)")
_ALIGNMENT = re.compile(r"\d+-\d+(?: \d+-\d+)*")


def moses_rows(lines: NumberedLines, path: str) -> Rows:
    fast: tuple[Any, ...] | None = None  # the layout of the line before, whose values are read at once
    for number, line in lines:
        fields = SEPARATOR.split(line)
        at = f"{shown(path)}, line {number}"
        if len(fields) < 2:
            found = "the line is empty" if not line.strip() else "no '|||' found"
            raise BadInput(f"{at}: {found}, expected 'SEGMENT ||| TEXT ||| FEATURES ||| SCORE'.")
        segment = segment_number(fields[0].strip(), at)
        text = fields[1].removeprefix(" ")
        if len(fields) > 2:  # at the end of the line, a space belongs to the text
            text = text.removesuffix(" ")
        rest = [part.strip() for part in fields[2:]]
        alignment = []
        if rest and _ALIGNMENT.fullmatch(rest[0]):  # where Marian writes it
            alignment.append(rest.pop(0))
        if len(rest) == 1 and is_number(rest[0]):
            rest.insert(0, "")  # one number alone is the score
        alignment += rest[2:]

        tokens = rest[0].split() if rest else []
        if fast is not None and len(tokens) == fast[0] and fast[1](tokens) == fast[2]:
            try:
                values = tuple(map(as_number, fast[3](tokens)))
                layout = fast[4]
            except ValueError:
                layout, values = _features(tokens, at)
        else:
            layout, values = _features(tokens, at)
            fast = _fast_reading(tokens, layout)
        score = number_in(rest[1], "the score", at) if len(rest) > 1 and rest[1] else None
        yield Row(
            number, segment, text, layout, values, score, None, " ||| ".join(alignment) if alignment else None
        )


def _fast_reading(tokens: list[str], layout: Layout) -> tuple[Any, ...] | None:
    """How to read a line with the same names in the same places; None if values and names share tokens."""
    names = [index for index, token in enumerate(tokens) if token[-1] in "=:"]
    values = [index for index, token in enumerate(tokens) if token[-1] not in "=:"]
    if len(names) < 2 or len(values) < 2 or any("=" in tokens[index] for index in values):
        return None
    getter = itemgetter(*names)
    return len(tokens), getter, getter(tokens), itemgetter(*values), layout


def _features(tokens: list[str], at: str) -> tuple[Layout, tuple[float, ...]]:
    values: dict[str, list[float]] = {}
    current = "feature"
    for token in tokens:
        if token[-1] in "=:":
            current = token[:-1]
            if current in values:
                raise BadInput(f"{at}: feature '{current}' is repeated.")
            values[current] = []
            continue
        name, equals, value = token.rpartition("=")
        if equals:
            if name in values:
                raise BadInput(f"{at}: feature '{name}' is repeated.")
            values[name] = [number_in(value, f"feature '{name}'", at)]
        elif is_number(token):
            values.setdefault(current, []).append(float(token))
        else:
            raise BadInput(
                f"{at}: '{token[:40]}' is not a feature, expected NAME= VALUE. Does the text contain '|||'?"
            )
    return layout_of(values, at, unnamed="feature")
