"""Tracks of made-up runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from material.tracks import noisy, reference, ticking
from understudy import Track

REFERENCE = reference()


@pytest.fixture
def track(tmp_path: Path) -> Track:
    """An empty track, with a clock of its own."""
    return Track(tmp_path / "track.sqlite", now=ticking())


@pytest.fixture
def three_runs(track: Track) -> Track:
    """Two that are alike, and a better one."""
    for number, errors in enumerate((0.4, 0.4, 0.1), start=1):
        track.add(
            f"run-{number}",
            noisy(REFERENCE, errors, seed=number),
            REFERENCE,
            ["bleu", "ter"],
            note=f"note {number}",
            test_set="made-up",
        )
    return track
