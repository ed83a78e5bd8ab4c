"""sacreBLEU's resamples of segments: identical for the same seed, and summed with the same rounding."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadParameter

SEED_VARIABLE = "SACREBLEU_SEED"

# What its arithmetic with such a sum and a number of Python's is rounded to: NumPy 2 stays at single precision where
# NumPy 1 goes over to double, and its digits differ accordingly.
ROUNDED = type(np.float32(1) * 1.0)

BYTES_AT_ONCE = 2**23  # few enough to stay in a cache of the processor
_WHOLE_SINGLE = 2**24  # up to here, a sum of integers in single precision is not rounded


def named_seed() -> tuple[str, int | None]:
    """The seed as the environment has it, and the number that it means: None for other samples every time."""
    text = os.environ.get(SEED_VARIABLE, "12345").lower()
    if text == "none":
        return text, None
    if not text.isdecimal():
        raise BadParameter(f"{SEED_VARIABLE}='{text}': expected an integer of at least 0, or none.")
    return text, int(text)


def bootstrap_sums(
    rows: Sequence[NDArray[Any]], samples: int, generator: np.random.Generator
) -> list[NDArray[np.float32]]:
    """Of systems' rows, the sums [samples, K] of as many as there are, drawn with replacement, the same for all
    systems: in single precision, and one row after the other, as sacreBLEU adds them.
    """
    stacked = np.concatenate(rows, axis=1)
    segments, width = stacked.shape
    whole = np.array_equal(stacked, np.floor(stacked))
    exact, single = stacked.astype(np.float64), stacked.astype(np.float32)
    sums = np.empty((samples, width), np.float32)
    at_once = max(1, BYTES_AT_ONCE // (8 * segments))
    for start in range(0, samples, at_once):
        drawn = generator.choice(segments, size=(min(at_once, samples - start), segments))
        for sample, numbers in enumerate(drawn, start):
            if whole:
                # Where nothing is rounded, the order makes no difference: how often each row was drawn will do.
                total = np.bincount(numbers, minlength=segments).astype(np.float64) @ exact
                if total.max() <= _WHOLE_SINGLE:
                    sums[sample] = total
                    continue
            sums[sample] = single[numbers].sum(axis=0)
    return np.split(sums, len(rows), axis=1)


def swapped_sums(
    rows: Sequence[NDArray[Any]], samples: int, generator: np.random.Generator
) -> Iterator[list[tuple[NDArray[np.float64], NDArray[np.float64]]]]:
    """The sums of the first system and each of the others when they have exchanged segments at random, in parts of
    some samples [some, K].
    """
    systems = [system.astype(np.float64) for system in rows]
    stacked = np.concatenate(systems, axis=1)
    totals = stacked.sum(axis=0)
    exact = np.array_equal(stacked, np.floor(stacked))
    for kept in _coin_flips(samples, len(stacked), generator, in_parts=exact):
        if exact:
            product = kept @ stacked
            of_kept = np.split(product, len(systems), axis=1)
            of_given = np.split(totals - product, len(systems), axis=1)
        else:
            # Rounded sums depend on how a matrix product goes about it: the same for the same matrices alone.
            of_kept = [kept @ system for system in systems]
            of_given = [(1.0 - kept) @ system for system in systems]
        yield [
            (of_kept[0] + of_given[other], of_given[0] + of_kept[other]) for other in range(1, len(systems))
        ]


def _coin_flips(
    samples: int, segments: int, generator: np.random.Generator, *, in_parts: bool
) -> Iterator[NDArray[np.float64]]:
    # Bits come 32 at a time, so that 32 rows use them up without a rest, as drawing all rows at once does.
    at_once = max(1, BYTES_AT_ONCE // (segments * 8 * 32)) * 32 if in_parts else samples
    for start in range(0, samples, at_once):
        size = (min(at_once, samples - start), segments)
        yield generator.integers(2, size=size, dtype=bool).astype(np.float64)
