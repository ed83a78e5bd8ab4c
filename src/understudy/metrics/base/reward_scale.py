"""Segment scores as rewards from 0 to 1, where higher is better whatever the metric's direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadInput, BadParameter

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric


def check_rewarding(metric: Metric) -> None:
    """Raise an error unless the metric gives each segment a reward that does not depend on the rest of the batch."""
    if not metric.percent:
        raise BadParameter(
            f"{metric.spec}: its scores are not fractions, so they have no rewards from 0 to 1. Use a metric with a "
            "bounded scale, such as bleu, gleu or chrf."
        )
    if metric.needs_fit and not metric.fitted_on:
        read = "references" if metric.reads_references else "hypotheses"
        raise BadInput(
            f"{metric.spec}: without a fit, the reward of a segment would depend on the rest of its batch. Fit the "
            f"metric on all {read} of the training set first: metric.fit({read})."
        )


def as_rewards(metric: Metric, scores: NDArray[np.float64]) -> NDArray[np.float32]:
    """The rewards of scores in percent: s/100 if higher is better, 1 - s/100 if lower is better, 1 - |s - t|/100 if
    the target t is best; all clipped to the range from 0 to 1.
    """
    best = 0.0 if metric.higher_is_better else 1.0
    rewards = best + np.asarray(metric.worth(scores), np.float64) / 100
    return np.clip(rewards, 0.0, 1.0, out=rewards).astype(np.float32)
