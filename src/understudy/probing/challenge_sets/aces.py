"""The ACES score: the weighted sum of the mean tau of ten categories of phenomena (Amrhein et al. 2022)."""

from __future__ import annotations

import json
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
    data = json.loads((resources.files(__package__) / "aces.json").read_text(encoding="utf-8"))
    return tuple(
        _Category(each["name"], float(each["weight"]), tuple(each["phenomena"]))
        for each in data["categories"]
    )
