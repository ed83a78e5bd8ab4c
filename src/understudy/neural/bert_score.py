"""BERTScore of pairs: encoder, weights of pieces and greedy matching, behind the interface of all learned models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadParameter
from understudy.neural import numpy_encoder
from understudy.neural.bertscore_layers import default_layer, layers_of
from understudy.neural.greedy_matching import VALUES, References, WeightedText
from understudy.neural.model_files import FoundModel, config_digest, tokenizer_digest
from understudy.neural.numpy_encoder import NumpyEncoder
from understudy.neural.pairs import Pair
from understudy.neural.piece_frequencies import PieceFrequencies
from understudy.neural.text_pieces import PieceReader, Pieces
from understudy.neural.token_vectors import TokenEncoder, VectorStore
from understudy.neural.torch_backend import Place, backend_versions
from understudy.neural.torch_encoder import TorchEncoder

BACKENDS = ("auto", "numpy", "torch")
FITTED_ON = "idf_of"  # the entry of the identity that depends on the test set

_PAIRS_AT_ONCE = 64  # whose vectors are in memory


@dataclass(frozen=True, kw_only=True)
class BertScore:
    """An encoder that scores pairs, as `SegmentModel` says. It loads what it needs when it needs it."""

    found: FoundModel
    chosen_layer: int | None = None  # the output of so many layers; None: what is known to be good
    chosen_backend: str = "auto"
    dtype: str = "float32"
    device: str = "auto"
    threads: int = 1
    frequencies: PieceFrequencies | None = None  # for inverse document frequencies

    @property
    def values(self) -> tuple[str, ...]:
        return VALUES

    @cached_property
    def layer(self) -> int:
        """The number of layers whose output is compared."""
        most = layers_of(self.found)
        if self.chosen_layer is None:
            return default_layer(self.found)
        if not 0 <= self.chosen_layer <= most:
            raise BadParameter(f"layer={self.chosen_layer}: {self.found.name} has layers 0 to {most}.")
        return self.chosen_layer

    @cached_property
    def backend(self) -> str:
        """numpy, where it can read the model and is not forbidden to; otherwise torch."""
        if self.chosen_backend == "torch":
            return "torch"
        reason = numpy_encoder.unreadable(self.found)
        if self.dtype != "float32":
            reason = reason or f"dtype={self.dtype} needs torch"
        if self.device not in ("auto", "cpu"):
            reason = reason or f"device={self.device} needs torch"
        if self.chosen_backend == "numpy" and reason:
            raise BadParameter(f"backend=numpy cannot run {self.found.name}: {reason}. Use backend=torch.")
        return "torch" if reason else "numpy"

    @property
    def uses_torch(self) -> bool:
        return False  # encoders in torch have their own threads

    @property
    def identity(self) -> Mapping[str, str]:
        fitted = {} if self.frequencies is None else {FITTED_ON: f"{self.frequencies.fingerprint:016x}"}
        return {
            "model": self.found.name.replace("|", "_"),
            "sha256": self.found.digest[:12],
            "config": config_digest(self.found.folder),
            "tokenizer": tokenizer_digest(self.found.folder),
            "layer": str(self.layer),
            "dtype": self.dtype,
            **fitted,
            **self._versions,
        }

    @property
    def _versions(self) -> Mapping[str, str]:
        return numpy_encoder.versions() if self.backend == "numpy" else backend_versions()

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> Floats:
        values = np.empty((len(pairs), len(VALUES)))
        for start in range(0, len(pairs), _PAIRS_AT_ONCE):
            several = pairs[start : start + _PAIRS_AT_ONCE]
            texts = self._weighted([text for pair in several for text in _texts(pair)], batch_size)
            for row, pair in enumerate(several, start):
                hypothesis, reference = _texts(pair)
                values[row] = References.of([texts[reference]]).matched(texts[hypothesis])[0]
        return values

    def score_all(self, hypotheses: Sequence[str], references: Sequence[str], *, batch_size: int) -> Floats:
        """The values [hypotheses, references, values] of all pairs. Every text is encoded once."""
        of_references = self._weighted(references, batch_size)
        targets = References.of([of_references[text] for text in references])
        values = np.empty((len(hypotheses), len(references), len(VALUES)))
        for start in range(0, len(hypotheses), _PAIRS_AT_ONCE):
            several = hypotheses[start : start + _PAIRS_AT_ONCE]
            texts = self._weighted(several, batch_size)
            for row, text in enumerate(several, start):
                values[row] = targets.matched(texts[text])
        return values

    def pieces(self, texts: Iterable[str]) -> Iterator[Pieces]:
        """The pieces of texts."""
        return map(self._store.reader.pieces, texts)

    def cut_texts(self, texts: Iterable[str]) -> int:
        """The number of texts that are longer than the encoder can read. Each counts once, the first time."""
        # No piece is shorter than a byte.
        limit = self.most_pieces - 2
        long = {text for text in texts if len(text) > limit or len(text.encode()) > limit}
        new = long - self._store.known_to_be_cut
        cut = {text for text, pieces in zip(new, self.pieces(new), strict=True) if pieces.cut}
        self._store.known_to_be_cut |= cut
        return len(cut)

    @property
    def most_pieces(self) -> int:
        """The number of pieces of the longest text that the encoder can read."""
        return self._store.reader.most_pieces

    @property
    def special_tokens(self) -> frozenset[str]:
        return self._store.reader.special_tokens

    def check(self) -> None:
        """Raise an error if something is missing on this machine."""
        _ = self.layer, self._versions

    def _weighted(self, texts: Sequence[str], batch_size: int) -> Mapping[str, WeightedText]:
        weights = None if self.frequencies is None else self.frequencies.weights
        encoded = self._store.encoded(texts, batch_size=batch_size, threads=self.threads)
        return {text: WeightedText.of(found, weights) for text, found in encoded.items()}

    @property
    def _store(self) -> VectorStore:
        return _loaded(self.found, self._digests, self.layer, self.backend, self.dtype, self.device)

    @property
    def _digests(self) -> tuple[str, ...]:
        """Those of its files, so that changed ones are read again."""
        return tuple(self.identity[name] for name in ("sha256", "config", "tokenizer"))


@lru_cache(maxsize=2)  # models in memory
def _loaded(
    found: FoundModel, _digests: tuple[str, ...], layer: int, backend: str, dtype: str, device: str
) -> VectorStore:
    in_numpy = backend == "numpy"
    encoder: TokenEncoder = (
        NumpyEncoder(found, layer) if in_numpy else TorchEncoder(found, layer, Place(device, dtype))
    )
    return VectorStore(PieceReader(found), encoder)


def _texts(pair: Pair) -> tuple[str, str]:
    return pair.hypothesis, pair.reference or ""
