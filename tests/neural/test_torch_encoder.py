"""Encoders of other architectures than BERT's, which torch runs: layers, and the same bits in any batch."""

from __future__ import annotations

import json
import shutil
from typing import Any

import numpy as np
import pytest

from material.optional import needs_packages
from material.tiny_encoders import HYPOTHESES, REFERENCES, tiny_bert
from material.with_torch import torch_or_skip
from understudy import BERTScore
from understudy.errors import BadInput, BadParameter
from understudy.neural.bert_score import BertScore
from understudy.neural.model_files import find_model
from understudy.neural.text_pieces import PieceReader
from understudy.neural.torch_backend import Place
from understudy.neural.torch_encoder import TorchEncoder

pytestmark = needs_packages("torch", "transformers", "tokenizers", "safetensors")

SIZES = {
    "vocab_size": 150,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 64,
}
OF_BART = {
    **{f"{part}_layers": 3 for part in ("encoder", "decoder")},
    **{f"{part}_attention_heads": 4 for part in ("encoder", "decoder")},
    **{f"{part}_ffn_dim": 64 for part in ("encoder", "decoder")},
}
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "deberta-v2": {
        **SIZES,
        "relative_attention": True,
        "position_buckets": 16,
        "pos_att_type": ["p2c", "c2p"],
    },
    "albert": {**SIZES, "embedding_size": 16},  # without a list of layers
    "distilbert": {
        **{"vocab_size": 150, "dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 64},
        "max_position_embeddings": 64,
    },
    "bart": {"vocab_size": 150, "d_model": 32, "max_position_embeddings": 64, **OF_BART},
}


@pytest.fixture(params=CONFIGURATIONS)
def model(request, tmp_path):
    """The folder of a model with random weights, and the model."""
    torch = torch_or_skip()
    import transformers

    folder = tmp_path / request.param
    torch.manual_seed(5)
    config = transformers.AutoConfig.for_model(request.param, **CONFIGURATIONS[request.param])
    made = transformers.AutoModel.from_config(config).eval()
    made.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(tiny_bert(tmp_path / name) / name, folder)
    return find_model(str(folder)), made.get_encoder() if config.is_encoder_decoder else made


def test_layers_are_those_of_transformers(model):
    torch = torch_or_skip()
    found, theirs = model
    text = PieceReader(found).pieces(HYPOTHESES[0])
    with torch.no_grad():
        ids = torch.tensor([text.numbers.tolist()])
        states = theirs(input_ids=ids, output_hidden_states=True).hidden_states
    for layer in range(4):
        ours = TorchEncoder(found, layer, Place("cpu")).vectors([text], batch_size=1, threads=1)[0]
        assert np.abs(ours - states[layer][0].numpy()).max() < 1e-5


def test_the_same_bits_in_any_batch(model):
    found, _ = model
    texts = list(map(PieceReader(found).pieces, [*HYPOTHESES, *REFERENCES]))
    encoder = TorchEncoder(found, 2, Place("cpu"))
    alone = [encoder.vectors([text], batch_size=1, threads=1)[0].tobytes() for text in texts]
    together = encoder.vectors(texts[::-1], batch_size=7, threads=2)[::-1]
    assert [vectors.tobytes() for vectors in together] == alone


def test_as_a_metric(model):
    found, _ = model
    metric = BERTScore(model=str(found.path))
    assert metric.engine().backend == "torch"
    scores = metric.segments(["the cat slept", ""], ["the cat slept", "a"])
    assert scores == pytest.approx([100, 0], abs=1e-4)
    assert "|torch:" in str(metric.signature())


def test_devices_and_files_that_do_not_exist(model):
    found, _ = model
    with pytest.raises(BadParameter, match="device 'xyz' cannot be used"):
        BERTScore(model=str(found.path), device="xyz").segments(["a"], ["a"])
    found.weights[0].write_bytes(b"nonsense")
    damaged = BertScore(found=find_model(str(found.path)))
    with pytest.raises(BadInput, match="cannot be read"):
        damaged.score_all(["a"], ["a"], batch_size=1)


def test_no_code_of_a_folder_is_run(tmp_path, monkeypatch):
    """transformers would ask whether it may, and take an answer from a pipe."""
    torch_or_skip()
    folder = tiny_bert(tmp_path / "model")
    config = {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModel": "own.Own"}}
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **config}))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'run')!r}, 'w')")
    monkeypatch.setattr("builtins.input", lambda _: "y")
    for lacks_tokenizer in (False, True):
        if lacks_tokenizer:
            (folder / "tokenizer.json").unlink()
        with pytest.raises(BadInput, match="contains custom code"):
            BERTScore(model=str(folder)).segments(["the cat"], ["the cat"])
    assert not (tmp_path / "run").exists()
