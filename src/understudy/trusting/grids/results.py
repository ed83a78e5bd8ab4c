"""The results of a grid: the agreement of every setting, and what selecting one of them gains out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from understudy.equality import EqualByValue
from understudy.metrics.base.score import Interval
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.wording import number_of


@dataclass(frozen=True)
class Setting:
    """One setting of the metric. NaN: its coefficient is undefined."""

    spec: str
    signature: str
    value: float  # of the coefficient, on all data
    held_out: float  # mean over the held-out parts, whether or not it was selected for them
    selected: int  # number of held-out parts for which it was selected


@dataclass(frozen=True)
class HeldOut:
    """A held-out part of the data: some documents of some systems, and the setting selected on other documents of other
    systems.
    """

    documents: tuple[str, ...]  # empty: human scores are of systems
    systems: tuple[str, ...]
    translations: int  # with human scores; without any, the number of systems
    selected: str | None  # the spec; None: no setting has a coefficient on the training data
    value: float  # of the coefficient, by the selected setting
    plain: float  # by the plain metric


@dataclass(frozen=True, eq=False)
class GridSearch(EqualByValue):
    """The settings of a grid, compared by one coefficient. Means over held-out parts are weighted by their numbers of
    translations; parts in which the coefficient is undefined do not count.
    """

    grid: str  # as given
    asked: CoefficientSpec
    settings: tuple[Setting, ...]  # in the order of the grid
    plain: Setting  # the metric without the parameters that vary; it may be one of the settings
    best: Setting  # the highest value on all data
    parts: tuple[HeldOut, ...]
    selected: float  # mean over the held-out parts, each by the setting selected for it
    gain: float  # the same minus that of the plain metric
    interval: Interval | None  # of the gain, with the variance of the selection
    resamples: int  # of the interval
    folds: int  # of documents; 0: human scores are of systems
    by: str  # document or segment: what folds consist of
    systems_left_out: bool  # settings were selected on other systems than those of the held-out part
    invalid: int = 0  # combinations that the metric does not accept
    reason: str = ""  # why it refuses the first of them

    @property
    def in_sample_gain(self) -> float:
        """The gain of the best setting on all data in the same parts, which it was selected on."""
        return self.best.held_out - self.plain.held_out

    @property
    def optimism(self) -> float:
        """By how much the in-sample gain exceeds the gain out of fold."""
        return self.in_sample_gain - self.gain


def remarks(searches: Sequence[GridSearch]) -> list[str]:
    """Notes for reports: what was tried, how it was selected, and what that leaves open."""
    by_grid: dict[str, list[GridSearch]] = {}
    for search in searches:
        by_grid.setdefault(search.grid, []).append(search)
    found = [sentence for of_grid in by_grid.values() for sentence in _of_grid(of_grid)]
    if any(search.by == "segment" and search.folds for search in searches):
        found.append(
            "Without document labels, folds consist of segments: neighboring segments are similar, so out-of-fold "
            "gains may be larger than gains on new text."
        )
    levels = list(dict.fromkeys(search.asked.level for search in searches if not search.systems_left_out))
    if levels:
        found.append(
            f"Too few systems to hold out half of them: at {' and '.join(levels)} level, settings were selected with "
            "human scores of the same systems in other documents. This favors settings that favor the better systems."
        )
    return found


def _of_grid(searches: Sequence[GridSearch]) -> list[str]:
    first = searches[0]
    by = " and ".join(
        f"{_spec(search.asked)} at {search.asked.level} level ({_folds(search)})" for search in searches
    )
    found = [
        f"Grid {first.grid}: {len(first.settings):,} settings were tried and nothing else was fitted. For each "
        "held-out part of the data, the setting with the highest coefficient on other documents and systems was "
        f"selected: by {by}. CIs include the variance of the selection: settings were selected again in every "
        "resample."
    ]
    if first.invalid:
        found.append(
            f"Grid {first.grid}: {number_of(first.invalid, 'combination')} left out as invalid, the first because of "
            f"{first.reason.rstrip('.')}."
        )
    return found


def _spec(asked: CoefficientSpec) -> str:
    return asked.coefficient if asked.level == "system" else f"{asked.coefficient}:{asked.grouping}"


def _folds(search: GridSearch) -> str:
    folds = [f"{number_of(search.folds, 'fold')} of {search.by}s"] if search.folds else []
    groups = ["2 groups of systems"] if search.systems_left_out else []
    return " × ".join([*folds, *groups])
