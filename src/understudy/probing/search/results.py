"""Searches: what hill climbing against a metric finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchStep:
    """One accepted edit."""

    edit: str  # such as "replace 'when' by 'as'"
    text: str
    score: float  # of the metric that is searched against
    badness: float | None  # for the goal `worst`: see `Search.judged_by`


@dataclass(frozen=True)
class Search:
    """The path from a starting text to what the search ended with."""

    goal: (
        str  # best: the best-scoring text that is not a reference; worst: the worst text that scores no lower
    )
    metric: int  # its position
    segment: int  # from 0
    start: str  # the text it began with
    start_score: float
    system_score: float  # of the hypothesis
    steps: tuple[SearchStep, ...]
    judged_by: str | None  # goal `worst`: the spec that says how bad a text is
    scored: int  # texts
    ended: str  # local optimum, time limit or nothing left to try

    @property
    def text(self) -> str:
        return self.steps[-1].text if self.steps else self.start

    @property
    def score(self) -> float:
        return self.steps[-1].score if self.steps else self.start_score


@dataclass(frozen=True)
class Searches:
    """The searches of all chosen segments, goals and metrics."""

    seconds: float  # the time limit
    searches: tuple[Search, ...]
