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
_VALUE = np.dtype("<f8")


class ScoreCache(DiskCache):
    """The values of pairs in a file, about ten million pairs at most."""

    title = "score cache"
    clear_with = "understudy models --clear-cache"

    default: ClassVar[ScoreCache | None] = None
    """The default score cache of all models. Set by the command line."""

    def find(self, signature: str, pairs: Iterable[Pair], count: int) -> dict[Pair, Floats]:
        """The cached values of this model for these pairs, so many of each."""
        keys = {_key(pair): pair for pair in pairs}

        def unpacked(content: bytes) -> Floats:
            if len(content) != count * _VALUE.itemsize:
                raise ValueError(f"{len(content)} bytes, expected {count * _VALUE.itemsize}")
            return np.frombuffer(content, _VALUE).astype(np.float64)

        return {keys[key]: values for key, values in self.entries(signature, keys, unpacked).items()}

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
    return values.astype(_VALUE).tobytes()
