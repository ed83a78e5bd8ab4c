"""GLEU against NLTK's golden numbers (`../shared/golden`, its README has the versions): every row is compared."""

from __future__ import annotations

import pytest

from material.golden import corpus_rows, needs_golden, read, table
from understudy import GLEU

pytestmark = needs_golden


def test_corpora():
    rows = corpus_rows("nltk-3.10.4", "tok13a", "GLEU")
    for row in rows:
        place = (row["set"], row["system"], row["refs"])
        assert GLEU.preset("nltk").corpus(*read(place, "tok13a")).fraction == pytest.approx(
            float(row["value"]), rel=1e-15
        ), row
        # The program's text was tokenized as 13a does, cased: the default does the same to raw text.
        assert GLEU().corpus(*read(place, "raw")).fraction == pytest.approx(float(row["value"]), rel=1e-15), (
            row
        )
    assert len(rows) == len([row for row in table("corpus_all") if row["metric"].startswith("GLEU")]) == 14


def test_segments():
    rows = [row for row in table("segments_nltk") if row["metric"] == "GLEU"]
    for row in rows:
        place = (row["set"], row["system"], row["refs"])
        ours = GLEU.preset("nltk").segments(*read(place, "tok13a"))[int(row["seg"]) - 1]
        assert ours == pytest.approx(100 * float(row["value"]), rel=1e-15), row
    assert len(rows) == 1424
