"""What is said of a segment that a metric has no room for."""

from __future__ import annotations

from understudy._core import MOST_BYTES, Column
from understudy.errors import BadInput


def too_long(spec: str, advice: str, column: Column, where: tuple[int, int, int]) -> BadInput:
    """The error for a segment whose tables would take too much memory. It is known by how it begins: its number is one
    of the part of the file that is being read.
    """
    segment, words, reference_words = where
    start = " ".join((column[segment] or "")[:200].split()[:5])
    return BadInput(
        f"{spec}: the segment that begins '{start}' has {words:,} words, its reference {reference_words:,}: "
        f"comparing them would take more than {MOST_BYTES / 2**30:g} GB. Split the text into sentences{advice}."
    )
