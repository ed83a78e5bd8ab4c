"""Small COMET checkpoints of every class and encoder, as Unbabel's are laid out, with random weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from material.tiny_models import (
    REMBERT_TOKENS,
    SIZES,
    UNITS,
    XLM_R_TOKENS,
    random_like,
    write_config,
    write_unigram,
    write_wordpiece,
)

BASES = {  # transformers' names of the configuration's type and of the model, by COMET's name of the encoder
    "XLM-RoBERTa": ("xlm-roberta", "XLMRoberta"),
    "XLM-RoBERTa-XL": ("xlm-roberta-xl", "XLMRobertaXL"),
    "MiniLM": ("bert", "Bert"),
    "BERT": ("bert", "Bert"),
    "RemBERT": ("rembert", "RemBert"),
}


@dataclass(frozen=True)
class Case:
    """A checkpoint, and the ways to use it: the inputs beside the hypothesis."""

    kind: str
    encoder: str = "XLM-RoBERTa"
    uses: tuple[str, ...] = ("src+ref",)
    settings: dict[str, Any] = field(default_factory=dict)


_WORDS = {"word_level_training": True, "word_layer": 2}

CASES = {
    "regression": Case(
        "regression_metric", settings={"layer_transformation": "sparsemax", "layer_norm": False}
    ),
    "regression-patched": Case(
        "regression_metric", settings={"layer_transformation": "sparsemax_patch", "layer_norm": False}
    ),
    "regression-normed": Case("regression_metric"),
    "regression-cls": Case("regression_metric", settings={"pool": "cls", "final_activation": "Sigmoid"}),
    "regression-max": Case("regression_metric", settings={"pool": "max", "layer": 1, "hidden_sizes": [7]}),
    "regression-default": Case("regression_metric", settings={"pool": "default", "activations": "Sigmoid"}),
    "regression-minilm": Case("regression_metric", "MiniLM", settings={"layer_norm": False}),
    "regression-xl": Case("regression_metric", "XLM-RoBERTa-XL", settings={"layer_norm": False}),
    "referenceless": Case(
        "referenceless_regression_metric",
        uses=("src",),
        settings={"layer_transformation": "sparsemax", "layer_norm": False},
    ),
    "referenceless-bert": Case("referenceless_regression_metric", "BERT", uses=("src",)),
    "ranking": Case("ranking_metric"),
    "unified": Case(
        "unified_metric", uses=("src+ref", "src", "ref"), settings={"input_segments": ["mt", "src", "ref"]}
    ),
    "unified-words": Case(
        "unified_metric", uses=("src+ref", "src"), settings={**_WORDS, "layer_norm": False}
    ),
    "unified-bert": Case("unified_metric", "BERT", uses=("src+ref", "src"), settings={"sent_layer": 2}),
    "unified-rembert": Case("unified_metric", "RemBERT", uses=("src+ref",), settings={"layer_norm": False}),
    "kiwi": Case(
        "unified_metric",
        uses=("src",),
        settings={"input_segments": ["mt", "src"], "layer_norm": False, "layer_transformation": "sparsemax"},
    ),
    "unified-reference": Case("unified_metric", uses=("ref",), settings={"input_segments": ["mt", "ref"]}),
    "xcomet": Case("xcomet_metric", "XLM-RoBERTa-XL", uses=("src+ref", "src"), settings={"word_layer": 3}),
    "xcomet-base": Case("xcomet_metric", uses=("src+ref", "src"), settings={"word_layer": 2}),
}
WITH_SPANS = ("unified-words", "xcomet", "xcomet-base")


def write_base(folder: Path, encoder: str) -> None:
    """Configuration and tokenizer of a pretrained model."""
    model_type, _ = BASES[encoder]
    if encoder == "BERT":
        size = write_wordpiece(folder)
    elif encoder == "RemBERT":
        size = write_unigram(folder, REMBERT_TOKENS, ("[CLS]", "[SEP]"))
    else:
        size = write_unigram(folder, XLM_R_TOKENS, ("<s>", "</s>"))
    special = {"pad_token_id": 0} if encoder in ("BERT", "RemBERT", "MiniLM") else {"pad_token_id": 1}
    more = {"input_embedding_size": 12, "output_embedding_size": 12} if encoder == "RemBERT" else {}
    write_config(folder, model_type=model_type, vocab_size=size, **SIZES, **special, **more)


def write_comet(home: Path, name: str) -> Path:
    """The checkpoint of a case: hparams.yaml and checkpoints/model.ckpt."""
    import torch
    import yaml

    case = CASES[name]
    base = home / ("xlm-roberta-base" if case.encoder == "MiniLM" else f"base-{case.encoder}")
    if not base.exists():
        write_base(base, case.encoder)
    folder = home / name
    (folder / "checkpoints").mkdir(parents=True)
    hidden = {} if case.kind == "ranking_metric" else {"hidden_sizes": [18, 9]}
    settings = {
        "encoder_model": case.encoder,
        "pretrained_model": str(base),
        "dropout": 0.1,
        **hidden,
        **case.settings,
    }
    (folder / "hparams.yaml").write_text(yaml.safe_dump({**settings, "class_identifier": case.kind}))
    weights = random_like(_empty_weights(case, settings, base), name)
    # What checkpoints also have, and scores do not need.
    extra = {"encoder.model.embeddings.position_ids": torch.arange(3)[None]}
    torch.save(
        {
            "state_dict": {**weights, **extra},
            "hyper_parameters": settings,
            "pytorch-lightning_version": "2.2.0",
        },
        folder / "checkpoints" / "model.ckpt",
    )
    return folder


def _empty_weights(case: Case, settings: dict[str, Any], base: Path) -> dict[str, Any]:
    """Tensors with the names and sizes of COMET's."""
    import torch
    import transformers

    _, model = BASES[case.encoder]
    config = getattr(transformers, f"{model}Config").from_pretrained(base)
    # MiniLM's and RemBERT's poolers are in COMET's checkpoints, although scores do not need them.
    pooler = case.encoder in ("MiniLM", "RemBERT")
    encoder = getattr(transformers, f"{model}Model")(config, add_pooling_layer=pooler).state_dict()
    found = {f"encoder.model.{key}": value for key, value in encoder.items()}
    layers = config.num_hidden_layers + 1
    if settings.get("layer", settings.get("sent_layer", "mix")) == "mix":
        found |= {f"layerwise_attention.scalar_parameters.{layer}": torch.zeros(1) for layer in range(layers)}
        found |= {"layerwise_attention.gamma": torch.zeros(1)}
        found |= {f"layerwise_attention.dropout_{each}": torch.zeros(layers) for each in ("mask", "fill")}
    units = UNITS * {"regression_metric": 6, "referenceless_regression_metric": 4}.get(case.kind, 1)
    for number, size in enumerate(
        [*settings.get("hidden_sizes", []), 1] if case.kind != "ranking_metric" else []
    ):
        found[f"estimator.ff.{3 * number}.weight"] = torch.zeros(size, units)
        found[f"estimator.ff.{3 * number}.bias"] = torch.zeros(size)
        units = size
    labels = 4 if case.kind == "xcomet_metric" else 3 if settings.get("word_level_training") else 0
    if labels:
        found |= {"hidden2tag.weight": torch.zeros(labels, UNITS), "hidden2tag.bias": torch.zeros(labels)}
    if case.kind == "xcomet_metric":
        found["wordloss.weight"] = torch.zeros(labels)
    return found
