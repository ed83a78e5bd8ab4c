"""The names of several systems: no two are called alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from understudy.errors import BadInput


class Nameable(NamedTuple):
    """A system that is to be called something."""

    given: str | None  # the name that the user gives it
    short: str  # what people call its file
    where: str  # the file as it was given, with the part of it that is meant


def names_apart(found: Sequence[Nameable]) -> list[str]:
    """A name for each: the one it is given, else its short name, else, where another one would be called so too, where
    it is from.

    >>> names_apart([Nameable(None, "out", "a/out.txt"), Nameable(None, "out", "b/out.txt")])
    ['a/out.txt', 'b/out.txt']
    """
    wanted = [one.given or one.short for one in found]
    named: dict[str, Nameable] = {}
    for one, name in zip(found, wanted, strict=True):
        unique = name if one.given is not None or wanted.count(name) == 1 else one.where
        if unique in named:
            raise BadInput(
                f"system '{one.where}' is given twice. Give it once, or name them apart with NAME=FILE."
                if one.given is None
                else f"two systems are named '{unique}': '{named[unique].where}' and '{one.where}'. "
                "Give each a name of its own."
            )
        named[unique] = one
    return list(named)
