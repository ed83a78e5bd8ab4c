"""The ACES score: the weighted sum of the mean tau of ten categories of phenomena (Amrhein et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from understudy.probing.challenge_sets.results import AcesScore, PhenomenonResult


def aces_scores(results: Sequence[PhenomenonResult]) -> tuple[AcesScore, ...]:
    """The scores of all metrics; none if a phenomenon is not one of ACES."""
    categories = _categories()
    known = {phenomenon for category in categories for phenomenon in category.phenomena}
    if not {result.phenomenon for result in results} <= known:
        return ()
    found = []
    for metric in range(max(result.metric for result in results) + 1):
        taus = {result.phenomenon: result.tau for result in results if result.metric == metric}
        means = {
            category.name: sum(own) / len(own)
            for category in categories
            if (own := [taus[name] for name in category.phenomena if name in taus])
        }
        complete = len(means) == len(categories)
        total = sum(category.weight * means[category.name] for category in categories) if complete else None
        found.append(AcesScore(metric, means, total))
    return tuple(found)


@dataclass(frozen=True)
class _Category:
    name: str
    weight: float
    phenomena: tuple[str, ...]


@cache
def _categories() -> tuple[_Category, ...]:
    """In the order of ACES' tables."""
    text = (resources.files(__package__) / "aces.tsv").read_text(encoding="utf-8")
    _, *lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    weights = {category: float(weight) for category, weight, _ in lines}
    return tuple(
        _Category(name, weight, tuple(phenomenon for category, _, phenomenon in lines if category == name))
        for name, weight in weights.items()
    )
