"""What `probe` examines, and how thoroughly."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.choices import CONFIDENCE, PROBE_LEVELS, PROBES, SEED
from understudy.errors import BadParameter
from understudy.settings import Settings, check_between, check_choice, check_whole, checked_names

VARIANTS = 10  # of every segment and construction
SEARCH_SECONDS = 5.0  # for all segments that are searched
SEARCHED_SEGMENTS = 3


@dataclass(frozen=True)
class ProbePlan(Settings):
    """All settings of `probe`."""

    what: tuple[str, ...] = ("permutations", "variants", "perturbations")
    variants: int = VARIANTS
    perturbations: tuple[str, ...] = ()  # names; none: all that apply
    level: str = "segment"
    seconds: float = SEARCH_SECONDS  # time limit of the search
    searched: int = SEARCHED_SEGMENTS  # number of segments to search
    seed: int = SEED
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", _parts(checked_names("what", self.what)))
        object.__setattr__(self, "perturbations", checked_names("perturbations", self.perturbations))
        check_whole("variants", self.variants)
        check_choice("level", self.level, PROBE_LEVELS)
        if not isinstance(self.seconds, int | float) or not self.seconds > 0:
            raise BadParameter(f"seconds: got {self.seconds!r}, expected a number above 0.")
        check_whole("searched", self.searched)
        check_whole("seed", self.seed, least=0)
        check_between("confidence", self.confidence)


def _parts(names: tuple[str, ...]) -> tuple[str, ...]:
    """The parts in their order.

    >>> _parts(("variants", "permutations")), _parts(("all",))
    (('permutations', 'variants'), ('permutations', 'variants', 'perturbations', 'search'))
    """
    for name in names:
        check_choice("what", name, (*PROBES, "all"))
    return tuple(name for name in PROBES if name in names or "all" in names)
