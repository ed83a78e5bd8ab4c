"""Candidates by every construction, verified by scoring."""

from __future__ import annotations

from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.variants.results import Variants

CONSTRUCTIONS = ("permuted blocks", "replaced words", "reference n-grams")


def variants(system: ProbedSystem, plan: ProbePlan) -> Variants:
    """The variants of every segment."""
    raise NotImplementedError
