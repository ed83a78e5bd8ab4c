"""Regression of human on metric scores: line, confidence band, standardized scores (Papineni 2001, figures 5-7)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadInput
from understudy.settings import check_between
from understudy.trusting.coefficients.estimators import undefined_because


@dataclass(frozen=True)
class Regression:
    """human = intercept + slope * metric, by least squares."""

    intercept: float
    slope: float
    r: float
    points: int
    residual: float  # the standard deviation of the residuals, n - 2 degrees of freedom; NaN with two points
    slope_error: float  # the standard error of the slope
    mean: float  # of the metric's scores
    squares: float  # of their deviations from it

    @property
    def r2(self) -> float:
        return self.r**2

    def line(self, metric: Floats) -> Floats:
        return np.asarray(self.intercept + self.slope * np.asarray(metric))

    def band(self, metric: Floats, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Between which bounds the line lies, at these scores: line ± t s sqrt(1 / n + (x - mean)² / squares)."""
        from scipy.stats import t as student

        check_between("confidence", confidence)
        at = np.asarray(metric, dtype=np.float64)
        if self.points < 3:
            return np.full(at.shape, np.nan), np.full(at.shape, np.nan)
        factor = float(student.ppf((1 + confidence) / 2, self.points - 2)) * self.residual
        half = factor * np.sqrt(1 / self.points + (at - self.mean) ** 2 / self.squares)
        return self.line(at) - half, self.line(at) + half


def regress(human: Floats, metric: Floats) -> Regression:
    """The line of human scores on the metric's. Without spread in the metric's scores there is none.

    >>> found = regress(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0]))
    >>> round(found.slope, 6), round(found.r2, 6)
    (0.1, 1.0)
    """
    known = ~np.isnan(human) & ~np.isnan(metric)
    h, m = human[known], metric[known]
    if len(h) < 2 or np.ptp(m) == 0:
        raise BadInput(f"no regression of human on metric scores: {undefined_because(human, metric)}.")
    x, y = m - m.mean(), h - h.mean()
    squares, products = float(x @ x), float(x @ y)
    if squares == 0:  # of differences that are too small to be squared
        raise BadInput(
            f"no regression of human on metric scores: the metric scores differ by only {np.ptp(m):.2g}."
        )
    slope = products / squares
    rest = y - slope * x
    residual = math.sqrt(float(rest @ rest) / (len(h) - 2)) if len(h) > 2 else math.nan
    of_human = float(y @ y)
    r = products / math.sqrt(squares) / math.sqrt(of_human) if np.ptp(h) > 0 else math.nan
    return Regression(
        intercept=float(h.mean()) - slope * float(m.mean()),
        slope=slope,
        r=r if math.isnan(r) else max(-1.0, min(1.0, r)),
        points=len(h),
        residual=residual,
        slope_error=residual / math.sqrt(squares),
        mean=float(m.mean()),
        squares=squares,
    )


def normalized(scores: Mapping[str, Floats]) -> dict[str, Floats]:
    """Every measure on its own range: 0 the worst system, 1 the best, as in figure 7. NaN where all are the same.

    >>> normalized({"BLEU": np.array([10.0, 15.0, 30.0])})["BLEU"].tolist()
    [0.0, 0.25, 1.0]
    """
    found = {}
    for name, values in scores.items():
        known = values[~np.isnan(values)]
        spread = np.ptp(known) if len(known) else 0.0
        found[name] = (values - known.min()) / spread if spread > 0 else np.full(len(values), np.nan)
    return found
