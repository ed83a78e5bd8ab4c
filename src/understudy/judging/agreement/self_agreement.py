"""Self-agreement: what judges say when they judge the same item again.

The first judgment of an item is compared with each later one of the same judge, whether it was planted as a repeat or
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.judging.agreement.bootstrap import SAMPLES, bootstrapped, share
from understudy.judging.agreement.krippendorff import krippendorff_alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.estimates import Estimate
from understudy.judging.judgments import Places, Ratings, combined

NO_REPEATS = "no item was judged twice by one judge"
EVERYONE = ""  # in place of the name of a judge


@dataclass(frozen=True)
class SelfAgreement:
    """Of one judge, or of all of them."""

    judge: str  # EVERYONE: all judges together
    repeats: int
    identical: Estimate  # the share of later judgments that equal the first
    mean_difference: float | None  # the mean absolute difference; None: no repeats, or values are names
    alpha: Estimate  # Krippendorff's, of first and later judgments


def self_agreement(
    ratings: Ratings,
    judges: Sequence[str],
    level: str,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> tuple[SelfAgreement, ...]:
    """Of all judges together, and of every judge who judged something twice, with bootstrap intervals over segments."""
    rows = ratings.answers
    pairs = _Repeats.of(rows.judge, rows.unit, rows.value, rows.segment)
    return pairs.agreement(judges, level, {"samples": samples, "seed": seed, "confidence": confidence})


def self_agreement_of_comparisons(
    comparisons: Comparisons,
    judges: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> tuple[SelfAgreement, ...]:
    """The same of pairs of texts in rankings: better, tied or worse."""
    judged, pair = comparisons.of_texts()
    outcome = judged.outcome.astype(np.float64)
    pairs = _Repeats.of(judged.judge, pair, outcome, judged.segment, mirrored=True)
    return pairs.agreement(judges, "nominal", {"samples": samples, "seed": seed, "confidence": confidence})


@dataclass(frozen=True, eq=False)
class _Repeats:
    """Pairs of judgments of one item by one judge."""

    judge: Places
    cluster: Places
    first: Floats
    later: Floats
    mirrored: bool = False  # values are outcomes of comparisons

    @classmethod
    def of(
        cls, judge: Places, unit: Places, value: Floats, cluster: Places, *, mirrored: bool = False
    ) -> _Repeats:
        item = combined(judge, unit)
        _, example = np.unique(item, return_index=True)  # the first row of each
        later = np.ones(len(item), dtype=bool)
        later[example] = False
        return cls(judge[later], cluster[later], value[example[item[later]]], value[later], mirrored)

    def agreement(self, judges: Sequence[str], level: str, how: dict[str, Any]) -> tuple[SelfAgreement, ...]:
        of_each = [
            (judges[number], self._of(self.judge == number)) for number in np.unique(self.judge).tolist()
        ]
        return tuple(each._agreement(name, level, how) for name, each in [(EVERYONE, self), *of_each])

    def _of(self, chosen: Any) -> _Repeats:
        return replace(
            self,
            judge=self.judge[chosen],
            cluster=self.cluster[chosen],
            first=self.first[chosen],
            later=self.later[chosen],
        )

    def _agreement(self, name: str, level: str, how: dict[str, Any]) -> SelfAgreement:
        count = len(self.judge)
        if not count:
            absent = Estimate.absent(NO_REPEATS)
            return SelfAgreement(name, 0, absent, None, absent)
        cluster, equal = combined(self.cluster), self.first == self.later
        clusters = int(cluster.max()) + 1
        same = np.bincount(cluster[equal], minlength=clusters).astype(np.float64)
        number = np.bincount(cluster).astype(np.float64)
        pair = np.arange(count)
        data = ReliabilityData.of(
            np.repeat([0, 1], count),
            np.concatenate([pair, pair]),
            np.concatenate([self.first, self.later]),
            np.concatenate([cluster, cluster]),
            mirrored=self.mirrored,
        )
        difference = None if level == "nominal" else float(np.abs(self.first - self.later).mean())
        identical = bootstrapped(
            lambda weights: share(weights @ same, weights @ number),
            clusters,
            NO_REPEATS,
            bounds=(0.0, 1.0),
            **how,
        )
        return SelfAgreement(name, count, identical, difference, krippendorff_alpha(data, level, **how))
