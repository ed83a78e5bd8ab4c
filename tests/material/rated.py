"""Made-up ratings of known systems by known judges."""

from __future__ import annotations

import numpy as np

from understudy.judging.judgments import Ratings

SYSTEMS = ("A", "B", "C", "D")
JUDGES = ("j1", "j2", "j3", "j4", "j5")


def ratings_of(table: np.ndarray) -> Ratings:
    """Of values [judges, systems, segments]; NaN: not judged."""
    judge, system, segment = np.nonzero(~np.isnan(table))
    return Ratings.of(judge, system, segment, table[judge, system, segment])


def random_table(seed: int, segments: int = 25, share: float = 1.0) -> np.ndarray:
    """Five judges of different severity, four systems of different quality."""
    generator = np.random.default_rng(seed)
    shape = (len(JUDGES), len(SYSTEMS), segments)
    table = (
        np.linspace(-1, 1, shape[0])[:, np.newaxis, np.newaxis]
        + np.array([0.0, 0.1, 0.5, 1.5])[:, np.newaxis]
        + generator.normal(0, 1, segments)
        + generator.normal(0, 1, shape)
    )
    table[generator.random(shape) >= share] = np.nan
    return table
