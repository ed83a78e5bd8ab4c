"""Slow textbook versions of features: matched, extra and missed parts as shares of their order, and their hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

KINDS = ("matched", "extra", "missed")
_WORD = (1 << 64) - 1


def ngrams(tokens: Sequence[str], order: int) -> Counter[Any]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def features(
    parts: Callable[[Any, int], Counter[Any]], hypothesis: Any, references: Sequence[Any], orders: int
) -> dict[tuple[int, str, Any], float]:
    """By order, kind and part: its value."""
    found: dict[tuple[int, str, Any], float] = {}
    for n in range(1, orders + 1):
        ours, theirs = parts(hypothesis, n), [parts(reference, n) for reference in references]
        for part in {*ours, *(one for of_reference in theirs for one in of_reference)}:
            matched = min(ours[part], max(of_reference[part] for of_reference in theirs))
            missed = sum(
                max(of_reference[part] - ours[part], 0) / sum(of_reference.values())
                for of_reference in theirs
                if of_reference
            )
            total = sum(ours.values()) or 1
            values = (matched / total, (ours[part] - matched) / total, missed / len(theirs))
            found |= {(n, kind, part): value for kind, value in zip(KINDS, values, strict=True) if value}
    return found


def shares(found: dict[tuple[int, str, Any], float], orders: int) -> list[list[float]]:
    """Of all parts of an order together, by kind."""
    return [
        [
            sum(value for (n, kind, _), value in found.items() if (n, kind) == (order, wanted))
            for wanted in KINDS
        ]
        for order in range(1, orders + 1)
    ]


# --- hashes -----------------------------------------------------------------------------------------------------


def _mixed(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    return x ^ (x >> 31)


def _fnv_1a(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & _WORD
    return value


def _pair(first: int, second: int) -> int:
    return _mixed((first * 0x9E3779B97F4A7C15 + second) & _WORD)


def hash_of_path(labels: Iterable[str]) -> int:
    """Of an n-gram or a chain."""
    first, *others = (_mixed(_fnv_1a(label.encode())) for label in labels)
    for other in others:
        first = _pair(first, other)
    return first


def hash_of_tree(tree: Any) -> int:
    """Of a subtree: a pair (label, children)."""
    found = _mixed(_fnv_1a(tree[0].encode()))
    for child in tree[1]:
        found = _pair(found, hash_of_tree(child))
    return found


def feature_hash(part: int, kind: str) -> int:
    return _pair(part, 1 + KINDS.index(kind))
