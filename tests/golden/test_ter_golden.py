"""TER against numbers of sacreBLEU and of Tercom (`../shared/golden`, its README has the versions).

sacreBLEU's six configurations: every row, every digit. Tercom 0.10.0: every row of its nine runs, edits, words and
segments, to the digits it prints, and those of its copy in TERp. Left out are the 84 corpus rows of `-N` and `-N -s`
of that copy, which has another tokenizer there.

Tercom's -P takes a text of punctuation alone for one empty word, which the test adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import understudy.compat.sacrebleu as facade
from material.golden import corpus_rows, needs_golden, read, table
from understudy import TER, Score

pytestmark = needs_golden

SACREBLEU = {
    "ter-default": {},
    "ter-normalized": {"normalized": True},
    "ter-normalized-cased": {"normalized": True, "case_sensitive": True},
    "ter-nopunct": {"no_punct": True},
    "ter-cased": {"case_sensitive": True},
    "ter-asian": {"normalized": True, "asian_support": True},
}


@dataclass(frozen=True)
class Run:
    """How a run of Tercom is written here."""

    metric: TER
    text: str = "raw"  # the variant of the input


def tercom(**changes: Any) -> TER:
    return TER.preset("tercom", **changes)


TERCOM = {
    "default": Run(tercom()),
    "s": Run(tercom(lowercase=False)),
    "N": Run(tercom(normalized=True)),
    "N-s": Run(tercom(normalized=True, lowercase=False)),
    "P": Run(tercom(no_punct=True)),
    "tok13a-s": Run(tercom(lowercase=False), text="tok13a"),
    "tok13a.lc": Run(tercom(), text="tok13a.lc"),
    "tok13a.lc-d10": Run(tercom(max_shift_distance=10), text="tok13a.lc"),
    "tok13a.lc-b5": Run(tercom(beam=5), text="tok13a.lc"),
}


@pytest.mark.parametrize("options", SACREBLEU)
def test_sacrebleu(options):
    rows = corpus_rows("sacrebleu-2.6.0", options)
    assert len(rows) == 14 * 3
    for row in rows:
        hypotheses, references = read((row["set"], row["system"], row["refs"]), "raw")
        score = facade.corpus_ter(hypotheses, list(zip(*references, strict=True)), **SACREBLEU[options])
        ours = {"TER": score.score, "num_edits": score.num_edits, "ref_length": score.ref_length}
        assert repr(ours[row["metric"]]) == row["value"], row


def test_segments_of_sacrebleu():
    compared = 0
    for row in table("segments_sacrebleu"):
        if row["options"] == "ter-default":
            hypotheses, references = read((row["set"], row["system"], row["refs"]), "raw")
            segment = int(row["seg"]) - 1
            score = facade.sentence_ter(hypotheses[segment], references[segment])
            assert repr(score.score) == row["value"], row
            compared += 1
    assert compared == 1424


@pytest.mark.parametrize(
    ("program", "options"),
    [
        *(("tercom-0.10.0", options) for options in TERCOM),
        *(("tercom-terp1", options) for options in TERCOM if options not in ("N", "N-s")),
    ],
)
def test_tercom(program, options):
    rows = corpus_rows(program, options)
    assert len(rows) == 14 * 3
    for row in rows:
        score = scored(row["set"], row["system"], row["refs"], TERCOM[options])
        # One segment of `edge` is punctuation alone, in all references: without it Tercom sees one empty word.
        words = score.detail["ref_length"] + (1 if options == "P" and row["set"] == "edge" else 0)
        edits = score.detail["edits"]
        ours = {"TER": edits / words, "edits": edits, "words": words}
        assert ours[row["metric"]] == pytest.approx(float(row["value"]), rel=1e-12), row


@pytest.mark.parametrize("options", ["default", "N", "tok13a.lc"])
def test_segments_of_tercom(options):
    compared = 0
    for row in table("segments_tercom"):
        if row["options"] == options:
            statistics = counted(row["set"], row["system"], row["refs"], TERCOM[options])
            detail = TERCOM[options].metric.detail(statistics[int(row["seg"]) - 1])
            ours = {"edits": detail["edits"], "words": detail["ref_length"]}
            assert ours[row["metric"]] == float(row["value"]), row
            compared += 1
    assert compared == 2 * 1424


def test_every_row_is_compared_or_explained():
    programs = {
        "sacrebleu-2.6.0": ("ter-", 6 * 42),
        "tercom-0.10.0": ("", 9 * 42),
        "tercom-terp1": ("", 7 * 42 + 2 * 42),
    }
    for program, (prefix, expected) in programs.items():
        rows = [row for row in table("corpus_all") if row["program"] == program]
        assert len([row for row in rows if row["options"].startswith(prefix)]) == expected, program


# ------------------------------------------------------------------------------------------------------------


@cache
def scored(corpus: str, system: str, refs: str, run: Run) -> Score:
    return run.metric.corpus_score(counted(corpus, system, refs, run))


@cache
def counted(corpus: str, system: str, refs: str, run: Run) -> Any:
    return run.metric.statistics(*read((corpus, system, refs), run.text))
