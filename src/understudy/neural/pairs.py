"""What a learned model scores: a hypothesis with its reference, its source text, or both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from understudy.arrays import Floats


class Pair(NamedTuple):
    """One unit of scoring. Several references of a segment are several pairs. What a model does not read is None."""

    hypothesis: str
    reference: str | None = None
    source: str | None = None


def texts_of(pairs: Iterable[Pair]) -> Iterator[str]:
    """All texts of pairs that a model reads."""
    return (text for pair in pairs for text in pair if text is not None)


class SegmentModel(Protocol):
    """A model, ready to score. It loads its weights when it scores for the first time: if all scores are cached, that
    is never.
    """

    @property
    def values(self) -> tuple[str, ...]:
        """The names of the values it gives to a pair, such as precision, recall and f1."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Everything that determines the values: model, hash of the weights, layer, data type, backend, versions. It
        is part of the signature, and the key of stored scores.
        """

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> Floats:
        """The values [pairs, values]. Raises `OutOfMemory` if a batch does not fit in memory."""


class NeuralModel(SegmentModel, Protocol):
    """A model with a tokenizer."""

    @property
    def special_tokens(self) -> frozenset[str]:
        """Those that it does not read as text, as they are written."""
