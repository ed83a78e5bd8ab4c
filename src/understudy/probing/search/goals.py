"""What is searched for: the best text that is not a reference, and the worst that scores as well as the system."""

from __future__ import annotations

from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.results import Searches


def searched(system: ProbedSystem, plan: ProbePlan) -> Searches:
    """Search against every metric in the chosen segments."""
    raise NotImplementedError
