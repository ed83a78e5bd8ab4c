"""Counts and texts as bytes for a database: narrow integers, column by column, compressed."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column

_INTEGERS = ("<i1", "<i2", "<i4", "<i8")


def packed_counts(counts: NDArray[Any]) -> tuple[str, bytes]:
    """The type of the stored numbers, and the numbers: integers in as few bytes as the largest needs. Columns, whose
    values are alike, are stored one after the other.

    >>> kind, stored = packed_counts(np.array([[3, 400], [2, 500]]))
    >>> kind, unpacked_counts(kind, stored, 2, 2).tolist()
    ('<i2', [[3, 400], [2, 500]])
    """
    kind = "<f8"
    if np.issubdtype(counts.dtype, np.integer):
        low, high = int(counts.min(initial=0)), int(counts.max(initial=0))
        kind = next(each for each in _INTEGERS if np.iinfo(each).min <= low and high <= np.iinfo(each).max)
    return kind, zlib.compress(np.ascontiguousarray(counts.T).astype(kind).tobytes(), 6)


def unpacked_counts(kind: str, stored: bytes, segments: int, columns: int) -> NDArray[Any]:
    """The counts [segments, columns], as int64 or float64. ValueError if they are damaged."""
    if kind not in (*_INTEGERS, "<f8"):
        raise ValueError(f"unknown type of numbers '{kind}'")
    try:
        numbers = np.frombuffer(zlib.decompress(stored), dtype=kind)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if numbers.size != segments * columns:
        raise ValueError(f"{numbers.size:,} numbers, expected {segments * columns:,}")
    wide = np.float64 if kind == "<f8" else np.int64
    return np.ascontiguousarray(numbers.reshape(columns, segments).T.astype(wide))


def packed_texts(columns: Sequence[Column]) -> bytes:
    return zlib.compress(json.dumps([_strings(column) for column in columns]).encode(), 6)


def unpacked_texts(stored: bytes) -> list[Column]:
    """ValueError if they are damaged."""
    try:
        return [Column.from_strings(texts) for texts in json.loads(zlib.decompress(stored))]
    except zlib.error as error:
        raise ValueError(str(error)) from None


def fingerprint(columns: Sequence[Column]) -> str:
    """SHA-256 of texts, in hexadecimal digits. Every text has its length before it, so that none can continue another.

    >>> one, other = Column.from_strings(["a", "b"]), Column.from_strings(["ab", ""])
    >>> fingerprint([one]) == fingerprint([one]), fingerprint([one]) == fingerprint([other])
    (True, False)
    """
    digest = hashlib.sha256()
    for column in columns:
        digest.update(b"%d\n" % len(column))
        for text in _strings(column):
            data = None if text is None else text.encode()
            digest.update(b"-" if data is None else b"%d:%b" % (len(data), data))
    return digest.hexdigest()


def _strings(column: Column) -> list[str | None]:
    return [column[row] for row in range(len(column))]
