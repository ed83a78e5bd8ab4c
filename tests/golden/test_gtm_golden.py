"""GTM against numbers of GTM 1.4, the authors' program (`../shared/golden`, its README has the version).

Every row is compared: 4 exponents, with case and without, one to four references. The program prints F only.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from material.golden import Place, needs_golden, read, table
from understudy import GTM, Score

pytestmark = needs_golden

Row = dict[str, str]


def test_corpora():
    rows = [row for row in table("corpus_all") if row["program"] == "GTM-1.4"]
    for row in rows:
        assert scored(place(row), row["options"]).fraction == pytest.approx(float(row["value"]), rel=1e-12), (
            row
        )
    assert len(rows) == 112
    assert {row["options"] for row in rows} == {
        f"{text},e={exponent}"
        for text in ("tok13a", "tok13a.lc")
        for exponent in ("1.0", "1.5", "2.0", "3.0")
    }
    assert {row["refs"] for row in rows} == {"A", "B", "AB", "ABCD"}


def test_segments():
    rows = table("segments_gtm")
    for row in rows:
        ours = segment_scores(place(row), row["options"])[int(row["seg"]) - 1] / 100
        assert ours == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row
    assert len(rows) == 2848


# ----------------------------------------------------------------------------------------------------------------


def place(row: Row) -> Place:
    return row["set"], row["system"], row["refs"]


def run(options: str) -> tuple[str, GTM]:
    text, _, exponent = options.partition(",e=")
    return text, GTM.preset("gtm-1.4", exponent=float(exponent))


@cache
def scored(where: Place, options: str) -> Score:
    text, metric = run(options)
    return metric.corpus(*read(where, text))


@cache
def segment_scores(where: Place, options: str) -> np.ndarray:
    text, metric = run(options)
    return metric.segments(*read(where, text))
