"""COMET's checkpoints: what is refused, what is read, and what is kept. Scores are compared in tests/golden."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.cached_truncation import check_warning_with_cached_scores
from material.learned_scores import comet_engine
from material.optional import needs_packages
from material.tiny_comet import write_comet
from material.with_torch import torch_or_skip
from understudy.errors import BadInput, BadParameter, MissingFile, ModelWarning, OutOfMemory, UnderstudyError
from understudy.neural.comet.engine import CometEngine
from understudy.neural.comet.error_spans import ErrorSpan, mqm_score, spans_in
from understudy.neural.model_files import find_model
from understudy.neural.pairs import Pair
from understudy.neural.torch_backend import Place

pytestmark = needs_packages("torch", "transformers", "tokenizers", "yaml")

PAIR = Pair("a small text", "the small text", "ein kleiner Text")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch_or_skip()
    folder = tmp_path_factory.mktemp("models")
    for name in ("regression", "unified", "kiwi", "xcomet-base"):
        write_comet(folder, name)
    return folder


def engine_of(path: Path, inputs: str = "all", **place: str) -> CometEngine:
    return CometEngine(find_model(str(path)), inputs, Place(**place))


def score(engine: CometEngine, *pairs: Pair) -> Any:
    return engine.score(pairs, batch_size=4)[:, 0]


@pytest.fixture
def changed(home: Path, tmp_path: Path) -> Any:
    """A copy of the regression checkpoint, with a function that changes what it stores."""
    torch = torch_or_skip()
    shutil.copytree(home / "regression", tmp_path / "copy")
    weights = tmp_path / "copy" / "checkpoints" / "model.ckpt"

    def change(function: Any) -> CometEngine:
        stored = torch.load(weights, weights_only=True)
        function(stored)
        torch.save(stored, weights)
        return engine_of(tmp_path / "copy")

    return change


# --- what identifies a model --------------------------------------------------------------------------------


def test_other_weights_in_the_folder_do_not_matter(home: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(home / "regression", tmp_path / "copy")
    (folder / "model.safetensors").write_bytes(b"something else")
    assert engine_of(folder).identity["sha256"] == engine_of(home / "regression").identity["sha256"]


def test_settings_that_only_hparams_has(changed: Any) -> None:
    """Otherwise cached scores would outlive a change of them."""
    engine = changed(lambda stored: stored.pop("hyper_parameters"))
    (before,) = score(engine, PAIR)
    path = engine.files.hyper_parameters
    path.write_text(path.read_text() + "\nfinal_activation: Sigmoid\n")
    after = engine_of(engine.found.path)
    assert score(after, PAIR) != before
    assert after.identity != engine.identity


# --- what is refused ----------------------------------------------------------------------------------------


def test_a_missing_weight(changed: Any) -> None:
    engine = changed(lambda stored: stored["state_dict"].pop("estimator.ff.3.weight"))
    with pytest.raises(BadInput, match=r"model.ckpt' lacks 1 weight, such as 'estimator.ff.3.weight'"):
        score(engine, PAIR)


def test_an_unknown_weight(changed: Any) -> None:
    torch = torch_or_skip()
    engine = changed(lambda stored: stored["state_dict"].update({"estimator.ff.9.weight": torch.zeros(1)}))
    with pytest.raises(BadInput, match=r"has unknown 1 weight, such as 'estimator.ff.9.weight'"):
        score(engine, PAIR)


def test_a_weight_of_another_size(changed: Any) -> None:
    torch = torch_or_skip()
    engine = changed(lambda stored: stored["state_dict"].update({"estimator.ff.0.bias": torch.zeros(5)}))
    with pytest.raises(
        BadInput, match=r"has other sizes of 1 weight, such as 'estimator.ff.0.bias' \(5, expected 18\)"
    ):
        score(engine, PAIR)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"layer": 9}, r"uses the layer 9, and its encoder has 0 to 3"),
        ({"pool": "middle"}, r"unknown pooling 'middle' in the checkpoint. Known: avg, max, cls, default"),
        ({"activations": "Nothing"}, r"activation 'Nothing'"),
        ({"hidden_sizes": "many"}, r"hyper-parameters of another type"),
        ({"encoder_model": "mDeBERTa"}, r"is an mDeBERTa model .* names XLM-RoBERTa"),
    ],
)
def test_hyper_parameters_that_cannot_be(changed: Any, settings: dict[str, Any], problem: str) -> None:
    torch_or_skip()

    def change(stored: dict[str, Any]) -> None:
        stored["hyper_parameters"].update(settings)
        if "layer" in settings:
            for name in [name for name in stored["state_dict"] if name.startswith("layerwise")]:
                del stored["state_dict"][name]

    with pytest.raises(BadInput, match=problem):
        score(changed(change), PAIR)


def test_an_unknown_class(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "regression", tmp_path / "copy")
    (tmp_path / "copy" / "hparams.yaml").write_text("class_identifier: regresion_metric\n")
    with pytest.raises(BadInput, match=r"unknown class 'regresion_metric'. Did you mean 'regress"):
        engine_of(tmp_path / "copy").check()
    (tmp_path / "copy" / "hparams.yaml").write_text("class_identifier: other\n")
    with pytest.raises(
        BadInput, match=r"Known: regression_metric, referenceless_regression_metric, ranking_metric"
    ):
        engine_of(tmp_path / "copy").check()


def test_an_unknown_encoder(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "regression", tmp_path / "copy")
    (tmp_path / "copy" / "hparams.yaml").write_text(
        "class_identifier: regression_metric\nencoder_model: mDeBERTa\n"
    )
    with pytest.raises(
        UnderstudyError, match=r"unknown encoder 'mDeBERTa'. Did you mean 'RemBERT' or 'BERT'"
    ):
        engine_of(tmp_path / "copy").check()


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", b"PK\x03\x04 cut"])
def test_a_damaged_checkpoint(home: Path, tmp_path: Path, content: bytes) -> None:
    shutil.copytree(home / "regression", tmp_path / "copy")
    (tmp_path / "copy" / "checkpoints" / "model.ckpt").write_bytes(content)
    with pytest.raises(BadInput, match=r"not a file of tensors that can be read safely"):
        score(engine_of(tmp_path / "copy"), PAIR)


class Harmful:
    """What a pickle can do when it is loaded."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return Path.touch, (self.trace,)


def test_no_code_of_a_checkpoint_is_run(changed: Any, tmp_path: Path) -> None:
    engine = changed(lambda stored: stored.update(harmful=Harmful(tmp_path / "trace")))
    with pytest.raises(BadInput, match=r"read safely"):
        score(engine, PAIR)
    assert not (tmp_path / "trace").exists()


def test_missing_files(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "regression", tmp_path / "copy")
    (tmp_path / "copy" / "hparams.yaml").unlink()
    with pytest.raises(
        MissingFile, match=r"no '.*hparams.yaml', expected it two folders above the checkpoint"
    ):
        engine_of(tmp_path / "copy").check()


def test_the_pretrained_model_must_be_there(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "regression", tmp_path / "copy")
    text = "class_identifier: regression_metric\npretrained_model: nobody/has-this\n"
    (tmp_path / "copy" / "hparams.yaml").write_text(text)
    with pytest.raises(MissingFile, match=r"no model 'nobody/has-this' on this machine.*hf download nobody"):
        engine_of(tmp_path / "copy").check()


# --- inputs -------------------------------------------------------------------------------------------------


def test_inputs_of_each_class(home: Path) -> None:
    assert engine_of(home / "regression").reads == ("src", "ref")
    assert engine_of(home / "kiwi").reads == ("src",)
    assert engine_of(home / "unified").reads == ("src", "ref")
    assert engine_of(home / "unified", "source").reads == ("src",)
    assert engine_of(home / "unified", "source").identity["inputs"] == "src"


@pytest.mark.parametrize(
    ("name", "inputs", "problem"),
    [
        (
            "regression",
            "source",
            r"inputs=source, but 'regression' \(regression_metric\) reads sources and references",
        ),
        ("kiwi", "reference", r"inputs=reference, but 'kiwi' reads sources\."),
    ],
)
def test_inputs_that_a_model_does_not_have(home: Path, name: str, inputs: str, problem: str) -> None:
    with pytest.raises(BadParameter, match=problem):
        engine_of(home / name, inputs).check()


def test_texts_must_be_there(home: Path) -> None:
    with pytest.raises(
        BadInput, match=r"'regression' reads a source with every hypothesis, and some have none"
    ):
        score(engine_of(home / "regression"), PAIR, PAIR._replace(source=None))
    with pytest.raises(BadInput, match=r"'unified' reads a reference"):
        score(engine_of(home / "unified"), PAIR._replace(reference=None))


def test_texts_that_are_not_read_do_not_matter(home: Path) -> None:
    engine = engine_of(home / "kiwi")
    assert score(engine, PAIR)[0] == score(engine, PAIR._replace(reference=None))[0]


def test_the_path_of_the_checkpoint_itself(home: Path) -> None:
    file = engine_of(home / "regression" / "checkpoints" / "model.ckpt")
    assert file.identity == engine_of(home / "regression").identity
    assert score(file, PAIR) == score(engine_of(home / "regression"), PAIR)


# --- scoring ------------------------------------------------------------------------------------------------


def test_nothing_to_score(home: Path) -> None:
    for name in ("regression", "unified", "xcomet-base"):
        assert engine_of(home / name).score([], batch_size=4).shape == (0, 1)


def test_a_truncated_text_is_reported_once(home: Path) -> None:
    long = PAIR._replace(hypothesis="many words " * 200)
    for name, place in (("regression", "126"), ("unified", "128")):
        engine = comet_engine_afresh(home / name)
        with pytest.warns(
            ModelWarning, match=rf"COMET reads at most {place} tokens at once: 1 text or more truncated"
        ):
            score(engine, PAIR, long)
        score(engine, PAIR._replace(source="many words " * 200), long)  # warnings are errors


@pytest.mark.parametrize("name", ["regression", "unified"])
def test_a_truncated_text_with_cached_scores_is_reported(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from understudy.neural.comet import engine

    made = comet_engine_afresh(home / name)
    pairs = [PAIR, PAIR._replace(hypothesis="many words " * 200)]
    check_warning_with_cached_scores(made, engine, pairs, tmp_path, monkeypatch)


def comet_engine_afresh(path: Path) -> CometEngine:
    from understudy.neural.comet import engine

    engine._loaded.cache_clear()
    engine._truncation.cache_clear()
    return engine_of(path)


def test_texts_are_encoded_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from understudy.neural.comet.encoder import Encoder

    engine = comet_engine_afresh(home / "regression")
    encoded: list[int] = []
    layers = Encoder.layers

    def counted(self: Encoder, rows: Any) -> Any:
        encoded.append(len(rows))
        return layers(self, rows)

    monkeypatch.setattr(Encoder, "layers", counted)
    first = score(engine, PAIR, PAIR._replace(hypothesis="another text"))
    assert sum(encoded) == 4  # two hypotheses, one reference, one source
    again = score(engine_of(home / "regression"), PAIR._replace(hypothesis="a third text"), PAIR)
    assert sum(encoded) == 5  # as for another system
    assert again[1] == pytest.approx(first[0], abs=1e-6)


def test_kept_embeddings_are_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from understudy.neural.comet import sentence_embeddings

    monkeypatch.setattr(sentence_embeddings, "_KEPT_BYTES", 10 * 24 * 4)
    engine = comet_engine_afresh(home / "regression")
    pairs = [PAIR._replace(hypothesis=f"text {number}") for number in range(40)]
    engine.score(pairs, batch_size=8)
    assert len(engine._scorer._embeddings._kept) == 10  # type: ignore[union-attr]
    np.testing.assert_allclose(engine.score(pairs, batch_size=8)[:, 0], score(engine, *pairs), atol=1e-6)


@pytest.mark.parametrize("name", ["regression", "xcomet-base"])
def test_data_types(home: Path, name: str) -> None:
    exact = score(engine_of(home / name), PAIR, PAIR._replace(hypothesis="another"))
    rounded = score(engine_of(home / name, dtype="bfloat16"), PAIR, PAIR._replace(hypothesis="another"))
    assert 0 < np.abs(exact - rounded).max() < 0.3
    assert engine_of(home / name, dtype="bfloat16").identity["dtype"] == "bfloat16"


def test_a_device_that_is_not_there(home: Path) -> None:
    for device in ("nonsense", "cuda:99"):
        with pytest.raises(BadParameter, match=rf"device '{device}' cannot be used"):
            score(engine_of(home / "regression", device=device), PAIR)


@pytest.mark.parametrize("kind", ["cuda", "cpu"])
def test_memory_that_runs_out(home: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    from understudy.neural.comet.encoder import Encoder

    torch = torch_or_skip()

    def fails(*_: object) -> None:
        if kind == "cuda":
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        raise RuntimeError(
            "[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"
        )

    monkeypatch.setattr(Encoder, "layers", fails)
    with pytest.raises(OutOfMemory, match=r"CUDA out of memory|can't allocate memory"):
        score(comet_engine_afresh(home / "regression"), PAIR)


# --- error spans --------------------------------------------------------------------------------------------

SEVERITIES = ("minor", "major", "critical")


def labels(*chosen: int) -> Any:
    """Probabilities of which the largest, 0.7, is that of the label."""
    return np.array([[0.7 if label == place else 0.1 for place in range(4)] for label in chosen])


def test_spans() -> None:
    offsets = [(0, 0), (0, 2), (2, 5), (6, 9), (9, 10), (0, 0)]
    first, second = spans_in(labels(0, 2, 1, 0, 3, 0), offsets, SEVERITIES)
    assert (first.start, first.end, first.severity) == (0, 5, "major")  # that of its first token
    assert first.confidence == pytest.approx(0.7)
    assert (second.start, second.end, second.severity) == (9, 10, "critical")


def test_a_span_over_the_end_token_is_left_out() -> None:
    assert spans_in(labels(0, 1, 1), [(0, 0), (0, 2), (0, 0)], SEVERITIES) == []


def test_points_of_spans() -> None:
    assert mqm_score([]) == 1
    assert mqm_score([ErrorSpan(0, 1, "major", 1.0)] * 2) == 0.6
    assert mqm_score([ErrorSpan(0, 1, "critical", 1.0)] * 9) == 0


def test_models_without_error_spans(home: Path) -> None:
    for name in ("regression", "unified"):
        with pytest.raises(BadParameter, match=rf"'{name}' has no error spans"):
            engine_of(home / name).scores_and_spans([PAIR], batch_size=1)


def test_scores_are_the_same_with_and_without_spans(home: Path) -> None:
    engine = comet_engine(home, "xcomet-base/src+ref")
    pairs = [PAIR, PAIR._replace(hypothesis=""), PAIR._replace(hypothesis="x y z")]
    scores, spans = engine.scores_and_spans(pairs, batch_size=2)
    np.testing.assert_allclose(scores, engine.score(pairs, batch_size=3)[:, 0], atol=1e-6)
    assert len(spans) == 3
