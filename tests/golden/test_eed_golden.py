"""EED against numbers of EED.py, the authors' program (`../shared/golden`, its README has the version).

Every row is compared. The program counts in single precision, and so does `eed`: every digit agrees. Its corpus score
is the mean of its segments'.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from material.golden import Place, needs_golden, read, table
from understudy import EED

pytestmark = needs_golden


def test_corpora():
    rows = [row for row in table("corpus_all") if row["program"] == "EED.py"]
    for row in rows:
        place = row["set"], row["system"], row["refs"]
        assert EED().corpus(*read(place, "raw")).fraction == pytest.approx(float(row["value"]), rel=1e-12), (
            row
        )
    assert len(rows) == 8


def test_segments():
    rows = [row for row in table("segments_rwth") if row["program"] == "EED.py"]
    for row in rows:
        ours = segment_scores((row["set"], row["system"], row["refs"]))[int(row["seg"]) - 1] / 100
        assert ours == pytest.approx(float(row["value"]), rel=1e-14), row
    assert len(rows) == 712


def test_the_slip_of_the_program_shows():
    """What the paper describes differs by up to some points of a segment."""
    place = ("edge", "X", "A")
    difference = np.abs(EED.preset("paper").segments(*read(place, "raw")) - segment_scores(place))
    assert difference.max() > 0.1


@cache
def segment_scores(place: Place) -> np.ndarray:
    return EED().segments(*read(place, "raw"))
