"""Resamples of segments: bootstrap, swaps between two systems, and blocks.

Resamples are drawn in parts of limited size, so that memory does not grow with the number of resamples or segments. The
same seed gives the same resamples for every system, metric and part size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.errors import BadParameter
from understudy.resampling.evidence import Evidence
from understudy.wording import number_of

SAMPLES_AT_ONCE = 256
_BYTES_AT_ONCE = 2**26  # of weights, with what it takes to draw them


def bootstrap_weights(segments: int, samples: int, seed: int, *, beside: int = 0) -> Iterator[Floats]:
    """Samples of as many segments as there are, drawn with replacement: how often each is in it. `beside` says of how
    many other units samples are drawn alongside, if these are to come in the same parts.
    """
    generator = np.random.default_rng(seed)
    if 24 * segments > _BYTES_AT_ONCE:
        yield from _drawn_in_pieces(generator, segments, samples)
        return
    for count in _parts(samples, 24 * max(segments, beside)):
        drawn = generator.integers(segments, size=(count, segments))
        # One bincount for all samples of the part: those of sample i are numbered from i * segments on.
        drawn += np.arange(count)[:, np.newaxis] * segments
        weights = np.bincount(drawn.ravel(), minlength=count * segments)
        yield weights.reshape(count, segments).astype(np.float64)


def _drawn_in_pieces(generator: np.random.Generator, segments: int, samples: int) -> Iterator[Floats]:
    """The same samples, one at a time, for so many segments that the numbers drawn for one take too much memory."""
    piece = max(1, _BYTES_AT_ONCE // 24)
    for _ in range(samples):
        weights = np.zeros((1, segments))
        for start in range(0, segments, piece):
            np.add.at(weights[0], generator.integers(segments, size=min(piece, segments - start)), 1.0)
        yield weights


def swaps(segments: int, samples: int, seed: int) -> Iterator[Floats]:
    """Which segments two systems exchange: 1 or 0, with equal chances."""
    generator = np.random.default_rng(seed)
    # Bytes are drawn four at a time, and what is left of four is lost: parts of four samples lose none.
    for count in _parts(samples, 9 * segments, multiple=4):
        yield generator.integers(2, size=(count, segments), dtype=np.int8).astype(np.float64)


def bootstrap_scores(evidence: Sequence[Evidence], samples: int, seed: int) -> list[Floats]:
    """By metric, what every run scores on samples of the segments [samples, runs]: drawn once for all metrics."""
    found = [np.empty((samples, len(each.system_of))) for each in evidence]
    for segments in {each.segments for each in evidence}:  # other tools' scores may be of other segments
        concerned = [
            (each, scores) for each, scores in zip(evidence, found, strict=True) if each.segments == segments
        ]
        start = 0
        for part in bootstrap_weights(segments, samples, seed):
            for each, scores in concerned:
                scores[start : start + len(part)] = each.score(each.sums(part))
            start += len(part)
    return found


def blocks_of_equal_size(segments: int, count: int) -> NDArray[np.intp]:
    """Consecutive segments in `count` blocks, sizes as equal as they can be: which one each segment is in."""
    if not 2 <= count <= segments:
        raise BadParameter(
            f"{number_of(count, 'block')} of {number_of(segments, 'segment')}: expected at least 2 blocks, and at "
            "most one per segment."
        )
    return np.arange(segments) * count // segments


def blocks_of_size(segments: int, size: int) -> NDArray[np.intp]:
    """Consecutive segments in blocks of `size`; what is left over at the end joins the last block."""
    if size < 1 or segments < 2 * size:
        raise BadParameter(
            f"blocks of {size} in {number_of(segments, 'segment')}: expected at least two blocks."
        )
    return np.minimum(np.arange(segments) // size, segments // size - 1)


def blocks_by_label(labels: Sequence[str]) -> NDArray[np.intp]:
    """A block for every run of segments of the same label, such as a document."""
    numbers = [number for number, (_, group) in enumerate(groupby(labels)) for _ in group]
    if numbers[-1] == 0:
        raise BadParameter(f"all segments belong to '{labels[0]}': expected at least two blocks.")
    return np.array(numbers)


def _parts(samples: int, bytes_each: int, multiple: int = 1) -> Iterator[int]:
    """Number of samples of this many bytes to draw at once.

    >>> list(_parts(600, bytes_each=1000)), list(_parts(5, bytes_each=2**25))
    ([256, 256, 88], [2, 2, 1])
    """
    at_once = min(SAMPLES_AT_ONCE, _BYTES_AT_ONCE // bytes_each)
    at_once = max(multiple, at_once - at_once % multiple)
    for start in range(0, samples, at_once):
        yield min(at_once, samples - start)
