"""COMET and BLEURT, compared with unbabel-comet and bleurt-pytorch on real pairs, in small models with random weights.

These packages need transformers 4, so they run in an environment of their own: make comet. Ours run here, with
transformers 5, and there.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
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
from material.learned_texts import Columns, real_texts
from material.no_network import no_network  # noqa: F401
from material.own_environments import ROOT, assert_all_pass, needs_environment
from material.tiny_comet import WITH_SPANS
from material.wmt import needs_data
from reference.metricx import metricx_scores

PLAIN = ("regression/src+ref", "referenceless/src", "unified/src+ref", "kiwi/src", "xcomet-base/src+ref")
pytestmark = pytest.mark.xdist_group("learned")  # the other programs run once

# All cases in batches of 64, with padding as on a GPU; one of each class also in others.
COMET_BATCHES = [(case, 64) for case in COMET] + [(case, size) for case in PLAIN for size in (1, 7)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@functools.cache
def texts() -> Columns:
    return real_texts()


@functools.cache
def scores_of(program: str, folder: Path) -> dict[str, Any]:
    """What the program in the other environment says."""
    given, found = folder / "texts.json", folder / f"{program}.json"
    given.write_text(json.dumps(texts()), encoding="utf-8")
    python = ROOT / "build" / "comet" / "bin" / "python"
    command = [
        str(python),
        "-W",
        "ignore",
        f"{ROOT}/tests/parity/{program}_oracle.py",
        str(given),
        str(found),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(found.read_text(encoding="utf-8")))


@needs_data
@needs_environment("comet")
@pytest.mark.parametrize(("case", "batch_size"), COMET_BATCHES)
def test_comet_on_real_pairs(case: str, batch_size: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)  # MiniLM's tokenizer is found by the name xlm-roberta-base
    expected = scores_of("comet", home)[case]
    if batch_size > 1:
        compute_in_batches(monkeypatch)
    compare = assert_same_spans if case.partition("/")[0] in WITH_SPANS else assert_same_scores
    compare(comet_engine(home, case), expected, texts(), batch_size)


@needs_data
@needs_environment("comet")
@pytest.mark.parametrize("batch_size", [1, 7, 64])
@pytest.mark.parametrize("case", BLEURT)
def test_bleurt_on_real_pairs(
    case: str, batch_size: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if batch_size > 1:
        compute_in_batches(monkeypatch)
    assert_same_scores(bleurt_engine(home, case), scores_of("bleurt", home)[case], texts(), batch_size)


@needs_data
@needs_environment("comet")
@pytest.mark.parametrize("mode", METRICX)
def test_metricx_on_real_pairs(mode: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = metricx_engine(home, mode)
    expected = {"scores": metricx_scores(engine.found.path, mode, texts())}
    assert_same_scores(engine, expected, texts(), 1)
    compute_in_batches(monkeypatch)
    for batch_size in (7, 64):
        assert_same_scores(engine, expected, texts(), batch_size)


@needs_environment("comet")
def test_the_same_with_transformers_4() -> None:
    assert_all_pass("comet", "tests/golden/test_learned_golden.py", 39)
