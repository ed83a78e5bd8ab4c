"""Rows of several texts, which unified models encode together: the hypothesis first, then source, reference or both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from understudy.neural.comet.encoder import Encoder
from understudy.neural.comet.hyperparameters import REFERENCE, SOURCE
from understudy.neural.pairs import Pair

Offsets = list[tuple[int, int]]

_NO_CHARACTERS = (0, 0)  # the offsets of special tokens


class Row(NamedTuple):
    """Token ids of several texts in one row."""

    ids: list[int]
    first_length: int  # tokens of the hypothesis, with its special tokens


class PairRows(NamedTuple):
    """What a model reads of a pair: one row, or three."""

    rows: list[Row]
    offsets: Offsets  # characters of the hypothesis' tokens, special tokens included


def rows_of(pair: Pair, inputs: Sequence[str], encoder: Encoder) -> PairRows:
    """With source and reference there are three rows: with the one, with the other, and with both."""
    subwords, longest = encoder.subwords, encoder.limits.text - 2
    hypothesis, offsets = subwords.ids_and_offsets(pair.hypothesis)
    source, reference = (
        None if text is None or name not in inputs else subwords.ids(text)
        for name, text in ((SOURCE, pair.source), (REFERENCE, pair.reference))
    )
    others = [text for text in (source, reference) if text is not None]
    groups = [[other] for other in others] + ([others] if len(others) == 2 else [])
    rows = [_row([hypothesis, *group], encoder) for group in groups]
    return PairRows(
        rows,
        [_NO_CHARACTERS, *offsets[:longest], _NO_CHARACTERS],
    )


def _row(texts: Sequence[Sequence[int]], encoder: Encoder) -> Row:
    """Each text is truncated as if alone, and the row again, without regard to texts: then it lacks the end."""
    subwords = encoder.subwords
    # COMET removes padding tokens, and so those that a text itself contains.
    cut = [
        [token for token in text[: encoder.limits.text - 2] if token != subwords.padding] for text in texts
    ]
    ids = [subwords.start]
    for number, text in enumerate(cut):
        ids += [subwords.end] * (encoder.architecture.separators if number else 0) + text
    return Row([*ids, subwords.end][: encoder.limits.joint], len(cut[0]) + 2)
