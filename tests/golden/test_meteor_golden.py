"""METEOR against numbers of METEOR 1.5 (`../shared/golden`, its README has the versions).

Every METEOR row of the files is either compared or listed here with the reason why it is not; the number of rows
compared is asserted, so that none can drop out silently. Left out are:

- multeval's METEOR, which is METEOR 1.5's as shown here, with p-values that are random: 35 corpus rows.
- NLTK's METEOR: see `tests/golden/test_meteor_nltk_golden.py`.
"""

from __future__ import annotations

import csv
import gzip
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from material.golden import GOLDEN, Place, corpus_rows, needs_golden, read, table
from material.meteor_program import as_counted_here, needs_meteor_data
from understudy import METEOR, Statistics
from understudy.metrics.base.meteor_resources import matcher

pytestmark = [needs_golden, needs_meteor_data]

PROGRAM = "METEOR-1.5"
RUNS: dict[str, METEOR] = {
    "norm-rank": METEOR(),
    "norm-adq": METEOR.preset("adq"),
    "norm-hter": METEOR.preset("hter"),
    "norm-tune": METEOR.preset("tune"),
    "norm-util": METEOR.preset("util"),
    "norm-noPunct-rank": METEOR(tokenize="norm-nopunct"),
    "norm-exact": METEOR(stages="exact"),
    "norm-exact-stem": METEOR(stages="exact+stem"),
    "norm-exact-stem-synonym": METEOR(stages="exact+stem+synonym"),
    "tok13a.lc-rank": METEOR(tokenize="split", lowercase=False),
}


@cache
def counted(place: Place, options: str) -> Statistics:
    hypotheses, references = read(place, options.partition("-")[0] if options.startswith("tok") else "raw")
    return RUNS[options].statistics(hypotheses, references)


def place_of(row: dict[str, str]) -> Place:
    return row["set"], row["system"], row["refs"]


def quantity(name: str, metric: METEOR, totals: Statistics) -> float:
    precision, recall = metric.precision(totals).item(), metric.recall(totals).item()
    detail = metric.detail(totals)
    found: dict[str, Any] = {
        "METEOR": metric.score(totals).item() / 100,
        "P": precision,
        "R": recall,
        "F1": 2 * precision * recall / (precision + recall),
        "Fmean": metric.f_mean(totals).item(),
        "frag": metric.fragmentation_penalty(totals).item(),
        "chunks": detail["chunks"],
        "testLen": detail["hyp_length"],
        "refLen": detail["ref_length"],
    }
    return float(found[name])


@pytest.mark.parametrize("options", RUNS)
def test_corpus(options):
    rows = [row for row in corpus_rows(PROGRAM, options) if row["metric"] != "EvalID"]
    for row in rows:
        totals = counted(place_of(row), options).sum()
        assert quantity(row["metric"], RUNS[options], totals) == pytest.approx(
            float(row["value"]), rel=1e-12
        ), row
    assert len(rows) == 9 * (10 if options == "norm-rank" else 6)


SEGMENT_ROWS = {
    "norm-rank": 4 * 1424,
    "norm-exact": 784,
    "norm-exact-stem-synonym": 784,
    "tok13a.lc-rank": 784,
}


@pytest.mark.parametrize("options", SEGMENT_ROWS)
def test_segments(options):
    rows = [row for row in table("segments_meteor") if row["options"] == options]
    metric = RUNS[options]
    quantities = {
        "METEOR": lambda statistics: metric.segment_scores(statistics) / 100,
        "P": metric.precision,
        "R": metric.recall,
        "frag": metric.fragmentation_penalty,
    }
    for place in set(map(place_of, rows)):
        for name, quantity in quantities.items():
            chosen = [row for row in rows if (place_of(row), row["metric"]) == (place, name)]
            ours = quantity(counted(place, options))[[int(row["seg"]) - 1 for row in chosen]]
            # A share of nothing is not a number there, and 0 here: of both the score is 0.
            theirs = np.nan_to_num([float(row["value"]) for row in chosen])
            assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-15), (place, name)
    assert len(rows) == SEGMENT_ROWS[options]


def test_sufficient_statistics():
    with gzip.open(GOLDEN / "meteor" / "suffstats.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    runs: dict[tuple[Place, str], list[list[float]]] = {}
    for corpus, system, refs, options, _, *numbers in rows:
        runs.setdefault(((corpus, system, refs), options), []).append(list(map(float, numbers)))
    for (place, options), run in runs.items():
        theirs = as_counted_here(np.array(run).astype(np.int64))
        assert np.array_equal(counted(place, options).array, theirs), (place, options)
    assert len(runs) == 46


@pytest.mark.parametrize(
    "path", sorted((GOLDEN / "meteor" / "alignments").glob("*")), ids=lambda path: path.name
)
def test_alignments(path):
    """The words of both texts and every match that was taken, of the best reference."""
    corpus, system, refs = path.name.removesuffix("-align.out.gz").split(".")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        blocks = file.read().split("Alignment\t")[1:]
    hypotheses, references = read((corpus, system, refs), "raw")
    metric = METEOR(language="en")  # some texts are Chinese
    compared = 0
    for block, hypothesis, group in zip(blocks, hypotheses, references, strict=True):
        _, their_hypothesis, their_reference, _, *lines = block.split("\n")
        best = int(metric.segments([hypothesis] * len(group), group).argmax())
        words, reference_words, matches = metric.align(hypothesis, group[best])
        assert (words, reference_words) == (their_hypothesis.split(), their_reference.split())
        theirs = [tuple(map(int, re.findall(r"\d+", line.rpartition("\t")[0]))) for line in lines if line]
        assert matches == theirs
        compared += len(matches)
    assert compared > 100
    assert len(blocks) in (36, 320)


@pytest.mark.parametrize(
    "path", sorted((GOLDEN / "meteor" / "normalized").glob("*")), ids=lambda path: path.name
)
def test_normalised_text(path):
    corpus, name, _, kept, *_ = path.name.split(".")
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        expected = file.read().split("\n")[:-1]
    text = (GOLDEN / "inputs" / corpus / f"{name}.en").read_text(encoding="utf-8").split("\n")[:-1]
    normalizer = matcher(METEOR(stages="exact", tokenize="norm" if kept == "keepPunct" else "norm-nopunct"))
    assert [normalizer.normalized(line) for line in text] == expected
    assert len(text) in (36, 320)


@pytest.mark.parametrize("options", RUNS)
def test_parameters(options):
    """`EvalID` names them all: meteor-1.5-wo-en-norm-PARAMETERS-STAGES-WEIGHTS."""
    rows = [row["value"] for row in corpus_rows(PROGRAM, options) if row["metric"] == "EvalID"]
    assert rows
    chosen = RUNS[options].chosen
    for value in rows:
        *_, parameters, stages, weights = value.split("-")
        assert list(map(float, parameters.split("_"))) == [
            chosen.alpha,
            chosen.beta,
            chosen.gamma,
            chosen.delta,
        ]
        assert tuple(map(float, weights.split("_"))) == chosen.weights
        assert stages.split("_") == [stage[:2] for stage in RUNS[options].chosen_stages]
