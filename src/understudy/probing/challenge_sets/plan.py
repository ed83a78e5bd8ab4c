"""How metrics are compared on a challenge set."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.choices import CONFIDENCE, CORRECTIONS, SEED, SIGNIFICANCE
from understudy.errors import BadParameter
from understudy.settings import Settings, check_between, check_choice, check_whole, checked_names

_SEVERITIES = ("neutral", "minor", "major", "critical")
_PERMUTATIONS = 10_000


@dataclass(frozen=True)
class ChallengePlan(Settings):
    """All settings of `probe --pairs`."""

    lower_is_better: tuple[str, ...] = ()  # metrics of score files for which a lower score is better
    severities: tuple[str, ...] = _SEVERITIES  # the least severe first; others, such as base, are not ranked
    correct: str = "holm"
    significance: float = SIGNIFICANCE
    confidence: float = CONFIDENCE
    samples: int = _PERMUTATIONS  # of the permutation test
    seed: int = SEED

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower_is_better", checked_names("lower_is_better", self.lower_is_better))
        severities = tuple(name.lower() for name in checked_names("severities", self.severities))
        if len(set(severities)) < len(severities):
            raise BadParameter(f"severities: {', '.join(severities)} names one twice. Name each once.")
        object.__setattr__(self, "severities", severities)
        check_choice("correct", self.correct, CORRECTIONS)
        check_between("significance", self.significance)
        check_between("confidence", self.confidence)
        check_whole("samples", self.samples)
        check_whole("seed", self.seed, least=0)
