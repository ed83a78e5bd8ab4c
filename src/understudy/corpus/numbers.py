"""Numbers in files."""

from __future__ import annotations


def as_number(text: str) -> float:
    """The number, or a ValueError. Python permits underscores between digits; in a file, they are an error.

    >>> as_number("1e1")
    10.0
    >>> as_number("1_0")
    Traceback (most recent call last):
    ValueError: not a number: '1_0'
    """
    if "_" in text:
        raise ValueError(f"not a number: {text!r}")
    return float(text)


def is_number(text: str) -> bool:
    """Whether `as_number` reads it."""
    try:
        as_number(text)
    except ValueError:
        return False
    return True
