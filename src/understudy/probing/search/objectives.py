"""The value of a text for each goal of a search, and which texts are permitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from understudy.arrays import Floats
from understudy.metrics.base.metric import Metric
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.climbing import is_higher
from understudy.probing.search.edits import Tokens
from understudy.probing.search.searched_segment import SearchedSegment
from understudy.probing.search.second_opinion import SecondOpinion


@dataclass(frozen=True, eq=False)
class Best:
    """The best-scoring text that is not a reference."""

    goal: ClassVar = "best"
    system: ProbedSystem  # with the metric that is searched against alone
    text: SearchedSegment

    @property
    def metric(self) -> Metric:
        return self.system.metrics[0]

    def scores(self, texts: Sequence[Tokens]) -> Floats:
        """Under the metric that is searched against."""
        return self._scored(self.system, texts)[:, 0]

    def values(self, texts: Sequence[Tokens]) -> Floats:
        """The higher the better; minus infinity for texts that are not permitted."""
        references = np.array([self.text.is_reference(tokens) for tokens in texts])
        return _permitted(self.metric.worth(self.scores(texts)), ~references)

    @property
    def best_possible(self) -> float:
        """The value that no text exceeds; infinity if it is unknown."""
        if not (self.metric.percent and self.metric.full_marks):
            return math.inf
        best = {True: 100.0, False: 0.0, None: self.metric.target}[self.metric.higher_is_better]
        return float(self.metric.worth(best))

    @property
    def starts(self) -> dict[str, Tokens]:
        """The texts from which to search, by name."""
        numbered = {
            f"reference {number}": each for number, each in enumerate(self.text.references, 1) if each
        }
        return {"hypothesis": self.text.hypothesis, **numbered}

    def _scored(self, system: ProbedSystem, texts: Sequence[Tokens]) -> Floats:
        written = [self.text.written(tokens) for tokens in texts]
        return system.scores([self.text.segment] * len(texts), written)


@dataclass(frozen=True, eq=False)
class Worst(Best):
    """The worst text, in the opinion of other metrics, that scores as well as the hypothesis."""

    goal: ClassVar = "worst"
    opinion: SecondOpinion

    def values(self, texts: Sequence[Tokens]) -> Floats:
        worths = self.metric.worth(self.scores(texts))
        as_good = np.array([not is_higher(self._system_worth, worth) for worth in worths]) & ~np.isnan(worths)
        values = np.full(len(texts), -math.inf)
        if as_good.any():
            values[as_good] = self.badness([texts[row] for row in np.flatnonzero(as_good)])
        return _permitted(values, as_good)

    def badness(self, texts: Sequence[Tokens]) -> Floats:
        """As `SecondOpinion` defines it."""
        return self.opinion.badness(self.text.segment, self.judged(texts))

    def judged(self, texts: Sequence[Tokens]) -> Floats:
        """The scores of the other metrics [texts, metrics]."""
        return self._scored(replace(self.system, metrics=self.opinion.metrics), texts)

    @property
    def best_possible(self) -> float:
        return math.inf

    @property
    def starts(self) -> dict[str, Tokens]:
        """Those that are permitted: a reference can score lower than a hypothesis, as under METEOR."""
        every = super().starts
        permitted = self.values(list(every.values())) > -math.inf
        return {name: text for (name, text), kept in zip(every.items(), permitted, strict=True) if kept}

    @cached_property
    def _system_worth(self) -> float:
        return float(self.metric.worth(self.scores([self.text.hypothesis])[0]))


def _permitted(values: Floats, permitted: np.ndarray) -> Floats:
    return np.where(permitted & ~np.isnan(values), values, -math.inf)
