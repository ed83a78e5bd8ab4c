"""Methods for fitting the weights of many features of which a translation has few.

Features are not standardized one by one: that would give rare features the largest values, and the model could no
longer be the plain metric. All are divided by one number, so that the strength of the regularization means the same for
all kinds of features: the mean squared distance of a translation from the mean translation is then 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadParameter
from understudy.trusting.combinations.linear_methods import Linear, Method
from understudy.trusting.combinations.score_rows import Rows, column_means

# Of the residual: the weights are kept with fewer digits than this leaves.
_TOLERANCE = 1e-5
_ITERATIONS = 5_000


@dataclass(frozen=True)
class SparseMethod(Method):
    """A method for fitting weights to a sparse matrix."""

    inner_folds: int = 3  # each takes as long as a whole learned combination

    def fit(self, features: Rows, target: Floats, strengths: Sequence[float]) -> list[Linear]:
        """The sums that these rows ask for, one for each strength."""
        means = column_means(features)
        middle, spread = float(target.mean()), float(target.std()) or 1.0
        size = _size(features, means)
        if size == 0:
            return [Linear(means, np.ones_like(means), np.zeros_like(means), middle) for _ in strengths]
        wanted = (target - middle) / spread
        return [
            Linear(means, np.ones_like(means), weights * (spread / size), middle)
            for weights, _ in self.solve(features / size, wanted, strengths)
        ]


def _size(features: Rows, means: Floats) -> float:
    """The root mean square of the distance of rows from their mean; 0 if they do not vary."""
    squares = float(features.multiply(features).sum()) / features.shape[0]
    variance = squares - float(means @ means)
    return float(np.sqrt(variance)) if variance > 1e-12 * squares else 0.0


def _ridge(features: Any, target: Floats, strengths: Sequence[float]) -> list[tuple[Floats, float]]:
    from sklearn.linear_model import Ridge

    found = []
    for strength in strengths:
        model = Ridge(alpha=strength * len(target), solver="sparse_cg", tol=_TOLERANCE, max_iter=_ITERATIONS)
        model.fit(features, target)
        found.append((np.reshape(model.coef_, -1), float(model.intercept_)))
    return found


def _lasso(features: Any, target: Floats, strengths: Sequence[float]) -> list[tuple[Floats, float]]:
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import Lasso

    columns = features.tocsc()
    # From the strongest, each from the weights of the one before. The weakest do not converge, and do not predict best.
    model = Lasso(warm_start=True, max_iter=_LASSO_ITERATIONS, tol=_LASSO_TOLERANCE)
    found = []
    for strength in strengths:
        model.set_params(alpha=strength)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(columns, target)
        found.append((np.reshape(model.coef_, -1).copy(), float(model.intercept_)))
    return found


_LASSO_TOLERANCE = 1e-3
_LASSO_ITERATIONS = 100

SPARSE_METHODS = (
    SparseMethod(
        "ridge", "ridge regression", False, "Least squares with an L2 penalty on the weights.", _ridge
    ),
    SparseMethod(
        "lasso", "lasso", False, "Least squares with an L1 penalty, which sets most weights to 0.", _lasso
    ),
)


def sparse_method(name: str) -> SparseMethod:
    """The method of that name."""
    for method in SPARSE_METHODS:
        if method.name == name:
            return method
    names = [method.name for method in SPARSE_METHODS]
    raise BadParameter(f"'{name}' cannot fit feature weights: expected {' or '.join(names)}.")
