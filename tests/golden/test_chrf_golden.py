"""chrF against numbers of programs that nobody here wrote (`../shared/golden`, its README has the versions).

Every chrF row of the files is compared: sacreBLEU's exactly, chrF++.py's and NLTK's as doubles. NLTK's corpus
score is the mean of its segments' scores.

Where chrF++.py does something that is not a choice here, the test does it to the input or to the counts: it leaves
white space other than the space in its characters (not in its words), and a segment without any match, empty or
not, counts as the one before it once more.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from material.golden import Place, corpus_rows, needs_golden, read, table
from understudy import CHRF, Statistics
from understudy.corpus.columns import as_references
from understudy.metrics.base.best_reference import of_best_reference

pytestmark = needs_golden

SACREBLEU_RUNS = {
    "chrf-6-0-2": CHRF(),
    "chrf-6-1-2": CHRF(word_order=1),
    "chrfpp-6-2-2": CHRF(word_order=2),
    "chrf-b3": CHRF(beta=3),
    "chrfpp-b3": CHRF(word_order=2, beta=3),
    "chrf-lc": CHRF(lowercase=True),
    "chrf-whitespace": CHRF(whitespace=True),
    "chrf-eps": CHRF(average="eps"),
}
AUTHORS_RUNS = {
    "nc6,nw0,b2": CHRF(average="eps"),
    "nc6,nw0,b3": CHRF(average="eps", beta=3),
    "nc6,nw1,b2": CHRF(average="eps", word_order=1),
    "nc6,nw2,b2": CHRF.preset("chrf++.py"),
}
NLTK = CHRF(average="eps", beta=3)


def place_of(row: dict[str, str]) -> Place:
    return row["set"], row["system"], row["refs"]


def close(value: str) -> object:
    return pytest.approx(float(value), rel=1e-9, abs=1e-12)


# --- corpora ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", SACREBLEU_RUNS)
def test_sacrebleu(options):
    rows = corpus_rows("sacrebleu-2.6.0", options)
    for row in rows:
        assert SACREBLEU_RUNS[options].corpus(*read(place_of(row), "raw")).value == float(row["value"]), row
    assert len(rows) == 14


@pytest.mark.parametrize("options", AUTHORS_RUNS)
def test_authors_program(options):
    metric = AUTHORS_RUNS[options]
    rows = corpus_rows("chrF++.py", options)
    for row in rows:
        counted = counts_of_authors_program(metric, place_of(row))
        if row["metric"] == "avgF":
            score = metric.mean_score(counted)
        else:
            score = metric.corpus_score(with_zeros_as_before(counted))
        assert score.value == close(row["value"]), row
    assert len(rows) == 14 * 2


def test_nltk():
    rows = corpus_rows("nltk-3.10.4", "raw,1-6,b3")
    for row in rows:
        assert NLTK.mean(*read(place_of(row), "raw")).fraction == close(row["value"]), row
    assert len(rows) == 8


def test_every_chrf_row_of_a_corpus_is_compared():
    rows = [
        row
        for row in table("corpus_all")
        if "chrf" in (row["program"] + row["options"] + row["metric"]).lower()
    ]
    assert len(rows) == 14 * 8 + 14 * 2 * 4 + 8


# --- segments -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["chrf-6-0-2", "chrfpp-6-2-2"])
def test_segments_of_sacrebleu(options):
    rows = segment_rows("sacrebleu", options)
    for row in rows:
        assert segments(SACREBLEU_RUNS[options], place_of(row))[int(row["seg"]) - 1] == float(row["value"]), (
            row
        )
    assert len(rows) == 1424


@pytest.mark.parametrize("options", ["nc6,nw0,b2", "nc6,nw2,b2"])
def test_segments_of_authors_program(options):
    metric = AUTHORS_RUNS[options]
    rows = segment_rows("chrFpp", options)
    for row in rows:
        scores = metric.segment_scores(counts_of_authors_program(metric, place_of(row)))
        assert scores[int(row["seg"]) - 1] == close(row["value"]), row
    assert len(rows) == 1424


def test_segments_of_nltk():
    rows = segment_rows("nltk", "raw,1-6,b3")
    for row in rows:
        assert segments(NLTK, place_of(row))[int(row["seg"]) - 1] / 100 == close(row["value"]), row
    assert len(rows) == 712


def segment_rows(file: str, options: str) -> list[dict[str, str]]:
    return [row for row in table(f"segments_{file}") if (row["options"], row["metric"]) == (options, "chrF")]


@cache
def segments(metric: CHRF, place: Place) -> list[float]:
    return metric.segments(*read(place, "raw")).tolist()


# --- what chrF++.py does ------------------------------------------------------------------------------------


@cache
def counts_of_authors_program(metric: CHRF, place: Place) -> Statistics:
    """The counts of characters of a text that keeps all but the spaces, and of words of the text as it is."""
    hypotheses, references = read(place, "raw")
    columns = list(zip(*references, strict=True))

    def rows(part: CHRF, prepare: bool) -> np.ndarray:
        return np.array(
            [
                part.statistics(
                    [with_odd_spaces(line) if prepare else line for line in hypotheses],
                    [with_odd_spaces(line) if prepare else line for line in column],
                ).array
                for column in columns
            ]
        )

    characters = rows(replace(metric, word_order=0), prepare=True)
    parts = [np.split(characters, 3, axis=-1)]
    if metric.word_order:
        parts.append(np.split(rows(replace(metric, char_order=0), prepare=False), 3, axis=-1))
    joined = np.concatenate([part for triple in zip(*parts, strict=True) for part in triple], axis=-1)
    grouped = as_references(references, len(hypotheses))
    best = of_best_reference(metric, joined, grouped)
    return Statistics(best, metric.columns, metric.spec, len(hypotheses), grouped.counts)


def with_odd_spaces(line: str) -> str:
    """What is white space, but not the space, as a letter that no text has."""
    return re.sub(r"[^\S ]", lambda space: chr(0xF0000 + ord(space[0])), line.strip())


def with_zeros_as_before(counted: Statistics) -> Statistics:
    rows = counted.array.copy()
    for row in range(1, len(rows)):
        if not np.split(rows[row], 3)[2].any():
            rows[row] = rows[row - 1]
    return replace(counted, array=rows)
