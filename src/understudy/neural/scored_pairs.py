"""Scores of pairs by a model: equal pairs once, cached pairs not at all, the others in parts that are stored."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import ClassVar

import numpy as np

from understudy.arrays import Floats
from understudy.errors import ModelWarning, OutOfMemory
from understudy.neural.pairs import Pair, SegmentModel
from understudy.neural.score_cache import ScoreCache
from understudy.neural.torch_backend import torch_threads
from understudy.neural.truncation import Truncation
from understudy.version import __version__

Progress = Callable[[int], None]

# Called with the title of the model and the number of pairs; returns the callback for finished pairs.
Watch = Callable[[str, int], AbstractContextManager[Progress | None]]

_AT_ONCE = 512  # pairs between two writes to the cache, i.e. the most that an interrupted run loses


class PairScorer:
    """A model that scores each pair once. `title` names it in messages."""

    watch: ClassVar[Watch | None] = None
    """The default progress callback. Set by the command line."""

    def __init__(
        self, model: SegmentModel, title: str, *, batch_size: int, cache: ScoreCache | None = None
    ) -> None:
        self.model, self.title = model, title
        self._batch_size = batch_size
        self._cache = cache
        self._halved = False

    @property
    def signature(self) -> str:
        """The key of its stored scores: signatures have the version, so scores must be those of this version."""
        made_by = {**self.model.identity, "understudy": __version__}
        return "|".join(f"{name}:{value}" for name, value in made_by.items())

    def values(self, pairs: Sequence[Pair], *, threads: int) -> Floats:
        """The values [pairs, values] of the model."""
        watch = PairScorer.watch
        different = list(dict.fromkeys(pairs))
        told = nullcontext(None) if watch is None else watch(self.title, len(different))
        with told as progress:
            found = self._found(different, threads, progress)
        return np.array([found[pair] for pair in pairs]).reshape(len(pairs), len(self.model.values))

    def _found(self, pairs: Sequence[Pair], threads: int, progress: Progress | None) -> dict[Pair, Floats]:
        cache = self._cache or ScoreCache.default
        signature = self.signature
        found = {} if cache is None else cache.find(signature, pairs, len(self.model.values))
        truncation: Truncation | None = getattr(self.model, "truncation", None)
        if truncation is not None and found:
            truncation.warn(found)  # of the others, the model warns itself
        if progress is not None:
            progress(len(found))
        # Pairs of similar length together: a batch takes as long as its longest text.
        missing = sorted((pair for pair in pairs if pair not in found), key=_length)
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            # Importing torch takes seconds: models without it have uses_torch = False.
            uses_torch = getattr(self.model, "uses_torch", True)
            with torch_threads(threads) if uses_torch else nullcontext():
                fresh = dict(zip(part, self._scored(part), strict=True))
            if cache is not None:
                cache.keep(signature, fresh)
            found |= fresh
            if progress is not None:
                progress(len(part))
        return found

    def _scored(self, pairs: Sequence[Pair]) -> Floats:
        try:
            return self.model.score(pairs, batch_size=self._batch_size)
        except OutOfMemory as error:
            if self._halved or self._batch_size == 1:
                raise OutOfMemory(
                    f"{self.title} ran out of memory with batches of {self._batch_size}: {error} Use a smaller batch "
                    "size, or another device."
                ) from None
            self._halved = True
            self._batch_size //= 2
            warnings.warn(
                f"{self.title} ran out of memory; the batch size is now {self._batch_size}.",
                ModelWarning,
                stacklevel=2,
            )
            return self._scored(pairs)


def _length(pair: Pair) -> tuple[int, Pair]:
    """The texts break ties, so that batches do not depend on the order of the pairs."""
    return sum(len(text or "") for text in pair), Pair(*(text or "" for text in pair))
