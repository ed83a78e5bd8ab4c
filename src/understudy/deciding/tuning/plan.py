"""TunePlan: how weights are tuned, except for the candidates, the references and the metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from understudy.choices import (
    HELD_OUT,
    MOST_RESTARTS,
    PRO_RESTARTS,
    RANDOM_DIRECTIONS,
    RESTARTS,
    SEED,
    SIGNIFICANCE,
    TUNE_LEVELS,
    TUNING_METHODS,
    TUNING_SAMPLES,
)
from understudy.errors import BadParameter
from understudy.settings import Settings, check_between, check_choice, check_whole, checked_names


@dataclass(frozen=True)
class TunePlan(Settings):
    """How weights are tuned, except for the candidates, the references and the metrics."""

    method: str = "mert"
    metric_weights: Any = None  # of several metrics; default: 1 each
    level: str = "corpus"
    start: Any = None  # weights by feature, or a file of them; default: equal weights
    restarts: int | None = None  # random starts in addition to `start`; in PRO, further samples of pairs
    directions: int = RANDOM_DIRECTIONS  # random directions per sweep of MERT
    bounds: Mapping[str, Any] = field(default_factory=dict)  # (low, high) by feature
    fix: Sequence[str] = ()  # features whose weights stay as in `start`
    interpolation: float = 1.0  # share of PRO's weights; the rest are those of `start`
    held_out: float | None = None  # share of segments held out; default: 0.2, or 0 with folds
    folds: int | None = None  # cross-validation in place of one held-out part
    refit: bool = False  # tune again on all segments after the check
    samples: int = TUNING_SAMPLES
    seed: int = SEED
    significance: float = SIGNIFICANCE

    def __post_init__(self) -> None:
        check_choice("method", self.method, TUNING_METHODS)
        check_choice("level", self.level, TUNE_LEVELS)
        if self.restarts is not None:
            check_whole("restarts", self.restarts, least=0, most=MOST_RESTARTS)
        check_whole("directions", self.directions, least=0)
        object.__setattr__(self, "fix", checked_names("fix", self.fix))
        check_whole("samples", self.samples)
        check_whole("seed", self.seed, least=0)
        check_between("significance", self.significance)
        self._check_interpolation()
        self._check_parts()

    def _check_interpolation(self) -> None:
        share = self.interpolation
        if not isinstance(share, Real) or isinstance(share, bool) or not 0 < share <= 1:
            raise BadParameter(f"interpolation={share!r}: expected a number above 0 and of at most 1.")
        if self.method != "pro" and share != 1:
            raise BadParameter(
                "interpolation has no effect with the method 'mert'. Use method='pro', or omit it.",
                "--interpolation has no effect: add --method pro, or omit it.",
            )
        if share != 1 and self.start is None:
            raise BadParameter(
                "interpolation needs the weights to interpolate with. Give them as start.",
                "--interpolation needs the weights to interpolate with. Add --start FILE.",
            )

    def _check_parts(self) -> None:
        if self.held_out is not None:
            share = self.held_out
            if not isinstance(share, Real) or isinstance(share, bool) or not 0 <= share < 1:
                raise BadParameter(f"held_out={share!r}: expected a number from 0 to less than 1.")
        if self.folds is not None:
            check_whole("folds", self.folds, least=2)
            if self.held_out is not None:
                raise BadParameter(
                    "held_out and folds cannot be combined. Omit one of them.",
                    "--held-out cannot be combined with --folds. Omit one of them.",
                )
            if self.refit:
                raise BadParameter(
                    "refit has no effect with folds: the final weights are tuned on all segments. Omit it.",
                    "--refit has no effect with --folds: the final weights are tuned on all segments. Omit it.",
                )
        if self.refit and self.share_held_out == 0:
            raise BadParameter(
                "refit has no effect without held-out segments. Omit it.",
                "--refit has no effect with --held-out 0. Omit it.",
            )

    @property
    def share_held_out(self) -> float:
        if self.held_out is not None:
            return float(self.held_out)
        return 0.0 if self.folds is not None else HELD_OUT

    @property
    def runs(self) -> int:
        """The number of searches, from `start` and from random weights."""
        default = RESTARTS if self.method == "mert" else PRO_RESTARTS
        return 1 + (default if self.restarts is None else self.restarts)

    @property
    def checked(self) -> bool:
        """Whether weights are checked on segments that they were not tuned on."""
        return self.folds is not None or self.share_held_out > 0

    @property
    def searches(self) -> int:
        """The number of searches in all: the check may take several rounds."""
        return self.runs * (1 + (self.folds or 0) + self.refit)
