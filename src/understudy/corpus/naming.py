"""Unique names for several systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from understudy.errors import BadInput


class NameCandidate(NamedTuple):
    """A system that needs a name."""

    given: str | None  # the name given by the user
    short: str  # the short name of its file
    where: str  # the file as given, with the selected part


def names_apart(found: Sequence[NameCandidate]) -> list[str]:
    """A name for each: the given name; otherwise the short name or, if that is not unique, the path.

    >>> names_apart([NameCandidate(None, "out", "a/out.txt"), NameCandidate(None, "out", "b/out.txt")])
    ['a/out.txt', 'b/out.txt']
    """
    wanted = [one.given or one.short for one in found]
    named: dict[str, NameCandidate] = {}
    for one, name in zip(found, wanted, strict=True):
        unique = name if one.given is not None or wanted.count(name) == 1 else one.where
        if unique in named:
            raise BadInput(
                f"system '{one.where}' is given twice. Give it once, or use different names with NAME=FILE."
                if one.given is None
                else (
                    f"two systems are named '{unique}'{_both(named[unique], one)}. Use a different name for each."
                )
            )
        named[unique] = one
    return list(named)


def _both(one: NameCandidate, other: NameCandidate) -> str:
    """Where they are, unless they are texts in memory, which have only their name."""
    in_memory = one.where == other.where == other.given
    return "" if in_memory else f": '{one.where}' and '{other.where}'"
