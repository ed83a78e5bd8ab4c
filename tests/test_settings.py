"""Settings of the verbs: unknown names and invalid values fail with one line, before anything is read."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import understudy
from understudy import TrustPlan, compare, compare_scores, score_sets, trust, trust_by_order, trust_sets
from understudy.comparing.plan import Plan
from understudy.errors import UnderstudyError, UnknownParameter

WITH_PLANS: dict[str, Callable[..., Any]] = {
    "compare": lambda **given: compare({}, [], **given),
    "compare_scores": lambda **given: compare_scores({"x": {"a": [1.0], "b": [2.0]}}, **given),
    "trust": lambda **given: trust("no such file", **given),
    "trust_by_order": lambda **given: trust_by_order("no such file", {}, **given),
    "trust_sets": lambda **given: trust_sets([], **given),
    "Plan": Plan,
    "TrustPlan": TrustPlan,
}


@pytest.mark.parametrize("called", WITH_PLANS.values(), ids=WITH_PLANS)
def test_an_unknown_option_is_named_with_the_closest_and_all_others(called: Callable[..., Any]) -> None:
    said = r"^unknown option 'sampels'\. Did you mean 'samples'.* Known: .*samples, .*significance.*\.$"
    with pytest.raises(UnknownParameter, match=said):
        called(sampels=10)


def test_an_option_of_the_function_itself_is_suggested_too() -> None:
    with pytest.raises(UnknownParameter, match="Did you mean 'metrics'"):
        compare({}, [], metric="bleu")
    with pytest.raises(UnknownParameter, match="Did you mean 'references_as_systems'"):
        score_sets([], references_as_system=True)


def test_an_unknown_option_is_a_type_error_as_usual_in_python() -> None:
    assert issubclass(UnknownParameter, TypeError)


def test_plans_can_be_copied() -> None:
    plan = TrustPlan(samples=3)
    assert copy.copy(plan) == pickle.loads(pickle.dumps(plan)) == plan


verbs: Any = understudy  # whose types are wrong on purpose
TEXTS = ({"a": ["a b"], "b": ["b c"]}, ["a c"])
INVALID: dict[str, tuple[Callable[[], Any], str]] = {
    "a word for a number": (
        lambda: verbs.compare(*TEXTS, samples="ten"),
        "samples='ten': expected an integer",
    ),
    "half a sample": (lambda: verbs.compare(*TEXTS, samples=1.5), "samples=1.5: expected an integer"),
    "a truth for a number": (lambda: verbs.TrustPlan(samples=True), "samples=True: expected an integer"),
    "a negative seed": (lambda: verbs.compare(*TEXTS, seed=-1), "seed=-1: expected an integer of at least 0"),
    "no seed": (lambda: verbs.TrustPlan(seed=None), "seed=None: expected an integer of at least 0"),
    "one block": (
        lambda: verbs.compare(*TEXTS, test="blocks", blocks=1),
        "blocks=1: expected an integer of at least 2",
    ),
    "an empty block": (lambda: Plan(test="blocks", block_size=0), "block_size=0: expected an integer"),
    "an unknown correction": (
        lambda: verbs.compare(*TEXTS, correct="bonf"),
        "correct='bonf': expected holm, bh, none",
    ),
    "no test": (lambda: verbs.compare(*TEXTS, test=None), "unknown test 'None'"),
    "a percentage": (
        lambda: verbs.compare(*TEXTS, significance=5),
        "significance=5: expected a number between 0 and 1",
    ),
    "a confidence in words": (
        lambda: verbs.TrustPlan(confidence="95%"),
        "confidence='95%': expected a number",
    ),
    "a level that is a list": (
        lambda: verbs.score(*TEXTS, level=["corpus"]),
        r"level=\['corpus'\]: expected corpus",
    ),
    "intervals of nothing": (
        lambda: verbs.score_with_intervals(*TEXTS, samples=0),
        "samples=0: expected an integer",
    ),
    "intervals of an unknown kind": (
        lambda: verbs.score_with_intervals(*TEXTS, interval="normal"),
        "interval='normal': expected percentile, bca",
    ),
    "intervals at 95": (
        lambda: verbs.score_with_intervals(*TEXTS, confidence=95),
        "confidence=95: expected a number",
    ),
    "half a draw": (lambda: verbs.study_references(*TEXTS, draws=0.5), "draws=0.5: expected an integer"),
    "segments in words": (
        lambda: verbs.explain(["a"], ["b"], against="lowercase=true", segments="all"),
        "segments='all': expected an integer of at least 0",
    ),
    "fewer than no n-grams": (lambda: verbs.break_down(*TEXTS, ngrams=-1), "ngrams=-1: expected an integer"),
    "segments broken down": (
        lambda: verbs.break_down(*TEXTS, level="segment"),
        "level='segment': expected corpus, mean",
    ),
    "a language in a list": (lambda: verbs.score(*TEXTS, lang=["zh"]), "lang: got list, expected a string"),
    "a list of baselines": (
        lambda: verbs.compare(*TEXTS, baseline=["a"]),
        "baseline: got list, expected a string",
    ),
    "a number of system types": (
        lambda: verbs.compare(*TEXTS, kinds=2),
        "kinds: got int, expected a list of strings",
    ),
    "a metric for a list of names": (
        lambda: verbs.compare_scores({"x": {"a": [1], "b": [2]}}, lower_is_better=None),
        "lower_is_better: got None, expected a list of strings",
    ),
    "no scores": (lambda: verbs.compare_scores({}), "there are no scores"),
    "another metric's number": (
        lambda: verbs.explain(["a"], ["b"], against=3),
        "against: got int, expected a string",
    ),
    "text to train on": (
        lambda: verbs.break_down(*TEXTS, train=["a b"]),
        "train: got list, expected the path of a file",
    ),
    "a preset of nothing": (lambda: verbs.BLEU.preset(None), "preset: got None, expected a string"),
    "systems by number": (lambda: verbs.Corpus(*TEXTS)[0], "system: got int, expected a string"),
    "sets by number": (lambda: verbs.trust_sets([1]), "sets: got int, expected the path of a file"),
    "spans in a list": (
        lambda: verbs.span_agreement([]),
        "human spans: got list, expected the path of a file",
    ),
    "a parser's languages": (lambda: verbs.parse(["a"], lang=["en"]), "lang: got list, expected a string"),
    "no credit": (
        lambda: verbs.span_agreement("x", severity_credit=None),
        "severity_credit=None: expected a number",
    ),
    "no order": (lambda: verbs.trust_by_order("x", {}, up_to="4"), "up_to='4': expected an integer"),
}


@pytest.mark.parametrize(("called", "said"), INVALID.values(), ids=INVALID)
def test_an_invalid_setting_is_named_with_what_was_expected(called: Callable[[], Any], said: str) -> None:
    with pytest.raises(UnderstudyError, match=f"^{said}"):
        called()


def test_one_name_is_a_list_of_one() -> None:
    assert verbs.TrustPlan(coefficients="pearson").coefficients == ("pearson",)


def test_an_error_is_one_line_whatever_was_given() -> None:
    with pytest.raises(UnderstudyError) as caught:
        verbs.BLEU(max_order=np.array([["a"], ["b"]]))
    assert "\n" not in str(caught.value)
