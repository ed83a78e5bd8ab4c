"""Warnings for systems that may have been meant as references: -r takes one file, and what follows is a system."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from understudy.cli import warn
from understudy.cli.arguments import named_system
from understudy.corpus.source import is_copy

# A part of a name between dots and dashes: ref, refA, ref01, reference, ... A single letter or a number may follow.
_REFERENCE = r"(?i)ref(erence)?s?([a-z]|\d{1,3})?"


def warn_of_references(systems: Sequence[str], references: Sequence[str]) -> None:
    """Warns of systems that are copies of a reference, or are named like one, unless the user gave them a name. It is
    no more than a warning: to score one reference against another is legitimate.
    """
    for argument in systems:
        entry = named_system(argument)
        path = entry if isinstance(entry, str) else entry[1]
        if len(systems) == 1 and path in references:
            return  # nobody does that by mistake; among several systems a pattern such as *.txt may
        copied = next((reference for reference in references if is_copy(path, reference)), None)
        if copied is not None:
            warn(f"'{path}' is scored as a system, but is identical to the reference '{copied}'.")
        elif references and isinstance(entry, str) and _is_named_like_a_reference(path):
            warn(
                f"'{path}' is scored as a system, but is named like a reference. If it is one, repeat -r: "
                f"-r {references[-1]} -r {path}. To score it without this warning, name it: NAME={path}."
            )


def _is_named_like_a_reference(path: str) -> bool:
    """A file, or the part of one that is chosen. A folder's name says nothing of the files in it."""
    parts = re.split(r"[-_.:, ]", os.path.basename(path))
    return not os.path.isdir(path) and any(re.fullmatch(_REFERENCE, part) for part in parts)
