"""bert-score: the same values for tiny encoders and for MiniLM on real translations, whatever the batch size.

bert-score 0.3.13 needs transformers 4, so test_bert_score.py runs these in an environment of its own: make bert-score.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bert_score_golden import baseline_text

from material.tiny_encoders import HYPOTHESES, LAYERS, OTHER_REFERENCES, REFERENCES, tiny_bert, tiny_roberta
from material.wmt import references_of, systems
from understudy import BERTScore
from understudy.neural.bert_score import _loaded
from understudy.neural.model_files import find_model

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import bert_score
    import torch
    import transformers

pytestmark = pytest.mark.filterwarnings("ignore")

LARGEST = 1e-5  # difference; in fact below 1e-6
BATCH_SIZES = [1, 7, 64]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def theirs(model: Any, layer: int, hypotheses: Any, references: Any, **options: Any) -> np.ndarray:
    values = bert_score.score(
        hypotheses, references, model_type=str(model), num_layers=layer, nthreads=0, lang="en", **options
    )
    return np.stack([value.numpy() for value in values], axis=-1)


def ours(model: Any, layer: int, hypotheses: Any, references: Any, **options: Any) -> np.ndarray:
    _loaded.cache_clear()  # and with it what was encoded in other batches
    metric = BERTScore(model=str(model), layer=layer, **options)
    counted = metric.statistics(hypotheses, references, threads=1)
    return np.stack([BERTScore(value=name).score(counted) / 100 for name in metric.values], axis=-1)


def test_the_environment() -> None:
    """In transformers 5, bert-score fails on empty text and ignores add_prefix_space."""
    assert transformers.__version__.startswith("4.")


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("make", [tiny_bert, tiny_roberta])
def test_tiny_encoders(make: Any, backend: str, tmp_path: Path) -> None:
    """All layers, with and without weights, in all batch sizes: also of empty and of too long texts."""
    model = make(tmp_path / "model")
    for layer in range(LAYERS + 1):
        for idf in (False, True):
            for size in BATCH_SIZES:
                found = ours(model, layer, HYPOTHESES, REFERENCES, idf=idf, backend=backend, batch_size=size)
                expected = theirs(model, layer, HYPOTHESES, REFERENCES, idf=idf, batch_size=size)
                assert np.abs(found - expected).max() <= LARGEST


@pytest.mark.parametrize("make", [tiny_bert, tiny_roberta])
def test_every_layer_at_once(make: Any, tmp_path: Path) -> None:
    model = make(tmp_path / "model")
    expected = theirs(model, LAYERS, HYPOTHESES, REFERENCES, all_layers=True, batch_size=1)
    for layer in range(LAYERS + 1):
        found = ours(model, layer, HYPOTHESES, REFERENCES)
        full = found.any(
            axis=-1
        )  # their F1 of an empty text is the one of its special pieces if all layers are asked
        assert np.abs(found - expected[layer])[full].max() <= LARGEST


@pytest.mark.parametrize("make", [tiny_bert, tiny_roberta])
def test_several_references_and_a_baseline(make: Any, tmp_path: Path) -> None:
    model = make(tmp_path / "model")
    baseline = tmp_path / "baseline.tsv"
    baseline.write_text(baseline_text())
    references = [list(pair) for pair in zip(REFERENCES, OTHER_REFERENCES, strict=True)]
    for layer in range(LAYERS + 1):
        found = ours(model, layer, HYPOTHESES, references, idf=True, baseline=str(baseline))
        rescaled = {"rescale_with_baseline": True, "baseline_path": str(baseline)}
        expected = theirs(model, layer, HYPOTHESES, references, idf=True, batch_size=1, **rescaled)
        assert np.abs(found - expected).max() <= LARGEST


@pytest.fixture(scope="module")
def real_pairs() -> tuple[list[str], list[str], list[str]]:
    """400 translations of WMT21 with both references; of the last three, one text is empty or too long."""
    first, second = references_of("wmt21.de-en")
    rows = []
    for number, lines in enumerate(systems("wmt21.de-en").values()):
        rows += [(lines[row], first[row], second[row]) for row in range(number, len(lines), 45)]
    rows = rows[:397]
    rows += [("", *rows[0][1:]), (rows[1][0], "", rows[1][2]), (" ".join(first[:60]), *rows[2][1:])]
    hypotheses, one, other = (list(column) for column in zip(*rows, strict=True))
    assert len(hypotheses) == 400
    return hypotheses, one, other


@pytest.fixture(scope="module")
def their_real_values(real_pairs: Any) -> np.ndarray:
    hypotheses, references, _ = real_pairs
    return theirs(find_model("all-MiniLM-L6-v2").path, 4, hypotheses, references, batch_size=64)


@pytest.mark.parametrize("size", BATCH_SIZES)
@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_minilm_on_real_pairs(
    backend: str, size: int, real_pairs: Any, their_real_values: np.ndarray
) -> None:
    hypotheses, references, _ = real_pairs
    found = ours("all-MiniLM-L6-v2", 4, hypotheses, references, backend=backend, batch_size=size)
    assert np.abs(found - their_real_values).max() <= LARGEST


@pytest.mark.parametrize("size", BATCH_SIZES)
def test_their_batch_size_makes_no_difference(
    size: int, real_pairs: Any, their_real_values: np.ndarray
) -> None:
    hypotheses, references, _ = (column[:40] for column in real_pairs)
    expected = theirs(find_model("all-MiniLM-L6-v2").path, 4, hypotheses, references, batch_size=size)
    assert np.abs(their_real_values[:40] - expected).max() <= LARGEST


@pytest.mark.parametrize("idf", [False, True])
def test_minilm_with_several_references(idf: bool, real_pairs: Any) -> None:
    hypotheses, first, second = (column[-30:] for column in real_pairs)
    references = [list(pair) for pair in zip(first, second, strict=True)]
    found = ours("all-MiniLM-L6-v2", 6, hypotheses, references, idf=idf)
    expected = theirs(find_model("all-MiniLM-L6-v2").path, 6, hypotheses, references, idf=idf, batch_size=7)
    assert np.abs(found - expected).max() <= LARGEST
