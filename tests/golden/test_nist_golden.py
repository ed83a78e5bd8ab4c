"""NIST against numbers of programs that nobody here wrote (`../shared/golden`, its README has the versions).

Every NIST row of the files is either compared or listed here with the reason why it is not; the number of rows
compared is asserted, so that none can drop out silently. Left out are:

- NLTK where NLTK itself raises (`ERR` values: segments of fewer than 5 words).
- NLTK under Python 3.12 and later, whose sum() compensates rounding: ties between references are then broken otherwise.
  The files have the digits of Python 3.11. `tests/parity` compares with the NLTK that is installed.
- odashi's mteval: its NIST follows no published definition (7.2040 against 7.2085). 16 corpus rows.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import pytest

from material.golden import Place, corpus_rows, needs_golden, read, table
from understudy import NIST, Score

pytestmark = needs_golden

Row = dict[str, str]

under_python_3_11 = pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="the numbers are NLTK's under Python 3.11; since 3.12 sum() compensates rounding",
)


def mteval(**changes: Any) -> NIST:
    return NIST.preset("mteval-v13a", **changes)


def international(**changes: Any) -> NIST:
    return NIST.preset("mteval-v14-intl", **changes)


# Options that are about BLEU only change nothing here.
MTEVAL_RUNS = {
    "default": mteval(),
    "cased": mteval(lowercase=False),
    "intl": international(),
    "intl-cased": international(lowercase=False),
    "intl-split-nonascii": international(tokenize="intl-mteval-split"),
    "shortest-cased": mteval(lowercase=False),
    "nosmooth-cased": mteval(lowercase=False),
}


@pytest.mark.parametrize("program", ["mteval-v13a", "mteval-v14"])
@pytest.mark.parametrize("options", MTEVAL_RUNS)
def test_mteval(program, options):
    rows = corpus_rows(program, options, "NIST")
    for row in rows:
        ours = quantity(row["metric"], scored(row, MTEVAL_RUNS[options]))
        assert ours == pytest.approx(float(row["value"]), rel=1e-12), row
    assert len(rows) == 14 * 11


@pytest.mark.parametrize("options", ["default", "cased", "intl-cased"])
def test_segments_of_mteval(options):
    """Their information comes from the references of the whole set."""
    rows = segment_rows("mteval", options)
    for row in rows:
        ours = scored_segments(row, MTEVAL_RUNS[options])[int(row["seg"]) - 1]
        assert ours == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row
    assert len(rows) == 1424


@under_python_3_11
def test_nltk():
    rows = corpus_rows("nltk-3.10.4", "tok13a", "NIST")
    for row in rows:
        ours = scored(row, NIST.preset("nltk"), "tok13a").value
        assert ours == pytest.approx(float(row["value"]), rel=1e-12), row
    assert len(rows) == 14


@under_python_3_11
def test_segments_of_nltk():
    """Their information comes from the references of that segment alone."""
    compared = 0
    for row in segment_rows("nltk", "tok13a"):
        if row["value"].startswith("ERR"):
            continue
        hypotheses, references = read(place(row), "tok13a")
        segment = int(row["seg"]) - 1
        ours = NIST.preset("nltk").corpus([hypotheses[segment]], [references[segment]]).value
        assert ours == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row
        compared += 1
    assert compared == 1424 - 90


def test_the_zero_of_perl_matters():
    """Without the slip the score of one segment differs by more than 4 bits, and the rest agrees."""
    rows = [row for row in segment_rows("mteval", "cased") if row["set"] == "edge"]
    right, slipped = NIST(), MTEVAL_RUNS["cased"]
    differences = [
        abs(
            scored_segments(row, slipped)[int(row["seg"]) - 1]
            - scored_segments(row, right)[int(row["seg"]) - 1]
        )
        for row in rows
    ]
    assert max(differences) == pytest.approx(4.25, abs=0.005)


def test_every_nist_row_is_compared_or_explained():
    corpora = [row for row in table("corpus_all") if row["metric"].startswith("NIST")]
    assert len(corpora) == 2 * 7 * 14 * 11 + 14 + 16
    segments = [row for file in ("mteval", "nltk") for row in table(f"segments_{file}")]
    assert len([row for row in segments if row["metric"].startswith("NIST")]) == 3 * 1424 + 1424


# --- the comparison -----------------------------------------------------------------------------------------


def quantity(name: str, score: Score) -> float:
    """A number by the name mteval gives it."""
    if name == "NIST":
        return score.value
    order = int(name[-1])
    block = {"NIST-ind-": "individual", "NIST-cum-": "cumulative"}[name[:-1]]
    return float(score.detail[block][order - 1])


def scored(row: Row, metric: NIST, text: str = "raw") -> Score:
    return _scored(place(row), metric, text)


def scored_segments(row: Row, metric: NIST) -> Any:
    return _scored_segments(place(row), metric)


def place(row: Row) -> Place:
    return row["set"], row["system"], row["refs"]


@cache
def _scored(where: Place, metric: NIST, text: str) -> Score:
    return metric.corpus(*read(where, text))


@cache
def _scored_segments(where: Place, metric: NIST) -> Any:
    return metric.segments(*read(where, "raw"))


def segment_rows(file: str, options: str) -> list[Row]:
    return [
        row
        for row in table(f"segments_{file}")
        if row["options"] == options and row["metric"].startswith("NIST")
    ]
