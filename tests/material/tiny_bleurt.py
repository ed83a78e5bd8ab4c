"""Small BLEURT checkpoints as bleurt-pytorch writes them, with random weights: RemBERT's and BERT's layout."""

from __future__ import annotations

from pathlib import Path

from material.tiny_models import SIZES, random_like, write_config, write_sentencepiece, write_wordpiece

# The name of the tokenizer's file, and the size of embeddings where it is not that of hidden states.
CASES = {
    "rembert": ("spm.model", 12),
    "bert": ("tokenizer.json", None),
    "bert-vocabulary": ("vocab.txt", None),
}
TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
POSITIONS = 64


def write_bleurt(home: Path, name: str) -> Path:
    import torch

    folder = home / name
    tokenizer, embedding = CASES[name]
    folder.mkdir(parents=True)
    if tokenizer == "spm.model":
        size = write_sentencepiece(folder / tokenizer, TOKENS)
        (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    else:
        size = write_wordpiece(folder)
        for other in {"tokenizer.json", "vocab.txt"} - {tokenizer}:
            (folder / other).unlink()
    config = {**SIZES, "max_position_embeddings": POSITIONS, "vocab_size": size, "embedding_size": embedding}
    write_config(
        folder, model_type="bleurt", hidden_act="gelu", layer_norm_eps=1e-12, pad_token_id=0, **config
    )
    weights = random_like(_empty_weights(size, embedding), name)
    torch.save(
        {**weights, "bleurt.embeddings.position_ids": torch.arange(POSITIONS)[None]},
        folder / "pytorch_model.bin",
    )
    return folder


def _empty_weights(size: int, embedding: int | None) -> dict[str, object]:
    """Tensors with the names and sizes of bleurt-pytorch's."""
    import torch

    units, inner = SIZES["hidden_size"], SIZES["intermediate_size"]
    width = embedding or units
    shapes = {
        "embeddings.word_embeddings.weight": (size, width),
        "embeddings.position_embeddings.weight": (POSITIONS, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        **_normed("embeddings", width),
        **(_linear("encoder.embedding_projection", width, units) if embedding else {}),
        **_linear("pooler.dense", units, units),
    }
    for number in range(SIZES["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        for part in ("query", "key", "value"):
            shapes |= _linear(f"{layer}.attention.self.{part}", units, units)
        shapes |= _linear(f"{layer}.attention.output.dense", units, units)
        shapes |= _linear(f"{layer}.intermediate.dense", units, inner)
        shapes |= _linear(f"{layer}.output.dense", inner, units)
        shapes |= {**_normed(f"{layer}.attention.output", units), **_normed(f"{layer}.output", units)}
    named = {f"bleurt.{name}": shape for name, shape in shapes.items()} | _linear("classifier", units, 1)
    return {name: torch.zeros(shape) for name, shape in named.items()}


def _linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _normed(name: str, units: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.LayerNorm.weight": (units,), f"{name}.LayerNorm.bias": (units,)}
