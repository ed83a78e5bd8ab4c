"""Encoders in numpy and torch: the same vectors, to the last bit whatever the batch; texts as bert-score reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from material.optional import needs_minilm, needs_packages
from material.tiny_encoders import HYPOTHESES, LAYERS, POSITIONS, REFERENCES, WIDTH, tiny_bert, tiny_roberta
from understudy.errors import BadInput, BadParameter
from understudy.neural.bert_score import BertScore
from understudy.neural.bertscore_layers import default_layer, layers_of
from understudy.neural.model_files import FoundModel, find_model
from understudy.neural.numpy_encoder import NumpyEncoder, unreadable
from understudy.neural.numpy_layers import gelu
from understudy.neural.text_pieces import PieceReader
from understudy.neural.token_vectors import VectorStore
from understudy.neural.torch_backend import Place
from understudy.neural.torch_encoder import TorchEncoder

pytestmark = needs_packages("tokenizers", "safetensors")
needs_torch = needs_packages("torch", "transformers")

EXAMPLES = Path(__file__).parents[2] / "examples"
BACKENDS = ["numpy", pytest.param("torch", marks=needs_torch)]
TINY = [tiny_bert, tiny_roberta]


def encoder(backend: str, model: FoundModel, layer: int) -> Any:
    if backend == "numpy":
        return NumpyEncoder(model, layer)
    return TorchEncoder(model, layer, Place("cpu"))


@pytest.fixture(params=TINY, ids=lambda make: make.__name__)
def tiny(request, tmp_path):
    return find_model(str(request.param(tmp_path / "model")))


# --- one result whatever the batch ---------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_bits_do_not_depend_on_batch_order_and_threads(backend, tiny):
    same_bits(backend, tiny, LAYERS, [*HYPOTHESES, *REFERENCES])


@needs_minilm
@pytest.mark.parametrize("backend", BACKENDS)
def test_bits_of_minilm_do_not_depend_on_batch_order_and_threads(backend):
    """Of texts with more pieces than the 192 of a tile; one is longer than a tile, and one is cut."""
    texts = lines("reference-1.en")
    same_bits(
        backend, find_model("all-MiniLM-L6-v2"), 2, [*texts[:30], "", " ".join(texts[:12]), " ".join(texts)]
    )


def same_bits(backend: str, found_model: FoundModel, layer: int, texts: list[str]) -> None:
    model = encoder(backend, found_model, layer)
    pieces = list(map(PieceReader(found_model).pieces, texts))
    alone = [model.vectors([text], batch_size=1, threads=1)[0].tobytes() for text in pieces]
    generator = np.random.default_rng(7)
    for batch_size, threads in ((1, 1), (7, 2), (64, 1), (64, 3)):
        order = generator.permutation(len(texts))
        found = model.vectors([pieces[row] for row in order], batch_size=batch_size, threads=threads)
        assert [vectors.tobytes() for vectors in found] == [alone[row] for row in order]


@pytest.mark.parametrize("backend", BACKENDS)
def test_bits_of_scores_do_not_depend_on_what_is_stored(backend, tiny):
    """A pair, all pairs, and a store that forgets at once."""
    found = []
    for size in (1 << 20, 1):
        store = VectorStore(PieceReader(tiny), encoder(backend, tiny, 2), most_bytes=size)
        scorer = Scorer(found=tiny, chosen_layer=2, chosen_backend=backend)
        object.__setattr__(scorer, "own_store", store)
        every = scorer.score_all(HYPOTHESES, REFERENCES, batch_size=3)
        again = scorer.score_all(HYPOTHESES[::-1], REFERENCES[::-1], batch_size=64)[::-1, ::-1]
        assert every.tobytes() == np.ascontiguousarray(again).tobytes()
        found.append(every.tobytes())
    assert found[0] == found[1]


class Scorer(BertScore):
    """With a store of its own."""

    own_store: VectorStore

    @property
    def _store(self) -> VectorStore:
        return self.own_store


# --- two backends, one result -------------------------------------------------------------------------------------


@needs_torch
@pytest.mark.parametrize("layer", range(LAYERS + 1))
def test_numpy_and_torch(tiny, layer):
    texts = list(map(PieceReader(tiny).pieces, [*HYPOTHESES, *REFERENCES]))
    for ours, theirs in zip(
        *(
            encoder(backend, tiny, layer).vectors(texts, batch_size=8, threads=1)
            for backend in ("numpy", "torch")
        ),
        strict=True,
    ):
        assert ours.shape == theirs.shape == (len(ours), WIDTH)
        assert np.abs(ours - theirs).max() < 1e-5


@needs_minilm
@needs_torch
def test_minilm_in_numpy_and_torch():
    """Scores are within 1e-6."""
    found = find_model("all-MiniLM-L6-v2")
    hypotheses, references = (
        [*lines("system-weak.en"), "", "so " * 600],
        [*lines("reference-1.en"), "a", "so"],
    )
    values = [
        BertScore(found=found, chosen_layer=6, chosen_backend=backend).score_all(
            hypotheses[-9:], references[-9:], batch_size=16
        )
        for backend in ("numpy", "torch")
    ]
    assert np.abs(values[0] - values[1]).max() < 1e-6
    assert values[0].max() > 0.5


def test_gelu():
    numbers = np.concatenate([np.linspace(-20, 20, 200_001), np.geomspace(1e-30, 1e30, 1000)]).astype(
        np.float32
    )
    found = numbers.copy()
    gelu(found)
    exact = numbers.astype(np.float64) * ndtr(numbers.astype(np.float64))
    small = np.abs(numbers) < 5
    assert np.abs(found - exact)[small].max() < 3e-7
    assert np.abs(found[numbers < -16]).max() < 1e-30
    assert (found[numbers > 16] == numbers[numbers > 16]).all()


# --- texts to pieces ----------------------------------------------------------------------------------------------


def test_pieces(tmp_path):
    reader = PieceReader(find_model(str(tiny_bert(tmp_path / "model"))))
    text = reader.pieces("  The cat\n")
    assert text.numbers.tolist() == [2, 5, 7, 3]  # [CLS] the cat [SEP]
    assert text.added.tolist() == [True, False, False, True]
    assert reader.pieces(" ").added.tolist() == [True, True]
    assert reader.pieces("cat [SEP] cat").added.tolist() == [True, False, True, False, True]
    assert reader.most_pieces == POSITIONS
    exact = "cat " * (POSITIONS - 2)
    assert (len(reader.pieces(exact).numbers), reader.pieces(exact).cut) == (POSITIONS, False)
    assert (len(reader.pieces(exact + "cat").numbers), reader.pieces(exact + "cat").cut) == (POSITIONS, True)


def test_roberta_reads_the_first_word_as_any_other(tmp_path):
    numbers = (
        PieceReader(find_model(str(tiny_roberta(tmp_path / "model")))).pieces("cat cat").numbers.tolist()
    )
    assert len(numbers) == 6
    assert numbers[1:3] == numbers[3:5]  # a space and the word
    assert (numbers[0], numbers[-1]) == (0, 2)


@pytest.mark.parametrize("said", [{}, {"model_max_length": 10**30}, {"model_max_length": 1e30}])
def test_tokenizers_without_a_limit(tmp_path, said):
    """The positions of the model are one. RoBERTa has two that are not of a text."""
    for make in TINY:
        folder = make(tmp_path / make.__name__)
        (folder / "tokenizer_config.json").write_text(json.dumps(said))
        assert PieceReader(find_model(str(folder))).most_pieces == POSITIONS


@needs_torch
@pytest.mark.parametrize("make", TINY)
def test_folders_without_tokenizer_json(tmp_path, make):
    """transformers reads their vocabulary; only torch can run them."""
    found = find_model(str(make(tmp_path / "model")))
    expected = [PieceReader(found).pieces(text).numbers.tolist() for text in HYPOTHESES]
    (found.folder / "tokenizer.json").unlink()
    assert [PieceReader(found).pieces(text).numbers.tolist() for text in HYPOTHESES] == expected
    assert BertScore(found=found).backend == "torch"


# --- files --------------------------------------------------------------------------------------------------------


def test_weights_of_a_model_with_a_head(tmp_path):
    vectors = []
    for prefix in ("", "bert."):
        found = find_model(str(tiny_bert(tmp_path / f"model{prefix}", prefix=prefix)))
        texts = [PieceReader(found).pieces("the cat")]
        vectors.append(NumpyEncoder(found, 2).vectors(texts, batch_size=1, threads=1)[0])
    assert vectors[0].tobytes() == vectors[1].tobytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_missing_weights(backend, tiny):
    from safetensors.numpy import load_file, save_file

    weights = load_file(tiny.weights[0])
    del weights["encoder.layer.1.output.dense.bias"]
    save_file(weights, tiny.weights[0], metadata={"format": "pt"})
    model = encoder(backend, tiny, 2)
    with pytest.raises(BadInput, match=r"lacks .* 'encoder\.layer\.1\.output\.dense\.bias'"):
        model.vectors([PieceReader(tiny).pieces("a")], batch_size=1, threads=1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model_type": "deberta"}, "its type is deberta"),
        ({"hidden_act": "silu"}, "its activation is silu"),
        ({"position_embedding_type": "relative_key"}, "its way to count positions is relative_key"),
        ({"is_decoder": True}, "it is a decoder"),
    ],
)
def test_models_that_numpy_cannot_run(tiny, change, reason):
    assert unreadable(tiny) == ""
    path = tiny.folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    changed = find_model(str(tiny.path))
    assert reason in unreadable(changed)
    assert BertScore(found=changed).backend == "torch"
    with pytest.raises(BadParameter, match=f"backend=numpy cannot run .*{reason}.*Use backend=torch"):
        _ = BertScore(found=changed, chosen_backend="numpy").backend


def test_damaged_files(tiny):
    (tiny.folder / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match=r"the tokenizer in '.*' cannot be read"):
        PieceReader(tiny).pieces("a")
    tiny.weights[0].write_bytes(b"\x08\0\0\0\0\0\0\0nonsense")
    with pytest.raises(BadInput, match="is not a file of safetensors"):
        unreadable(find_model(str(tiny.path)))


def test_layers(tiny):
    assert layers_of(tiny) == LAYERS
    assert default_layer(tiny) == 2  # three quarters
    known = FoundModel("FacebookAI/roberta-large", tiny.path, "")
    vars(known)["config"] = {"num_hidden_layers": 24}
    assert default_layer(known) == 17
    with pytest.raises(BadParameter, match="layer=4: model has layers 0 to 3"):
        _ = BertScore(found=tiny, chosen_layer=4).layer


@needs_torch
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_other_data_types(tiny, dtype):
    """Only torch has them, and they are close."""
    scorers = [BertScore(found=tiny, dtype=kind) for kind in ("float32", dtype)]
    assert [scorer.backend for scorer in scorers] == ["numpy", "torch"]
    full, half = (scorer.score_all(["the cat"], ["a dog", "the cat"], batch_size=2) for scorer in scorers)
    assert 0 < np.abs(full - half).max() < 0.03


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
