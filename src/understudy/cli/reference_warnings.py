"""Warnings for systems that may be references: -r takes one file, and further files are systems."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from understudy.cli import warn
from understudy.cli.arguments import named_system
from understudy.corpus.segment_sources import is_copy

# A part of a file name between dots or dashes: ref, refA, ref01, reference, ..., optionally with a letter or number.
_REFERENCE = r"(?i)ref(erence)?s?([a-z]|\d{1,3})?"


def warn_of_references(systems: Sequence[str], references: Sequence[str]) -> None:
    """Warn about systems that are copies of a reference or are named like one, unless the user named them. This is
    only a warning, because scoring one reference against another is legitimate.
    """
    for argument in systems:
        entry = named_system(argument)
        path = entry if isinstance(entry, str) else entry[1]
        if len(systems) == 1 and path in references:
            return  # not a mistake; with several systems, a pattern such as *.txt may be
        copied = next((reference for reference in references if is_copy(path, reference)), None)
        if copied is not None:
            warn(f"'{path}' is scored as a system, but is identical to the reference '{copied}'.")
        elif references and isinstance(entry, str) and _is_named_like_a_reference(path):
            warn(
                f"'{path}' is scored as a system, but is named like a reference. For a second reference, repeat "
                f"-r: -r {references[-1]} -r {path}. To suppress this warning, use NAME={path}."
            )


def _is_named_like_a_reference(path: str) -> bool:
    """Whether a file, or the selected part of one, is named like a reference. Folder names are ignored."""
    parts = re.split(r"[-_.:, ]", os.path.basename(path))
    return not os.path.isdir(path) and any(re.fullmatch(_REFERENCE, part) for part in parts)
