"""Probe: the results of `probe`."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score
from understudy.probing.permutations.bounds import PermutationBounds
from understudy.probing.perturbations.results import Perturbations
from understudy.probing.plan import ProbePlan
from understudy.probing.search.results import Searches
from understudy.probing.variants.results import Variants
from understudy.renderable import Renderable


@dataclass(frozen=True, eq=False, repr=False)
class Probe(Renderable):
    """What the metrics cannot see in the output of one system. Parts that were not requested are None."""

    plan: ProbePlan
    system: str
    segments: int
    metrics: list[Metric]
    scores: list[Score]  # corpus scores of the system, by metric
    permutations: PermutationBounds | None = None
    variants: Variants | None = None
    perturbations: Perturbations | None = None
    search: Searches | None = None
