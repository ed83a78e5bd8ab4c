"""What `probe` examines, and how thoroughly."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

from understudy.choices import (
    CONFIDENCE,
    PROBE_LEVELS,
    PROBE_SECONDS,
    PROBE_STRENGTHS,
    PROBED_SEGMENTS,
    PROBES,
    SEED,
    VARIANTS,
)
from understudy.errors import BadParameter, WrongType
from understudy.settings import Settings, check_between, check_choice, check_name, check_whole, checked_names

_SAMPLES = 1_000


@dataclass(frozen=True)
class ProbePlan(Settings):
    """All settings of `probe`."""

    what: tuple[str, ...] = ("permutations", "variants", "perturbations")
    variants: int = VARIANTS
    perturbations: tuple[str, ...] = ()  # names; none: all that apply. Harmless ones are always applied
    strengths: tuple[float, ...] = PROBE_STRENGTHS  # shares of what graded perturbations can change
    parser: str = "auto"  # for part-of-speech tags; auto: the best installed one for the language
    level: str = "segment"
    samples: int = _SAMPLES  # bootstrap samples of segments, for confidence intervals
    seconds: float = PROBE_SECONDS  # time limit of the search
    searched: int = PROBED_SEGMENTS  # number of segments to search
    seed: int = SEED
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", _parts(checked_names("what", self.what)))
        object.__setattr__(self, "perturbations", checked_names("perturbations", self.perturbations))
        object.__setattr__(self, "strengths", _checked_strengths(self.strengths))
        check_whole("variants", self.variants)
        check_name("parser", self.parser)
        check_choice("level", self.level, PROBE_LEVELS)
        check_whole("samples", self.samples)
        if not isinstance(self.seconds, int | float) or not self.seconds > 0:
            raise BadParameter(f"seconds: got {self.seconds!r}, expected a number above 0.")
        check_whole("searched", self.searched)
        check_whole("seed", self.seed, least=0)
        check_between("confidence", self.confidence)

    def steps(self, segments: int) -> int:
        """The number of segments that `progress` is told of: all of them, by every part."""
        return segments * len(self.what)


def _parts(names: tuple[str, ...]) -> tuple[str, ...]:
    """The parts in their order.

    >>> _parts(("variants", "permutations")), _parts(("all",))
    (('permutations', 'variants'), ('permutations', 'variants', 'perturbations', 'search'))
    """
    for name in names:
        check_choice("what", name, (*PROBES, "all"))
    if not names:
        raise BadParameter(f"what: the list is empty, expected {', '.join(PROBES)} or all.")
    return tuple(name for name in PROBES if name in names or "all" in names)


def _checked_strengths(values: Any) -> tuple[float, ...]:
    """The strengths in ascending order, each once.

    >>> _checked_strengths([1, 0.5, 0.5]), _checked_strengths(0.25)
    ((0.5, 1.0), (0.25,))
    """
    listed = [values] if isinstance(values, Real) else values
    if not isinstance(listed, list | tuple):
        raise WrongType(f"strengths: got {type(values).__name__}, expected a list of numbers.")
    for value in listed:
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) <= 1:
            raise BadParameter(f"strengths: got {value!r}, expected numbers above 0 and of at most 1.")
    if not listed:
        raise BadParameter("strengths: the list is empty, expected numbers above 0 and of at most 1.")
    return tuple(sorted({float(value) for value in listed}))
