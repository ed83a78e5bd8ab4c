"""Encoders of the BERT family in numpy, from the files of a Hugging Face folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import numpy as np

from understudy.errors import MissingExtra, OutOfMemory
from understudy.neural import numpy_network
from understudy.neural.model_files import FoundModel
from understudy.neural.numpy_network import BertNetwork, read_network
from understudy.neural.text_pieces import TOKENIZER, Pieces
from understudy.neural.token_vectors import Vectors

_ROWS_AT_ONCE = 192  # pieces: their intermediate results stay in the processor's cache


def unreadable(found: FoundModel) -> str:
    """Why a model cannot be read here, in words that continue a sentence; empty if it can."""
    if not (found.folder / TOKENIZER).is_file():
        return f"it has no {TOKENIZER}"
    return numpy_network.unreadable(found)


def versions() -> dict[str, str]:
    """What determines the digits, besides the model; an error if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        version("safetensors")
        return {"numpy": np.__version__, "tokenizers": version("tokenizers")}
    except PackageNotFoundError:
        raise MissingExtra.of("encoders in numpy", "tokenizers and safetensors", "embed") from None


class NumpyEncoder:
    """The first layers of an encoder. See `TokenEncoder`."""

    def __init__(self, found: FoundModel, layer: int) -> None:
        self._found = found
        self._layer = layer

    @cached_property
    def _network(self) -> BertNetwork:
        return read_network(self._found, self._layer)

    def vectors(self, texts: Sequence[Pieces], *, batch_size: int, threads: int) -> list[Vectors]:
        network = self._network
        tiles = [[text.numbers for text in tile] for tile in _tiles(texts, batch_size)]
        try:
            if threads == 1 or len(tiles) < 2:
                encoded = [network(tile) for tile in tiles]
            else:
                with ThreadPoolExecutor(min(threads, len(tiles))) as pool:
                    encoded = list(pool.map(network, tiles))
        except MemoryError as error:
            raise OutOfMemory(str(error)) from None
        return [vectors for tile in encoded for vectors in tile]


def _tiles(texts: Sequence[Pieces], batch_size: int) -> Iterator[list[Pieces]]:
    """Texts that are encoded at once."""
    tile: list[Pieces] = []
    rows = 0
    for text in texts:
        if tile and (rows + len(text.numbers) > _ROWS_AT_ONCE or len(tile) == batch_size):
            yield tile
            tile, rows = [], 0
        tile.append(text)
        rows += len(text.numbers)
    if tile:
        yield tile
