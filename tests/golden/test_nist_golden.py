"""NIST against numbers of programs that nobody here wrote (`../shared/golden`, its README has the versions).

Every NIST row of the files is either compared or listed here with the reason why it is not; the number of rows
compared is asserted, so that none can drop out silently. Left out are:

- mteval `intl-split-nonascii` (option -e: every non-ASCII character is a token): no tokenizer here does that.
  308 corpus rows.
- NLTK with more than one reference: it scores each reference by itself and keeps the best, order by order, which
  is another metric. 6 corpus and 712 segment rows.
- NLTK where NLTK itself raises (`ERR` values: segments of fewer than 5 words). 45 segment rows.
- odashi's mteval: its NIST follows no published definition (7.2040 against 7.2085). 16 corpus rows.
"""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from understudy import NIST, Score

GOLDEN = Path(__file__).parents[3] / "shared" / "golden"

pytestmark = pytest.mark.skipif(
    not (GOLDEN / "numbers" / "corpus_all.tsv.gz").is_file(),
    reason="reads ../shared/golden, which holds WMT text and is not part of the repository",
)

Row = dict[str, str]


def mteval(**changes: Any) -> NIST:
    return NIST.preset("mteval-v13a", **changes)


# Options that are about BLEU only change nothing here.
MTEVAL_RUNS = {
    "default": mteval(),
    "cased": mteval(lowercase=False),
    "intl": mteval(lowercase=True, tokenize="intl"),
    "intl-cased": mteval(lowercase=False, tokenize="intl"),
    "shortest-cased": mteval(lowercase=False),
    "nosmooth-cased": mteval(lowercase=False),
}


@pytest.mark.parametrize("program", ["mteval-v13a", "mteval-v14"])
@pytest.mark.parametrize("options", MTEVAL_RUNS)
def test_mteval(program, options):
    rows = corpus_rows(program, options)
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


def test_nltk():
    rows = [row for row in corpus_rows("nltk-3.10.4", "tok13a") if len(row["refs"]) == 1]
    for row in rows:
        ours = scored(row, NIST.preset("nltk"), "tok13a").value
        assert ours == pytest.approx(float(row["value"]), rel=1e-12), row
    assert len(rows) == 14 - 6


def test_segments_of_nltk():
    """Their information comes from the reference of that segment alone."""
    compared = 0
    for row in segment_rows("nltk", "tok13a"):
        if len(row["refs"]) > 1 or row["value"].startswith("ERR"):
            continue
        hypotheses, references = read(row, "tok13a")
        segment = int(row["seg"]) - 1
        ours = NIST.preset("nltk").corpus([hypotheses[segment]], [references[segment]]).value
        assert ours == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12), row
        compared += 1
    assert compared == 712 - 45


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
    assert len(corpora) == 2 * 6 * 14 * 11 + 2 * 14 * 11 + 14 + 16
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
    return _scored(row["set"], row["system"], row["refs"], metric, text)


def scored_segments(row: Row, metric: NIST) -> Any:
    return _scored_segments(row["set"], row["system"], row["refs"], metric)


@cache
def _scored(corpus: str, system: str, refs: str, metric: NIST, text: str) -> Score:
    return metric.corpus(*_read(corpus, system, refs, text, metric.tokenize == "intl"))


@cache
def _scored_segments(corpus: str, system: str, refs: str, metric: NIST) -> Any:
    return metric.segments(*_read(corpus, system, refs, "raw", metric.tokenize == "intl"))


def read(row: Row, text: str) -> tuple[list[str], list[list[str]]]:
    return _read(row["set"], row["system"], row["refs"], text, unescape=False)


@cache
def _read(
    corpus: str, system: str, refs: str, text: str, unescape: bool
) -> tuple[list[str], list[list[str]]]:
    """The hypotheses, and each segment's references in the order of the letters of `refs`."""
    folder = GOLDEN / "inputs" / corpus / ("" if text == "raw" else text)

    def lines(path: Path) -> list[str]:
        found = path.read_text(encoding="utf-8").split("\n")[:-1]
        return [unescaped(line) for line in found] if unescape else found

    columns = [lines(next(folder.glob(f"ref{letter}*.en"))) for letter in refs]
    return lines(folder / f"sys-{system}.en"), [list(group) for group in zip(*columns, strict=True)]


def unescaped(text: str) -> str:
    """What mteval does to a text before its intl tokenization, and `tokenize="intl"` does not."""
    text = text.replace("<skipped>", "")
    for entity, character in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">"), ("apos", "'")):
        text = text.replace(f"&{entity};", character)
    return text


@cache
def table(name: str) -> list[Row]:
    with gzip.open(GOLDEN / "numbers" / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def corpus_rows(program: str, options: str) -> list[Row]:
    return [
        row
        for row in table("corpus_all")
        if (row["program"], row["options"]) == (program, options) and row["metric"].startswith("NIST")
    ]


def segment_rows(file: str, options: str) -> list[Row]:
    return [
        row
        for row in table(f"segments_{file}")
        if row["options"] == options and row["metric"].startswith("NIST")
    ]
