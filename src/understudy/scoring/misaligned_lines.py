"""Warnings about systems whose lines do not belong to the lines of the reference, by the cosine of sentence embeddings.

A few dozen segments are compared, in blocks of neighbors, with their reference, with the references of their neighbors
and with those of all others. Loading the encoder takes longer than BLEU of a test set, so words are compared first: see
`scoring.shared_words`. Only if these raise a suspicion, and the encoder is installed, sentence embeddings decide.

The thresholds are far from what real systems reach. Of each of 102 systems in 8 test sets, at most 2% of the segments
are closer to a neighbor's reference; from a missing line on, at least 98% are. All of them are closer to their own
reference than to three quarters of the others; of shuffled lines, at most 31% are.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from understudy.errors import InputWarning, MissingExtra
from understudy.scoring.shared_words import letters, share_of_known_words, word_overlaps

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

# In a block above suspicion, such a share of the segments have most words in common with their own reference. Blocks
# after a missing line reach 0.12, those of systems in the 8 test sets at least 0.67, with paraphrased references 0.25.
_OWN_WORDS = 0.5


def warn_of_misaligned(part: Corpus) -> None:
    """Warn about the systems of a corpus, or of the first part of one. The first reference stands for all."""
    assert part.references is not None, "only checked for metrics that read references"
    place = part.places[0]
    place = "the reference" if place == "references" else place
    for name, column in part.systems.items():
        sample = _Sample.of(column, part.references.columns[0])
        if _suspicious(sample) and _can_check() and (problem := _problem(sample)):
            warnings.warn(f"system '{name}': {problem.format(place=place)}", InputWarning, stacklevel=2)


def _can_check() -> bool:
    """Whether the encoder is installed."""
    from understudy.neural.sentence_vectors import encoder_identity

    try:
        return bool(encoder_identity())
    except MissingExtra:
        return False


@dataclass(frozen=True, eq=False)
class _Sample:
    """Segments with enough text on both sides, and with different references: equal ones are equally close."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    rows: NDArray[np.int64]
    blocks: NDArray[np.int64]

    @classmethod
    def of(cls, system: Column, reference: Column) -> _Sample:
        places = [(row, block) for block, rows in enumerate(_blocks(len(system))) for row in rows]
        first = {reference[row]: row for row, _ in reversed(places)}
        kept = [
            (row, block)
            for row, block in places
            if first[reference[row]] == row
            and min(letters(system[row] or ""), letters(reference[row] or "")) >= _LETTERS
        ]
        hypotheses, references = ([column[row] or "" for row, _ in kept] for column in (system, reference))
        numbers = np.array(kept, np.int64).reshape(-1, 2)
        return cls(hypotheses, references, numbers[:, 0], numbers[:, 1])

    @cached_property
    def cosines(self) -> NDArray[np.float64]:
        """Of all hypotheses and references."""
        from understudy.neural.sentence_vectors import sentence_encoder

        encoder = sentence_encoder()
        return np.asarray(encoder.vectors(self.hypotheses) @ encoder.vectors(self.references).T, np.float64)

    @property
    def judged_blocks(self) -> list[int]:
        """Those with enough segments for a verdict."""
        numbers, counts = np.unique(self.blocks, return_counts=True)
        return [int(number) for number in numbers[counts >= _FEWEST_IN_BLOCK]]


def _suspicious(sample: _Sample) -> bool:
    """Whether the words leave it open that lines are misaligned or foreign."""
    blocks = sample.judged_blocks
    if not blocks:
        return False
    overlaps = word_overlaps(sample.hypotheses, sample.references)
    own = np.diag(overlaps).copy()
    np.fill_diagonal(overlaps, 0.0)
    closest = own > overlaps.max(axis=1)
    return any(closest[sample.blocks == block].mean() < _OWN_WORDS for block in blocks) or bool(
        _foreign(sample)
    )


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
    shares = share_of_known_words(sample.hypotheses, sample.references)
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
