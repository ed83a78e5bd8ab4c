"""The network of a BERT encoder in numpy, read from the files of a Hugging Face folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadInput
from understudy.neural.model_files import FoundModel
from understudy.neural.numpy_layers import ACTIVATIONS, BertLayer, LayerNorm, Linear, starts_of
from understudy.neural.text_pieces import first_position
from understudy.neural.token_vectors import Vectors

_TYPES = ("bert", "roberta", "xlm-roberta", "camembert")  # model types with the architecture of BERT
_READABLE = {"F32", "F16", "F64"}  # types of numbers


@dataclass(frozen=True, eq=False)
class BertNetwork:
    """The embeddings and the first layers of an encoder."""

    words: Vectors
    positions: Vectors
    first_type: Vectors  # of the two halves of a pair; all texts here are first halves
    norm: LayerNorm
    layers: Sequence[BertLayer]

    def __call__(self, texts: Sequence[NDArray[np.int64]]) -> list[Vectors]:
        """The vectors of the pieces of each text."""
        starts = starts_of([len(numbers) for numbers in texts])
        rows = self.words[np.concatenate(texts)] + self.first_type
        rows += np.concatenate([self.positions[: len(numbers)] for numbers in texts])
        rows = self.norm(rows)
        for layer in self.layers:
            rows = layer(rows, starts)
        return np.split(rows, starts[1:-1])


def unreadable(found: FoundModel) -> str:
    """Why a network cannot be read here, in words that continue a sentence; empty if it can."""
    config = found.config
    for what, name, usual, known in (
        ("type", "model_type", "unknown", _TYPES),
        ("activation", "hidden_act", "gelu", tuple(ACTIVATIONS)),
        ("way to count positions", "position_embedding_type", "absolute", ("absolute",)),
    ):
        if (value := config.get(name) or usual) not in known:
            return f"its {what} is {value}, expected {' or '.join(known)}"
    if config.get("is_decoder"):
        return "it is a decoder"
    if not found.weights or any(path.suffix != ".safetensors" for path in found.weights):
        return "it has no model.safetensors"
    odd = sorted({kind for path in found.weights for kind in _number_types(path)} - _READABLE)
    return f"its weights are of type {odd[0]}, which numpy does not have" if odd else ""


def read_network(found: FoundModel, layer: int) -> BertNetwork:
    """The network with so many layers."""
    config = found.config
    with ExitStack() as files:
        weights = _Weights(found, files)
        return BertNetwork(
            words=weights["embeddings.word_embeddings.weight"],
            positions=weights["embeddings.position_embeddings.weight"][first_position(found) :],
            first_type=weights["embeddings.token_type_embeddings.weight"][0],
            norm=_layer_norm(config, weights, "embeddings.LayerNorm"),
            layers=[_layer(config, weights, f"encoder.layer.{number}") for number in range(layer)],
        )


def _layer(config: Mapping[str, Any], weights: _Weights, name: str) -> BertLayer:
    three = [_linear(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    return BertLayer(
        heads=int(config["num_attention_heads"]),
        activation=config.get("hidden_act", "gelu"),
        query_key_value=Linear(
            np.concatenate([part.weights for part in three]), np.concatenate([part.bias for part in three])
        ),
        attended=_linear(weights, f"{name}.attention.output.dense"),
        attention_norm=_layer_norm(config, weights, f"{name}.attention.output.LayerNorm"),
        widened=_linear(weights, f"{name}.intermediate.dense"),
        narrowed=_linear(weights, f"{name}.output.dense"),
        output_norm=_layer_norm(config, weights, f"{name}.output.LayerNorm"),
    )


def _layer_norm(config: Mapping[str, Any], weights: _Weights, name: str) -> LayerNorm:
    # Checkpoints converted from TensorFlow have other names.
    scale = "gamma" if f"{name}.gamma" in weights else "weight"
    shift = "beta" if f"{name}.beta" in weights else "bias"
    return LayerNorm(
        weights[f"{name}.{scale}"], weights[f"{name}.{shift}"], float(config.get("layer_norm_eps", 1e-12))
    )


def _linear(weights: _Weights, name: str) -> Linear:
    return Linear(weights[f"{name}.weight"], weights[f"{name}.bias"])


class _Weights:
    """The tensors of a model in single precision, by their names without the prefix of the architecture."""

    _FIRST = "embeddings.word_embeddings.weight"

    def __init__(self, found: FoundModel, files: ExitStack) -> None:
        from safetensors import SafetensorError, safe_open

        self._path = found.path
        self._files: dict[str, Any] = {}
        for path in found.weights:
            try:
                file = files.enter_context(safe_open(str(path), framework="np"))
            except SafetensorError as error:
                raise BadInput(f"'{path}' cannot be read: {error}. Bring the model again.") from None
            self._files |= dict.fromkeys(file.keys(), file)
        self._prefix = next(
            (name[: -len(self._FIRST)] for name in self._files if name.endswith(self._FIRST)), ""
        )

    def __contains__(self, name: str) -> bool:
        return self._prefix + name in self._files

    def __getitem__(self, name: str) -> Vectors:
        full = self._prefix + name
        if full not in self._files:
            raise BadInput(f"'{self._path}' lacks the weights '{full}'. Bring the model again.")
        return np.ascontiguousarray(self._files[full].get_tensor(full), np.float32)


def _number_types(path: Path) -> Iterator[str]:
    """The types of the floating-point numbers in a file, from its header."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        try:
            header = json.loads(file.read(min(size, _MOST_HEADER)))
        except ValueError:
            raise BadInput(f"'{path}' is not a file of safetensors. Bring the model again.") from None
    for name, tensor in header.items():
        if name != "__metadata__" and tensor["dtype"].startswith(("F", "BF")):
            yield tensor["dtype"]


_MOST_HEADER = 100_000_000  # bytes, the limit of the format
