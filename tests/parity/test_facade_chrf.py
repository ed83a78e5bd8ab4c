"""chrF in the sacreBLEU façade from outside: names, parameters, strings, attributes; and what it refuses."""

from __future__ import annotations

import inspect
import itertools
import json
import pickle
from typing import Any

import pytest
import sacrebleu

import understudy.compat.sacrebleu as facade
from understudy import errors

HYPOTHESES = ["The cat sat on the mat.", "It's raining, isn't it?", "42."]
REFERENCES: list[list[str | None]] = [
    ["The cat is on the mat.", "It rains, doesn't it?", "42."],
    ["A cat sat on the mat.", "Isn't it raining?", None],
]


def both(name: str, *arguments: Any, **settings: Any) -> tuple[Any, Any]:
    """The same call on either side."""
    return getattr(facade, name)(*arguments, **settings), getattr(sacrebleu, name)(*arguments, **settings)


@pytest.mark.parametrize(
    "path",
    [
        *("corpus_chrf", "sentence_chrf"),
        *("CHRF", "CHRF.corpus_score", "CHRF.sentence_score", "CHRF.get_signature"),
        *("metrics.CHRF", "metrics.chrf.CHRF", "metrics.chrf.CHRFScore", "metrics.chrf.CHRFScore.format"),
    ],
)
def test_parameters_are_the_same(path: str) -> None:
    def parameters(module: Any) -> list[tuple[str, Any, Any]]:
        found = module
        for name in path.split("."):
            found = getattr(found, name)
        return [(p.name, p.default, p.kind) for p in inspect.signature(found).parameters.values()]

    assert parameters(facade) == parameters(sacrebleu)


def test_class_attributes_are_the_same() -> None:
    for name in ("CHAR_ORDER", "WORD_ORDER", "BETA"):
        assert getattr(facade.CHRF, name) == getattr(sacrebleu.CHRF, name)
    assert facade.metrics.METRICS["CHRF"] is facade.CHRF


@pytest.mark.parametrize("scored", [False, True])
def test_instance_attributes_are_the_same(scored: bool) -> None:
    ours, theirs = both("CHRF", 5, 2, 3, True, True, True)
    if scored:
        ours.corpus_score(HYPOTHESES, REFERENCES)
        theirs.corpus_score(HYPOTHESES, REFERENCES)
    public = {name: value for name, value in vars(theirs).items() if not name.startswith("_")}
    assert {name: value for name, value in vars(ours).items() if name in public} == public


@pytest.mark.parametrize(
    ("name", "arguments", "settings"),
    [
        ("corpus_chrf", (HYPOTHESES, REFERENCES), {}),
        ("corpus_chrf", (HYPOTHESES, REFERENCES, 4, 2, 3, False, True), {}),
        ("corpus_chrf", (HYPOTHESES, REFERENCES[:1]), {"word_order": 1, "beta": 0.5}),
        ("sentence_chrf", (HYPOTHESES[0], ["The cat is on the mat.", None, "A cat sat."]), {"word_order": 2}),
        ("sentence_chrf", ("a", ["b"]), {}),
        ("sentence_chrf", ("", [""]), {}),
        ("sentence_chrf", ("", [""]), {"eps_smoothing": True}),
        ("sentence_chrf", ("", ["b"]), {"remove_whitespace": False}),
        ("sentence_chrf", (" ", [" "]), {"remove_whitespace": False}),
    ],
)
def test_scores_are_the_same(name: str, arguments: tuple[Any, ...], settings: dict[str, Any]) -> None:
    ours, theirs = both(name, *arguments, **settings)
    for attribute in ("name", "score", "_mean", "_ci", "_verbose", "beta", "char_order", "word_order"):
        assert json.dumps(getattr(ours, attribute)) == json.dumps(getattr(theirs, attribute)), attribute
    assert str(ours) == str(theirs)
    assert repr(ours) == repr(theirs)
    assert str(pickle.loads(pickle.dumps(ours))) == str(theirs)


@pytest.mark.parametrize("score_only", [False, True])
@pytest.mark.parametrize("interval", [False, True])
@pytest.mark.parametrize(("is_json", "signed"), [(False, False), (False, True), (True, True)])
def test_formats_are_the_same(score_only: bool, interval: bool, is_json: bool, signed: bool) -> None:
    texts = []
    for metric in both("CHRF", word_order=2):
        score = metric.corpus_score(HYPOTHESES, REFERENCES)
        if interval:
            score._mean, score._ci = 43.21987, 1.2345
        signature = metric.get_signature().format() if signed else ""
        texts.append([score.format(width, score_only, signature, is_json) for width in (0, 2, 7)])
    assert texts[0] == texts[1]


def test_signatures_are_the_same() -> None:
    for orders, lowercase, whitespace, eps, references in itertools.product(
        ((6, 0), (6, 2), (3, 1)), (False, True), (False, True), (False, True), (REFERENCES, REFERENCES[:1])
    ):
        ours, theirs = both("CHRF", *orders, 3, lowercase, whitespace, eps)
        ours.corpus_score(HYPOTHESES, references)
        theirs.corpus_score(HYPOTHESES, references)
        own, other = ours.get_signature(), theirs.get_signature()
        assert list(own.info.items()) == list(other.info.items())
        assert own.format() == other.format() == str(own) == repr(own)
        assert own.format(short=True) == other.format(short=True)


def test_references_are_kept() -> None:
    ours, theirs = both("CHRF", references=REFERENCES)
    assert ours.num_refs == theirs.num_refs == -1
    assert str(ours.get_signature()) == str(theirs.get_signature())
    kept = ours.corpus_score(HYPOTHESES, None)
    assert kept.score == theirs.corpus_score(HYPOTHESES, None).score
    given = ours.corpus_score(HYPOTHESES, REFERENCES[:1])
    assert given.score == theirs.corpus_score(HYPOTHESES, REFERENCES[:1]).score
    assert ours.corpus_score(HYPOTHESES, None).score == kept.score


def test_attributes_may_be_set_later() -> None:
    scores = []
    for metric in both("CHRF"):
        metric.lowercase, metric.beta, metric.eps_smoothing = True, 3, True
        scores.append(str(metric.sentence_score("THE Cat", ["the cat sat"])) + str(metric.get_signature()))
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "says"),
    [
        (["a", "b", "c"], [["a", "b"]], errors.LengthMismatch, "3 segments, reference 1 has 2"),
        (["a", "b", "c"], [["a"], ["b"], ["c"]], errors.BadInput, "transposed"),
        (["a", "b"], ["a", "b"], errors.WrongType, r"write \[references\]"),
        (["a", "b"], [["a", None], ["b", None]], errors.BadInput, "segment 2 has none"),
        (["a", "b"], None, errors.BadInput, r"or to CHRF\(references=...\)"),
    ],
)
def test_mistakes_are_refused(hypotheses: Any, references: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        facade.CHRF().corpus_score(hypotheses, references)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"char_order": 0}, "nothing is counted"),
        ({"word_order": -1}, "word_order=-1"),
        ({"beta": -2}, "beta=-2"),
    ],
)
def test_unfit_settings_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(errors.BadParameter, match=says):
        facade.CHRF(**settings)


def test_a_signature_needs_a_number_of_references() -> None:
    with pytest.raises(errors.BadInput, match="score something first"):
        facade.CHRF().get_signature()
