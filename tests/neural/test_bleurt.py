"""BLEURT's checkpoints: what is refused, and how long texts are truncated. Scores are compared in tests/golden."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.cached_truncation import check_warning_with_cached_scores
from material.optional import needs_packages
from material.tiny_bleurt import CASES, write_bleurt
from material.with_torch import torch_or_skip
from understudy.errors import BadInput, MissingFile, ModelWarning
from understudy.neural.bleurt import BleurtEngine, longest_input, truncated_pair
from understudy.neural.model_files import find_model
from understudy.neural.pairs import Pair
from understudy.neural.torch_backend import Place

pytestmark = needs_packages("torch", "transformers", "tokenizers", "sentencepiece")

PAIRS = [
    Pair("a small text", "the small text"),
    Pair("", "the small text"),
    Pair("a small text", ""),
    Pair("", ""),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch_or_skip()
    folder = tmp_path_factory.mktemp("models")
    for name in CASES:
        write_bleurt(folder, name)
    return folder


def engine_of(path: Path, **place: str) -> BleurtEngine:
    return BleurtEngine(find_model(str(path)), Place(**place))


def copied(home: Path, to: Path, name: str = "bert") -> Path:
    shutil.copytree(home / name, to / "copy")
    return to / "copy"


def test_empty_texts_have_scores(home: Path) -> None:
    scores = engine_of(home / "rembert").score(PAIRS, batch_size=3)
    assert np.isfinite(scores).all()
    assert len(set(scores[:, 0].tolist())) == 4


def test_nothing_to_score(home: Path) -> None:
    assert engine_of(home / "bert").score([], batch_size=3).shape == (0, 1)


def test_a_truncated_text_is_reported_once(home: Path) -> None:
    from understudy.neural import bleurt

    bleurt._truncation.cache_clear()
    long = [Pair("many words " * 90, "the text"), Pair("x", "y")]
    with pytest.warns(
        ModelWarning, match=r"BLEURT reads at most 64 tokens at once: 1 text or more truncated"
    ):
        engine_of(home / "bert").score(long, batch_size=2)
    engine_of(home / "bert").score(long, batch_size=2)


def test_a_truncated_text_with_cached_scores_is_reported(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from understudy.neural import bleurt

    bleurt._truncation.cache_clear()
    pairs = [Pair("many words " * 90, "the text"), Pair("x", "y")]
    check_warning_with_cached_scores(engine_of(home / "bert"), bleurt, pairs, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("lengths", "together", "expected"),
    [((40, 30), 61, (31, 30)), ((30, 40), 61, (30, 31)), ((40, 41), 61, (31, 30)), ((61, 0), 61, (61, 0))],
)
def test_truncation_of_a_pair(lengths: tuple[int, int], together: int, expected: tuple[int, int]) -> None:
    """As the original: one token at a time of the longer text, of the hypothesis if both are equal."""
    assert truncated_pair(*lengths, together) == expected


def test_the_smallest_limit_counts(home: Path, tmp_path: Path) -> None:
    folder = copied(home, tmp_path)
    assert longest_input(find_model(str(folder))) == 64
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 1e30}))
    assert longest_input(find_model(str(folder))) == 64
    (folder / "bleurt_config.json").write_text(json.dumps({"max_seq_length": 32}))
    assert engine_of(folder).identity["tokens"] == "32"


def test_another_kind_of_model(home: Path, tmp_path: Path) -> None:
    folder = copied(home, tmp_path)
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    with pytest.raises(
        BadInput, match=r"no BLEURT model: config.json has the type 'bert', expected 'bleurt'"
    ):
        engine_of(folder).check()


def test_a_configuration_without_sizes(home: Path, tmp_path: Path) -> None:
    folder = copied(home, tmp_path)
    (folder / "config.json").write_text(json.dumps({"model_type": "bleurt"}))
    with pytest.raises(BadInput, match=r"has no 'vocab_size'"):
        engine_of(folder).score(PAIRS, batch_size=2)


def test_a_missing_weight(home: Path, tmp_path: Path) -> None:
    torch = torch_or_skip()
    folder = copied(home, tmp_path)
    stored = torch.load(folder / "pytorch_model.bin", weights_only=True)
    del stored["classifier.bias"]
    torch.save(stored, folder / "pytorch_model.bin")
    with pytest.raises(BadInput, match=r"lacks 1 weight, such as 'classifier.bias'"):
        engine_of(folder).score(PAIRS, batch_size=2)


def test_safetensors(home: Path, tmp_path: Path) -> None:
    safetensors: Any = pytest.importorskip("safetensors.torch")
    torch = torch_or_skip()
    folder = copied(home, tmp_path)
    stored = torch.load(folder / "pytorch_model.bin", weights_only=True)
    safetensors.save_file(
        {name: value.contiguous() for name, value in stored.items()}, folder / "model.safetensors"
    )
    (folder / "pytorch_model.bin").unlink()
    expected = engine_of(home / "bert").score(PAIRS, batch_size=2)
    np.testing.assert_allclose(engine_of(folder).score(PAIRS, batch_size=2), expected, atol=1e-6)
    whole = (folder / "model.safetensors").read_bytes()
    for length in (0, 7, 500, len(whole) - 1):
        (folder / "model.safetensors").write_bytes(whole[:length])
        with pytest.raises(
            BadInput, match=r"model\.safetensors' cannot be read: .* Bring the model again\.$"
        ):
            engine_of(folder).score(PAIRS, batch_size=2)


@pytest.mark.parametrize("name", ["rembert", "bert"])
def test_no_vocabulary(home: Path, tmp_path: Path, name: str) -> None:
    folder = copied(home, tmp_path, name)
    (folder / CASES[name][0]).unlink()
    with pytest.raises(
        MissingFile, match=r"no vocabulary in '.*', expected vocab.txt, tokenizer.json or spm.model"
    ):
        engine_of(folder).score(PAIRS, batch_size=2)


def test_a_damaged_vocabulary(home: Path, tmp_path: Path) -> None:
    folder = copied(home, tmp_path, "rembert")
    (folder / "spm.model").write_bytes(b"nothing")
    with pytest.raises(BadInput, match=r"spm.model' is no SentencePiece model"):
        engine_of(folder).score(PAIRS, batch_size=2)
    folder = copied(home, tmp_path / "other")
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match=r"the tokenizer in '.*' cannot be read"):
        engine_of(folder).score(PAIRS, batch_size=2)
