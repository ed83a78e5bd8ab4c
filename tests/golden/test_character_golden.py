"""CharacTER against numbers of CharacTER.py, the authors' program (`../shared/golden`, its README has the version).

Every row is compared. The program's corpus score is the mean of its segments' rates.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from material.golden import Place, needs_golden, read, table
from understudy import CharacTER

pytestmark = needs_golden

METRIC = CharacTER.preset("character.py")


@pytest.mark.parametrize("text", ["tok13a", "raw"])
def test_corpora(text):
    rows = [row for row in table("corpus_all") if (row["program"], row["options"]) == ("CharacTER.py", text)]
    for row in rows:
        place = row["set"], row["system"], row["refs"]
        ours = METRIC.corpus(*read(place, text)).fraction
        assert ours == pytest.approx(float(row["value"]), rel=1e-12), row
        assert METRIC.mean(*read(place, text)).fraction == pytest.approx(ours, rel=1e-12)
    assert len(rows) == 8


def test_segments():
    rows = [row for row in table("segments_rwth") if row["program"] == "CharacTER.py"]
    for row in rows:
        ours = (
            segment_scores((row["set"], row["system"], row["refs"]), row["options"])[int(row["seg"]) - 1]
            / 100
        )
        assert ours == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row
    assert len(rows) == 712


@cache
def segment_scores(place: Place, text: str) -> np.ndarray:
    return METRIC.segments(*read(place, text))
