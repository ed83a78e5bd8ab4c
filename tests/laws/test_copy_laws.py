"""Whatever is public can be pickled, copied and sent to another process, and says there what it says here."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import understudy.compat.sacrebleu as facade
from material.optional import needs_packages
from understudy import BLEU, Corpus, Metric, ParsedColumn, References, compare, errors, explain, score, trust
from understudy._core import Column
from understudy.breakdown.run import break_down
from understudy.compat.sacrebleu.significance import PairedTest
from understudy.corpus.columns import as_references
from understudy.report import agreements, breakdowns, comparisons, explanations, scores
from understudy.scoring.confidence import score_with_intervals
from understudy.testing.texts import FIRST, REFERENCES, SYSTEM
from understudy.text.tokenizers import KINDS, tokenizer

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = [EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")]
ANSWERS = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]
TRANSPOSED = [
    list(texts) for texts in zip(*REFERENCES, strict=True)
]  # one list per reference, as sacreBLEU has them


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


every_way = pytest.mark.parametrize(
    "again", [pickled, copy.copy, copy.deepcopy], ids=lambda way: way.__name__
)
Way = Callable[[Any], Any]


def rows(column: Column | None) -> list[str | None] | None:
    return None if column is None else [column[row] for row in range(len(column))]


@every_way
def test_columns(again: Way) -> None:
    texts = ["a", None, "", "é\0x", "𝄞" * 1000]
    column = Column.from_strings(texts)
    assert rows(again(column)) == texts
    assert rows(again(column[1:3])) == [None, ""]
    assert rows(again(column[0:0])) == []


def test_a_pickled_slice_leaves_the_rest_behind() -> None:
    column = Column.from_strings(["x" * 10_000, "y"])
    assert len(pickle.dumps(column[1:])) < 1000


@every_way
def test_references(again: Way) -> None:
    references = as_references([["a", "b"], "c"], documents=["d", "e"])
    found = again(references)
    assert [found[0], found[1], found.counts] == [["a", "b"], ["c"], (1, 2)]
    assert rows(found.documents) == ["d", "e"]


@every_way
def test_parsed_columns(again: Way) -> None:
    brackets = ["(S (NP (PRP I)) (VP (VBD slept)))", ""]
    text = ParsedColumn.from_brackets(brackets)
    column = ParsedColumn(text, constituents=text.constituents, origin="me", schemes={"constituents": "ptb"})
    for found in (again(column), again(References((column,))).columns[0]):
        assert type(found) is ParsedColumn
        assert rows(found) == ["I slept", ""]
        assert rows(found.constituents) == brackets
        assert (found.dependencies, found.origin, found.schemes) == (None, "me", {"constituents": "ptb"})


@every_way
def test_a_corpus(again: Way) -> None:
    corpus = Corpus.read([SYSTEMS[0]], ANSWERS)
    found = again(corpus)
    assert repr(found) == repr(corpus)
    expected = BLEU().corpus(corpus["system-strong.en"], corpus.references)
    assert BLEU().corpus(found["system-strong.en"], found.references) == expected


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if not kind.takes_model])
@every_way
def test_tokenizers(name: str, again: Way) -> None:
    try:
        made = tokenizer(name)
    except errors.MissingExtra as error:
        pytest.skip(str(error))
    assert again(made)("It's 3.5%.") == made("It's 3.5%.")


def rendered(result: Any) -> str:
    """All of a result, as JSON."""
    if isinstance(result, tuple):
        return breakdowns.render(result[0], result[1], [], format="json", digits=2, top=10)
    module = {"Scores": scores, "Comparison": comparisons, "Explanation": explanations, "Trust": agreements}
    shown = [result] if type(result).__name__ == "Trust" else result
    return module[type(result).__name__].render(shown, format="json", digits=2)


def _explained() -> Any:
    corpus = Corpus.read([SYSTEMS[0]], ANSWERS)
    return explain(corpus["system-strong.en"], corpus.references, "bleu", against="multi-bleu")


def _broken_down() -> Any:
    return compare(SYSTEMS[:2], ANSWERS, "bleu", samples=10), break_down(SYSTEMS[:2], ANSWERS, "bleu")


def _trusted() -> Any:
    return trust(
        EXAMPLES / "judgments.tsv",
        SYSTEMS,
        ANSWERS,
        ["bleu", "ter"],
        measure="adequacy",
        coefficients=["all"],
        samples=10,
        learn="ridge",
    )


RESULTS = {
    "scores": lambda: score(SYSTEMS, ANSWERS, ["bleu", "ter"]),
    "segment scores": lambda: score(SYSTEMS, ANSWERS, ["bleu", "ter"], level="segment"),
    "intervals": lambda: score_with_intervals(SYSTEMS, ANSWERS, "bleu", samples=10),
    "comparison": lambda: compare(SYSTEMS, ANSWERS, ["bleu", "ter"], all_pairs=True, samples=10),
    "breakdown": _broken_down,
    "explanation": _explained,
    "trust": _trusted,
}


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=name, marks=needs_packages("sklearn") if name == "trust" else ())
        for name, make in RESULTS.items()
    ],
)
@every_way
def test_results(make: Callable[[], Any], again: Way) -> None:
    result = make()
    assert rendered(again(result)) == rendered(result)


@needs_packages("sklearn")
def test_the_tie_threshold_is_there_after_pickling() -> None:
    result = RESULTS["trust"]()
    thresholds = [metric.tie_threshold for metric in result.metrics]
    assert None not in thresholds
    assert [metric.tie_threshold for metric in pickled(result).metrics] == thresholds


@pytest.mark.parametrize("made", [facade.BLEU, facade.CHRF, facade.TER])
@every_way
def test_facade_metrics_with_references(made: Any, again: Way) -> None:
    metric = made(references=TRANSPOSED)
    expected = metric.corpus_score(SYSTEM, None, n_bootstrap=10)
    found = again(metric)
    assert repr(found.corpus_score(SYSTEM, None, n_bootstrap=10)) == repr(expected) == repr(again(expected))
    assert str(again(metric.get_signature())) == str(found.get_signature())


@every_way
def test_paired_tests(again: Way) -> None:
    test = PairedTest([("a", SYSTEM), ("b", FIRST)], {"BLEU": facade.BLEU()}, TRANSPOSED, "bs", n_samples=10)
    assert repr(again(test)()) == repr(test())
    assert repr(again(test()[1])) == repr(test()[1])


@every_way
def test_errors(again: Way) -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    for kind in kinds:
        found = again(kind("what, where, what to do"))
        assert (type(found), str(found)) == (kind, "what, where, what to do")


def _score_elsewhere(metric: Any, hypotheses: list[str]) -> float:
    return float(metric.corpus_score(hypotheses, None).score)


def _count_elsewhere(metric: Metric, corpus: tuple[Column, References]) -> float:
    return metric.corpus(*corpus, threads=1).value


def test_another_process() -> None:
    """One that is spawned shares nothing with this one."""
    metrics = [made(references=TRANSPOSED) for made in (facade.BLEU, facade.CHRF, facade.TER)]
    own = BLEU(), (Column.from_strings(SYSTEM), as_references(REFERENCES))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.starmap(_score_elsewhere, [(metric, SYSTEM) for metric in metrics])
        counted = pool.starmap(_count_elsewhere, [own])
    assert there == [_score_elsewhere(metric, SYSTEM) for metric in metrics]
    assert counted == [_count_elsewhere(*own)]
