"""The sacreBLEU façade from outside, for every metric: names, parameters, strings, attributes; and what it refuses.

What only BLEU has: test_facade_bleu.py.
"""

from __future__ import annotations

import itertools
import pickle
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sacrebleu")
import sacrebleu

import understudy.compat.sacrebleu as facade
from material.hostile import SPACES
from material.sacrebleu_beside import HYPOTHESES, REFERENCES, both, parameters, shown
from understudy import errors

either = (False, True)
every_metric = pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])


# --- names and parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        *("corpus_bleu", "sentence_bleu", "raw_corpus_bleu"),
        *("BLEU", "BLEU.corpus_score", "BLEU.sentence_score", "BLEU.compute_bleu", "BLEU.get_signature"),
        *("metrics.BLEU", "metrics.bleu.BLEUScore", "metrics.bleu.BLEUScore.format"),
        *("corpus_chrf", "sentence_chrf"),
        *("CHRF", "CHRF.corpus_score", "CHRF.sentence_score", "CHRF.get_signature"),
        *("metrics.CHRF", "metrics.chrf.CHRF", "metrics.chrf.CHRFScore", "metrics.chrf.CHRFScore.format"),
        *("corpus_ter", "sentence_ter"),
        *("TER", "TER.corpus_score", "TER.sentence_score", "TER.get_signature"),
        *("metrics.TER", "metrics.ter.TERScore", "metrics.ter.TERScore.format"),
        *("metrics.base.Signature.format", "metrics.base.Signature.update"),
    ],
)
def test_parameters_are_the_same(path: str) -> None:
    assert parameters(path, facade) == parameters(path, sacrebleu)


@pytest.mark.parametrize(
    "path",
    [
        *("BLEU.TOKENIZER_DEFAULT", "BLEU.SMOOTH_DEFAULTS"),
        *("CHRF.CHAR_ORDER", "CHRF.WORD_ORDER", "CHRF.BETA"),
    ],
)
def test_class_attributes_are_the_same(path: str) -> None:
    metric, attribute = path.split(".")
    assert getattr(getattr(facade, metric), attribute) == getattr(getattr(sacrebleu, metric), attribute)


@every_metric
def test_metrics_are_found_by_name(name: str) -> None:
    assert facade.metrics.METRICS[name] is getattr(facade, name)
    assert facade.__version__ == sacrebleu.__version__


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("BLEU", (True, True, "zh", "floor", 0.2, 3, True, "zh")),
        ("CHRF", (5, 2, 3, True, True, True)),
        ("TER", (True, True, False, True)),
    ],
)
def test_instance_attributes_are_the_same(name: str, arguments: tuple[Any, ...], scored: bool) -> None:
    ours, theirs = both(name, *arguments)
    if scored:
        ours.corpus_score(HYPOTHESES, REFERENCES)
        theirs.corpus_score(HYPOTHESES, REFERENCES)
    public = {key: value for key, value in vars(theirs).items() if not key.startswith("_")}
    tokenizer = public.pop("tokenizer", None)
    assert {key: value for key, value in vars(ours).items() if key in public} == public
    assert (tokenizer is None) == (name == "CHRF")
    if tokenizer is not None:
        assert ours.tokenizer("中文, ok.") == tokenizer("中文, ok.")
        assert ours.tokenizer.signature() == tokenizer.signature()


TOKENIZERS: list[tuple[str, dict[str, Any]]] = [
    *(("BLEU", {"tokenize": name}) for name in ("13a", "intl", "char", "none", "zh")),
    ("TER", {"normalized": True}),
    ("TER", {"no_punct": True, "asian_support": True}),
]


@pytest.mark.parametrize(("name", "settings"), TOKENIZERS)
def test_tokenizers_called_by_hand_give_the_same_text(name: str, settings: dict[str, Any]) -> None:
    r"""White space at the end stays where it is: "2017. " is two words of intl, "dog's\t" is one of Tercom's."""
    ours, theirs = both(name, **settings)
    pieces = [
        "a",
        "B",
        "'s",
        "5",
        "2017.",
        ",",
        "!",
        "-",
        "-\n",
        "\n-",
        "&amp;",
        "<skipped>",
        "中",
        "。",
        *SPACES,
    ]
    drawn = random.Random(1)
    for _ in range(1000):
        text = "".join(drawn.choices(pieces, k=4))
        assert ours.tokenizer(text) == theirs.tokenizer(text)


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
        ("corpus_chrf", (HYPOTHESES, REFERENCES), {}),
        ("corpus_chrf", (HYPOTHESES, REFERENCES, 4, 2, 3, False, True), {}),
        ("corpus_chrf", (HYPOTHESES, REFERENCES[:1]), {"word_order": 1, "beta": 0.5}),
        ("sentence_chrf", (HYPOTHESES[0], ["The cat is on the mat.", None, "A cat sat."]), {"word_order": 2}),
        ("sentence_chrf", ("a", ["b"]), {}),
        ("sentence_chrf", ("", [""]), {}),
        ("sentence_chrf", ("", [""]), {"eps_smoothing": True}),
        ("sentence_chrf", ("", ["b"]), {"remove_whitespace": False}),
        ("sentence_chrf", (" ", [" "]), {"remove_whitespace": False}),
        ("corpus_ter", (HYPOTHESES, REFERENCES), {}),
        ("corpus_ter", (HYPOTHESES, REFERENCES, True, True, False, True), {}),
        ("corpus_ter", (HYPOTHESES, REFERENCES[:1]), {"normalized": True}),
        ("sentence_ter", (HYPOTHESES[0], ["On the mat the cat sat.", None, "A cat sat."]), {}),
        ("sentence_ter", ("a", ["b"]), {}),
        ("sentence_ter", ("", [""]), {}),
        ("sentence_ter", ("", ["b"]), {"no_punct": True}),
        ("sentence_ter", ("a", [""]), {"case_sensitive": True}),
    ],
)
def test_scores_are_the_same(name: str, arguments: tuple[Any, ...], settings: dict[str, Any]) -> None:
    ours, theirs = both(name, *arguments, **settings)
    assert shown(ours) == shown(theirs)
    assert shown(pickle.loads(pickle.dumps(ours))) == shown(theirs)


@pytest.mark.parametrize(("name", "settings"), [("BLEU", {}), ("CHRF", {"word_order": 2}), ("TER", {})])
@pytest.mark.parametrize("interval", [False, True])
@pytest.mark.parametrize(("is_json", "signed"), [(False, False), (False, True), (True, True)])
def test_formats_are_the_same(
    name: str, settings: dict[str, Any], interval: bool, is_json: bool, signed: bool
) -> None:
    texts = []
    for metric in both(name, **settings):
        score = metric.corpus_score(HYPOTHESES, REFERENCES)
        if interval:
            score._mean, score._ci = 43.21987, 1.2345
        signature = metric.get_signature().format() if signed else ""
        layouts = itertools.product((0, 1, 2, 3, 7), either)  # digits; whether the score alone
        texts.append([score.format(width, alone, signature, is_json) for width, alone in layouts])
    assert texts[0] == texts[1]


SMOOTHINGS = [("exp", None), ("none", None), ("floor", None), ("floor", 0.125), ("add-k", None), ("add-k", 2)]


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        *(
            ("BLEU", (either, (True,), (tokenize,), SMOOTHINGS, (4, 2), either, ("", "zh", "de")))
            for tokenize in (None, "none", "13a", "intl", "zh", "char")
        ),
        ("CHRF", (((6, 0), (6, 2), (3, 1)), (3,), either, either, either)),
        ("TER", (either, either, either, either)),
    ],
)
def test_signatures_are_the_same(name: str, choices: tuple[tuple[Any, ...], ...]) -> None:
    """A pair among the choices stands for two arguments."""
    for chosen in itertools.product(*choices):
        arguments = [
            part for choice in chosen for part in (choice if isinstance(choice, tuple) else [choice])
        ]
        for references in (REFERENCES, REFERENCES[:1]):
            ours, theirs = both(name, *arguments)
            ours.corpus_score(HYPOTHESES, references)
            theirs.corpus_score(HYPOTHESES, references)
            own, other = ours.get_signature(), theirs.get_signature()
            assert list(own.info.items()) == list(other.info.items())
            assert own.format() == other.format() == str(own) == repr(own)
            assert own.format(short=True) == other.format(short=True)


# --- state ------------------------------------------------------------------------------------------------


@every_metric
def test_references_are_kept(name: str) -> None:
    ours, theirs = both(name, references=REFERENCES)
    assert ours.num_refs == theirs.num_refs == -1
    assert str(ours.get_signature()) == str(theirs.get_signature())
    assert shown(ours.corpus_score(HYPOTHESES, None)) == shown(theirs.corpus_score(HYPOTHESES, None))
    # references given at the call count, and do not replace those kept
    given, kept = ours.corpus_score(HYPOTHESES, REFERENCES[:1]), ours.corpus_score(HYPOTHESES, None)
    assert shown(given) == shown(theirs.corpus_score(HYPOTHESES, REFERENCES[:1]))
    assert shown(kept) == shown(theirs.corpus_score(HYPOTHESES, None))


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("BLEU", {"lowercase": True, "smooth_method": "floor", "effective_order": True}),
        ("CHRF", {"lowercase": True, "beta": 3, "eps_smoothing": True}),
        ("TER", {"case_sensitive": True, "normalized": True}),
    ],
)
def test_attributes_may_be_set_later(name: str, changed: dict[str, Any], scored: bool) -> None:
    found = []
    for metric in both(name):
        if scored:
            metric.corpus_score(HYPOTHESES, REFERENCES)
        for attribute, value in changed.items():
            setattr(metric, attribute, value)
        before = str(metric.get_signature()) if scored else ""
        score = metric.sentence_score("THE Cat", ["the cat sat"])
        found.append((before, shown(score), str(metric.get_signature())))
    assert found[0] == found[1]


@pytest.mark.parametrize("score", [facade.corpus_bleu, facade.corpus_chrf, facade.corpus_ter])
def test_other_containers_are_taken_too(score: Any) -> None:
    expected = shown(score(HYPOTHESES, REFERENCES))
    arrays = [np.array(reference, dtype=object) for reference in REFERENCES]
    assert shown(score(np.array(HYPOTHESES, dtype=object), arrays)) == expected
    assert shown(score(iter(HYPOTHESES), (iter(r) for r in REFERENCES))) == expected


# --- what is refused --------------------------------------------------------------------------------------


@every_metric
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
        ("ab", [["a", "b"]], errors.WrongType, "got a single str"),
        ([], [[]], errors.NoSegments, "no segments"),
        ([], [], errors.NoSegments, "no segments"),
        (["a"], [], errors.NoSegments, "none"),
        (["a", "b"], [["a", None], ["b", None]], errors.BadInput, "segment 2 has none"),
        (["a", "b"], None, errors.BadInput, r"no references.* or to NAME\(references=...\)"),
        (["a", "\ud800"], [["a", "b"]], errors.InvalidText, "surrogate"),
    ],
)
def test_mistakes_are_refused(
    name: str, hypotheses: Any, references: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says.replace("NAME", name)):
        getattr(facade, name)().corpus_score(hypotheses, references)


@pytest.mark.parametrize("score", [facade.sentence_bleu, facade.sentence_chrf, facade.sentence_ter])
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
    score: Any, hypothesis: Any, references: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        score(hypothesis, references)


@every_metric
def test_kept_references_of_another_length_are_refused(name: str) -> None:
    metric = getattr(facade, name)
    with pytest.raises(errors.LengthMismatch):
        metric(references=[["a", "b"], ["a"]])
    with pytest.raises(errors.LengthMismatch):
        metric(references=[["a", "b"]]).corpus_score(["a"], None)


@pytest.mark.parametrize(
    ("name", "settings", "says"),
    [
        ("BLEU", {"tokenize": "14a"}, "Did you mean '13a'"),
        ("BLEU", {"smooth_method": "add-one"}, "Did you mean 'add-k'"),
        ("BLEU", {"smooth_method": "chen-cherry-5"}, "Known: none, floor, add-k, exp"),
        ("BLEU", {"max_ngram_order": 0}, "from 1 to 100"),
        ("CHRF", {"char_order": 0}, "no n-grams are counted"),
        ("CHRF", {"word_order": -1}, "word_order=-1"),
        ("CHRF", {"beta": -2}, "beta=-2"),
    ],
)
def test_unfit_settings_are_refused(name: str, settings: dict[str, Any], says: str) -> None:
    with pytest.raises(errors.BadParameter, match=says):
        getattr(facade, name)(**settings)


@every_metric
def test_a_signature_needs_a_number_of_references(name: str) -> None:
    with pytest.raises(errors.BadInput, match="score something first"):
        getattr(facade, name)().get_signature()


# --- subclasses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "arguments"),
    [
        ("base.Score", ("X", 3.0)),
        ("bleu.BLEUScore", (3.0, [1], [2], [50.0], 1.0, 2, 3)),
        ("chrf.CHRFScore", (3.0, 6, 0, 2)),
        ("ter.TERScore", (3.0, 1, 2.0)),
    ],
)
def test_scores_of_ones_own_say_more(base: str, arguments: tuple[Any, ...]) -> None:
    texts = []
    for package in (facade, sacrebleu):
        module, _, name = base.partition(".")
        score = type("Own", (getattr(getattr(package.metrics, module), name),), {})(*arguments)
        score._verbose = "and more"
        texts.append((score.format(signature="a:b"), score.format(signature="a:b", is_json=True)))
    assert texts[0] == texts[1]
    assert texts[0][0].endswith(" = 3.00 and more")


@every_metric
@pytest.mark.parametrize("step", ["_preprocess_segment", "_compute_score_from_stats", "compute_bleu"])
def test_steps_of_ones_own_are_refused(name: str, step: str) -> None:
    with pytest.raises(errors.BadMetric, match=f"class 'Own' defines {step}, which has no effect here"):
        type("Own", (getattr(facade, name),), {step: str.strip})
    assert type("Own", (getattr(facade, name),), {"more": 1})().corpus_score(HYPOTHESES, REFERENCES)
