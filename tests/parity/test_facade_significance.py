"""Significance in the sacreBLEU façade: the same means, intervals and p-values, to the last digit."""

from __future__ import annotations

import inspect
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("sacrebleu")
import sacrebleu.metrics
import sacrebleu.metrics.base
import sacrebleu.significance

import understudy.compat.sacrebleu.metrics as own_metrics
import understudy.compat.sacrebleu.significance as own
from material.wmt import needs_data, references_of, systems
from understudy import errors
from understudy.compat.sacrebleu import samples

SIDES = [
    (own, own_metrics),
    (sacrebleu.significance, sacrebleu.metrics),
]
METRICS: dict[str, tuple[str, dict[str, Any]]] = {
    "bleu": ("BLEU", {}),
    "bleu-segments": ("BLEU", {"effective_order": True, "max_ngram_order": 2}),
    "bleu-none": ("BLEU", {"smooth_method": "none"}),
    "bleu-floor": ("BLEU", {"smooth_method": "floor", "smooth_value": 0.03}),
    "bleu-add-1": ("BLEU", {"smooth_method": "add-k"}),
    "bleu-add-1.7": ("BLEU", {"smooth_method": "add-k", "smooth_value": 1.7, "effective_order": True}),
    "bleu-add-0.3": ("BLEU", {"smooth_method": "add-k", "smooth_value": 0.3}),
    "chrf": ("CHRF", {}),
    "chrf++": ("CHRF", {"word_order": 2, "beta": 3}),
    "chrf-eps": ("CHRF", {"word_order": 1, "eps_smoothing": True}),
    "ter": ("TER", {}),
}


def everything(result: Any) -> Any:
    """What a result says, its digits and their types."""
    if isinstance(result, str):
        return result
    return (repr(result), [(value, type(value)) for value in vars(result).values()])


def outcome(side: tuple[Any, Any], metric: str, texts: Any, references: Any, *arguments: Any) -> Any:
    significance, metrics = side
    name, choices = METRICS[metric]
    test = significance.PairedTest(texts, {name: getattr(metrics, name)(**choices)}, references, *arguments)
    signatures, scores = test()
    attributes = {
        key: value
        for key, value in vars(test).items()
        if key
        in ("test_type", "n_jobs", "n_samples", "n_ar_confidence", "n_systems", "named_systems", "_seed")
    }
    return (
        attributes,
        {key: (str(signature), signature.format(True)) for key, signature in signatures.items()},
        {key: [everything(result) for result in column] for key, column in scores.items()},
    )


def assert_same(metric: str, texts: Any, references: Any, *arguments: Any) -> None:
    ours, theirs = (outcome(side, metric, texts, references, *arguments) for side in SIDES)
    assert ours == theirs


# --- real systems -----------------------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("metric", "test", "samples", "confidence", "segments"),
    [
        ("bleu", "bs", 0, -1, 1002),
        ("bleu", "ar", 0, -1, 100),
        ("bleu", "ar", 777, 0, 1002),
        ("chrf", "bs", 0, -1, 300),
        ("chrf", "ar", 1000, 39, 300),
        ("chrf++", "bs", 41, 10, 300),
        ("chrf-eps", "ar", 100, 100, 200),
        ("ter", "bs", 0, -1, 12),
        ("ter", "ar", 0, 0, 12),
    ],
)
def test_real_systems(  # noqa: PLR0917 (one place for each column of the table above)
    metric: str, test: str, samples: int, confidence: int, segments: int, count: int
) -> None:
    texts = [(name, text[:segments]) for name, text in list(systems("wmt21.en-de").items())[:6]]
    references = [reference[:segments] for reference in references_of("wmt21.en-de")[:count]]
    assert_same(metric, texts, references, test, samples, confidence)


@needs_data
@pytest.mark.parametrize("metric", ["BLEU", "CHRF", "TER"])
def test_intervals_of_real_systems(metric: str) -> None:
    segments = 20 if metric == "TER" else 150
    references = [reference[:segments] for reference in references_of("wmt21.en-de")]
    for text in list(systems("wmt21.en-de").values())[:6]:
        shown = []
        for _, metrics in SIDES:
            chosen = getattr(metrics, metric)()
            score = chosen.corpus_score(text[:segments], references, n_bootstrap=1000)
            signature = chosen.get_signature()
            shown.append((score._mean, score._ci, str(score), str(signature)))
        assert shown[0] == shown[1]


# --- made-up systems --------------------------------------------------------------------------------------

WORDS = st.sampled_from(["a", "b", "ab", "c.", "Ä", "猫"])
TEXTS = st.lists(WORDS, max_size=7).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[tuple[str, list[str]]], list[list[str | None]]]:
    """Three systems, of which the last is sometimes the first again, and one to three references."""
    segments = draw(st.integers(1, 9))
    column = st.lists(TEXTS, min_size=segments, max_size=segments)
    texts = [(name, draw(column)) for name in ("base", "other", "third")]
    if draw(st.booleans()):
        texts[2] = ("same", texts[0][1])
    references: list[list[str | None]] = [list(draw(column))]
    for _ in range(draw(st.integers(0, 2))):
        more = st.lists(st.one_of(TEXTS, st.none()), min_size=segments, max_size=segments)
        references.append(draw(more))
    return texts, references


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("test", "confidence"), [("bs", -1), ("ar", -1), ("ar", 40)])
@given(corpus=corpora(), drawn=st.sampled_from([1, 2, 39, 40, 100]))
@settings(max_examples=25, deadline=None)
def test_made_up_systems(metric: str, test: str, confidence: int, corpus: Any, drawn: int) -> None:
    assert_same(metric, *corpus, test, drawn, confidence)


@pytest.mark.parametrize("metric", METRICS)
@given(corpus=corpora(), drawn=st.sampled_from([2, 39, 100]))
@settings(max_examples=25, deadline=None)
def test_made_up_intervals(metric: str, corpus: Any, drawn: int) -> None:
    (_, texts), *_ = corpus[0]
    name, choices = METRICS[metric]
    ours, theirs = (getattr(metrics, name)(**choices) for _, metrics in SIDES)
    score = ours.corpus_score(texts, corpus[1], n_bootstrap=drawn)
    assert f"|bs:{drawn}|seed:12345|" in str(ours.get_signature())
    if isinstance(score._mean, np.float64) and name != "BLEU" and samples.ROUNDED is np.float32:
        # Some samples score Python's 0.0 and others NumPy's numbers: it cannot take the mean of both.
        values = {type(value) for value in theirs_of_samples(theirs, texts, corpus[1], drawn)}
        if len(values) > 1:
            return
    other = theirs.corpus_score(texts, corpus[1], n_bootstrap=drawn)
    assert (score._mean, score._ci, str(score)) == (other._mean, other._ci, str(other))
    assert str(ours.get_signature()) == str(theirs.get_signature())


def theirs_of_samples(metric: Any, texts: list[str], references: Any, drawn: int) -> list[Any]:
    rows = metric._extract_corpus_statistics(texts, references)
    return [score.score for score in sacrebleu.significance._bootstrap_resample(rows, metric, drawn)[1]]


def test_sums_that_are_rounded_are_rounded_alike() -> None:
    """Beyond 2^24 single precision rounds whole numbers too: one row after the other, in the order drawn."""
    rows = np.random.default_rng(3).integers(10**5, 10**6, size=(200, 5))
    (ours,) = samples.bootstrap_sums([rows], 50, np.random.default_rng(7))
    drawn = np.random.default_rng(7).choice(200, size=(50, 200), replace=True)
    theirs = np.array([sample.sum(0) for sample in np.array(rows, dtype="float32")[drawn]])
    assert ours.dtype == theirs.dtype
    assert np.array_equal(ours, theirs)
    assert not np.array_equal(ours, rows[drawn].sum(axis=1))


@pytest.mark.parametrize("metric", ["bleu", "chrf-eps", "ter"])
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_parts_make_no_difference(monkeypatch: pytest.MonkeyPatch, metric: str, test: str) -> None:
    texts = [(name, [f"{name} {number} x y z {number}"] * number) for number, name in ((5, "a"), (5, "b"))]
    references = [[f"a {number} x y z 5" for number in range(5)], [f"b {number} x z" for number in range(5)]]
    whole = outcome(SIDES[0], metric, texts, references, test, 100, 33)
    monkeypatch.setattr(samples, "BYTES_AT_ONCE", 1)
    assert outcome(SIDES[0], metric, texts, references, test, 100, 33) == whole


# --- seeds ------------------------------------------------------------------------------------------------

SMALL = [("base", ["a b c", "d e f", "g h"]), ("other", ["a b d", "d e", "g h i"])]
SMALL_REFERENCES = [["a b c d", "d e f", "g i"]]


@pytest.mark.parametrize("seed", ["1", "98765432109876543210", "007"])
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_the_seed_is_the_environment_s(monkeypatch: pytest.MonkeyPatch, seed: str, test: str) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    assert_same("chrf", SMALL, SMALL_REFERENCES, test, 50, 0)
    shown = []
    for _, metrics in SIDES:
        metric = metrics.CHRF()
        shown.append(str(metric.corpus_score(SMALL[1][1], SMALL_REFERENCES, n_bootstrap=50)))
        shown[-1] += str(metric.get_signature())
    assert shown[0] == shown[1]
    assert f"|seed:{seed}|" in shown[0]


@pytest.mark.parametrize("seed", ["none", "None"])
def test_samples_without_a_seed_differ(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    means = {outcome(SIDES[0], "chrf", SMALL, SMALL_REFERENCES, "bs", 50)[2]["chrF2"][1][0] for _ in range(8)}
    assert len(means) > 1
    assert "|seed:none|" in outcome(SIDES[0], "chrf", SMALL, SMALL_REFERENCES, "bs", 50)[1]["chrF2"][0]


def test_0_is_a_seed_for_intervals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    ours, theirs = (outcome(side, "chrf", SMALL, SMALL_REFERENCES, "bs", 50) for side in SIDES)
    assert ours[:2] == theirs[:2]
    assert ours[2]["chrF2"][0] == theirs[2]["chrF2"][0]  # the baseline's
    results = {
        outcome(SIDES[0], "chrf", SMALL, SMALL_REFERENCES, "bs", 50)[2]["chrF2"][1][0] for _ in range(8)
    }
    assert len(results) > 1


@pytest.mark.parametrize("seed", ["", "x", "-1", "1.5"])
def test_other_seeds_are_refused(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    with pytest.raises(errors.BadParameter, match="SACREBLEU_SEED"):
        own.PairedTest(SMALL, {"BLEU": own_metrics.BLEU()}, SMALL_REFERENCES)
    with pytest.raises(errors.BadParameter, match="SACREBLEU_SEED"):
        own_metrics.BLEU().corpus_score(SMALL[0][1], SMALL_REFERENCES, n_bootstrap=2)


# --- the interface ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["PairedTest", "Result", "estimate_ci"])
def test_parameters_are_the_same(name: str) -> None:
    ours, theirs = (inspect.signature(getattr(side[0], name)).parameters.values() for side in SIDES)
    assert [(p.name, p.default) for p in ours] == [(p.name, p.default) for p in theirs]


def test_several_metrics_at_once_and_references_kept() -> None:
    shown = []
    for significance, metrics in SIDES:
        chosen = {
            name: getattr(metrics, name)(references=SMALL_REFERENCES) for name in ("BLEU", "CHRF", "TER")
        }
        test = significance.PairedTest([*SMALL, ("same", SMALL[0][1])], chosen, None, "bs", 60)
        signatures, scores = test()
        assert list(test.metrics) == ["BLEU", "chrF2", "TER"]
        shown.append((str(signatures), str(scores), list(scores)))
    assert shown[0] == shown[1]


def test_a_baseline_alone_has_its_interval() -> None:
    assert_same("bleu", SMALL[:1], SMALL_REFERENCES, "bs", 20)


def test_intervals_of_other_scores() -> None:
    shown = []
    for _, metrics in SIDES:
        score, *others = (
            metrics.TER().corpus_score(SMALL[0][1], [[reference, "a b", "d"]]) for reference in "abcdefg"
        )
        score.estimate_ci(others)
        shown.append((score._mean, score._ci, score.format()))
    assert shown[0] == shown[1]
    values = np.arange(123, dtype=np.float32) ** 2
    assert own.estimate_ci(values) == sacrebleu.significance.estimate_ci(values)


def test_an_interval_can_be_written_as_json() -> None:
    metric = own_metrics.CHRF()
    score = metric.corpus_score(SMALL[0][1], SMALL_REFERENCES, n_bootstrap=100)
    written = json.loads(score.format(is_json=True, signature=str(metric.get_signature())))
    assert written["bs"] == "100"
    assert written["confidence_mean"] == pytest.approx(float(score._mean), abs=0.005)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((SMALL, {}, SMALL_REFERENCES, "tt"), errors.BadParameter, "unknown test_type 'tt'"),
        (([], {}, SMALL_REFERENCES), errors.BadInput, "baseline first"),
        (
            (SMALL, {"BLEU": sacrebleu.BLEU()}, SMALL_REFERENCES),
            errors.WrongType,
            "understudy.compat.sacrebleu",
        ),
        ((SMALL, {"BLEU": own_metrics.BLEU()}, [["a"]]), errors.LengthMismatch, "3 segments"),
        ((SMALL, {"BLEU": own_metrics.BLEU()}, None), errors.BadInput, "no references"),
    ],
)
def test_mistakes_are_refused(arguments: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        own.PairedTest(*arguments)
