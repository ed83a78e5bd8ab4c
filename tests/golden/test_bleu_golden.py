"""BLEU against numbers of programs that nobody here wrote (`../shared/golden`, its README has the versions).

Every BLEU row of the files is either compared or listed here with the reason why it is not; the number of
rows compared is asserted, so that none can drop out silently. Left out are:

- NLTK corpus BLEU with methods 5 to 7: NLTK smooths the corpus with the text of its last segment only.
  Their segment rows are compared. 42 corpus rows.
- NLTK method 6 where NLTK itself raises (`ERR` values: no matching trigram). 217 segment rows.
- MultEval `BLEU-RESAMPLED_*` and `BLEU-P_VALUE`: random resamples of another program. 25 corpus rows.

Where a program does something that is not a choice here, the test does it to the input or to the counts, and
says so: Moses truncates every segment's average reference length to a whole number (ours is exact), jBLEU
takes an empty line for one token, and sacreBLEU shows its counts with add-k's k already added.

`documents.tsv` and orders 6 to 9, which the README names, are not among the stored numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from material.golden import Place, Prepare, corpus_rows, needs_golden, read, table
from understudy import BLEU, Score, Statistics, _core

pytestmark = needs_golden

DOUBLE, SINGLE, SIX_DECIMALS = 1e-9, 1e-6, 5e-6  # relative, by the precision of the program


@dataclass(frozen=True)
class Run:
    """How a program's run is written here."""

    metric: BLEU
    text: str = "raw"  # the variant of the input
    scale: float = 1.0  # what the program's numbers are multiplied with to be percent
    tolerance: float = DOUBLE
    prepare: Prepare = str
    added: float = 0.0  # to the counts of orders above the first, in what the program prints


def mteval(**changes: Any) -> BLEU:
    return BLEU.preset("mteval-v13a", **changes)


def international(**changes: Any) -> BLEU:
    return BLEU.preset("mteval-v14-intl", **changes)


def nltk(smooth: str, **changes: Any) -> Run:
    return Run(BLEU.preset("nltk", smooth=smooth, **changes), text="tok13a", scale=100)


MTEVAL_RUNS = {
    "default": Run(mteval(), scale=100),
    "cased": Run(mteval(lowercase=False), scale=100),
    "intl": Run(international(), scale=100),
    "intl-cased": Run(international(lowercase=False), scale=100),
    "intl-split-nonascii": Run(international(tokenize="intl-mteval-split"), scale=100),
    "shortest-cased": Run(mteval(lowercase=False, brevity="shortest"), scale=100),
    "nosmooth-cased": Run(mteval(lowercase=False, smooth="none"), scale=100),
}

MOSES_BREVITY = {"BLEU": "closest", "BLEU-shortest": "shortest", "BLEU-average": "average"}

NLTK_RUNS = {
    "tok13a,method0": nltk("none"),
    **{f"tok13a,method{method}": nltk(f"chen-cherry-{method}") for method in range(1, 8)},
    # auto_reweigh gives a segment of fewer than 4 words the weights 1/length: longer orders are left out.
    "tok13a,method3,auto_reweigh": nltk("chen-cherry-3", empty_order="zero", effective_order=True),
}

SACREBLEU_RUNS = {
    "bleu-13a-exp": Run(BLEU()),
    "bleu-13a-none": Run(BLEU(smooth="none")),
    "bleu-13a-floor": Run(BLEU(smooth="floor")),
    "bleu-13a-floor-0.5": Run(BLEU(smooth="floor", smooth_value=0.5)),
    "bleu-13a-addk": Run(BLEU(smooth="add-k"), added=1),
    "bleu-13a-addk-0.5": Run(BLEU(smooth="add-k", smooth_value=0.5), added=0.5),
    "bleu-13a-effective": Run(BLEU(effective_order=True)),
    "bleu-13a-lc": Run(BLEU(lowercase=True)),
    "bleu-intl": Run(BLEU(tokenize="intl")),
    "bleu-intl-lc": Run(BLEU(tokenize="intl", lowercase=True)),
    "bleu-char": Run(BLEU(tokenize="char")),
    "bleu-zh": Run(BLEU(tokenize="zh")),
    "bleu-none-force": Run(BLEU(tokenize="none")),
}


# --- corpora ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", ["mteval-v13a", "mteval-v14"])
@pytest.mark.parametrize("options", MTEVAL_RUNS)
def test_mteval(program, options):
    run = MTEVAL_RUNS[options]
    rows = corpus_rows(program, options, "BLEU")
    compare(rows, run)
    quantities = 15 if program == "mteval-v13a" and options != "nosmooth-cased" else 11
    assert len(rows) == 14 * quantities


@pytest.mark.parametrize("options", ["cased", "lc"])
@pytest.mark.parametrize("program", ["multi-bleu.perl", "multi-bleu-detok.perl"])
def test_multi_bleu(program, options):
    if program == "multi-bleu.perl":  # works on bytes: lowercases A to Z only
        letter_case = {"cased": False, "lc": "ascii"}[options]
        run = Run(BLEU.preset("multi-bleu", lowercase=letter_case), text="tok13a")
    else:
        letter_case = {"cased": False, "lc": True}[options]
        run = Run(BLEU.preset("multi-bleu", tokenize="13a", lowercase=letter_case))
    rows = corpus_rows(program, options)
    compare(rows, run)
    assert len(rows) == 14 * 9


@pytest.mark.parametrize("text", ["tok13a", "tok13a.lc"])
@pytest.mark.parametrize("name", MOSES_BREVITY)
def test_moses(name, text):
    metric = BLEU.preset("multi-bleu", brevity=MOSES_BREVITY[name])
    rows = [row for row in corpus_rows("moses-evaluator", text, "BLEU") if row["metric"] == name]
    for row in rows:
        statistics = metric.statistics(*read((row["set"], row["system"], row["refs"]), text))
        if name == "BLEU-average":
            statistics = with_whole_reference_lengths(statistics)
        ours = metric.corpus_score(statistics).fraction
        assert ours == pytest.approx(float(row["value"]), rel=SINGLE), row
    assert len(rows) == 14


def with_whole_reference_lengths(statistics: Statistics) -> Statistics:
    """Every segment's average reference length without its fraction, as Moses has it."""
    array = statistics.array.copy()
    lengths = array[:, statistics.columns.index("ref_length")]
    lengths -= lengths % _core.LENGTH_UNITS
    return replace(statistics, array=array)


def test_segments_of_moses():
    """Its sentence-bleu counts in single precision."""
    rows = [row for row in table("segments_moses-mert") if row["program"] == "moses-sentence-bleu"]
    scores = {
        where: BLEU.preset("sentence-bleu").segments(*read(where, "tok13a"))
        for where in {(row["set"], row["system"], row["refs"]) for row in rows}
    }
    for row in rows:
        ours = scores[row["set"], row["system"], row["refs"]][int(row["seg"]) - 1] / 100
        assert ours == pytest.approx(float(row["value"]), rel=SINGLE), row
    assert len(rows) == 1424


@pytest.mark.parametrize("options", [o for o in NLTK_RUNS if o[-1] not in "567"])
def test_nltk(options):
    rows = corpus_rows("nltk-3.10.4", options, "BLEU")
    run = NLTK_RUNS[options]
    if "auto_reweigh" in options:  # which does nothing to a corpus of four words and more
        run = NLTK_RUNS["tok13a,method3"]
    compare(rows, run)
    assert len(rows) == 14


@pytest.mark.parametrize("text", ["tok13a", "tok13a.lc"])
@pytest.mark.parametrize("name", ["BLEU", "BLEU+1"])
def test_odashi(name, text):
    metric = BLEU.preset("multi-bleu", smooth={"BLEU": "none", "BLEU+1": "add-k"}[name])
    rows = [row for row in corpus_rows("odashi-mteval", text, "BLEU") if row["metric"] == name]
    compare([{**row, "metric": "BLEU"} for row in rows], Run(metric, text, scale=100, tolerance=SIX_DECIMALS))
    assert len(rows) == 8


@pytest.mark.parametrize("options", SACREBLEU_RUNS)
def test_sacrebleu(options):
    rows = corpus_rows("sacrebleu-2.6.0", options)
    compare(rows, SACREBLEU_RUNS[options])
    assert len(rows) == 14 * 16


def test_multeval():
    rows = [{**row, "metric": "BLEU"} for row in corpus_rows("multeval-0.5.1", "tok13a.lc", "BLEU-AVG")]
    compare(rows, Run(BLEU.preset("multi-bleu"), "tok13a.lc", tolerance=1e-7, prepare=one_token_if_empty))
    assert len(rows) == 10


def one_token_if_empty(line: str) -> str:
    return line or "(empty)"


def test_every_bleu_row_of_a_corpus_is_compared_or_explained():
    """The sum of what the tests above compare and of what the module's docstring leaves out."""
    of_other_metrics = ("NIST", "chrf-", "chrfpp-", "ter-")
    programs = ("mteval-v13a", "mteval-v14", "multi-bleu.perl", "multi-bleu-detok.perl", "sacrebleu-2.6.0")
    rows = [
        row
        for row in table("corpus_all")
        if (row["program"] in programs or row["metric"].startswith("BLEU"))
        and not row["metric"].startswith(of_other_metrics)
        and not row["options"].startswith(of_other_metrics)
    ]
    compared = 14 * (6 * 15 + 11 + 7 * 11) + 14 * 9 * 4 + 14 * 6 + 14 * 6 + 8 * 4 + 14 * 16 * 13 + 10
    left_out = 14 * 3 + 25
    assert len(rows) == compared + left_out


# --- segments -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["default", "cased", "intl-cased"])
def test_segments_of_mteval(options):
    assert compare_segments("mteval", "mteval-v14", options, MTEVAL_RUNS[options]) == 1424


@pytest.mark.parametrize("options", [o for o in NLTK_RUNS if "method6" not in o])
def test_segments_of_nltk(options):
    assert compare_segments("nltk", "nltk-3.10.4", options, NLTK_RUNS[options]) == 1424


def test_segments_of_nltk_method_6():
    """Without the 217 segments where NLTK raises."""
    assert (
        compare_segments("nltk", "nltk-3.10.4", "tok13a,method6", NLTK_RUNS["tok13a,method6"]) == 1424 - 217
    )


def test_segments_of_sacrebleu():
    """Run without effective_order, which is sacreBLEU's default but not ours for segments."""
    run = Run(BLEU(effective_order=False))
    assert compare_segments("sacrebleu", "sacrebleu-2.6.0", "bleu-13a-exp", run) == 1424


# --- the comparison -----------------------------------------------------------------------------------------


def compare(rows: list[dict[str, str]], run: Run) -> None:
    """Every row against the quantity of that name here."""
    more_orders = replace(run, metric=replace(run.metric, max_order=9))
    for row in rows:
        place = (row["set"], row["system"], row["refs"])
        ours = quantity(row["metric"], scored(place, run), scored(place, more_orders), run)
        theirs = float(row["value"])
        assert ours == pytest.approx(theirs, rel=run.tolerance, abs=1e-12), row


def quantity(name: str, score: Score, more: Score, run: Run) -> float:
    """A number by the name the programs give it; `more` is of nine orders."""
    detail = score.detail
    if name[-1].isdigit():
        block, order = name[:-1], int(name[-1])
        return {
            # mteval's "individual" score of an order has no brevity penalty: it is the precision.
            "BLEU-ind-": more.detail["precisions"][order - 1] / run.scale,
            "BLEU-cum-": more.detail["cumulative"][order - 1] / run.scale,
            "p": more.detail["precisions"][order - 1],
            "counts": more.detail["matches"][order - 1] + (run.added if order > 1 else 0),
            "totals": more.detail["totals"][order - 1] + (run.added if order > 1 else 0),
        }[block]
    penalty = detail["brevity_penalty"]
    return {
        "BLEU": score.value / run.scale,
        "BLEU-len_ratio": detail["length_ratio"],
        "BLEU-hyp_len": detail["hyp_length"],
        "BLEU-ref_len": detail["ref_length"],
        "BLEU-log_bp": math.log(penalty),
        "BP": penalty,
        "bp": penalty,
        "ratio": detail["length_ratio"],
        "hyp_len": detail["hyp_length"],
        "sys_len": detail["hyp_length"],
        "ref_len": detail["ref_length"],
    }[name]


def compare_segments(file: str, program: str, options: str, run: Run) -> int:
    """How many segments were compared."""
    compared = 0
    for row in table(f"segments_{file}"):
        if (row["program"], row["options"], row["metric"]) != (program, options, "BLEU"):
            continue
        if row["value"].startswith("ERR"):
            continue
        scores = scored_segments((row["set"], row["system"], row["refs"]), run)
        ours, theirs = scores[int(row["seg"]) - 1] / run.scale, float(row["value"])
        # NLTK's method 0 takes the smallest float for 0: its fourth root is 1e-77.
        assert ours == pytest.approx(theirs, rel=run.tolerance, abs=1e-70), row
        compared += 1
    return compared


@cache
def scored(place: Place, run: Run) -> Score:
    return run.metric.corpus(*read(place, run.text, run.prepare))


@cache
def scored_segments(place: Place, run: Run) -> Any:
    return run.metric.segments(*read(place, run.text, run.prepare))
