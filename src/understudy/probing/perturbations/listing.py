"""The perturbations and what they need, for users."""

from __future__ import annotations

from collections.abc import Mapping

from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.results import PerturbationFacts


def list_perturbations(lang: str | None = None) -> tuple[list[PerturbationFacts], Mapping[str, str]]:
    """The perturbations of `probe` for a language, and by name why others are not available. Those that need a source
    or a second reference are among the first.

    >>> known, left_out = list_perturbations("en")
    >>> known[0].name
    'drop-words'
    """
    available, left_out = catalog(lang)
    return [perturbation.facts for perturbation in available], left_out
