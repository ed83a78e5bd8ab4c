"""How agreement is measured: coefficients, resampling, and significance tests between metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from understudy.choices import (
    AGREEMENT_LEVELS,
    CLUSTER_RULES,
    CONFIDENCE,
    METRIC_TESTS,
    RESAMPLED,
    SEED,
    SIGNIFICANCE,
)
from understudy.errors import BadParameter, did_you_mean
from understudy.resampling.samples import SAMPLES_AT_ONCE
from understudy.resampling.two_way_samples import GROUPINGS
from understudy.settings import Settings, check_between, check_choice, check_name, check_whole, checked_names
from understudy.trusting.coefficients.by_name import COEFFICIENTS, CoefficientSpec, coefficient_named
from understudy.trusting.combinations.cross_fitting import FOLDS
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.metric_tests.pair_swaps import PAIR_SWAPS, SWAPPED

_EVERYTHING = "all"

# What is asked for unless something else is. Of segments those that the metrics tasks used, with their groupings, and
# Liu & Gildea's correlation over all translations.
USUAL = (
    *(CoefficientSpec(one.name, "system") for one in COEFFICIENTS if one.level == "system"),
    CoefficientSpec("pearson", "segment", "none"),
    CoefficientSpec("spearman", "segment", "none"),
    CoefficientSpec("kendall-b", "segment", "none"),
    CoefficientSpec("kendall-b", "segment", "segment"),
    CoefficientSpec("kendall-wmt14", "segment", "segment"),
    CoefficientSpec("acc-eq", "segment", "segment"),
    CoefficientSpec("acc-eq-held-out", "segment", "segment"),
    CoefficientSpec("pdp", "segment", "segment"),
)

# By what metrics are ranked at each level, and the test that goes with it: both are fast for any number of metrics.
# Exchanging single scores has no meaning for a mean over segments that exchanging segments has not. Of systems, it
# rejects far too often where metrics favor whole systems; and mt-metrics-eval, too, exchanges scores of systems.
_RANKED_BY = {
    "system": CoefficientSpec("pearson", "system"),
    "segment": CoefficientSpec("kendall-b", "segment", "segment"),
}
TEST = {"system": "perm-systems", "segment": "perm-inputs"}
# Coefficients that the WMT metrics tasks rank by have their tests.
TEST_OF = {"spa": "perm-both", **dict.fromkeys(SWAPPED, PAIR_SWAPS)}


# As in the metrics tasks of WMT24 and WMT25.
_OF_TASKS = {"system": "spa", "segment": "acc-eq:segment"}


@dataclass(frozen=True)
class TrustPlan(Settings):
    """All settings. None if the default depends on the data or the level."""

    level: str | None = None  # system or segment; None: both, as far as there are scores
    coefficients: tuple[str, ...] = ()  # NAME or NAME:GROUPING; none: the usual ones
    rank_by: str | None = None  # NAME or NAME:GROUPING
    test: str | None = None
    clusters: str = CLUSTER_RULES[0]  # the rule by which metrics are clustered
    over: str | None = None  # what is resampled; None: segments, if there are any, else systems
    samples: int = SAMPLES
    seed: int = SEED
    confidence: float = CONFIDENCE
    significance: float = SIGNIFICANCE  # metrics differ, and are better than chance, if p is no larger

    def __post_init__(self) -> None:
        for what, value, known in (
            ("level", self.level, AGREEMENT_LEVELS),
            ("test", self.test, METRIC_TESTS),
            ("clusters", self.clusters, CLUSTER_RULES),
            ("over", self.over, RESAMPLED),
        ):
            if value is not None:
                check_choice(what, value, known)
        object.__setattr__(self, "coefficients", checked_names("coefficients", self.coefficients))
        if self.rank_by is not None:
            check_name("rank_by", self.rank_by)
        check_whole("samples", self.samples)
        check_whole("seed", self.seed, least=0)
        check_between("confidence", self.confidence)
        check_between("significance", self.significance)
        self.asked()
        if all(self.ranked_by(level) is None for level in self.levels) and self.rank_by is not None:
            raise BadParameter(
                f"rank_by={self.rank_by} is not a {self.level}-level coefficient. Omit the level, or rank by another "
                "coefficient."
            )
        ranked = self.ranked_by("segment") if "segment" in self.levels else None
        if self.test == PAIR_SWAPS and (ranked is None or ranked.coefficient not in SWAPPED):
            raise BadParameter(
                f"test '{PAIR_SWAPS}' tests only segment-level {' and '.join(SWAPPED)}. Rank by one of them, or use "
                "another test."
            )

    @classmethod
    def for_sets(cls, **plan: Any) -> TrustPlan:
        """The plan for several test sets, with the coefficients and clusters of the metrics tasks unless others are
        named.
        """
        usual = [name for level, name in _OF_TASKS.items() if plan.get("level") in (None, level)]
        return cls(**{"clusters": "wmt", **plan, "coefficients": plan.get("coefficients") or usual})

    @property
    def levels(self) -> tuple[str, ...]:
        return AGREEMENT_LEVELS if self.level is None else (self.level,)

    def asked(self) -> list[CoefficientSpec]:
        """The coefficients at the levels that were asked for, those of systems first.

        >>> [one.grouping for one in TrustPlan(level="segment", coefficients=("r2", "pdp")).asked()]
        ['none', 'segment', 'system', 'segment']
        """
        if not self.coefficients:
            return [one for one in USUAL if one.level in self.levels]
        found = {one: None for name in self.coefficients for one in _meant(name, self.levels)}
        return sorted(found, key=lambda one: AGREEMENT_LEVELS.index(one.level))

    def ranked_by(self, level: str, systems: int = 2) -> CoefficientSpec | None:
        """By what metrics are ranked at a level; None: not at this level. The translations of one system cannot be
        grouped by item.

        >>> TrustPlan().ranked_by("segment").grouping, TrustPlan().ranked_by("segment", systems=1).grouping
        ('segment', 'none')
        """
        if self.rank_by is None:
            default = self._ranked_by_default(level)
            return replace(default, grouping="none") if default is not None and systems == 1 else default
        found = [one for one in _meant(self.rank_by, AGREEMENT_LEVELS) if one.level == level]
        usual = [one for one in USUAL if one in found]
        return next(iter(usual or found), None)

    def _ranked_by_default(self, level: str) -> CoefficientSpec | None:
        if self.test == PAIR_SWAPS:
            return CoefficientSpec(SWAPPED[0], level, "segment") if level == "segment" else None
        # Williams' test is one of Pearson's r over all points.
        return CoefficientSpec("pearson", level) if self.test == "williams" else _RANKED_BY[level]

    def steps(self, metrics: int, *, learning: bool = False) -> int:
        """Maximum number of calls of `progress`. A learned combination counts as one more metric."""
        resampled = (metrics + learning) * len(self.asked()) * math.ceil(self.samples / SAMPLES_AT_ONCE)
        return resampled + (FOLDS + 1 if learning else 0)

    def test_of(self, level: str) -> str:
        asked = self.ranked_by(level)
        return self.test or TEST_OF.get(asked.coefficient if asked else "", TEST[level])


def _meant(text: str, levels: Sequence[str]) -> list[CoefficientSpec]:
    """The coefficients of a name: at all these levels that have it, in all its groupings unless one is given.

    >>> _meant("kendall-b:segment", ("system", "segment"))
    [CoefficientSpec(coefficient='kendall-b', level='segment', grouping='segment')]
    """
    name, colon, grouping = text.partition(":")
    if colon and grouping not in GROUPINGS:
        groupings = " or ".join(f"{name}:{each}" for each in GROUPINGS)
        raise BadParameter(f"coefficient '{text}': unknown grouping '{grouping}', expected {groupings}.")
    if name == _EVERYTHING:
        chosen = [one for one in COEFFICIENTS if one.level in levels]
    else:
        known = {one.name for one in COEFFICIENTS if one.level in levels}
        if name not in known:
            other = next((one.level for one in COEFFICIENTS if one.name == name), None)
            if other is not None:
                raise BadParameter(
                    f"coefficient '{name}' is at {other} level, which is not selected. Omit the level, "
                    "or use another coefficient."
                )
            raise BadParameter(f"unknown coefficient '{name}'. {did_you_mean(name, sorted(known))}")
        chosen = [coefficient_named(name, level) for level in levels if _has(name, level)]
    found = [
        CoefficientSpec(one.name, one.level, each)
        for one in chosen
        for each in one.groupings
        if not colon or (one.level == "segment" and each == grouping)
    ]
    if not found:
        raise BadParameter(f"coefficient '{text}' does not have this grouping. Omit it.")
    return found


def _has(name: str, level: str) -> bool:
    return any(one.name == name and one.level == level for one in COEFFICIENTS)
