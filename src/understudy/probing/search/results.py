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
    random: bool = False  # a random edit after a local optimum, which may lower the score


@dataclass(frozen=True)
class Search:
    """The path from a starting text to what the search ended with. It never scores worse than the hypothesis, unless
    the hypothesis is a reference and the goal `best` requires another text.
    """

    goal: (
        str  # best: the best-scoring text that is not a reference; worst: the worst text that scores no lower
    )
    metric: int  # its position
    segment: int  # from 0
    start: str  # the text it began with: of several, the one that led furthest
    start_name: str  # hypothesis, or reference 1
    start_score: float
    system_score: float  # of the hypothesis
    steps: tuple[SearchStep, ...]
    # Goal `worst`: the specs of the metrics that say how bad a text is, and their scores. The badness of a text is how
    # much worse it scores than the hypothesis, in standard deviations of the system's segment scores; of several
    # metrics, the mean.
    judged_by: tuple[str, ...]
    system_judged: tuple[float, ...]  # scores of the hypothesis, by judging metric
    judged: tuple[float, ...]  # scores of the text that was found
    scored: int  # different texts, from all starts
    ended: str  # see climbing.ENDINGS
    in_points: bool = False  # badness is in points of the metrics: none of them has a standard deviation

    @property
    def text(self) -> str:
        return self.steps[-1].text if self.steps else self.start

    @property
    def score(self) -> float:
        return self.steps[-1].score if self.steps else self.start_score

    @property
    def badness(self) -> float | None:
        """Of the text that was found; None for the goal `best`."""
        if not self.judged_by:
            return None
        return self.steps[-1].badness if self.steps else 0.0


@dataclass(frozen=True)
class Searches:
    """The searches of all chosen segments, goals and metrics."""

    seconds: float  # the time limit
    texts: int  # the limit of scored texts per search
    searches: tuple[Search, ...]
