"""The score cache: scores of learned models stored on disk by model and texts, for reuse in later runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from understudy.arrays import Floats
from understudy.disk_cache import DiskCache
from understudy.neural.pairs import Pair

FILE = "scores-1.sqlite3"  # to be incremented when the layout changes


class ScoreCache(DiskCache):
    """The values of pairs in a file, about ten million pairs at most."""

    title = "score cache"
    clear_with = "understudy models --clear-cache"

    default: ClassVar[ScoreCache | None] = None
    """The default score cache of all models. Set by the command line."""

    def find(self, signature: str, pairs: Iterable[Pair]) -> dict[Pair, Floats]:
        """The cached values of this model for these pairs."""
        keys = {_key(pair): pair for pair in pairs}
        return {keys[key]: values for key, values in self.entries(signature, keys, _unpacked).items()}

    def keep(self, signature: str, values: Mapping[Pair, Floats]) -> None:
        """Store the values of pairs."""
        self.add(signature, {_key(pair): _packed(found) for pair, found in values.items()})


def _key(pair: Pair) -> bytes:
    """The lengths keep the texts apart: no two pairs have the same bytes."""
    digest = hashlib.sha256()
    for text in pair:
        coded = b"" if text is None else text.encode("utf-8", "surrogatepass")
        digest.update(f"{'-' if text is None else len(coded)};".encode() + coded)
    return digest.digest()


def _packed(values: Floats) -> bytes:
    return values.astype("<f8").tobytes()


def _unpacked(content: bytes) -> Floats:
    return np.frombuffer(content, "<f8").astype(np.float64)
