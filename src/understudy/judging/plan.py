"""What is computed from judgments: which of them, and how intervals and tests are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from understudy.choices import CONFIDENCE, CORRECTIONS, SEED, SIGNIFICANCE, TOP
from understudy.errors import BadParameter, did_you_mean
from understudy.judging.agreement.bootstrap import SAMPLES
from understudy.settings import check_between


@dataclass(frozen=True)
class JudgePlan:
    """All settings."""

    questions: tuple[str, ...] = ()  # none: all that were asked
    group: str | None = None  # of judges; None: all judges
    samples: int = SAMPLES  # bootstrap resamples of agreement and of Bradley-Terry strengths
    seed: int = SEED
    confidence: float = CONFIDENCE
    significance: float = SIGNIFICANCE
    correction: str = "holm"
    top: int = TOP  # items that judges disagree about

    def __post_init__(self) -> None:
        check_between("confidence", self.confidence)
        if not 0 < self.significance < 1:
            raise BadParameter(f"significance={self.significance}: expected a number between 0 and 1.")
        for name, least in (("samples", 2), ("seed", 0), ("top", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise BadParameter(f"{name}={value!r}: expected an integer of at least {least}.")
        if self.correction not in CORRECTIONS:
            raise BadParameter(
                f"unknown correction '{self.correction}'. {did_you_mean(self.correction, CORRECTIONS)}"
            )

    @property
    def resampling(self) -> dict[str, Any]:
        """The arguments of every function that resamples."""
        return {"samples": self.samples, "seed": self.seed, "confidence": self.confidence}
