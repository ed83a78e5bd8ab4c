"""Plan: how systems are compared, except for the systems and the metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from understudy.choices import COMPARE_TESTS, CORRECTIONS, INTERVAL_METHODS, SEED, SIGNIFICANCE
from understudy.errors import BadParameter, did_you_mean
from understudy.resampling.significance_tests import is_real, too_few_samples
from understudy.scoring.counted_systems import checked_baseline
from understudy.settings import Settings, check_between, check_choice, check_name, check_whole
from understudy.wording import number_of

SAMPLES = {
    "bootstrap": 1000,
    "randomization": 10_000,
    "permutation": 10_000,
    "multeval": 10_000,
}  # tests that draw, and how often
_OF_SEGMENT_SCORES = (
    "permutation",
    "ttest",
    "wilcoxon",
)  # tests of the mean of segment scores, or of their ranks
_OF_RUNS = (
    "bootstrap",
    "multeval",
    "blocks",
    "ttest",
)  # tests that know what to do with several training runs
STUDENT = ("blocks", "ttest")  # tests by Student's t distribution, to which his intervals belong
INTERVAL_SAMPLES = 1000
_AUTO = "auto"  # whatever suits the rest of the plan, or the data
# So many samples allow for p-values well below the level that many pairs leave for each; beyond it, just below.
_MANY_SAMPLES = 10_000

# With fewer segments the bootstrap is too sure: at 20 it rejects 8 % of true null hypotheses at the 5 % level,
# randomization 5 % (tools/compare_simulations.py).
_FEW_FOR_BOOTSTRAP = 100


@dataclass(frozen=True)
class Plan(Settings):
    """How systems are compared, except for the systems and the metrics."""

    test: str = _AUTO  # bootstrap, or randomization where segments are few; see `for_segments`
    baseline: str | None = None  # compare all others with this one; default: with the first
    all_pairs: bool = False  # compare every two; a baseline then only says what tables are marked against
    samples: int | None = None  # default: what is usual for the test
    seed: int = SEED
    correct: str = "holm"
    significance: float = SIGNIFICANCE
    interval: str = _AUTO  # percentile, or Student's where that is the test
    level: str = _AUTO  # what the test is about: of `_OF_SEGMENT_SCORES` the mean, else the corpus
    blocks: int = 20
    block_size: int | None = None
    by_document: bool = False  # a block is a document

    def __post_init__(self) -> None:
        if not isinstance(self.test, str) or self.test not in (_AUTO, *COMPARE_TESTS):
            raise BadParameter(f"unknown test '{self.test}'. {did_you_mean(str(self.test), COMPARE_TESTS)}")
        if self.samples is not None:
            check_whole("samples", self.samples)
        check_whole("seed", self.seed, least=0)
        check_whole("blocks", self.blocks, least=2)
        if self.block_size is not None:
            check_whole("block_size", self.block_size)
        check_choice("correct", self.correct, CORRECTIONS)
        check_between("significance", self.significance)
        if self.baseline is not None:
            check_name("baseline", self.baseline)
        of_test = "mean" if self.test in _OF_SEGMENT_SCORES else "corpus"
        if self.level not in (_AUTO, "corpus", "mean"):
            raise BadParameter(f"level {self.level!r}: expected corpus or mean.")
        if self.level == "corpus" and of_test == "mean":
            raise BadParameter(
                f"test '{self.test}' compares segment scores, not corpus scores. Omit the level, or use the test "
                "bootstrap, randomization or blocks."
            )
        if self.level == _AUTO:
            object.__setattr__(self, "level", of_test)
        if self.by_document and self.test != "blocks":
            raise BadParameter("by_document needs the test 'blocks'. Use test='blocks', or omit by_document.")
        check_choice("interval", self.interval, (_AUTO, *INTERVAL_METHODS))
        if self.interval != _AUTO and self.test in STUDENT:
            raise BadParameter(
                f"interval '{self.interval}': test '{self.test}' has Student's t intervals. Omit the interval."
            )
        if self.by_document and self.block_size is not None:
            raise BadParameter("blocks by document and a block size cannot be combined. Omit one of them.")

    def for_segments(self, segments: int, *, runs: bool = False) -> Plan:
        """The plan with its test chosen, given the number of segments and whether there are several training runs."""
        if runs and self.test not in (_AUTO, *_OF_RUNS):
            raise BadParameter(
                f"test '{self.test}' cannot account for several training runs of a system. Use bootstrap, ttest or "
                "blocks, or multeval, which treats the training runs as fixed (Clark et al. 2011)."
            )
        if runs and self.interval != _AUTO and self.test != "multeval":
            raise BadParameter(
                f"interval '{self.interval}': several training runs have Student's t intervals. Omit the interval."
            )
        if self.test == "multeval" and not runs:
            raise BadParameter(
                "test 'multeval' permutes training runs, but each system has one run. Use randomization."
            )
        if self.test != _AUTO:
            return self
        return replace(self, test="bootstrap" if runs or segments >= _FEW_FOR_BOOTSTRAP else "randomization")

    def drawn(self, pairs: int, *, runs: bool = False) -> int | None:
        """The number of resamples, if the test resamples: the default, or as many as are necessary for a significant
        difference after correction. With n resamples, no p-value is below 1 / (n + 1), and Holm multiplies it by the
        number of pairs. With several training runs, bootstrap samples only estimate the variance of scores.
        """
        if self.test not in SAMPLES:
            return None
        counts = not (runs and self.test == "bootstrap")
        needed = math.ceil(pairs / self.significance) if self.correct == "holm" and counts else 0
        return self.samples or max(SAMPLES[self.test], needed, min(4 * needed, _MANY_SAMPLES))

    def smallest_p(self, segments: int) -> float:
        """The smallest possible p-value with this number of segments, however large the difference: tests that permute
        or rank n segments have only 2ⁿ outcomes, half of them mirror images.
        """
        if segments < 2:
            return 1.0
        return 2.0 ** (1 - segments) if self.test in ("randomization", "permutation", "wilcoxon") else 0.0

    def cautions(self, pairs: int, segments: int, *, runs: bool = False) -> list[str]:
        """Limits of the conclusions that this plan allows with this number of segments."""
        if segments < 2:
            return ["Only one segment: variance across segments cannot be estimated."]
        found = []
        if self.test == "randomization" and segments < _FEW_FOR_BOOTSTRAP:
            found.append(
                f"Fewer than {_FEW_FOR_BOOTSTRAP} segments: approximate randomization is used, because the paired "
                "bootstrap rejects too many true null hypotheses."
            )
        if self.test == "bootstrap" and segments < _FEW_FOR_BOOTSTRAP and not runs:
            found.append(
                f"Only {segments} segments: below {_FEW_FOR_BOOTSTRAP} the paired bootstrap rejects too many true null "
                "hypotheses (8% instead of 5% on 20 segments). Use --test randomization."
            )
        tests = pairs if self.correct == "holm" else 1
        if not is_real(tests * self.smallest_p(segments), self.significance):
            found.append(
                f"With {number_of(segments, 'segment')} and {number_of(pairs, 'pair')}, no difference can be "
                f"significant at {self.significance:g} by this test."
            )
        drawn = self.drawn(pairs, runs=runs)
        if drawn is not None and self.correct == "holm" and not (runs and self.test == "bootstrap"):
            needed = too_few_samples(drawn, pairs, self.significance)
            if needed is not None:
                samples = number_of(drawn, "resample")
                found.append(
                    f"With {samples} and {number_of(pairs, 'pair')}, no difference can be significant at "
                    f"{self.significance:g}. Use at least {needed:,} resamples."
                )
        return found

    def choices(self, pairs: int, *, runs: bool) -> dict[str, str]:
        """For the signature."""
        found = {"test": self.test}
        if self.test == "blocks":
            found["blocks"] = f"size-{self.block_size}" if self.block_size else str(self.blocks)
            if self.by_document:
                found["blocks"] = "documents"
        if (drawn := self.drawn(pairs, runs=runs)) is not None:
            found |= {"samples": str(drawn), "seed": str(self.seed)}
        return {**found, "correct": self.correct, "ci": self.intervals(runs=runs)}

    def intervals(self, *, runs: bool) -> str:
        """For the signature: the method for confidence intervals."""
        if self.test in STUDENT or (runs and self.test != "multeval"):
            return "student"
        return f"{self.resampled_interval}-{INTERVAL_SAMPLES}-{self.seed}"

    @property
    def resampled_interval(self) -> str:
        """How confidence intervals are derived from samples."""
        return INTERVAL_METHODS[0] if self.interval == _AUTO else self.interval

    def pairs(self, systems: Sequence[str]) -> list[tuple[int, int]]:
        """The pairs of systems to compare, by index."""
        if len(systems) < 2:
            raise BadParameter(f"got one system, '{systems[0]}', expected at least two. Add another system.")
        base = list(systems).index(checked_baseline(systems, self.baseline))
        if self.all_pairs:
            return [(b, a) for a, b in combinations(range(len(systems)), 2)]
        if self.baseline is not None:
            return [(other, base) for other in range(len(systems)) if other != base]
        if self.test == "blocks":
            return [(right, right - 1) for right in range(1, len(systems))]  # the report's left neighbors
        return [(other, 0) for other in range(1, len(systems))]
