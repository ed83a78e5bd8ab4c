"""How bad a text is, according to other metrics than the one that is searched against."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from understudy.arrays import Floats
from understudy.metrics.base.metric import Metric
from understudy.metrics.chrf import CHRF
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.tokens import TokenReader


@dataclass(frozen=True, eq=False)
class SecondOpinion:
    """Other metrics, and the distribution of their segment scores in the system's output."""

    metrics: tuple[Metric, ...]
    system_scores: Floats  # [segments, metrics]

    @classmethod
    def on(cls, system: ProbedSystem, metric: int) -> SecondOpinion:
        """The other chosen metrics; if there are none, chrF, or BLEU in place of chrF itself."""
        others = [other for other in range(len(system.metrics)) if other != metric]
        if others:
            return cls(tuple(system.metrics[other] for other in others), system.segment_scores[:, others])
        alone = TokenReader(system).metric if isinstance(system.metrics[metric], CHRF) else CHRF()
        judging = replace(system, metrics=(alone,))
        return cls((alone,), judging.scores(range(len(system.hypotheses)), system.hypotheses))

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(metric.spec for metric in self.metrics)

    def badness(self, segment: int, scores: Floats) -> Floats:
        """Of texts with scores [texts, metrics] in the place of a segment: how much worse they score than its
        hypothesis, in standard deviations of the segment scores; the mean over the metrics that have one. If none has
        one, as in a single segment, it is in points of the metrics.
        """
        falls = self._worths(self.system_scores[[segment]]) - self._worths(scores)
        if self.in_points:
            return np.asarray(falls.mean(axis=1))
        varied = self._deviations > 0
        return np.asarray((falls[:, varied] / self._deviations[varied]).mean(axis=1))

    @property
    def in_points(self) -> bool:
        """Whether badness is in points: no metric has a standard deviation."""
        return not (self._deviations > 0).any()

    @functools.cached_property
    def _deviations(self) -> Floats:
        scores = self._worths(self.system_scores)
        return scores.std(axis=0, ddof=1) if len(scores) > 1 else np.zeros(len(self.metrics))

    def _worths(self, scores: Floats) -> Floats:
        """Scores [texts, metrics] on scales where higher is better."""
        return np.stack(
            [metric.worth(scores[:, column]) for column, metric in enumerate(self.metrics)], axis=1
        )
