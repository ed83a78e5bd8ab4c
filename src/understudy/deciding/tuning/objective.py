"""Objective: the number that tuning optimizes, computed from sums of statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_SCORE, Floats
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.wording import number_of

Sums = Sequence[NDArray[Any]]  # of each metric [..., K]


COMBINED = "objective"  # the heading of values that are not the score of one metric


@dataclass(frozen=True)
class Objective:
    """One metric, or the weighted mean of several on a scale where higher is better.

    The value of one metric is its score, as usually reported. At level `mean`, it is the mean segment score. If a score
    should be close to a number, the value is minus the distance: a score on the other side, as far away, is no gain.
    """

    metrics: tuple[Metric, ...]
    weights: tuple[float, ...]  # of the metrics
    templates: tuple[Statistics, ...]  # what the columns of the statistics are
    level: str = "corpus"

    def value(self, sums: Sums) -> Floats:
        """The values [...] of sums of each metric's columns [..., K]."""
        scores = self.scores(sums)
        if not self._combined:
            return scores[0]
        worth = [
            weight * np.asarray(metric.worth(of_metric))
            for metric, weight, of_metric in zip(self.metrics, self.weights, scores, strict=True)
        ]
        return np.asarray(sum(worth) / sum(self.weights))

    def scores(self, sums: Sums) -> list[Floats]:
        """The scores of each metric."""
        if self.level == "mean":  # the columns are a score and 1
            return [np.asarray(of_metric[..., 0] / of_metric[..., 1]) for of_metric in sums]
        return [
            metric.scores_of(replace(template, array=of_metric))
            for metric, template, of_metric in zip(self.metrics, self.templates, sums, strict=True)
        ]

    def worth(self, values: Any) -> Any:
        """The values on a scale where higher is better; what is not a number is worst."""
        worth = values if self._combined else self.metrics[0].worth(values)
        return np.where(np.isnan(worth), -np.inf, worth)

    def value_worth(self, sums: Sums) -> Floats:
        """What the values of sums are worth."""
        return np.asarray(self.worth(self.value(sums)))

    @property
    def _combined(self) -> bool:
        """Whether the values are not the scores of one metric."""
        return len(self.metrics) > 1 or self.metrics[0].higher_is_better is None

    @property
    def point(self) -> float:
        """One percentage point on the scale of the values. Metrics that are not in percent have no declared scale; most
        are about 0 to 1.

        >>> from understudy import BLEU, NIST
        >>> Objective((BLEU(),), (1.0,), ()).point, Objective((BLEU(), NIST()), (1.0, 3.0), ()).point
        (1.0, 0.2575)
        """
        points = [1.0 if metric.percent else 0.01 for metric in self.metrics]
        weighted = [weight * point for weight, point in zip(self.weights, points, strict=True)]
        return sum(weighted) / sum(self.weights)

    @property
    def higher_is_better(self) -> bool | None:
        return True if self._combined else self.metrics[0].higher_is_better

    @property
    def better(self) -> str:
        """Which values are better, in words."""
        return "higher" if self._combined else self.metrics[0].better()

    @property
    def label(self) -> str:
        """The heading of its values."""
        if self._combined:
            return COMBINED
        return self.metrics[0].label if self.level == "corpus" else f"mean segment {self.metrics[0].label}"

    @property
    def formula(self) -> str:
        """What is optimized, in words.

        >>> from understudy import BLEU, TER
        >>> Objective((BLEU(),), (1.0,), ()).formula
        'BLEU (higher is better)'
        >>> Objective((BLEU(), TER()), (1.0, 1.0), ()).formula
        '(BLEU - TER) / 2 (higher is better)'
        >>> Objective((BLEU(), TER()), (2.0, 0.5), (), "mean").formula
        '(2 mean segment BLEU - 0.5 mean segment TER) / 2.5 (higher is better)'
        >>> from understudy import LengthRatio
        >>> Objective((LengthRatio(),), (1.0,), ()).formula
        '-|length ratio - 100| (higher is better)'
        """
        if not self._combined:
            return f"{self.label} ({self.better} is better)"
        mean = "" if self.level == "corpus" else "mean segment "
        text = ""
        for metric, weight in zip(self.metrics, self.weights, strict=True):
            sign, name = "+", f"{mean}{metric.label}"
            if metric.higher_is_better is None:
                sign, name = "-", f"|{name} - {metric.target:g}|"
            elif not metric.higher_is_better:
                sign = "-"
            term = name if weight == 1 or len(self.metrics) == 1 else f"{weight:g} {name}"
            text += f" {sign} {term}" if text else term if sign == "+" else f"-{term}"
        mean_of = text if len(self.metrics) == 1 else f"({text}) / {sum(self.weights):g}"
        return f"{mean_of} (higher is better)"

    @property
    def signatures(self) -> tuple[str, ...]:
        return tuple(
            str(metric.signature(template.references, self.level, of_input=template.of_input))
            for metric, template in zip(self.metrics, self.templates, strict=True)
        )


def checked_metric_weights(weights: Any, metrics: Sequence[Metric]) -> tuple[float, ...]:
    """A positive weight per metric; all are 1 by default.

    >>> from understudy import BLEU, TER
    >>> checked_metric_weights([2], [BLEU(), TER()])
    Traceback (most recent call last):
    understudy.errors.BadParameter: metric_weights: got 1 number for 2 metrics, expected one per metric.
    """
    if weights is None:
        return (1.0,) * len(metrics)
    given = tuple(weights) if isinstance(weights, (list, tuple, np.ndarray)) else (weights,)
    for weight in given:
        number = isinstance(weight, Real) and not isinstance(weight, bool)
        if not number or not 0 < weight <= LARGEST_SCORE:
            negative = number and weight < 0
            hint = " A metric where lower is better needs no negative weight." if negative else ""
            got = f"got {weight!r}, expected a number above 0 and of at most {LARGEST_SCORE:g}.{hint}"
            raise BadParameter(f"metric_weights: {got}", f"--metric-weight: {got}")
    if len(given) != len(metrics):
        both = f"{number_of(len(given), 'number')} for {number_of(len(metrics), 'metric')}, expected one per metric."
        raise BadParameter(f"metric_weights: got {both}", f"--metric-weight: got {both}")
    return tuple(map(float, given))


def segment_columns(metric: Metric, statistics: Statistics) -> Floats:
    """The columns of a mean segment score: a score and 1, per candidate."""
    scores = metric.segment_scores(statistics)
    for row in np.flatnonzero(~(np.abs(scores) <= LARGEST_SCORE)):
        raise BadInput(f"{metric.spec}: a candidate has the segment score {scores[row]}, expected a number.")
    return np.stack([scores, np.ones(len(scores))], axis=-1)
