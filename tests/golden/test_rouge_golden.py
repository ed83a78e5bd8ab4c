"""ROUGE against numbers of programs that nobody here wrote (`../shared/golden`, its README has the versions).

Every row of rouge-score is compared, and of ROUGE-1.5.5 all without stems. Left out is ROUGE-1.5.5 with stems (`-m`):
its stemmer is another, and knows exceptions from WordNet. 14 x 21 corpus rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from material.golden import Place, corpus_rows, needs_golden, read, table
from understudy import ROUGE

pytestmark = needs_golden

Row = dict[str, str]
MEASURES = {"F": "f1", "P": "precision", "R": "recall"}


def place(row: Row) -> Place:
    return row["set"], row["system"], row["refs"]


def kind_and_measure(name: str) -> tuple[str, str]:
    """Of rouge2-P-mean, ROUGE-L-F or ROUGE-1-R-mean(of 5-decimal segment scores)."""
    found = re.match(r"rouge-?([\w*]+)(-1\.2)?-([FPR])", name, flags=re.IGNORECASE)
    assert found is not None
    return found[1], MEASURES[found[3]]


def program(kind: str) -> ROUGE:
    """ROUGE-1.5.5 by the name it gives a kind, such as SU4."""
    name, skip = re.match(r"(SU|\w+)([*]|\d+)?$", kind).groups() if kind.startswith("SU") else (kind, None)
    return ROUGE.preset("rouge-1.5.5", kind=name, max_skip=-1 if skip in (None, "*") else int(skip))


@cache
def detail(where: Place, rouge: ROUGE, text: str = "raw") -> Mapping[str, float]:
    return rouge.corpus(*read(where, text)).detail


@cache
def scores(where: Place, rouge: ROUGE, text: str = "raw") -> list[float]:
    return rouge.segments(*read(where, text)).tolist()


@pytest.mark.parametrize("options", ["stem", "nostem"])
def test_rouge_score(options):
    rows = corpus_rows("rouge-score-0.1.2", options, "rouge")
    for row in rows:
        kind, measure = kind_and_measure(row["metric"])
        ours = detail(place(row), ROUGE(kind=kind, use_stemmer=options == "stem"))[measure]
        assert ours == pytest.approx(100 * float(row["value"]), rel=1e-13), row
    assert len(rows) == 14 * 18


def test_segments_of_rouge_score():
    rows = [row for row in table("segments_rouge") if row["program"] == "rouge-score-0.1.2"]
    for row in rows:
        kind, measure = kind_and_measure(row["metric"])
        ours = scores(place(row), ROUGE(kind=kind, measure=measure, use_stemmer=True))[int(row["seg"]) - 1]
        assert ours == pytest.approx(100 * float(row["value"]), rel=1e-15), row
    assert len(rows) == 3 * 1424


@pytest.mark.parametrize("options", ["n4,S*U", "n4,W1.2,S4U"])
def test_rouge_155(options):
    """Means of scores with five decimals, so to half of the fifth. Several references are pooled."""
    rows = corpus_rows("ROUGE-1.5.5", options, "ROUGE")
    for row in rows:
        kind, measure = kind_and_measure(row["metric"])
        ours = detail(place(row), program(kind), "tok13a")[measure]
        assert ours == pytest.approx(100 * float(row["value"]), abs=5e-4), row
    assert len(rows) == 14 * 21


def test_segments_of_rouge_155():
    """It makes F1 of precision and recall as it prints them, rounded to five decimals."""
    rows = [row for row in table("segments_rouge") if row["program"] == "ROUGE-1.5.5"]
    for row in rows:
        kind, _ = kind_and_measure(row["metric"])
        precision, recall = (
            round(
                scores(place(row), replace(program(kind), measure=measure), "tok13a")[int(row["seg"]) - 1]
                / 100,
                5,
            )
            for measure in ("precision", "recall")
        )
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        assert f1 == pytest.approx(float(row["value"]), abs=5.1e-6), row
    assert len(rows) == 5 * 1424


def test_every_row_is_compared_or_explained():
    corpora = [row for row in table("corpus_all") if row["metric"].lower().startswith("rouge")]
    assert len(corpora) == 2 * 14 * 18 + 2 * 14 * 15 + 14 * 21 + 2 * 14 * 6
    assert len(table("segments_rouge")) == (3 + 3 + 2) * 1424
