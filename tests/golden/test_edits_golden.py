"""WER, PER and CDER against numbers of programs that nobody here wrote (`../shared/golden`, its README has the
versions).

Every row of these metrics is compared, except those of the Moses evaluator with several references: it chooses
by a score cast to a whole number, which is nearly always the first reference. They are 24 corpus rows and 392
segment rows.
"""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

import pytest

from material.golden import GOLDEN, needs_golden
from understudy import CDER, PER, WER, Metric

pytestmark = needs_golden

METRICS: dict[str, Metric] = {
    "WER": WER(tokenize="none"),
    "PER": PER.preset("moses"),
    "CDER": CDER(tokenize="none"),
}
Row = dict[str, str]
texts = pytest.mark.parametrize("text", ["tok13a", "tok13a.lc"])


@texts
@pytest.mark.parametrize(("program", "name"), [("WER.pl", "WER"), ("PER.pl", "PER")])
def test_perl_scripts(program, name, text):
    rows = corpus_rows(program, text, name)
    for row in rows:
        assert METRICS[name].corpus(*read(row)).fraction == pytest.approx(float(row["value"]), rel=1e-9), row
    assert len(rows) == 8


@texts
@pytest.mark.parametrize("name", METRICS)
def test_moses(name, text):
    """Printed as one minus the error rate, in single precision: what is left near 0 has lost digits."""
    rows = [row for row in corpus_rows("moses-evaluator", text, name) if len(row["refs"]) == 1]
    for row in rows:
        ours = METRICS[name].corpus(*read(row)).fraction
        assert 1 - ours == pytest.approx(float(row["value"]), rel=1e-6, abs=1e-7), row
    assert len(rows) == 8


@texts
def test_odashi(text):
    """The mean of the segments' rates, to six decimals. A segment without a word on one side is left out."""
    rows = corpus_rows("odashi-mteval", text, "WER")
    for row in rows:
        pairs = [(h, r) for h, r in zip(*read(row), strict=True) if h and r]
        ours = METRICS["WER"].mean([h for h, _ in pairs], [r for _, r in pairs]).fraction
        assert ours == pytest.approx(float(row["value"]), abs=5.1e-7), row
    assert len(rows) == 8


@pytest.mark.parametrize(
    ("file", "program", "name", "expected"),
    [
        ("wer-per-ol", "WER.pl", "WER", 712),
        ("wer-per-ol", "PER.pl", "PER", 712),
        ("moses-mert", "moses-evaluator", "WER", 392),
        ("moses-mert", "moses-evaluator", "PER", 392),
    ],
)
def test_segments(file, program, name, expected):
    rows = [
        row
        for row in table(f"segments_{file}")
        if (row["program"], row["metric"], row["refs"]) == (program, name, "A")
    ]
    for row in rows:
        ours = (
            segment_scores(name, row["set"], row["system"], row["refs"], row["options"])[int(row["seg"]) - 1]
            / 100
        )
        theirs = float(row["value"])
        if program == "moses-evaluator":
            assert 1 - ours == pytest.approx(theirs, rel=1e-6, abs=1e-7), row
        else:
            assert ours == pytest.approx(theirs, rel=1e-9), row
    assert len(rows) == expected


def test_every_row_is_compared_or_explained():
    rows = [row for row in table("corpus_all") if row["metric"] in METRICS]
    several = [row for row in rows if len(row["refs"]) > 1]
    assert {row["program"] for row in several} == {"moses-evaluator"}
    assert len(several) == 24
    assert len(rows) - len(several) == 2 * 8 * (2 + 3 + 1)


# --------------------------------------------------------------------------------------------------------------


@cache
def segment_scores(name: str, corpus: str, system: str, refs: str, text: str) -> list[float]:
    place = {"set": corpus, "system": system, "refs": refs, "options": text}
    return METRICS[name].segments(*read(place)).tolist()


def corpus_rows(program: str, options: str, name: str) -> list[Row]:
    wanted = (program, options, name)
    return [row for row in table("corpus_all") if (row["program"], row["options"], row["metric"]) == wanted]


def read(row: Row) -> tuple[list[str], list[str]]:
    folder = GOLDEN / "inputs" / row["set"] / row["options"]
    return lines(folder / f"sys-{row['system']}.en"), lines(folder / f"ref{row['refs']}.en")


@cache
def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@cache
def table(name: str) -> list[Row]:
    with gzip.open(GOLDEN / "numbers" / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
