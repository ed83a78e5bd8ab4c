"""Our scores of the small models, in the form in which the oracles of tests/parity write theirs."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material import tiny_bleurt, tiny_comet, tiny_metricx
from material.learned_texts import Columns
from material.with_torch import torch_or_skip
from understudy.errors import ModelWarning
from understudy.neural import torch_backend
from understudy.neural.bleurt import BleurtEngine
from understudy.neural.comet.engine import CometEngine
from understudy.neural.metricx import MetricXEngine
from understudy.neural.model_files import find_model
from understudy.neural.pairs import Pair, SegmentModel

TOLERANCE = 1e-5

_INPUTS = {"src+ref": "all", "src": "source", "ref": "reference"}

COMET = [f"{name}/{use}" for name, case in tiny_comet.CASES.items() for use in case.uses]
BLEURT = list(tiny_bleurt.CASES)
METRICX = ["23", "23-qe", "24", "24-qe"]


@functools.cache
def comet_engine(home: Path, case: str) -> CometEngine:
    name, _, use = case.partition("/")
    folder = home / name if (home / name).exists() else tiny_comet.write_comet(home, name)
    return CometEngine(find_model(str(folder)), _INPUTS[use])


@functools.cache
def bleurt_engine(home: Path, case: str) -> BleurtEngine:
    return BleurtEngine(find_model(str(tiny_bleurt.write_bleurt(home, case))))


@functools.cache
def metricx_engine(home: Path, mode: str) -> MetricXEngine:
    folder = home / "metricx-24-hybrid-tiny"
    return MetricXEngine(
        find_model(str(folder if folder.exists() else tiny_metricx.write_metricx(home))), mode
    )


def pairs_of(columns: Columns) -> list[Pair]:
    return [Pair(*row) for row in zip(columns["mt"], columns["ref"], columns["src"], strict=True)]


def assert_same_scores(
    engine: SegmentModel, expected: Mapping[str, Any], columns: Columns, batch_size: int
) -> None:
    """Within the tolerance everywhere; and not all the same, so that something was compared."""
    torch_or_skip()  # on one thread
    scores = np.array(expected["scores"])
    with truncation_expected():
        found = engine.score(pairs_of(columns), batch_size=batch_size)
    assert found.shape == (len(scores), 1)
    assert np.std(scores) > 100 * TOLERANCE
    np.testing.assert_allclose(found[:, 0], scores, rtol=0, atol=TOLERANCE)


def assert_same_spans(
    engine: CometEngine, expected: Mapping[str, Any], columns: Columns, batch_size: int
) -> None:
    with truncation_expected():
        scores, spans = engine.scores_and_spans(pairs_of(columns), batch_size=batch_size)
    np.testing.assert_allclose(scores, expected["scores"], rtol=0, atol=TOLERANCE)
    assert sum(map(len, expected["spans"])) > 20
    for found, theirs in zip(spans, expected["spans"], strict=True):
        assert [(span.start, span.end, span.severity) for span in found] == [
            tuple(span[:3]) for span in theirs
        ]
        np.testing.assert_allclose(
            [span.confidence for span in found], [span[3] for span in theirs], atol=1e-4
        )


def compute_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a GPU does: several texts at a time, with padding."""
    monkeypatch.setattr(torch_backend, "_alone", lambda _: False)


@contextlib.contextmanager
def truncation_expected() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*truncated", ModelWarning)
        yield
