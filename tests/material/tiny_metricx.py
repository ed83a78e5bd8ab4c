"""A small MetricX checkpoint with random weights. Its vocabulary has mT5's size: the score is one of the logits."""

from __future__ import annotations

from pathlib import Path

from material.tiny_models import random_like, write_config, write_sentencepiece

VOCABULARY = 250112
CONFIG = {
    "architectures": ["MT5ForRegression"],
    "model_type": "mt5",
    "vocab_size": VOCABULARY,
    "d_model": 8,
    "d_kv": 4,
    "d_ff": 16,
    "num_layers": 2,
    "num_decoder_layers": 2,
    "num_heads": 2,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
    "decoder_start_token_id": 0,
    "pad_token_id": 0,
    "eos_token_id": 1,
}


def write_metricx(home: Path, name: str = "metricx-24-hybrid-tiny") -> Path:
    """With its own tokenizer, as nobody publishes it."""
    import torch

    folder = home / name
    write_config(folder, **CONFIG)
    write_sentencepiece(folder / "spiece.model", ("<pad>", "</s>", "<unk>"))
    (folder / "tokenizer_config.json").write_text('{"extra_ids": 0, "additional_special_tokens": null}')
    torch.save(random_like(_empty_weights(), "metricx-1"), folder / "pytorch_model.bin")
    return folder


def _empty_weights() -> dict[str, object]:
    """Tensors with the names and sizes of mT5's."""
    import torch

    units, inner, heads = 8, 16, 8
    shapes: dict[str, tuple[int, ...]] = {
        "shared.weight": (VOCABULARY, units),
        "lm_head.weight": (VOCABULARY, units),
    }
    for part, attentions in (
        ("encoder", ["SelfAttention"]),
        ("decoder", ["SelfAttention", "EncDecAttention"]),
    ):
        for block in range(2):
            for number, attention in enumerate(attentions):
                at = f"{part}.block.{block}.layer.{number}"
                shapes |= {f"{at}.{attention}.{each}.weight": (heads, units) for each in "qkv"}
                shapes[f"{at}.{attention}.o.weight"] = (units, heads)
                shapes[f"{at}.layer_norm.weight"] = (units,)
            last = f"{part}.block.{block}.layer.{len(attentions)}"
            shapes |= {f"{last}.DenseReluDense.wi_{each}.weight": (inner, units) for each in "01"}
            shapes[f"{last}.DenseReluDense.wo.weight"] = (units, inner)
            shapes[f"{last}.layer_norm.weight"] = (units,)
        shapes[f"{part}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"] = (32, 2)
        shapes[f"{part}.final_layer_norm.weight"] = (units,)
    return {name: torch.zeros(shape) for name, shape in shapes.items()}
