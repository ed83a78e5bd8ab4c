"""System types, such as rule-based, statistical, neural or human.

Users choose the names of the types. Only the grouping matters: metrics that match words were designed to compare
systems of the same type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from understudy.errors import BadParameter, did_you_mean
from understudy.settings import checked_names

# By kind its systems; or `nmt:A,B`, once or several times.
GivenKinds = Mapping[str, Iterable[str]] | Iterable[str]


@dataclass(frozen=True)
class Kinds:
    """The type of each system. Systems without a type are allowed and not reported."""

    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by kind, as they were given
    without: tuple[str, ...] = ()  # systems of no kind

    @classmethod
    def of(cls, given: GivenKinds, systems: Sequence[str]) -> Kinds:
        """The kinds of these systems, checked. A name that itself holds a comma is found before the comma separates.

        >>> found = Kinds.of(["nmt:a,b", "rule-based:c"], ["a", "b", "c", "d"])
        >>> found["c"], found["d"], found.without
        ('rule-based', None, ('d',))
        """
        if given is None:
            return cls()
        entries = given.items() if isinstance(given, Mapping) else map(_parted, checked_names("kinds", given))
        members: dict[str, list[str]] = {}
        for kind, names in entries:
            of_kind = members.setdefault(kind, [])
            for name in _names(kind, names, systems):
                other = next((known for known, others in members.items() if name in others), kind)
                if other != kind:
                    raise BadParameter(
                        f"system '{name}' has the types '{other}' and '{kind}', expected one. Remove it from one of "
                        "them."
                    )
                if name not in of_kind:
                    of_kind.append(name)
        if not members:
            return cls()
        kinds = {kind: tuple(names) for kind, names in members.items()}
        placed = {name for names in kinds.values() for name in names}
        return cls(kinds, tuple(name for name in systems if name not in placed))

    def among(self, systems: Sequence[str]) -> Kinds:
        """Only the types of these systems."""
        members = {
            kind: tuple(name for name in names if name in systems) for kind, names in self.members.items()
        }
        return Kinds(
            {kind: names for kind, names in members.items() if names},
            tuple(name for name in self.without if name in systems),
        )

    def __getitem__(self, system: str) -> str | None:
        return next((kind for kind, names in self.members.items() if system in names), None)

    def __bool__(self) -> bool:
        return bool(self.members)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs of types."""
        return list(combinations(self.members, 2))

    def between(self, first: str, second: str) -> list[tuple[str, str]]:
        """All pairs of a system of the first type and one of the second; for the same type, all pairs within it."""
        if first == second:
            return list(combinations(self.members[first], 2))
        return [(one, other) for one in self.members[first] for other in self.members[second]]

    def apart(self, one: str, other: str) -> tuple[str, str] | None:
        """The types of two systems, in the given order; None if they are the same, or one has no type."""
        found = {self[one], self[other]} - {None}
        return next((pair for pair in self.pairs if found == set(pair)), None)


def _parted(text: str) -> tuple[str, str]:
    kind, colon, names = text.partition(":")
    if not (kind.strip() and colon):
        raise BadParameter(f"system type '{text}': expected a type and its systems, e.g. nmt:A,B.")
    return kind.strip(), names


def _names(kind: str, given: str | Iterable[str], systems: Sequence[str]) -> list[str]:
    if not isinstance(given, str):
        names = list(checked_names(f"system type '{kind}'", given))
    elif given in systems:
        names = [given]
    else:
        names = [name.strip() for name in given.split(",") if name.strip()]
    if not names:
        raise BadParameter(f"system type '{kind}' has no systems, expected at least one, e.g. {kind}:A,B.")
    for name in names:
        if name not in systems:
            raise BadParameter(
                f"system type '{kind}': unknown system '{name}'. {did_you_mean(name, systems)}"
            )
    return names
