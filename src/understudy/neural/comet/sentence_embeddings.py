"""Sentence embeddings: the tokens of a text pooled into one vector. A text is encoded once for all systems."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from understudy.errors import BadInput, did_you_mean
from understudy.neural.comet.encoder import Encoder, Hidden
from understudy.neural.comet.layer_mix import LayerMix
from understudy.neural.torch_backend import in_batches

_KEPT_BYTES = 1 << 28  # some 65,000 texts of XLM-R large

Pooling = Callable[[LayerMix, Hidden], Any]  # [rows, units]


class SentenceEmbeddings:
    """Vectors of texts. Those used last are kept."""

    def __init__(self, encoder: Encoder, mix: LayerMix, pooling: Pooling) -> None:
        self._encoder, self._mix, self._pooling = encoder, mix, pooling
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def of(self, texts: Iterable[str], batch_size: int) -> dict[str, Any]:
        """The vector of each text."""
        different = list(dict.fromkeys(texts))
        found = {text: self._kept[text] for text in different if text in self._kept}
        found |= self._computed([text for text in different if text not in found], batch_size)
        self._keep(found)
        return found

    def _computed(self, texts: list[str], batch_size: int) -> dict[str, Any]:
        subwords, longest = self._encoder.subwords, self._encoder.limits.text
        rows = [subwords.closed(subwords.ids(text), longest) for text in texts]
        found: dict[str, Any] = {}
        for batch, vectors in in_batches(
            lambda batch: self._pooling(self._mix, self._encoder.layers([rows[row] for row in batch])).cpu(),
            [len(row) for row in rows],
            batch_size=batch_size,
            device=self._encoder.device,
        ):
            found |= {texts[row]: vector for row, vector in zip(batch, vectors, strict=True)}
        return found

    def _keep(self, found: dict[str, Any]) -> None:
        for text, vector in found.items():
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) * _vector_bytes(self._kept) > _KEPT_BYTES:
            self._kept.popitem(last=False)


def _vector_bytes(kept: OrderedDict[str, Any]) -> int:
    vector = next(iter(kept.values()), None)
    return 0 if vector is None else vector.element_size() * vector.numel()


def _average(mix: LayerMix, hidden: Hidden) -> Any:
    """As COMET: a padding token in the text itself counts as a token, but its vector does not."""
    tokens = mix.of_all_tokens(hidden)
    summed = tokens.float().masked_fill((hidden.ids == hidden.padding)[:, :, None], 0.0).sum(dim=1)
    return (summed / hidden.mask.sum(dim=1)[:, None]).to(tokens.dtype)


def _maximum(mix: LayerMix, hidden: Hidden) -> Any:
    tokens = mix.of_all_tokens(hidden)
    masked = tokens.float().masked_fill((hidden.ids == hidden.padding)[:, :, None], float("-inf"))
    return masked.max(dim=1).values.to(tokens.dtype)


def _first(mix: LayerMix, hidden: Hidden) -> Any:
    return mix.of_first_token(hidden)


def _first_of_last_layer(_: LayerMix, hidden: Hidden) -> Any:
    return hidden.layers[-1][:, 0]


_POOLINGS: dict[str, Pooling] = {
    "avg": _average,
    "max": _maximum,
    "cls": _first,
    "default": _first_of_last_layer,
}


def pooling_named(name: str, encoder: str) -> Pooling:
    if name not in _POOLINGS:
        raise BadInput(f"unknown pooling '{name}' in the checkpoint. {did_you_mean(name, _POOLINGS)}")
    if name == "default" and encoder == "BERT":
        raise BadInput(
            "the checkpoint has the pooling 'default' of a BERT encoder, which COMET cannot compute either."
        )
    return _POOLINGS[name]
