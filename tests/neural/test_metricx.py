"""MetricX: its inputs, its limits and its tokenizer. Scores are compared in tests/golden."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from material.cached_truncation import check_warning_with_cached_scores
from material.learned_texts import example_texts
from material.optional import needs_packages
from material.tiny_metricx import write_metricx
from material.with_torch import torch_or_skip
from reference.metricx import FORMS
from understudy import neural
from understudy.errors import BadInput, BadParameter, MissingFile, ModelWarning
from understudy.neural.metricx import MODES, MetricXEngine, mode_of_name, tokens_in
from understudy.neural.model_files import find_model
from understudy.neural.pairs import Pair

pytestmark = needs_packages("torch", "transformers", "tokenizers", "sentencepiece")

PAIR = Pair("a small {text}", "the small text", "ein kleiner Text")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch_or_skip()
    return write_metricx(tmp_path_factory.mktemp("models"))


def engine_of(folder: Path, mode: str = "24", tokenizer: str = "") -> MetricXEngine:
    return MetricXEngine(find_model(str(folder)), mode, tokenizer)


@pytest.mark.parametrize("mode", MODES)
def test_what_the_model_reads(mode: str) -> None:
    texts = {"mt": PAIR.hypothesis, "ref": PAIR.reference, "src": PAIR.source}
    assert MODES[mode].written(PAIR) == FORMS[mode].format(**texts)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("google/metricx-23-xl-v2p0", "23"),
        ("metricx-23-qe-xxl-v2p0", "23-qe"),
        ("/models/MetricX-24-hybrid-large-v2p6", "24"),
    ],
)
def test_modes_of_names(name: str, mode: str) -> None:
    assert mode_of_name(name) == mode


def test_a_name_that_tells_nothing() -> None:
    with pytest.raises(
        BadParameter, match=r"the name 'mine' does not tell which MetricX it is. Use mode=23, 23-qe, 24"
    ):
        mode_of_name("mine")


def test_texts_must_be_there(folder: Path) -> None:
    with pytest.raises(BadInput, match=r"MetricX in mode 24 reads a source with every hypothesis"):
        engine_of(folder).score([PAIR._replace(source=None)], batch_size=1)
    assert engine_of(folder, "24-qe").score([PAIR._replace(reference=None)], batch_size=1).shape == (1, 1)


def test_scores_end_at_25(folder: Path, tmp_path: Path) -> None:
    torch = torch_or_skip()
    shutil.copytree(folder, tmp_path / "copy")
    stored = torch.load(folder / "pytorch_model.bin", weights_only=True)
    stored["lm_head.weight"] = 1000 * stored["lm_head.weight"]
    torch.save(stored, tmp_path / "copy" / "pytorch_model.bin")
    columns = example_texts()
    pairs = [Pair(*row) for row in zip(columns["mt"][:20], columns["ref"], columns["src"], strict=False)]
    scores = engine_of(tmp_path / "copy").score(pairs, batch_size=20)
    assert (scores.min(), scores.max()) == (0, 25)


def test_a_truncated_text_is_reported(folder: Path) -> None:
    with pytest.warns(
        ModelWarning, match=r"MetricX reads at most .* tokens at once: 1 text or more truncated"
    ):
        engine_of(folder, "23").score([PAIR, PAIR._replace(hypothesis="many words " * 900)], batch_size=2)


def test_a_truncated_text_with_cached_scores_is_reported(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from understudy.neural import metricx

    metricx._truncation.cache_clear()
    pairs = [PAIR, PAIR._replace(hypothesis="many words " * 900)]
    check_warning_with_cached_scores(engine_of(folder, "23"), metricx, pairs, tmp_path, monkeypatch)


def test_a_model_without_an_output_layer(folder: Path, tmp_path: Path) -> None:
    torch = torch_or_skip()
    shutil.copytree(folder, tmp_path / "copy")
    stored = torch.load(folder / "pytorch_model.bin", weights_only=True)
    del stored["lm_head.weight"]
    torch.save(stored, tmp_path / "copy" / "pytorch_model.bin")
    with pytest.raises(
        BadInput, match=r"no MetricX model: it lacks 'shared.weight' or a 'lm_head.weight' with 250,090"
    ):
        engine_of(tmp_path / "copy").score([PAIR], batch_size=1)


def test_another_kind_of_model(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "copy" / "config.json").write_text(json.dumps({"model_type": "t5"}))
    with pytest.raises(BadInput, match=r"config.json has the type 't5', expected 'mt5'"):
        engine_of(tmp_path / "copy").check()


def test_where_the_tokenizer_is_found(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the model's folder, in one of mT5's, or where somebody says."""
    places = {"UNDERSTUDY_MODELS": str(tmp_path / "models"), "HF_HUB_CACHE": str(tmp_path / "hub")}
    monkeypatch.setattr(neural, "environment", places)
    shutil.copytree(folder, tmp_path / "bare")
    (tmp_path / "bare" / "spiece.model").unlink()
    with pytest.raises(MissingFile, match=r"needs the tokenizer of mT5.*hf download google/mt5-large"):
        engine_of(tmp_path / "bare").check()
    assert engine_of(tmp_path / "bare", tokenizer=str(folder)).vocabulary == folder
    shutil.copytree(folder, tmp_path / "models" / "google" / "mt5-large")
    assert engine_of(tmp_path / "bare").vocabulary == tmp_path / "models" / "google" / "mt5-large"
    expected = engine_of(folder).score([PAIR], batch_size=1)
    assert engine_of(tmp_path / "bare").score([PAIR], batch_size=1) == expected


def test_tokens_are_those_of_transformers(folder: Path) -> None:
    """Whose conversion of a SentencePiece model the original uses. Only names of special tokens inside a text differ:
    here they are text.
    """
    transformers = pytest.importorskip("transformers")
    theirs = transformers.T5TokenizerFast.from_pretrained(folder)
    ours = tokens_in(folder)
    columns = example_texts()
    for text in [*columns["mt"], *columns["ref"], *columns["src"], "candidate:  source: "]:
        if "<" not in text and "\u00a0" not in text:  # the small model has no normalization, as mT5 has
            assert ours.ids(text) == theirs(text, add_special_tokens=False).input_ids
