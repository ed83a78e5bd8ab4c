"""Random generators: one for each purpose, so that one choice does not change another."""

from __future__ import annotations

from zlib import crc32

import numpy as np


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """The generator for a purpose, always the same for the same seed.

    >>> int(generator(1, "selection").integers(1000)) == int(generator(1, "selection").integers(1000))
    True
    """
    return np.random.default_rng([seed, *(crc32(str(part).encode()) for part in purpose)])
