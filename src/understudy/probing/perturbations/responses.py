"""The responses of metrics to perturbations."""

from __future__ import annotations

from understudy.probing.perturbations.results import Perturbations
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem


def perturbed(system: ProbedSystem, plan: ProbePlan) -> Perturbations:
    """Apply every perturbation and score the result with every metric."""
    raise NotImplementedError
