"""Warnings for systems whose file is a copy of a reference."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.corpus.segment_sources import is_copy
from understudy.errors import InputWarning

if TYPE_CHECKING:
    from understudy.corpus.corpus_input import CorpusInput


def warn_of_copies(given: CorpusInput) -> None:
    """Warn about systems that are copies of a reference. This is only a warning, because a reference may be scored
    on purpose, as an upper bound.
    """
    references = given.reference_files
    systems = [run for system in given.systems for run in system.runs if isinstance(run, str)]
    if len(systems) == 1 and systems[0] in references:
        return  # not a mistake; with several systems, a pattern such as *.txt may be
    for path in systems:
        if (copied := copied_reference(path, references)) is not None:
            warnings.warn(
                f"'{path}' is scored as a system, but is identical to the reference '{copied}'.",
                InputWarning,
                stacklevel=2,
            )


def copied_reference(path: str, references: Sequence[str]) -> str | None:
    """The first reference that this file is a copy of."""
    return next((reference for reference in references if is_copy(path, reference)), None)
