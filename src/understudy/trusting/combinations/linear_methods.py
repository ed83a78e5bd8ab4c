"""Methods for fitting the weights of a combination, by name.

All methods are linear in standardized scores. They yield one weight per component, which can be read and stored as a
plain number. A nonlinear model could only be used with its own program, and saved only as a file that runs code.

All methods receive the strength of regularization per translation. None uses random numbers, so the same data give the
same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadParameter, MissingExtra, did_you_mean
from understudy.trusting.combinations.score_rows import Rows

# From the strongest, which wins where it is as good as a weaker one.
STRENGTHS = (10.0, 1.0, 0.1, 0.01, 0.001, 0.0001)

_ITERATIONS = 10_000
# scikit-learn's own tolerance is too coarse for metrics that are nearly collinear.
_LASSO_TOLERANCE, _LASSO_ITERATIONS = 1e-10, 1_000_000


@dataclass(frozen=True)
class Linear:
    """A sum of standardized scores."""

    means: Floats
    scales: Floats
    weights: Floats
    intercept: float

    def __call__(self, features: Rows) -> Floats:
        """The values [rows] of scores [rows, parts]."""
        if not isinstance(features, np.ndarray):
            weights = self.weights / self.scales
            return np.asarray(self.intercept - float(self.means @ weights) + features @ weights)
        # Row by row, so that a row has the same value whatever stands beside it.
        return np.asarray(self.intercept + (self.weights * (features - self.means) / self.scales).sum(axis=1))


# Of scores [rows, parts], target [rows] and strengths: weights [parts] and intercept for each strength.
Solver = Callable[[Floats, Floats, Sequence[float]], list[tuple[Floats, float]]]


@dataclass(frozen=True)
class Method:
    """A method for fitting weights."""

    name: str
    title: str
    of_labels: bool  # from which translations are human, not from scores
    summary: str
    solve: Solver
    inner_folds: int = 5  # between which the strength is chosen

    def fit(self, features: Any, target: Floats, strengths: Sequence[float]) -> list[Linear]:
        """The sums that these rows ask for, one for each strength."""
        means, scales = _standard(features)
        # Labels are what they are; of scores, the strength must not depend on the unit.
        middle, spread = (0.0, 1.0) if self.of_labels else map(float, _standard(target))
        varies = np.ptp(features, axis=0) > 0
        standardized, wanted = (features - means) / scales, (target - middle) / spread
        return [
            # Solvers give what does not vary a weight that is almost 0.
            Linear(means, scales, np.where(varies, weights * spread, 0.0), middle + intercept * spread)
            for weights, intercept in self.solve(standardized, wanted, strengths)
        ]


def _standard(values: Floats) -> tuple[Floats, Floats]:
    """Means and standard deviations; 1 for what does not vary, or too little for a float, and is then worth nothing."""
    means, scales = values.mean(axis=0), values.std(axis=0)
    # A constant column may have a mean that is off in the last digit.
    varies = (np.ptp(values, axis=0) > 0) & (scales > 0)
    return np.asarray(means), np.asarray(np.where(varies, scales, 1.0))


def _ridge(features: Floats, target: Floats, strengths: Sequence[float]) -> list[tuple[Floats, float]]:
    from sklearn.linear_model import Ridge

    # As if the target were several: the products of columns are the same for all strengths.
    model = Ridge(alpha=np.asarray(strengths) * len(target), solver="cholesky")
    model.fit(features, np.repeat(target[:, np.newaxis], len(strengths), axis=1))
    weights = np.reshape(model.coef_, (len(strengths), -1))
    return list(zip(weights, np.reshape(model.intercept_, -1).tolist(), strict=True))


def _lasso(features: Floats, target: Floats, strengths: Sequence[float]) -> list[tuple[Floats, float]]:
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import lasso_path

    with warnings.catch_warnings():
        # Weights of columns that are the same to a millionth do not converge. What they predict together does.
        warnings.simplefilter("ignore", ConvergenceWarning)
        # `precompute`: products of columns instead of the columns, of which there are few. Each strength begins with
        # the weights of the one before. All columns have the mean 0, so that there is no intercept.
        _, weights, _ = lasso_path(
            features,
            target,
            alphas=strengths,
            precompute=True,
            tol=_LASSO_TOLERANCE,
            max_iter=_LASSO_ITERATIONS,
        )
    return [(column, 0.0) for column in weights.T]


def _logistic(features: Floats, target: Floats, strengths: Sequence[float]) -> list[tuple[Floats, float]]:
    from sklearn.linear_model import LogisticRegression

    return _each(
        lambda strength: LogisticRegression(
            C=1 / (strength * len(target)),
            class_weight="balanced",
            solver="newton-cholesky",  # fast where rows are many and columns few
            max_iter=_ITERATIONS,
        ),
        features,
        target,
        strengths,
    )


def _svm(features: Floats, target: Floats, strengths: Sequence[float]) -> list[tuple[Floats, float]]:
    from sklearn.svm import LinearSVC

    # The primal problem, which is solved without drawing at random. It has squared losses, and shrinks the intercept
    # as if it were a weight, unless that is of a large constant.
    return _each(
        lambda strength: LinearSVC(
            C=1 / (strength * len(target)),
            loss="squared_hinge",
            dual=False,
            class_weight="balanced",
            intercept_scaling=10.0,
            max_iter=_ITERATIONS,
        ),
        features,
        target,
        strengths,
    )


def _each(
    model: Callable[[float], Any], features: Floats, target: Floats, strengths: Sequence[float]
) -> list[tuple[Floats, float]]:
    found = [model(strength).fit(features, target) for strength in strengths]
    return [(each.coef_.reshape(-1), float(np.reshape(each.intercept_, -1)[0])) for each in found]


METHODS = (
    Method(
        "ridge",
        "ridge regression",
        False,
        "Least-squares fit to the human scores with an L2 penalty on the weights.",
        _ridge,
    ),
    Method(
        "lasso",
        "lasso",
        False,
        "Least-squares fit to the human scores with an L1 penalty, which sets weights of redundant metrics to 0.",
        _lasso,
    ),
    Method(
        "svm",
        "linear support vector machine",
        True,
        "Maximum margin between human and machine translations (Kulesza & Shieber 2004).",
        _svm,
    ),
    Method(
        "logistic",
        "logistic regression",
        True,
        "Log-odds that a translation is human.",
        _logistic,
    ),
)


def method_named(name: str | None, *, of_labels: bool) -> Method:
    """The method, or by default the first for what is to be learned from."""
    fitting = [method for method in METHODS if method.of_labels == of_labels]
    if name is None:
        return fitting[0]
    method = any_method(name)
    if method not in fitting:
        what = "which translations are human" if of_labels else "human scores"
        raise BadParameter(
            f"{name} cannot be fitted to {what}: expected {' or '.join(each.name for each in fitting)}."
        )
    return method


def any_method(name: str) -> Method:
    """The method of that name, whatever it learns from."""
    for method in METHODS:
        if method.name == name:
            return method
    raise BadParameter(f"unknown method '{name}'. {did_you_mean(name, [method.name for method in METHODS])}")


def require_scikit_learn(what: str = "learned combinations") -> None:
    """Fails now rather than in the middle."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise MissingExtra.of(what, "scikit-learn", "learned") from None
