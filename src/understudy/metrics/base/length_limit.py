"""The error for a segment that is too long for a metric."""

from __future__ import annotations

from understudy._core import MOST_BYTES, Column
from understudy.errors import BadInput
from understudy.wording import number_of


def too_long(spec: str, advice: str, column: Column, where: tuple[int, int, int]) -> BadInput:
    """The error for a segment whose tables would need too much memory. It is identified by its first words, because
    its number is relative to the part of the file being read.
    """
    segment, words, reference_words = where
    start = " ".join((column[segment] or "")[:200].split()[:5])
    return BadInput(
        f"{spec}: the segment starting with '{start}' has {number_of(words, 'word')}, its reference "
        f"{reference_words:,}. "
        f"Comparing them needs more than {MOST_BYTES / 2**30:g} GB. Split the text into sentences{advice}."
    )
