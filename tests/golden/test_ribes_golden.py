"""RIBES against numbers of programs that nobody here wrote (`../shared/golden`, its README has the versions): every
row of RIBES.py, of NLTK and of odashi's mteval is compared.
"""

from __future__ import annotations

from functools import cache

import pytest

from material.golden import Place, corpus_rows, needs_golden, read, table
from understudy import RIBES

pytestmark = needs_golden

Row = dict[str, str]

RIBES_PY = {"tok13a,lc": RIBES.preset("ribes.py"), "tok13a,cased": RIBES(tokenize="none")}


def place(row: Row) -> Place:
    return row["set"], row["system"], row["refs"]


@cache
def scores(where: Place, metric: RIBES) -> list[float]:
    return metric.segments(*read(where, "tok13a")).tolist()


@pytest.mark.parametrize("options", RIBES_PY)
def test_ribes_py(options):
    rows = corpus_rows("RIBES-1.03.1", options, "RIBES")
    for row in rows:
        ours = RIBES_PY[options].corpus(*read(place(row), "tok13a")).fraction
        assert ours == pytest.approx(float(row["value"]), rel=1e-13), row
    assert len(rows) == 14


def test_segments_of_ribes_py():
    rows = table("segments_ribes")
    for row in rows:
        ours = scores(place(row), RIBES_PY[row["options"]])[int(row["seg"]) - 1]
        assert ours == pytest.approx(100 * float(row["value"]), rel=1e-13, abs=1e-13), row
    assert len(rows) == 1424


def test_the_default_reads_raw_text():
    for row in corpus_rows("RIBES-1.03.1", "tok13a,cased", "RIBES"):
        assert RIBES().corpus(*read(place(row), "raw")).fraction == pytest.approx(
            float(row["value"]), rel=1e-13
        )


def test_nltk():
    rows = corpus_rows("nltk-3.10.4", "tok13a", "RIBES")
    for row in rows:
        ours = RIBES.preset("nltk").corpus(*read(place(row), "tok13a")).fraction
        assert ours == pytest.approx(float(row["value"]), rel=1e-13), row
    assert len(rows) == 14
    segments = [row for row in table("segments_nltk") if row["metric"] == "RIBES"]
    for row in segments:
        ours = scores(place(row), RIBES.preset("nltk"))[int(row["seg"]) - 1]
        assert ours == pytest.approx(100 * float(row["value"]), rel=1e-13, abs=1e-13), row
    assert len(segments) == 1424


@pytest.mark.parametrize("text", ["tok13a", "tok13a.lc"])
def test_odashi(text):
    """To six decimals."""
    rows = corpus_rows("odashi-mteval", text, "RIBES")
    for row in rows:
        ours = RIBES(tokenize="none").corpus(*read(place(row), text)).fraction
        assert ours == pytest.approx(float(row["value"]), abs=5.1e-7), row
    assert len(rows) == 8


def test_every_row_is_compared():
    assert (
        len([row for row in table("corpus_all") if row["metric"].startswith("RIBES")]) == 2 * 14 + 14 + 2 * 8
    )
