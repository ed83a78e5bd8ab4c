"""The sacreBLEU façade from outside: names, parameters, strings, attributes; and what it refuses."""

from __future__ import annotations

import inspect
import itertools
import json
import logging
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
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


# --- names and parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        *("corpus_bleu", "sentence_bleu", "raw_corpus_bleu"),
        *("BLEU", "BLEU.corpus_score", "BLEU.sentence_score", "BLEU.compute_bleu", "BLEU.get_signature"),
        *("metrics.BLEU", "metrics.bleu.BLEUScore", "metrics.bleu.BLEUScore.format"),
        *("metrics.base.Signature.format", "metrics.base.Signature.update"),
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
    ours, theirs = facade.BLEU, sacrebleu.BLEU
    assert list(ours.TOKENIZERS) == list(theirs.TOKENIZERS)
    assert ours.TOKENIZER_DEFAULT == theirs.TOKENIZER_DEFAULT
    assert ours.SMOOTH_DEFAULTS == theirs.SMOOTH_DEFAULTS
    assert facade.__version__ == sacrebleu.__version__


@pytest.mark.parametrize("scored", [False, True])
def test_instance_attributes_are_the_same(scored: bool) -> None:
    ours, theirs = both("BLEU", True, True, "zh", "floor", 0.2, 3, True, "zh")
    if scored:
        ours.corpus_score(HYPOTHESES, REFERENCES)
        theirs.corpus_score(HYPOTHESES, REFERENCES)
    public = {name: value for name, value in vars(theirs).items() if not name.startswith("_")}
    tokenizer = public.pop("tokenizer")
    assert {name: value for name, value in vars(ours).items() if name in public} == public
    assert ours.tokenizer("中文, ok.") == tokenizer("中文, ok.")
    assert ours.tokenizer.signature() == tokenizer.signature()


# --- scores and signatures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "settings"),
    [
        ("corpus_bleu", (HYPOTHESES, REFERENCES), {}),
        ("corpus_bleu", (HYPOTHESES, REFERENCES, "add-k", 2, True, True, "intl", True), {}),
        ("corpus_bleu", (HYPOTHESES, REFERENCES[:1]), {"tokenize": "char", "smooth_method": "none"}),
        ("raw_corpus_bleu", (HYPOTHESES, REFERENCES), {}),
        ("raw_corpus_bleu", (HYPOTHESES, REFERENCES, 0.5), {}),
        ("raw_corpus_bleu", (HYPOTHESES, REFERENCES), {"smooth_value": None}),
        ("sentence_bleu", (HYPOTHESES[0], ["The cat is on the mat.", None, "A cat sat."]), {}),
        ("sentence_bleu", ("a", ["b"]), {}),
        ("sentence_bleu", ("", [""]), {}),
        ("sentence_bleu", ("", ["b"]), {"smooth_method": "add-k"}),
        (
            "sentence_bleu",
            (HYPOTHESES[1], [REFERENCES[0][1]]),
            {"smooth_method": "floor", "tokenize": "none"},
        ),
        ("sentence_bleu", ("A", ["a"], "exp", None, True, "13a", False), {}),
    ],
)
def test_scores_are_the_same(name: str, arguments: tuple[Any, ...], settings: dict[str, Any]) -> None:
    ours, theirs = both(name, *arguments, **settings)
    attributes = (
        "name",
        "score",
        "_mean",
        "_ci",
        "counts",
        "totals",
        "precisions",
        "bp",
        "sys_len",
        "ref_len",
    )
    for attribute in (*attributes, "ratio", "prec_str"):
        assert json.dumps(getattr(ours, attribute)) == json.dumps(getattr(theirs, attribute)), attribute
    assert str(ours) == str(theirs)
    assert repr(ours) == repr(theirs)
    assert str(pickle.loads(pickle.dumps(ours))) == str(theirs)


@pytest.mark.parametrize("width", [0, 1, 2, 7])
@pytest.mark.parametrize("score_only", [False, True])
@pytest.mark.parametrize("interval", [False, True])
@pytest.mark.parametrize(("is_json", "signed"), [(False, False), (False, True), (True, True)])
def test_formats_are_the_same(
    width: int, score_only: bool, interval: bool, is_json: bool, signed: bool
) -> None:
    texts = []
    for metric in both("BLEU"):
        score = metric.corpus_score(HYPOTHESES, REFERENCES)
        if interval:
            score._mean, score._ci = 43.21987, 1.2345
        signature = metric.get_signature().format() if signed else ""
        texts.append(score.format(width, score_only, signature, is_json))
    assert texts[0] == texts[1]


def test_json_without_signature_leaves_it_out() -> None:
    score = facade.corpus_bleu(HYPOTHESES, REFERENCES)
    assert set(json.loads(score.format(is_json=True))) == {"name", "score", "signature", "verbose_score"}


SMOOTHINGS = [("exp", None), ("none", None), ("floor", None), ("floor", 0.125), ("add-k", None), ("add-k", 2)]


@pytest.mark.parametrize("tokenize", [None, "none", "13a", "intl", "zh", "char"])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_signatures_are_the_same(tokenize: str | None, smoothing: tuple[str, float | None]) -> None:
    for lowercase, effective, order, language in itertools.product(
        (False, True), (False, True), (4, 2), ("", "zh", "de")
    ):
        arguments = (lowercase, True, tokenize, *smoothing, order, effective, language)
        for references in (REFERENCES, REFERENCES[:1]):
            ours, theirs = both("BLEU", *arguments)
            ours.corpus_score(HYPOTHESES, references)
            theirs.corpus_score(HYPOTHESES, references)
            own, other = ours.get_signature(), theirs.get_signature()
            assert list(own.info.items()) == list(other.info.items())
            assert own.format() == other.format() == str(own) == repr(own)
            assert own.format(short=True) == other.format(short=True)


def test_signatures_are_updated_alike() -> None:
    ours, theirs = both("BLEU", references=REFERENCES)
    texts = []
    for signature in (ours.get_signature(), theirs.get_signature()):
        signature.update("bs", 1000)
        signature.update("seed", 12345)
        signature.update("test", "wmt24")
        signature.update("lang", "en-de")
        signature.update("case", True)
        texts.append((signature.format(), signature.format(True), str(signature)))
    assert texts[0] == texts[1]
    assert "nrefs:var|bs:1000|seed:12345|test:wmt24|lang:en-de|case:yes" in texts[0][0]


@pytest.mark.parametrize("method", [None, "none", "exp", "floor", "add-k"])
@pytest.mark.parametrize("effective", [False, True])
def test_compute_bleu_is_the_same(method: str | None, effective: bool) -> None:
    rows: list[tuple[list[int], list[int], int, int]] = [
        ([10, 6, 3, 1], [12, 10, 8, 6], 12, 11),
        ([10, 6, 0, 0], [12, 10, 8, 6], 12, 19),
        ([1, 0, 0, 0], [1, 0, 0, 0], 1, 1),
        ([0, 0, 0, 0], [5, 4, 3, 2], 5, 5),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 5),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0, 0),
    ]
    settings: dict[str, Any] = {"effective_order": effective, **({"smooth_method": method} if method else {})}
    plain = facade.BLEU.compute_bleu(np.array([3, 2, 1, 0]), np.array([4, 3, 2, 1]), 4, 4, **settings)  # type: ignore[arg-type]
    assert json.dumps(plain.counts + plain.totals)
    for correct, total, sys_len, ref_len in rows:
        theirs = sacrebleu.BLEU.compute_bleu(correct[:], total[:], sys_len, ref_len, **settings)
        before = (correct[:], total[:])
        ours = facade.BLEU.compute_bleu(correct, total, sys_len, ref_len, **settings)
        assert (correct, total) == before
        assert (ours.score, ours.counts, ours.totals, str(ours)) == (
            theirs.score,
            theirs.counts,
            theirs.totals,
            str(theirs),
        )


def test_the_value_s_type_is_kept() -> None:
    for value in (1, 1.0, 1):
        ours, theirs = both("sentence_bleu", "a b c", ["a b d"], "add-k", value)
        assert json.dumps(ours.counts) == json.dumps(theirs.counts)


# --- state ------------------------------------------------------------------------------------------------


def test_references_are_kept() -> None:
    ours, theirs = both("BLEU", references=REFERENCES)
    assert ours.num_refs == theirs.num_refs == -1
    assert str(ours.get_signature()) == str(theirs.get_signature())
    assert str(ours.corpus_score(HYPOTHESES, None)) == str(theirs.corpus_score(HYPOTHESES, None))
    # references given at the call count, and do not replace those kept
    given, kept = ours.corpus_score(HYPOTHESES, REFERENCES[:1]), ours.corpus_score(HYPOTHESES, None)
    assert str(given) == str(theirs.corpus_score(HYPOTHESES, REFERENCES[:1]))
    assert str(kept) == str(theirs.corpus_score(HYPOTHESES, None))


def test_attributes_may_be_set_later() -> None:
    scores = []
    for metric in both("BLEU"):
        metric.lowercase, metric.smooth_method, metric.effective_order = True, "floor", True
        scores.append(str(metric.sentence_score("THE Cat", ["the cat sat"])) + str(metric.get_signature()))
    assert scores[0] == scores[1]


def test_other_containers_are_taken_too() -> None:
    expected = str(facade.corpus_bleu(HYPOTHESES, REFERENCES))
    arrays = [np.array(reference, dtype=object) for reference in REFERENCES]
    assert str(facade.corpus_bleu(np.array(HYPOTHESES, dtype=object), arrays)) == expected
    assert str(facade.corpus_bleu(iter(HYPOTHESES), (iter(r) for r in REFERENCES))) == expected  # type: ignore[arg-type]


# --- warnings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [99, 100])
@pytest.mark.parametrize("force", [False, True])
def test_tokenized_text_is_noticed(caplog: pytest.LogCaptureFixture, count: int, force: bool) -> None:
    hypotheses = ["a cat ."] * count + ["a cat."]
    for score in (facade.corpus_bleu, sacrebleu.corpus_bleu):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="sacrebleu"):
            score(hypotheses, [hypotheses], force=force)
        assert bool(caplog.records) == (count >= 100 and not force)


@pytest.mark.parametrize("effective", [False, True])
def test_segments_without_effective_order_are_warned_of(
    caplog: pytest.LogCaptureFixture, effective: bool
) -> None:
    for metric in both("BLEU", effective_order=effective):
        caplog.clear()
        metric.sentence_score("a", ["a"])
        assert [record.name for record in caplog.records] == ([] if effective else ["sacrebleu"])


@pytest.mark.parametrize(
    ("language", "tokenize", "warned"),
    [
        ("zh", "13a", True),
        ("zh", "zh", False),
        ("zh", None, False),
        ("ja", "char", True),
        ("ko", "13a", True),
    ],
)
def test_unfit_tokenizers_are_warned_of(
    caplog: pytest.LogCaptureFixture, language: str, tokenize: str | None, warned: bool
) -> None:
    for module in (facade, sacrebleu):
        caplog.clear()
        module.BLEU(trg_lang=language, tokenize=tokenize)
        assert bool(caplog.records) == warned


def test_the_target_language_picks_the_tokenizer() -> None:
    assert facade.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    assert facade.BLEU(trg_lang="de").tokenizer_signature == "13a"
    for language, package in (("ja", "MeCab"), ("ko", "mecab_ko")):
        try:
            __import__(package)
        except ImportError:
            with pytest.raises(errors.MissingExtra, match=rf"understudy\[{language}\]"):
                facade.BLEU(trg_lang=language)
        else:
            ours, theirs = both("BLEU", trg_lang=language)
            assert ours.tokenizer_signature == theirs.tokenizer_signature


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "says"),
    [
        (["a", "b", "c"], [["a", "b"]], errors.LengthMismatch, "3 segments, reference 1 has 2"),
        (["a", "b"], [["a", "b"], ["a", "b", "c"]], errors.LengthMismatch, "reference 2 has 3"),
        (["a", "b", "c"], [["a"], ["b"], ["c"]], errors.BadInput, "transposed"),
        (["a", "b", "c"], [["a", "x"], ["b", "x"], ["c", "x"]], errors.BadInput, "transposed"),
        (["a", "b"], ["a", "b"], errors.WrongType, r"write \[references\]"),
        (["a", "b"], "ab", errors.WrongType, "list of lists"),
        (["a", "b"], 3, errors.WrongType, "list of lists"),
        (["a", "b"], [3, 4], errors.WrongType, "list of strings"),
        (["a", "b"], [["a", 3]], errors.WrongType, "int"),
        (["a", None], [["a", "b"]], errors.WrongType, "None"),
        ("ab", [["a", "b"]], errors.WrongType, "bare str"),
        ([], [[]], errors.NoSegments, "no segments"),
        ([], [], errors.NoSegments, "no segments"),
        (["a"], [], errors.NoSegments, "none"),
        (["a", "b"], [["a", None], ["b", None]], errors.BadInput, "segment 2 has none"),
        (["a", "b"], None, errors.BadInput, "no references"),
        (["a", "\ud800"], [["a", "b"]], errors.InvalidText, "surrogate"),
    ],
)
def test_mistakes_are_refused(hypotheses: Any, references: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        facade.BLEU().corpus_score(hypotheses, references)


@pytest.mark.parametrize(
    ("hypothesis", "references", "error"),
    [
        ("a", "a", errors.WrongType),
        (["a"], ["a"], errors.WrongType),
        (None, ["a"], errors.WrongType),
        ("a", [], errors.BadInput),
        ("a", [None], errors.BadInput),
        ("a", [["a"]], errors.WrongType),
        ("a", 3, errors.WrongType),
        ("a", None, errors.WrongType),
    ],
)
def test_mistakes_with_one_segment_are_refused(
    hypothesis: Any, references: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        facade.sentence_bleu(hypothesis, references)


def test_kept_references_of_another_length_are_refused() -> None:
    with pytest.raises(errors.LengthMismatch):
        facade.BLEU(references=[["a", "b"], ["a"]])
    with pytest.raises(errors.LengthMismatch):
        facade.BLEU(references=[["a", "b"]]).corpus_score(["a"], None)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"tokenize": "14a"}, "Did you mean '13a'"),
        ({"tokenize": "flores101"}, "spm:/path"),
        ({"tokenize": "spm"}, "spm:/path"),
        ({"tokenize": "spBLEU-1K"}, "spm:/path"),
        ({"tokenize": "flores200"}, "flores200:/path"),
        ({"smooth_method": "add-one"}, "Did you mean 'add-k'"),
        ({"smooth_method": "chen-cherry-5"}, "Known: none, floor, add-k, exp"),
        ({"max_ngram_order": 0}, "at least 1"),
    ],
)
def test_unknown_settings_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(errors.BadParameter, match=says):
        facade.BLEU(**settings)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of SWIG, when sentencepiece is imported
def test_a_model_file_is_taken(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    (tmp_path / "text").write_text("\n".join(HYPOTHESES * 20), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "text"),
        model_prefix=str(tmp_path / "tiny"),
        vocab_size=40,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "tiny.model"))
    hypotheses = [" ".join(pieces.encode(text, out_type=str)) for text in HYPOTHESES]
    reference = [" ".join(pieces.encode(str(text), out_type=str)) for text in REFERENCES[0]]
    metric = facade.BLEU(tokenize=f"spm:{tmp_path / 'tiny.model'}")
    score = metric.corpus_score(HYPOTHESES, REFERENCES[:1])
    assert 0 < score.score < 100
    assert str(score) == str(sacrebleu.corpus_bleu(hypotheses, [reference], tokenize="none"))
    assert re.fullmatch("spm-[0-9a-f]{12}", metric.tokenizer_signature)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_model_file_must_be_there() -> None:
    with pytest.raises((errors.MissingFile, errors.MissingExtra)):
        facade.BLEU(tokenize="spm:/nowhere/at-all.model")


def test_a_signature_needs_a_number_of_references() -> None:
    with pytest.raises(errors.BadInput, match="score something first"):
        facade.BLEU().get_signature()


def test_counts_must_reach_the_order() -> None:
    with pytest.raises(errors.BadParameter, match="max_ngram_order=4"):
        facade.BLEU.compute_bleu([1, 0], [2, 1], 2, 2)
