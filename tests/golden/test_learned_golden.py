"""COMET, BLEURT and MetricX on small models with random weights, compared with stored scores of other programs.

tools/learned_golden.py has written them. MetricX has no package: its oracle is tests/reference/metricx.py.
"""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from material.learned_scores import (
    BLEURT,
    COMET,
    METRICX,
    assert_same_scores,
    assert_same_spans,
    bleurt_engine,
    comet_engine,
    compute_in_batches,
    metricx_engine,
)
from material.learned_texts import example_texts
from material.no_network import no_network  # noqa: F401
from material.optional import needs_packages
from material.tiny_comet import WITH_SPANS
from reference.metricx import metricx_scores

pytestmark = needs_packages("torch", "transformers", "tokenizers", "sentencepiece", "yaml")

BATCH_SIZES = dict(zip(COMET, itertools.cycle((1, 7, 64)), strict=False))


@functools.cache
def golden(program: str) -> dict[str, Any]:
    found = json.loads(Path(__file__).with_name("learned.json").read_text(encoding="utf-8"))
    return dict(found[program]["scores"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.mark.parametrize("case", COMET)
def test_comet(case: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)  # MiniLM's tokenizer is found by the name xlm-roberta-base
    if BATCH_SIZES[case] > 1:
        compute_in_batches(monkeypatch)
    assert_same_scores(comet_engine(home, case), golden("comet")[case], example_texts(), BATCH_SIZES[case])


@pytest.mark.parametrize("case", [case for case in COMET if case.partition("/")[0] in WITH_SPANS])
def test_error_spans(case: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same_spans(comet_engine(home, case), golden("comet")[case], example_texts(), 16)
    compute_in_batches(monkeypatch)
    assert_same_spans(comet_engine(home, case), golden("comet")[case], example_texts(), 16)


@pytest.mark.parametrize("case", BLEURT)
def test_bleurt(case: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same_scores(bleurt_engine(home, case), golden("bleurt")[case], example_texts(), 7)
    compute_in_batches(monkeypatch)
    assert_same_scores(bleurt_engine(home, case), golden("bleurt")[case], example_texts(), 7)


@pytest.mark.parametrize("mode", METRICX)
def test_metricx(mode: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = metricx_engine(home, mode)
    expected = metricx_scores(engine.found.path, mode, example_texts())
    assert_same_scores(engine, {"scores": expected}, example_texts(), 7)
    compute_in_batches(monkeypatch)
    assert_same_scores(engine, {"scores": expected}, example_texts(), 7)


def test_everything_stored_is_compared() -> None:
    assert set(golden("comet")) == set(COMET)
    assert set(golden("bleurt")) == set(BLEURT)
