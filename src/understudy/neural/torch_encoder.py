"""Encoders of any architecture with torch and transformers, from a local Hugging Face folder."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from understudy.errors import BadInput
from understudy.neural.model_files import FoundModel
from understudy.neural.text_pieces import Pieces
from understudy.neural.token_vectors import Vectors
from understudy.neural.torch_backend import (
    Place,
    in_batches,
    padded,
    torch_of,
    torch_threads,
    transformers_of,
)
from understudy.wording import number_of

# Where architectures have the list of their layers, as attributes from the model on.
_LAYERS = (
    *("encoder.layer", "encoder.layers", "encoder.block", "encoder.blocks", "transformer.layer"),
    *("transformer.layers", "layers", "layer", "block", "blocks"),
)
_UNUSED = ("pooler.", "position_ids", "cls.", "lm_head.")  # weights that no layer reads


class TorchEncoder:
    """The first layers of an encoder. See `TokenEncoder`."""

    def __init__(self, found: FoundModel, layer: int, place: Place) -> None:
        self._found = found
        self._layer = layer
        self._place = place

    def vectors(self, texts: Sequence[Pieces], *, batch_size: int, threads: int) -> list[Vectors]:
        self._model  # noqa: B018 (loaded by this thread)
        found: list[Vectors] = [np.empty((0, 0), np.float32)] * len(texts)
        with torch_threads(threads):
            for rows, vectors in in_batches(
                lambda rows: self._of_batch([texts[row] for row in rows]),
                [len(text.numbers) for text in texts],
                batch_size=batch_size,
                device=self._place.torch_device,
            ):
                for row, of_text in zip(rows, vectors, strict=True):
                    found[row] = of_text
        return found

    def _of_batch(self, texts: Sequence[Pieces]) -> list[Vectors]:
        padding = self._found.config.get("pad_token_id") or 0
        ids, mask = padded([text.numbers.tolist() for text in texts], padding, self._place.torch_device)
        output = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=self._reads_states)
        states = output.hidden_states[self._layer] if self._reads_states else output.last_hidden_state
        vectors = states.float().cpu().numpy()
        return [vectors[row, : len(text.numbers)].copy() for row, text in enumerate(texts)]

    @cached_property
    def _model(self) -> Any:
        folder = self._found.folder
        transformers = transformers_of()
        with _quiet():
            try:
                model, loaded = transformers.AutoModel.from_pretrained(
                    folder,
                    local_files_only=True,
                    trust_remote_code=False,  # otherwise transformers asks, and takes an answer from a pipe
                    dtype=self._place.torch_dtype,
                    output_loading_info=True,
                )
            except Exception as error:  # of any class, from several packages
                reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".:")
                raise BadInput(f"'{folder}' cannot be read ({reason}).") from None
        missing = sorted(key for key in loaded["missing_keys"] if not key.startswith(_UNUSED))
        if missing:  # they would be random
            raise BadInput(
                f"'{folder}' lacks {number_of(len(missing), 'weight')}, such as '{missing[0]}'. It is not complete, or "
                "does not belong to this configuration."
            )
        if model.config.is_encoder_decoder:
            model = model.get_encoder()
        if (listed := _list_of_layers(model)) is not None:  # those that are not read need not be computed
            owner, name = listed
            setattr(
                owner, name, getattr(owner, name)[: max(1, self._layer)]
            )  # not all architectures work with none
        return model.eval().to(self._place.torch_device)

    @cached_property
    def _reads_states(self) -> bool:
        """Whether the layer is not the last one that is computed."""
        return self._layer == 0 or _list_of_layers(self._model) is None


def _list_of_layers(model: Any) -> tuple[Any, str] | None:
    """The module that has the list of a model's layers, and its attribute; None if the model has no such list."""
    for path in _LAYERS:
        *parents, name = path.split(".")
        owner = model
        for parent in parents:
            owner = getattr(owner, parent, None)
        if isinstance(getattr(owner, name, None), torch_of().nn.ModuleList):
            return owner, name
    return None


_verbosity = threading.Lock()


@contextmanager
def _quiet() -> Iterator[None]:
    """A context in which transformers neither prints warnings nor shows progress."""
    logging: Any = transformers_of().utils.logging
    with _verbosity:
        before, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        try:
            yield
        finally:
            logging.set_verbosity(before)
            if shown:
                logging.enable_progress_bar()
