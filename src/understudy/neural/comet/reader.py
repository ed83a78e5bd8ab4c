"""The reader of COMET's checkpoints: a folder as the Hugging Face hub has it, or the path of a .ckpt file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, MissingFile
from understudy.neural.comet.encoder import (
    Architecture,
    Encoder,
    architecture_named,
    encoder_module,
    read_subwords,
)
from understudy.neural.comet.feed_forward import estimator_module
from understudy.neural.comet.hyperparameters import REFERENCE, UNIFIED, XCOMET, HyperParameters, class_in
from understudy.neural.comet.layer_mix import LayerMix, mix_module
from understudy.neural.comet.regression import INPUTS_OF_ESTIMATOR, Regression, estimate_of
from understudy.neural.comet.sentence_embeddings import SentenceEmbeddings, pooling_named
from understudy.neural.comet.unified import Unified
from understudy.neural.torch_backend import (
    Place,
    empty_module,
    filled,
    stored_tensors,
    torch_of,
)

Scorer = Regression | Unified

# What checkpoints have beside the weights that scores need: poolers, counters of positions, what dropout and the losses
# of training need, and measures of its progress.
_UNUSED = re.compile(
    r"encoder\.model\.(pooler\.|embeddings\.(position_ids|token_type_ids)$)"
    r"|layerwise_attention\.dropout_(mask|fill)$|wordloss\.weight$|(train|val)_(metrics|corr|mcc)\."
)
_TAGGER = "hidden2tag."


@dataclass(frozen=True)
class CometFiles:
    """The files of a checkpoint."""

    weights: Path
    hyper_parameters: Path

    @classmethod
    def at(cls, path: Path) -> CometFiles:
        """From a folder with hparams.yaml and checkpoints/model.ckpt, or from the path of that file."""
        weights = path / "checkpoints" / "model.ckpt" if path.is_dir() else path
        if not weights.is_file():
            raise MissingFile(
                f"no COMET checkpoint at '{path}', expected hparams.yaml and checkpoints/model.ckpt."
            )
        return cls(weights, weights.parent.parent / "hparams.yaml")

    def settings(self) -> HyperParameters:
        """What hparams.yaml says, which is enough to know what the model reads."""
        kind, named = class_in(self.hyper_parameters)
        return HyperParameters.of(kind, named, self.hyper_parameters)


def read_comet(files: CometFiles, base: Path, tokenizer: Path, place: Place) -> Scorer:
    """The model of a checkpoint. The configuration and the tokenizer of its encoder are in folders of their own."""
    announced = files.settings()
    stored = stored_tensors(files.weights)
    if not isinstance(stored.get("state_dict"), dict):
        raise BadInput(f"'{files.weights}' has no 'state_dict', expected a checkpoint of COMET.")
    named = stored.get("hyper_parameters")
    settings = HyperParameters.of(announced.kind, named, files.weights) if named else announced
    if (settings.inputs, settings.encoder) != (announced.inputs, announced.encoder):
        raise BadInput(
            f"'{files.weights}' is an {settings.encoder} model that reads {', '.join(settings.inputs)}, but "
            f"'{files.hyper_parameters}' names {announced.encoder} and {', '.join(announced.inputs)}. Use the files of "
            "one model."
        )
    architecture = architecture_named(settings.encoder, files.weights)
    module = empty_module(lambda: _module(settings, architecture, base))
    weights = {
        name: value
        for name, value in stored["state_dict"].items()
        if not _UNUSED.match(name) and not (settings.word_layer is None and name.startswith(_TAGGER))
    }
    filled(module, weights, where=files.weights, place=place)
    encoder = Encoder(
        architecture,
        module.encoder.model,
        read_subwords(tokenizer, architecture),
    )
    return _scorer(settings, module, encoder, place)


def _module(settings: HyperParameters, architecture: Architecture, base: Path) -> Any:
    """All parts of the network under COMET's names, without weights."""
    nn = torch_of().nn
    module = nn.Module()
    module.encoder = nn.Module()
    module.encoder.model = encoder_module(architecture, base)
    config = module.encoder.model.config
    layers, units = config.num_hidden_layers + 1, config.hidden_size
    for name, layer in (("layer", settings.layer), ("word layer", settings.word_layer)):
        if layer is not None and not 0 <= layer < layers:
            raise BadInput(f"the checkpoint uses the {name} {layer}, and its encoder has 0 to {layers - 1}.")
    if settings.layer is None:
        module.layerwise_attention = mix_module(layers)
    joint = settings.kind in (UNIFIED, XCOMET)
    if vectors := 1 if joint else INPUTS_OF_ESTIMATOR[settings.kind]:
        module.estimator = estimator_module(vectors * units, settings)
    if settings.word_layer is not None:
        module.hidden2tag = nn.Linear(units, len(settings.labels) + 1)
    return module


def _scorer(settings: HyperParameters, module: Any, encoder: Encoder, place: Place) -> Scorer:
    mix = (
        LayerMix(layer=settings.layer)
        if settings.layer is not None
        else LayerMix.of(module.layerwise_attention, sparse=settings.sparse, layer_norm=settings.layer_norm)
    )
    estimator = getattr(module, "estimator", None)
    if settings.kind in (UNIFIED, XCOMET):
        return Unified(encoder, mix, estimator, getattr(module, "hidden2tag", None), settings)
    embeddings = SentenceEmbeddings(encoder, mix, pooling_named(settings.pool, settings.encoder))
    return Regression(
        embeddings,
        estimate_of(settings.kind, estimator),
        references=REFERENCE in settings.inputs,
        device=place.torch_device,
    )
