"""The perturbations, by name, and what each needs."""

from __future__ import annotations

from collections.abc import Mapping

from understudy.probing.perturbations.perturbation import Perturbation


def catalog(language: str | None) -> tuple[list[Perturbation], Mapping[str, str]]:
    """The perturbations available for a language, and by name why others are left out."""
    raise NotImplementedError
