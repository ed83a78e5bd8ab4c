"""Which segments a sample is made of: drawn with replacement, swapped between two systems, or cut into blocks.

Samples come in parts, so that memory does not grow with their number; the same seed gives the same samples, in parts of
whatever size, for every system and metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from understudy.comparison.evidence import SAMPLES_AT_ONCE, Floats
from understudy.errors import BadParameter

SEED = 12345  # of all that is drawn, unless another is named


def bootstrap_weights(segments: int, samples: int, seed: int) -> Iterator[Floats]:
    """Samples of as many segments as there are, drawn with replacement: how often each is in it."""
    generator = np.random.default_rng(seed)
    for count in _parts(samples):
        drawn = generator.integers(segments, size=(count, segments))
        # One bincount for all samples of the part: those of sample i are numbered from i * segments on.
        numbered = drawn + np.arange(count)[:, np.newaxis] * segments
        weights = np.bincount(numbered.ravel(), minlength=count * segments)
        yield weights.reshape(count, segments).astype(np.float64)


def swaps(segments: int, samples: int, seed: int) -> Iterator[Floats]:
    """Which segments two systems exchange: 1 or 0, with equal chances."""
    generator = np.random.default_rng(seed)
    for count in _parts(samples):
        yield generator.integers(2, size=(count, segments), dtype=np.int8).astype(np.float64)


def blocks_of_equal_size(segments: int, count: int) -> Floats:
    """Consecutive segments in `count` blocks, sizes as equal as they can be: rows of ones [blocks, segments]."""
    if not 2 <= count <= segments:
        raise BadParameter(
            f"{count} blocks of {segments:,} segments: expected at least 2, and a segment for each."
        )
    return _rows(np.arange(segments) * count // segments)


def blocks_of_size(segments: int, size: int) -> Floats:
    """Consecutive segments in blocks of `size`; what is left over at the end joins the last block."""
    if size < 1 or segments < 2 * size:
        raise BadParameter(f"blocks of {size} in {segments:,} segments: expected room for at least two.")
    return _rows(np.minimum(np.arange(segments) // size, segments // size - 1))


def blocks_by_label(labels: Sequence[str]) -> Floats:
    """A block for every run of segments of the same label, such as a document."""
    numbers = [number for number, (_, group) in enumerate(groupby(labels)) for _ in group]
    if numbers[-1] == 0:
        raise BadParameter(f"all segments are of '{labels[0]}': one block is too few to compare.")
    return _rows(np.array(numbers))


def _rows(block_of: NDArray[np.intp]) -> Floats:
    return np.asarray(block_of == np.arange(block_of[-1] + 1)[:, np.newaxis], dtype=np.float64)


def _parts(samples: int) -> Iterator[int]:
    for start in range(0, samples, SAMPLES_AT_ONCE):
        yield min(SAMPLES_AT_ONCE, samples - start)
