"""The kinds of names of test sets."""

from __future__ import annotations

JUDGED = "mtme:"  # with human scores, of mt-metrics-eval


def is_in_table(name: str) -> bool:
    """Whether a name is one of the table, not `mtme:NAME` or `flores200:FOLDER`.

    >>> is_in_table("wmt20/dev"), is_in_table("mtme:wmt23")
    (True, False)
    """
    return ":" not in name
