"""The estimator on top of an encoder: a feed-forward network with one output."""

from __future__ import annotations

from typing import Any

from understudy.errors import BadInput
from understudy.neural.comet.hyperparameters import HyperParameters
from understudy.neural.torch_backend import torch_of


def estimator_module(units: int, settings: HyperParameters) -> Any:
    """The network under COMET's names, which count the dropout layers of training, too."""
    nn = torch_of().nn
    layers: list[Any] = []
    for size in settings.hidden_sizes:
        layers += [nn.Linear(units, size), _activation(settings.activation), nn.Identity()]
        units = size
    layers.append(nn.Linear(units, 1))
    if settings.final_activation is not None:
        layers.append(_activation(settings.final_activation))
    module = nn.Module()
    module.ff = nn.Sequential(*layers)
    return module


def _activation(name: str) -> Any:
    found = getattr(torch_of().nn, name.title(), None)  # COMET's spelling
    if found is None:
        raise BadInput(f"the checkpoint has the activation '{name}', which torch does not have.")
    return found()
