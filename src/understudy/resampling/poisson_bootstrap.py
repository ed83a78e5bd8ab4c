"""The Poisson bootstrap: in every sample, each segment has a weight from the Poisson distribution with mean 1.

The usual bootstrap draws as many segments as there are, so the weights of a sample depend on each other, and on the
order of the segments. Here, the weight of a segment depends only on its name, the number of the sample and the seed.
Segments can be counted anywhere, in any order and in any parts: the sums are the same. A sample has as many segments as
there are on average, not exactly; scores are ratios, so this hardly affects them. With few segments, a sample can be
empty: it has no score, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import name_hashes, poisson_weights
from understudy.arrays import Floats
from understudy.corpus.columns import as_labels
from understudy.errors import BadInput, LengthMismatch
from understudy.resampling.evidence import Evidence
from understudy.resampling.exact_sums import WHOLE, Integers, digits_of, exact_products, sums_of

LARGEST_SEED = 2**64 - 1
SEGMENTS = -1  # in place of the number of a table: the number of segments, which every total has
_WEIGHTS_AT_ONCE = 2**22

Key = tuple[int, int]  # the number of a table, and the position of digits


class PoissonTotals:
    """The totals of tables of numbers, with a row per segment, over all segments and in every sample. The segments come
    in parts.
    """

    def __init__(self, samples: int, seed: int) -> None:
        self.samples, self.seed = samples, seed
        self.sums: dict[Key, Integers] = {}  # [1 + samples, K]: over all segments, then in every sample

    def add(self, tables: Sequence[NDArray[Any]], hashes: NDArray[np.uint64] | None) -> None:
        """Add a part of the segments: tables of the same segments, and the hashes of their names (`name_hashes`), which
        are not necessary without samples.
        """
        digits: dict[Key, Integers] = {(SEGMENTS, WHOLE): np.ones((len(tables[0]), 1), np.int64)}
        for number, table in enumerate(tables):
            digits |= {(number, position): part for position, part in digits_of(table).items()}
        for key, part in digits.items():
            if key not in self.sums:
                self.sums[key] = np.zeros((1 + self.samples, part.shape[1]), np.int64)
            self.sums[key][0] += part.sum(axis=0)
        if self.samples:
            assert hashes is not None, "samples depend on the names of segments"
            self._add_samples(digits, hashes)

    def _add_samples(self, digits: dict[Key, Integers], hashes: NDArray[np.uint64]) -> None:
        at_once = max(1, _WEIGHTS_AT_ONCE // self.samples)
        for start in range(0, len(hashes), at_once):
            part = slice(start, start + at_once)
            weights = np.empty((len(hashes[part]), self.samples), np.float32)
            poisson_weights(hashes[part], weights, seed=self.seed)
            segments = weights.sum(axis=0, dtype=np.float64)
            most = float(segments.max())
            for key, of_key in digits.items():
                if key[0] == SEGMENTS:
                    self.sums[key][1:, 0] += segments.astype(np.int64)
                else:
                    self.sums[key][1:] += exact_products(weights, of_key[part], most)


def totals_of(sums: dict[Key, Integers], table: int) -> NDArray[np.int64] | NDArray[np.float64]:
    """The totals [1 + samples, K] of a table."""
    return sums_of({position: digits for (number, position), digits in sums.items() if number == table})


def poisson_scores(evidence: Evidence, names: Any, samples: int, seed: int) -> Floats:
    """What every run scores on Poisson samples of the segments [samples, runs], as `bootstrap_scores` gives it for
    samples of the usual kind. `names` identify the segments: strings or integers, each of them once.
    """
    column = as_labels(names, "names")
    if len(column) != evidence.segments:
        raise LengthMismatch(
            f"got {len(column):,} names, expected one for each of {evidence.segments:,} segments."
        )
    if len({column[row] for row in range(len(column))}) < len(column):
        raise BadInput("names: two segments have the same name, and would always be drawn together.")
    whole = evidence.template is not None and np.issubdtype(evidence.template.array.dtype, np.integer)
    counts = evidence.counts.astype(np.int64) if whole else evidence.counts
    runs = range(counts.shape[1])
    totals = PoissonTotals(samples, seed)
    totals.add([counts[:, run] for run in runs], name_hashes(column))
    drawn = np.stack([totals_of(totals.sums, run)[1:].astype(np.float64) for run in runs], axis=1)
    return evidence.score(drawn[drawn_at_all(totals.sums)])


def drawn_at_all(sums: dict[Key, Integers]) -> NDArray[np.bool_]:
    """Which samples have at least one segment [samples]."""
    return np.asarray(totals_of(sums, SEGMENTS)[1:, 0] > 0)
