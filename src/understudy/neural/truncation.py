"""Warnings about texts that a model reads in part only, from its tokenizer alone: cached scores need no weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable

from understudy.errors import ModelWarning
from understudy.neural.pairs import Pair
from understudy.wording import number_of


class Truncation:
    """One warning for all pairs that are longer than a model reads. `is_truncated` is asked about pairs with at least
    as many bytes as the model reads tokens, less its special ones: no token is shorter than a byte.
    """

    def __init__(self, model: str, longest: int, special: int, is_truncated: Callable[[Pair], bool]) -> None:
        self._model, self._longest, self._special = model, longest, special
        self._is_truncated = is_truncated
        self._warned = False

    def warn(self, pairs: Iterable[Pair]) -> None:
        if self._warned:
            return
        limit = self._longest - self._special
        long = (pair for pair in pairs if sum(len((text or "").encode()) for text in pair) > limit)
        count = sum(self._is_truncated(pair) for pair in long)
        if count:
            self._warned = True
            warnings.warn(
                f"{self._model} reads at most {self._longest} tokens at once: {number_of(count, 'text')} or more "
                "truncated.",
                ModelWarning,
                stacklevel=2,
            )
