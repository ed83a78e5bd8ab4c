"""The mix of an encoder's layers: a weighted sum with learned weights (Rei et al. 2020, section 2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from understudy.neural.comet.encoder import Hidden
from understudy.neural.torch_backend import torch_of

_EPSILON = 1e-12


def mix_module(layers: int) -> Any:
    """The parameters under COMET's names."""
    torch = torch_of()
    module = torch.nn.Module()
    module.scalar_parameters = torch.nn.ParameterList(
        [torch.nn.Parameter(torch.zeros(1)) for _ in range(layers)]
    )
    module.gamma = torch.nn.Parameter(torch.ones(1))
    return module


@dataclass(frozen=True)
class LayerMix:
    """One layer, or the weighted sum of all."""

    layer: int | None = None
    weights: Any = None  # [layers], non-negative, with the sum 1
    gamma: Any = None
    layer_norm: bool = False

    @classmethod
    def of(cls, module: Any, *, sparse: bool, layer_norm: bool) -> LayerMix:
        torch = torch_of()
        with torch.inference_mode():
            raw = torch.cat(list(module.scalar_parameters))
            weights = _sparsemax(raw) if sparse else torch.softmax(raw, dim=0)
        return cls(weights=weights, gamma=module.gamma, layer_norm=layer_norm)

    def of_all_tokens(self, hidden: Hidden) -> Any:
        """[rows, tokens, units]"""
        if self.layer is not None:
            return hidden.layers[self.layer]
        layers = (
            [_normed(layer, hidden.mask) for layer in hidden.layers] if self.layer_norm else hidden.layers
        )
        return self.gamma * sum(weight * layer for weight, layer in zip(self.weights, layers, strict=True))

    def of_first_token(self, hidden: Hidden) -> Any:
        """[rows, units]. Normalization needs the other tokens, too."""
        if self.layer is None and self.layer_norm:
            return self.of_all_tokens(hidden)[:, 0]
        first = Hidden(
            tuple(layer[:, :1] for layer in hidden.layers), hidden.ids, hidden.mask, hidden.padding
        )
        return self.of_all_tokens(first)[:, 0]


def _sparsemax(scores: Any) -> Any:
    """The probabilities closest to the scores, many of them 0 (Martins & Astudillo 2016, algorithm 1)."""
    torch = torch_of()
    ordered = torch.sort(scores, descending=True).values
    sums = torch.cumsum(ordered, dim=0)
    counts = torch.arange(1, len(scores) + 1, device=scores.device, dtype=scores.dtype)
    support = int((1 + counts * ordered > sums).sum())
    threshold = (sums[support - 1] - 1) / support
    return torch.clamp(scores - threshold, min=0)


def _normed(layer: Any, mask: Any) -> Any:
    """Normalized by mean and variance over all units of all tokens of a row, padding excluded."""
    torch = torch_of()
    seen = mask[:, :, None].to(layer.dtype)
    count = mask.sum(dim=1)[:, None, None] * layer.shape[2]
    mean = (layer * seen).sum(dim=(1, 2), keepdim=True) / count
    variance = (((layer - mean) * seen) ** 2).sum(dim=(1, 2), keepdim=True) / count
    return (layer - mean) / torch.sqrt(variance + _EPSILON)
