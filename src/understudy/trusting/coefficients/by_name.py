"""All coefficients by name: definition, level, and value or the reason why it is undefined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.choices import AGREEMENT_LEVELS, SEED
from understudy.errors import BadParameter, did_you_mean
from understudy.resampling.two_way_samples import GROUPINGS, WHOLE, grouped
from understudy.trusting.coefficients.correlations import (
    Pearson,
    PearsonOfDifferences,
    Products,
    Spearman,
    SquaredPearson,
)
from understudy.trusting.coefficients.estimators import Estimator, GroupedEstimator, undefined_because
from understudy.trusting.coefficients.kendall import Kendall, KendallC, Orders
from understudy.trusting.coefficients.pairwise_preferences import (
    DARR_DIFFERENCE,
    HeldOutTies,
    KendallLike,
    TunedTies,
)
from understudy.trusting.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.trusting.coefficients.system_level import PairwiseAccuracy, SystemCorrelation
from understudy.trusting.paired_scores import PairedScores

# Between which values a coefficient can be: shares from 0 on, all others from -1 on.
_SHARES = ("r2", "accuracy", "spa", "acc-eq", "acc-eq-held-out")
HIGHEST = 1.0

# Of a pairing, a grouping, a number of threads and a seed: one coefficient draws something by itself.
Make = Callable[[PairedScores, str, int, int], Estimator]


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement between metric and human scores, at one level."""

    name: str
    title: str
    level: str  # system or segment
    groupings: tuple[str, ...]  # at the level of segments
    summary: str
    citation: str
    make: Make

    @property
    def lowest(self) -> float:
        return 0.0 if self.name in _SHARES else -1.0


@dataclass(frozen=True)
class CoefficientSpec:
    """A coefficient at a level, and how translations are grouped for it."""

    coefficient: str
    level: str
    grouping: str = "none"


@dataclass(frozen=True)
class Agreement:
    """The value of a coefficient, or the reason why it is undefined."""

    coefficient: str
    level: str
    grouping: str
    value: float  # NaN: not defined
    reason: str | None  # why it is not defined
    points: int  # systems, or translations, that have both scores
    groups: int
    skipped: int  # groups in which it is not defined


def agreement(
    pairing: PairedScores, asked: CoefficientSpec, *, seed: int = SEED, threads: int = 1
) -> Agreement:
    """The value of a coefficient.

    >>> scores = np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]])
    >>> pairing = PairedScores(("a", "b"), scores, scores**2)
    >>> found = agreement(pairing, CoefficientSpec("kendall-b", "segment", "segment"))
    >>> found.value, found.groups, found.skipped
    (1.0, 3, 1)
    """
    return agreement_of(pairing, estimate(pairing, asked, seed=seed, threads=threads), asked)


def agreement_of(pairing: PairedScores, estimator: Estimator, asked: CoefficientSpec) -> Agreement:
    """The value of an existing estimator."""
    value, of_systems = estimator.value, asked.level == "system"
    human, metric = (
        (row[np.newaxis] for row in pairing.system_scores) if of_systems else pairing.segment_scores
    )
    by_group = "none" if of_systems else asked.grouping
    people, scores = grouped(human, by_group), grouped(metric, by_group)
    points = int((~np.isnan(people) & ~np.isnan(scores)).sum())
    skipped = _skipped(estimator, people, scores)
    reason = None if not np.isnan(value) else estimator.undefined or _reason(people, scores)
    return Agreement(
        asked.coefficient, asked.level, asked.grouping, value, reason, points, len(people), skipped
    )


def estimate(
    pairing: PairedScores, asked: CoefficientSpec, *, seed: int = SEED, threads: int = 1
) -> Estimator:
    """The coefficient of these scores, for any sample of them."""
    coefficient = coefficient_named(asked.coefficient, asked.level)
    if asked.level == "segment" and asked.grouping not in coefficient.groupings:
        raise BadParameter(
            f"{asked.coefficient} with grouping '{asked.grouping}': expected {' or '.join(coefficient.groupings)}."
        )
    return coefficient.make(pairing, asked.grouping, threads, seed)


def coefficient_named(name: str, level: str) -> Coefficient:
    of_level = [coefficient for coefficient in COEFFICIENTS if coefficient.level == level]
    if not of_level:
        raise BadParameter(f"level '{level}': expected {' or '.join(AGREEMENT_LEVELS)}.")
    for coefficient in of_level:
        if coefficient.name == name:
            return coefficient
    raise BadParameter(
        f"unknown {level}-level coefficient '{name}'. {did_you_mean(name, [each.name for each in of_level])}"
    )


# --- the list -----------------------------------------------------------------------------------------------


def _ranking(pairing: PairedScores, grouping: str, threads: int, _seed: int) -> Estimator:
    return Spearman(*pairing.segment_scores, grouping, threads=threads)


def _summing(kind: type[Pearson]) -> Make:
    def make(pairing: PairedScores, grouping: str, threads: int, _seed: int) -> Estimator:
        human, metric = pairing.segment_scores
        return kind(human, metric, grouping, threads=threads, products=_products(pairing, grouping))

    return make


def _products(pairing: PairedScores, grouping: str) -> Products:
    if grouping not in pairing.products:
        pairing.products[grouping] = Products(*pairing.segment_scores, grouping)
    return pairing.products[grouping]


def _ordering(kind: type[Kendall]) -> Make:
    def make(pairing: PairedScores, grouping: str, threads: int, _seed: int) -> Estimator:
        human, metric = pairing.segment_scores
        if grouping not in pairing.orders:
            pairing.orders[grouping] = Orders(human, metric, grouping, threads=threads)
        return kind(human, metric, grouping, threads=threads, orders=pairing.orders[grouping])

    return make


def _tying(pairing: PairedScores, grouping: str, threads: int) -> TunedTies:
    if grouping not in pairing.ties:
        pairing.ties[grouping] = TunedTies(*pairing.segment_scores, grouping, threads=threads)
    return pairing.ties[grouping]


def _over_systems(kind: type[GroupedEstimator]) -> Make:
    return lambda pairing, _grouping, threads, _seed: SystemCorrelation(pairing, kind, threads=threads)


def _kendall_like(variant: str) -> Make:
    return lambda pairing, _grouping, _threads, _seed: KendallLike(pairing.segment_pairs, variant=variant)


# Name, title, summary, citation, how it is computed of any vectors, and how of segments, where much is shared.
_CORRELATIONS: Sequence[tuple[str, str, str, str, type[GroupedEstimator], Make]] = (
    (
        "pearson",
        "Pearson's r",
        "Linear correlation of human and metric scores.",
        "Pearson 1895",
        Pearson,
        _summing(Pearson),
    ),
    (
        "r2",
        "R²",
        "Share of the variance of human scores explained by linear regression on the metric.",
        "Callison-Burch et al. 2006",
        SquaredPearson,
        _summing(SquaredPearson),
    ),
    (
        "spearman",
        "Spearman's ρ",
        "Rank correlation: Pearson's r of the ranks.",
        "Spearman 1904",
        Spearman,
        _ranking,
    ),
    (
        "kendall-b",
        "Kendall's τ-b",
        "Share of concordant pairs minus share of discordant pairs, corrected for ties.",
        "Kendall 1945",
        Kendall,
        _ordering(Kendall),
    ),
    (
        "kendall-c",
        "Kendall's τ-c",
        "Concordant minus discordant pairs, corrected for scores with few distinct values.",
        "Stuart 1953",
        KendallC,
        _ordering(KendallC),
    ),
)

COEFFICIENTS: tuple[Coefficient, ...] = (
    *(
        Coefficient(name, title, "system", ("none",), summary, citation, _over_systems(kind))
        for name, title, summary, citation, kind, _ in _CORRELATIONS
    ),
    Coefficient(
        "accuracy",
        "pairwise accuracy",
        "system",
        ("none",),
        "Share of system pairs in which human and metric scores prefer the same system.",
        "Kocmi et al. 2021",
        lambda pairing, _grouping, _threads, _seed: PairwiseAccuracy(pairing),
    ),
    Coefficient(
        "spa",
        "soft pairwise accuracy",
        "system",
        ("none",),
        "Mean agreement of the p-values that human and metric scores assign to system pairs.",
        "Thompson et al. 2024",
        lambda pairing, _grouping, _threads, _seed: SoftPairwiseAccuracy(*pairing.segment_scores),
    ),
    *(
        Coefficient(name, title, "segment", GROUPINGS, summary, citation, make)
        for name, title, summary, citation, _, make in _CORRELATIONS
    ),
    *(
        Coefficient(
            f"kendall-{variant}",
            f"{variant.upper()} Kendall-like τ",
            "segment",
            ("segment",),
            summary,
            citation,
            _kendall_like(variant),
        )
        for variant, summary, citation in (
            ("wmt12", "Metric ties count as discordant.", "Callison-Burch et al. 2012"),
            ("wmt13", "Metric ties do not count.", "Macháček & Bojar 2013"),
            ("wmt14", "Metric ties count as half concordant.", "Macháček & Bojar 2014"),
        )
    ),
    Coefficient(
        "kendall-darr",
        "daRR Kendall-like τ",
        "segment",
        ("segment",),
        "Only pairs whose direct assessments (0 to 100) differ by at least 25 points; metric ties count as discordant.",
        "Bojar, Graham & Kamran 2017",
        lambda pairing, _grouping, _threads, _seed: KendallLike(
            pairing.segment_pairs, variant="wmt12", at_least=DARR_DIFFERENCE
        ),
    ),
    Coefficient(
        "acc-eq",
        "pairwise accuracy with tie calibration",
        "segment",
        GROUPINGS,
        "Share of pairs with the same order or a tie in both scores, at the metric's best tie threshold.",
        "Deutsch, Foster & Freitag 2023",
        lambda pairing, grouping, threads, _seed: _tying(pairing, grouping, threads),
    ),
    Coefficient(
        "acc-eq-held-out",
        "pairwise accuracy with cross-validated ties",
        "segment",
        ("segment",),
        "Pairwise accuracy with tie calibration, with the tie threshold from other segments.",
        "Deutsch, Foster & Freitag 2023",
        # The folds are independent of samples with the same seed; the default seed gives the folds of seed 0.
        lambda pairing, _grouping, threads, seed: HeldOutTies(
            pairing.segment_pairs, _tying(pairing, "segment", threads), seed=seed ^ SEED
        ),
    ),
    Coefficient(
        "pdp",
        "Pearson's r of differences",
        "segment",
        ("segment",),
        "Pearson's r of the score differences between all translation pairs within a segment.",
        "DiIanni & Deutsch 2025",
        lambda pairing, _grouping, _threads, _seed: PearsonOfDifferences(
            *pairing.segment_scores, products=_products(pairing, "segment")
        ),
    ),
)


# --- what must be said about a value -------------------------------------------------------------------------


def _skipped(estimator: Estimator, human: Floats, metric: Floats) -> int:
    if isinstance(estimator, GroupedEstimator):
        return int(np.isnan(estimator.group_values(WHOLE)).sum())
    # The others look at pairs: a group of one translation has none.
    return int(((~np.isnan(human) & ~np.isnan(metric)).sum(axis=1) < 2).sum())


def _reason(human: Floats, metric: Floats) -> str:
    reasons = [undefined_because(*rows) for rows in zip(human, metric, strict=True)]
    if len(reasons) == 1:
        return reasons[0]
    return f"undefined in all {len(reasons):,} groups; in the first, {reasons[0]}" if reasons else "no groups"
