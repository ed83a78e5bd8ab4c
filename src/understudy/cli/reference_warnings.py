"""Warnings for systems that may be references: -r takes one file, and further files are systems."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from understudy.cli import warn
from understudy.cli.arguments import named_system
from understudy.corpus.reference_copies import copied_reference

# A part of a file name between dots or dashes: ref, refA, ref01, reference, ..., optionally with a letter or number.
_REFERENCE = r"(?i)ref(erence)?s?([a-z]|\d{1,3})?"


def warn_of_references(systems: Sequence[str], references: Sequence[str]) -> None:
    """Warn about systems that are named like a reference, unless the user named them. This is only a warning, because
    scoring one reference against another is legitimate. Copies of a reference are reported when they are read.
    """
    for path in map(named_system, systems):
        if len(systems) == 1 and path in references:
            return
        if not (references and isinstance(path, str) and _is_named_like_a_reference(path)):
            continue
        if copied_reference(path, references) is None:
            warn(
                f"'{path}' is scored as a system, but is named like a reference. For a second reference, repeat "
                f"-r: -r {references[-1]} -r {path}. To suppress this warning, use NAME={path}."
            )


def _is_named_like_a_reference(path: str) -> bool:
    """Whether a file, or the selected part of one, is named like a reference. Folder names are ignored."""
    parts = re.split(r"[-_.:, ]", os.path.basename(path))
    return not os.path.isdir(path) and any(re.fullmatch(_REFERENCE, part) for part in parts)
