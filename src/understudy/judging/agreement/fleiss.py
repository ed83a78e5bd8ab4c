"""Fleiss' kappa (Fleiss 1971), for units with different numbers of judges as generalized by Gwet (2014, chapter 2):
units with several judges say how often judges agree, and every unit counts once in the agreement expected by chance.
"""

from __future__ import annotations

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.judging.agreement.bootstrap import SAMPLES, bootstrapped, share
from understudy.judging.agreement.reliability_data import NO_OVERLAP, ReliabilityData
from understudy.judging.estimates import Estimate

KAPPAS = (-1.0, 1.0)
ONE_CATEGORY = "all judgments are equal, so agreement by chance is certain"


def fleiss_kappa(
    data: ReliabilityData, *, samples: int = SAMPLES, seed: int = SEED, confidence: float = CONFIDENCE
) -> Estimate:
    """Kappa of values as names, with a bootstrap interval over segments.

    >>> data = ReliabilityData.of(judge=[0, 1, 0, 1, 0, 1], unit=[0, 0, 1, 1, 2, 2], value=[1, 1, 2, 2, 1, 2])
    >>> round(fleiss_kappa(data).value, 4)
    0.3333
    """
    several = data.sizes > 1
    if not several.any():
        return Estimate.absent(NO_OVERLAP)
    pairs = np.where(several, data.sizes * (data.sizes - 1), 1)
    agreeing = data.cluster_sums(np.where(several, (data.equal_pairs - data.sizes) / pairs, 0.0))
    shares_of = data.by_category(1 / data.sizes[data.unit])
    with_several = data.cluster_sums(several.astype(np.float64))
    all_units = data.cluster_sums(np.ones(data.units))

    def kappa(weights: Floats) -> Floats:
        observed = share(weights @ agreeing, weights @ with_several)
        by_category = data.marginals(shares_of(weights)) / (weights @ all_units)
        return kappa_of(observed, (by_category**2).sum(axis=0))

    return bootstrapped(
        kappa,
        data.clusters,
        ONE_CATEGORY,
        bounds=KAPPAS,
        samples=samples,
        seed=seed,
        confidence=confidence,
    )


def kappa_of(observed: Floats, expected: Floats) -> Floats:
    """(observed - expected) / (1 - expected); NaN where agreement by chance is certain."""
    certain = expected > 1 - 1e-12
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            np.where(certain, np.nan, (observed - expected) / np.where(certain, 1.0, 1 - expected))
        )
