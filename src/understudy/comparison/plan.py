"""Plan: how systems are compared. Everything but the systems and the metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from understudy.comparison.gathering import checked_baseline
from understudy.comparison.samples import SEED
from understudy.comparison.significance import SIGNIFICANCE, too_few_samples
from understudy.errors import BadParameter, did_you_mean

SAMPLES = {
    "bootstrap": 1000,
    "randomization": 10_000,
    "permutation": 10_000,
}  # tests that draw, and how often
TESTS = (*SAMPLES, "blocks", "ttest", "wilcoxon")
INTERVAL_SAMPLES = 1000


@dataclass(frozen=True)
class Plan:
    """How systems are compared: everything but the systems and the metrics."""

    test: str = "bootstrap"
    baseline: str | None = None  # compare all others with this one; default: with the first
    all_pairs: bool = False
    samples: int | None = None  # default: what is usual for the test
    seed: int = SEED
    correct: str = "holm"
    significance: float = SIGNIFICANCE
    interval: str = "percentile"
    level: str = "corpus"
    block_count: int = 20
    block_size: int | None = None
    by_document: bool = False  # a block is a document

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise BadParameter(f"no test '{self.test}'. {did_you_mean(self.test, TESTS)}")
        if self.samples is not None and self.samples < 1:
            raise BadParameter(f"samples={self.samples}: expected at least 1.")
        if self.level not in ("corpus", "mean"):
            raise BadParameter(f"level '{self.level}': expected corpus or mean.")
        if not 0 < self.significance < 1:
            raise BadParameter(f"significance={self.significance}: expected a number between 0 and 1.")
        if self.baseline is not None and self.all_pairs:
            raise BadParameter("a baseline and all pairs exclude each other: choose one.")
        if self.by_document and self.test != "blocks":
            raise BadParameter(f"blocks by document belong to the test 'blocks', not to '{self.test}'.")
        if self.by_document and self.block_size is not None:
            raise BadParameter("blocks by document and blocks of a size exclude each other: choose one.")

    def drawn(self, pairs: int) -> int | None:
        """How many samples the test draws, if it does: as many as are usual, or as many as it takes to show that a
        difference is real beside so many others. With n samples no p is below 1 / (n + 1), and Holm multiplies it by
        the number of pairs.
        """
        if self.test not in SAMPLES:
            return None
        needed = math.ceil(4 * pairs / self.significance) if self.correct == "holm" else 0
        return self.samples or max(SAMPLES[self.test], needed)

    def caution(self, pairs: int, segments: int) -> str | None:
        """What must be said where nothing can be found."""
        if segments < 2:
            return "There is but one segment: what others would say cannot be known, whatever the intervals show."
        drawn = self.drawn(pairs)
        if drawn is None or self.correct != "holm":
            return None
        if (needed := too_few_samples(drawn, pairs, self.significance)) is None:
            return None
        samples = "1 sample" if drawn == 1 else f"{drawn:,} samples"
        compared = "1 pair" if pairs == 1 else f"{pairs:,} pairs"
        return (
            f"With {samples} and {compared} no difference can be called real at {self.significance:g}: "
            f"draw at least {needed:,}."
        )

    def choices(self, pairs: int) -> dict[str, str]:
        """For the signature."""
        found = {"test": self.test}
        if self.test == "blocks":
            found["blocks"] = f"size-{self.block_size}" if self.block_size else str(self.block_count)
            if self.by_document:
                found["blocks"] = "documents"
        if (drawn := self.drawn(pairs)) is not None:
            found |= {"samples": str(drawn), "seed": str(self.seed)}
        return {**found, "correct": self.correct, "ci": f"{self.interval}-{INTERVAL_SAMPLES}-{self.seed}"}

    def pairs(self, systems: Sequence[str]) -> list[tuple[int, int]]:
        """Which systems are compared with which, by number."""
        if len(systems) < 2:
            raise BadParameter(f"there is only '{systems[0]}': expected at least two systems to compare.")
        if self.all_pairs:
            return [(b, a) for a, b in combinations(range(len(systems)), 2)]
        if self.baseline is not None:
            base = list(systems).index(checked_baseline(systems, self.baseline))
            return [(other, base) for other in range(len(systems)) if other != base]
        if self.test == "blocks":
            return [(right, right - 1) for right in range(1, len(systems))]  # the report's left neighbours
        return [(other, 0) for other in range(1, len(systems))]
