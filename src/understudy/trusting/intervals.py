"""Confidence intervals of coefficients, for other segments, other systems, or both.

All metrics and coefficients share the same bootstrap samples. An interval over segments does not generalize to other
systems, and one over systems does not generalize to other segments (Deutsch, Dror & Roth 2021).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.errors import BadInput
from understudy.metrics.base.score import Interval
from understudy.resampling.intervals import interval_of
from understudy.resampling.two_way_samples import Draws, bootstrap_draws
from understudy.settings import check_between, check_whole
from understudy.trusting.coefficients.by_name import (
    HIGHEST,
    Agreement,
    CoefficientSpec,
    agreement_of,
    coefficient_named,
    estimate,
)
from understudy.trusting.coefficients.estimators import Estimator
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.thread_map import thread_map

SAMPLES = 1000

# With fewer samples that have a value there is no saying where the middle 95 % of them are.
_FEWEST_DEFINED = 0.9


def estimates(
    pairings: Mapping[str, PairedScores],
    asked: Sequence[CoefficientSpec],
    *,
    over: str = "segments",
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[str, list[Agreement]]:
    """All coefficients with their confidence intervals, by metric: see `interval_around`. `progress` is called for each
    coefficient and batch of samples.
    """
    check_between("confidence", confidence)
    estimators, at_once = _estimators(pairings, asked, seed, threads)
    drawn = _drawn(estimators, common_shape(pairings), (over, samples, seed), progress, at_once)
    found: dict[str, list[Agreement]] = {}
    for metric, pairing in pairings.items():
        found[metric] = []
        for number, one in enumerate(asked):
            seen = agreement_of(pairing, estimators[metric][number], one)
            values = drawn[metric][number]
            interval = interval_among(
                values, seen.value, over=over, confidence=confidence, bounds=bounds_of(one)
            )
            undefined = int(np.isnan(values).sum())
            found[metric].append(replace(seen, interval=interval, undefined_samples=undefined))
    return found


def bounds_of(asked: CoefficientSpec) -> tuple[float, float]:
    """The range of a coefficient."""
    return coefficient_named(asked.coefficient, asked.level).lowest, HIGHEST


def interval_among(
    values: Floats, seen: float, *, over: str, confidence: float, bounds: tuple[float, float]
) -> Interval | None:
    """Of a coefficient that was seen, and what samples gave; None if it has no value, or too few samples have one."""
    known = values[~np.isnan(values)]
    if len(known) < _FEWEST_DEFINED * len(values) or np.isnan(seen):
        return None
    return interval_around(seen, known, confidence, over=over, bounds=bounds)


def interval_around(
    seen: float,
    drawn: Floats,
    confidence: float = CONFIDENCE,
    *,
    over: str,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """The middle of the resamples, shifted so that their median is the estimate. Resampling adds noise to the noise in
    the data, so that agreement is lower in resamples than in the data. The interval refers to the coefficient for the
    given numbers of segments and systems, and always contains the estimate. Over systems, the ends are bias-corrected
    instead (BC, Efron 1981), if the interval then contains the estimate. Each method was chosen for its coverage: see
    docs/guide/trust-tests.md.

    >>> found = interval_around(0.98, np.linspace(0.9, 0.96, 61), over="segments", bounds=(-1, 1))
    >>> f"{found.low:.4f} {found.high:.4f}"
    '0.9515 1.0000'
    """
    found = interval_of(drawn, confidence, seen) if over == "systems" and np.ptp(drawn) > 0 else None
    if found is None or not found.low <= seen <= found.high:
        found = interval_of(drawn + (seen - np.median(drawn)), confidence)
    low, high = np.clip((found.low, found.high), *bounds)
    # Rounding must not leave the estimate outside.
    return Interval(min(float(low), seen), max(float(high), seen), confidence)


def sampled(
    pairings: Mapping[str, PairedScores],
    asked: Sequence[CoefficientSpec],
    *,
    over: str = "segments",
    samples: int = SAMPLES,
    seed: int = SEED,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Floats]:
    """The coefficients in the samples [asked, samples], by metric."""
    estimators, at_once = _estimators(pairings, asked, seed, threads)
    return _drawn(estimators, common_shape(pairings), (over, samples, seed), progress, at_once)


def _estimators(
    pairings: Mapping[str, PairedScores], asked: Sequence[CoefficientSpec], seed: int, threads: int
) -> tuple[dict[str, list[Estimator]], int]:
    """By metric, and how many metrics to look at side by side: if there are enough of them, every thread has one to
    itself, and never waits for others.
    """
    at_once = threads if len(pairings) >= threads else 1
    of_each = threads // at_once
    return {
        metric: [estimate(pairing, one, seed=seed, threads=of_each) for one in asked]
        for metric, pairing in pairings.items()
    }, at_once


def _drawn(
    estimators: Mapping[str, Sequence[Estimator]],
    shape: tuple[int, int],
    how: tuple[str, int, int],
    progress: Callable[[int], None] | None,
    at_once: int,
) -> dict[str, Floats]:
    over, samples, seed = how
    check_whole("samples", samples)
    if over != "systems" and shape[1] == 0:
        raise BadInput("there are no segment scores to resample. Resample over systems.")
    found = {metric: np.empty((len(of_metric), samples)) for metric, of_metric in estimators.items()}
    start = 0
    for draws in bootstrap_draws(shape, over, samples, seed):
        look = functools.partial(_values, draws=draws, progress=progress)
        for metric, values in zip(estimators, thread_map(look, estimators.values(), at_once), strict=True):
            found[metric][:, start : start + draws.samples] = values
        start += draws.samples
    return found


def _values(estimators: Sequence[Estimator], draws: Draws, progress: Callable[[int], None] | None) -> Floats:
    """Of every coefficient of a metric [coefficients, samples]."""
    values = np.empty((len(estimators), draws.samples))
    for number, estimator in enumerate(estimators):
        values[number] = estimator.values(draws)
        if progress is not None:
            progress(1)
    return values


def common_shape(pairings: Mapping[str, PairedScores]) -> tuple[int, int]:
    """Systems and segments, which all metrics must have the same of."""
    shapes = {pairing.shape for pairing in pairings.values()}
    systems = {pairing.systems for pairing in pairings.values()}
    if len(shapes) != 1 or len(systems) != 1:
        raise BadInput(
            f"metrics have {len(systems)} sets of systems and {len(shapes)} numbers of segments: expected the same for "
            "all metrics."
        )
    return shapes.pop()
