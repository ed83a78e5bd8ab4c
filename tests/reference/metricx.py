"""MetricX, as its paper and repository describe it, on transformers' own mT5 with an output layer: text by text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FORMS = {
    "23": "candidate: {mt} reference: {ref}",
    "23-qe": "candidate: {mt} source: {src}",
    "24": "source: {src} candidate: {mt} reference: {ref}",
    "24-qe": "source: {src} candidate: {mt}",
}
LONGEST = {"23": 1024, "23-qe": 1024, "24": 1536, "24-qe": 1536}


def metricx_scores(folder: Path, mode: str, columns: dict[str, list[str]]) -> list[float]:
    """The logit of <extra_id_10> in the only step of the decoder, from 0 to 25."""
    import torch

    model = _model(folder)
    found = []
    for texts in zip(*columns.values(), strict=True):
        ids = token_ids(folder, FORMS[mode].format(**dict(zip(columns, texts, strict=True))), LONGEST[mode])
        with torch.no_grad():
            output = model(
                input_ids=torch.tensor([ids]),
                attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                decoder_input_ids=torch.zeros(1, 1, dtype=torch.long),
            )
        found.append(min(max(float(output.logits[0, 0, 250089]), 0.0), 25.0))
    return found


def token_ids(folder: Path, text: str, longest: int) -> Sequence[int]:
    """With the end token, truncated before it, and without it again."""
    from sentencepiece import SentencePieceProcessor

    pieces = SentencePieceProcessor(model_file=str(folder / "spiece.model"))
    with_end = [*pieces.encode(text)[: longest - 1], pieces.piece_to_id("</s>")]
    return with_end[:-1]


def _model(folder: Path):
    import torch
    import transformers

    config = transformers.MT5Config.from_pretrained(folder)
    # transformers 5 would take the embeddings for the output layer. Without that, it does not share those of encoder
    # and decoder either.
    config.tie_word_embeddings = False
    model = transformers.MT5ForConditionalGeneration(config).eval()
    weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
    weights |= {f"{part}.embed_tokens.weight": weights["shared.weight"] for part in ("encoder", "decoder")}
    model.load_state_dict(weights)
    assert not torch.equal(model.lm_head.weight, model.shared.weight)
    return model
