"""How candidates are chosen."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from understudy.arrays import LARGEST_SCORE
from understudy.choices import (
    BOOTSTRAP_SAMPLES,
    DECIDE_METHODS,
    ORACLE_LEVELS,
    POSTERIORS,
    PRUNING_ALPHA,
    REFERENCE_CLUSTERS,
    SEED,
)
from understudy.corpus.files import read_all, shown
from understudy.corpus.lines import decoded
from understudy.errors import BadInput, BadParameter, WrongType
from understudy.settings import Settings, check_between, check_choice, check_whole

_WEIGHTS = '{"weights": {"LM": 0.5}}'
_HIGHEST_TEMPERATURE = 1e300  # scores divided by it are numbers


@dataclass(frozen=True, kw_only=True)
class DecisionPlan(Settings):
    """The options of `decide`."""

    method: str = "mbr"
    metric_weights: tuple[float, ...] | None = None  # of each metric in the utility; None: 1 each
    posterior: str | None = None  # None: `weight` if the list has weights, otherwise `uniform`
    temperature: float = 1.0  # divides model scores before the softmax
    alpha: float = PRUNING_ALPHA  # confidence of pruning
    samples: int = BOOTSTRAP_SAMPLES  # bootstrap samples of pruning
    clusters: int = REFERENCE_CLUSTERS  # of pseudo-references
    level: str = "segment"  # at which an oracle is best
    weights: Any = None  # of features by name, or a JSON file of them, for reranking; None: by model score
    seed: int = SEED

    def __post_init__(self) -> None:
        check_choice("method", self.method, DECIDE_METHODS)
        if self.posterior is not None:
            check_choice("posterior", self.posterior, POSTERIORS)
        _check_positive("temperature", self.temperature, "--temperature", _HIGHEST_TEMPERATURE)
        check_between("alpha", self.alpha)
        check_whole("samples", self.samples)
        check_whole("clusters", self.clusters)
        check_choice("level", self.level, ORACLE_LEVELS)
        check_whole("seed", self.seed, least=0)
        for weight in self.metric_weights or ():
            _check_positive("metric_weights", weight, "--metric-weight", LARGEST_SCORE)
        if self.weights is not None:
            object.__setattr__(self, "weights", checked_feature_weights(self.weights))

    @property
    def needs_everything(self) -> bool:
        """Whether parts of the list cannot be decided one after another."""
        return self.method == "rerank" or (self.method == "oracle" and self.level == "corpus")


def checked_feature_weights(weights: Any) -> dict[str, float]:
    """Weights by the name of the feature, also in the form `{"weights": {...}}`, or a JSON file of either."""
    if isinstance(weights, (str, os.PathLike)):
        path = os.fspath(weights)
        try:
            weights = json.loads(decoded(read_all(path), path))
        except (json.JSONDecodeError, RecursionError) as error:
            raise BadInput(f"{shown(path)}: not valid JSON ({error}). Expected {_WEIGHTS}.") from None
    if isinstance(weights, Mapping) and isinstance(weights.get("weights"), Mapping):
        weights = weights["weights"]
    if not isinstance(weights, Mapping):
        raise WrongType(f"weights: expected numbers by the name of the feature, e.g. {_WEIGHTS}.")
    for name, weight in weights.items():
        if not isinstance(weight, Real) or isinstance(weight, bool) or not -1e300 < float(weight) < 1e300:
            raise BadParameter(f"weights: the weight of '{name}' is {weight!r}, expected a finite number.")
    return {str(name): float(weight) for name, weight in weights.items()}


def _check_positive(name: str, value: Any, option: str, most: float) -> None:
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not 0 < value <= most:
        expected = f"expected a number above 0 and of at most {most:g}."
        raise BadParameter(f"{name}={value!r}: {expected}", f"{option} {value!r}: {expected}")
