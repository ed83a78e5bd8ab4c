"""Texts as vectors of their pieces: the interface of encoders, and the store of what they have encoded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from understudy.neural.text_pieces import PieceReader, Pieces

Vectors = NDArray[np.float32]

_STORED = 256 << 20  # bytes of vectors: 5,000 texts of 30 pieces with 384 numbers each


@dataclass(frozen=True, eq=False)
class EncodedText:
    """The pieces of a text, with a vector of length 1 for each."""

    pieces: Pieces
    vectors: Vectors  # [pieces, width]


class TokenEncoder(Protocol):
    """A loaded encoder. The vectors of a text depend on this text only: not on its batch, the order of the texts, or
    the number of threads.
    """

    def vectors(self, texts: Sequence[Pieces], *, batch_size: int, threads: int) -> list[Vectors]:
        """The vector of every piece, not normalized."""


class VectorStore:
    """The texts that an encoder has encoded. Those used last are kept, up to a limit in bytes: the references of the
    next system, the candidates of the next pair.
    """

    def __init__(self, reader: PieceReader, encoder: TokenEncoder, *, most_bytes: int = _STORED) -> None:
        self.reader = reader
        self._encoder = encoder
        self.known_to_be_cut: set[str] = set()  # texts that the user has been warned about
        self._most_bytes = most_bytes
        self._bytes = 0
        self._stored: OrderedDict[str, EncodedText] = OrderedDict()
        self._lock = Lock()

    def encoded(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Mapping[str, EncodedText]:
        """The texts, each encoded once."""
        found: dict[str, EncodedText] = {}
        new: dict[str, Pieces] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                stored = self._stored.get(text)
                if stored is None:
                    new[text] = self.reader.pieces(text)
                else:
                    self._stored.move_to_end(text)
                    found[text] = stored
        of_new = self._encoder.vectors(list(new.values()), batch_size=batch_size, threads=threads)
        for (text, pieces), vectors in zip(new.items(), of_new, strict=True):
            found[text] = EncodedText(pieces, normalized(vectors))
            self._store(text, found[text])
        return found

    def _store(self, text: str, encoded: EncodedText) -> None:
        with self._lock:
            if text in self._stored or encoded.vectors.nbytes > self._most_bytes:
                return
            self._stored[text] = encoded
            self._bytes += encoded.vectors.nbytes
            while self._bytes > self._most_bytes:
                _, oldest = self._stored.popitem(last=False)
                self._bytes -= oldest.vectors.nbytes


def normalized(vectors: Vectors) -> Vectors:
    """The vectors divided by their lengths; a vector of zeros is left as it is."""
    lengths = np.sqrt(np.add.reduce(vectors * vectors, axis=-1, keepdims=True))
    return np.ascontiguousarray(vectors / np.where(lengths > 0, lengths, 1))
