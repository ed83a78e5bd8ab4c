"""Warnings about systems whose lines do not belong to the lines of the reference, by the cosine of sentence embeddings.

Checked beside learned metrics, if the encoder is installed: loading it takes longer than most runs without them. A few
dozen segments are compared, in blocks of neighbors, with their reference, with the references of their neighbors and
with those of all others.

The thresholds are far from what real systems reach. Of each of 102 systems in 8 test sets, at most 2% of the segments
are closer to a neighbor's reference; from a missing line on, at least 98% are. All of them are closer to their own
reference than to three quarters of the others; of shuffled lines, at most 31% are.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from understudy.errors import InputWarning, MissingExtra
from understudy.neural.sentence_vectors import encoder_identity, sentence_encoder

if TYPE_CHECKING:
    from understudy._core import Column
    from understudy.corpus.corpus import Corpus

_BLOCKS = 8  # evenly spaced
_BLOCK = 8  # segments
_LETTERS = 15  # of a text that says enough to be recognized
_FEWEST = 16  # segments for a verdict on a whole system
_FEWEST_IN_BLOCK = 4
# A block is shifted if neighbors' references are closer for such a share of its segments, by such a cosine on average.
_SHIFTED = 0.75
_CLOSER = 0.2
_QUANTILE = 0.75  # of the other references, that a segment's own one must exceed
_UNRELATED = 0.5  # share of segments that do
_FOREIGN = (
    0.4  # mean share of a segment's words that are in the references; 0.64 for the worst of the 102 systems
)

_WORD = re.compile(r"[^\W\d_]+")
_FIRST_UNSPACED = "\u2e80"  # from here on, scripts without spaces between words, and Korean


def can_check() -> bool:
    """Whether the encoder is installed."""
    try:
        return bool(encoder_identity())
    except MissingExtra:
        return False


def warn_of_misaligned(part: Corpus) -> None:
    """Warn about the systems of a corpus, or of the first part of one. The first reference stands for all."""
    assert part.references is not None, "only checked beside metrics that read references"
    place = part.places[0]
    place = "the reference" if place == "references" else place
    for name, column in part.systems.items():
        if problem := _problem(_Sample.of(column, part.references.columns[0])):
            warnings.warn(f"system '{name}': {problem.format(place=place)}", InputWarning, stacklevel=2)


@dataclass(frozen=True, eq=False)
class _Sample:
    """Segments with enough text on both sides, and the cosines of all hypotheses and references among them."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    rows: NDArray[np.int64]
    blocks: NDArray[np.int64]
    cosines: NDArray[np.float64]

    @classmethod
    def of(cls, system: Column, reference: Column) -> _Sample:
        places = [(row, block) for block, rows in enumerate(_blocks(len(system))) for row in rows]
        kept = [
            (row, block)
            for row, block in places
            if _says_enough(system[row] or "") and _says_enough(reference[row] or "")
        ]
        hypotheses, references = ([column[row] or "" for row, _ in kept] for column in (system, reference))
        cosines = np.zeros((0, 0))
        if kept:
            encoder = sentence_encoder()
            cosines = np.asarray(encoder.vectors(hypotheses) @ encoder.vectors(references).T, np.float64)
        numbers = np.array(kept, np.int64).reshape(-1, 2)
        return cls(hypotheses, references, numbers[:, 0], numbers[:, 1], cosines)


def _problem(sample: _Sample) -> str:
    return _shift(sample) or _unrelated(sample) or _foreign(sample)


def _shift(sample: _Sample) -> str:
    """Blocks whose segments are closer to the reference of the segment before, or after."""
    own = np.diag(sample.cosines)
    for step, where in ((1, "later"), (-1, "earlier")):
        shifted = []
        for block in np.unique(sample.blocks):
            here, neighbors = _neighbors(sample, block, step)
            if len(here) >= _FEWEST_IN_BLOCK:
                closer = sample.cosines[here, neighbors] - own[here]
                if closer.mean() >= _CLOSER and (closer > 0).mean() >= _SHIFTED:
                    shifted.append(block)
        # In shuffled lines, a block may look shifted by chance.
        rest = ~np.isin(sample.blocks, shifted)
        if shifted and (rest.sum() < _FEWEST or _related(sample)[rest].mean() >= _UNRELATED):
            first = int(sample.rows[sample.blocks == shifted[0]][0])
            lost = "it" if step == 1 else "{place}"
            return (
                f"from about segment {first + 1} on, its lines match lines of {{place}} that are one line {where}. "
                f"Was a line of {lost} lost?"
            )
    return ""


def _neighbors(sample: _Sample, block: int, step: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The segments of a block whose neighbor is in it, too, and these neighbors."""
    inside = np.flatnonzero(sample.blocks == block)
    places = {int(sample.rows[place]): int(place) for place in inside}
    pairs = [(place, places[row + step]) for row, place in places.items() if row + step in places]
    return np.array([pair[0] for pair in pairs], np.int64), np.array([pair[1] for pair in pairs], np.int64)


def _unrelated(sample: _Sample) -> str:
    if len(sample.rows) < _FEWEST:
        return ""
    related = _related(sample)
    if related.mean() >= _UNRELATED:
        return ""
    return (
        f"{len(sample.rows) - int(related.sum())} of {len(sample.rows)} segments compared are no closer in meaning to "
        "their line of {place} than to other lines. Do both have the same segments in the same order?"
    )


def _related(sample: _Sample) -> NDArray[np.bool_]:
    """Whether a segment is closer to its reference than to most others."""
    others = sample.cosines[~np.eye(len(sample.rows), dtype=bool)].reshape(len(sample.rows), -1)
    return np.asarray(np.diag(sample.cosines) > np.quantile(others, _QUANTILE, axis=1))


def _foreign(sample: _Sample) -> str:
    """The meaning matches, but not the words."""
    known = {word for text in sample.references for word in _words(text)}
    shares = [
        np.mean([word in known for word in words])
        for text in sample.hypotheses
        if (words := list(_words(text)))
    ]
    if len(shares) < _FEWEST or np.mean(shares) >= _FOREIGN:
        return ""
    return (
        f"only {100 * np.mean(shares):.0f}% of its words occur in {{place}}, although the meanings match. Is it in "
        "another language?"
    )


def _blocks(segments: int) -> Iterator[range]:
    if segments <= _BLOCKS * _BLOCK:
        for start in range(0, segments, _BLOCK):
            yield range(start, min(start + _BLOCK, segments))
        return
    for start in np.linspace(0, segments - _BLOCK, _BLOCKS).astype(int).tolist():
        yield range(start, start + _BLOCK)


def _says_enough(text: str) -> bool:
    """Whether it has a few words. A character of Chinese or Japanese counts as three letters."""
    return (
        sum(len(word) * (3 if word[0] >= _FIRST_UNSPACED else 1) for word in _WORD.findall(text)) >= _LETTERS
    )


def _words(text: str) -> Iterator[str]:
    """The words of a text; each character of scripts without spaces."""
    for word in _WORD.findall(text.casefold()):
        if word[0] >= _FIRST_UNSPACED:
            yield from word
        else:
            yield word
