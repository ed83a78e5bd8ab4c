"""Metric specs, parameters and presets: what is understood, what is refused, and how the refusal helps."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import BLEU, Metric, UnderstudyError, metric
from understudy.errors import BadParameter, UnknownParameter
from understudy.metrics.base.parameters import Parameter, Unchosen, parse_settings
from understudy.metrics.base.registry import metrics

METRICS = metrics()


def refusal(spec: str) -> str:
    with pytest.raises(BadParameter) as caught:
        metric(spec)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- what a spec means ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "meant"),
    [
        ("bleu", BLEU()),
        ("BLEU", BLEU()),
        ("  bleu  ", BLEU()),
        ("bleu:", BLEU()),
        ("bleu:,", BLEU()),
        ("bleu:max_order=2", BLEU(max_order=2)),
        ("bleu:max-order=2", BLEU(max_order=2)),
        ("bleu: max_order = 2 , smooth = none ", BLEU(max_order=2, smooth="none")),
        ("bleu:lowercase=true", BLEU(lowercase=True)),
        ("bleu:lowercase=True", BLEU(lowercase=True)),
        ("bleu:lowercase=ascii", BLEU(lowercase="ascii")),
        ("bleu:lowercase=false", BLEU()),
        ("bleu:effective_order=yes", BLEU(effective_order=True)),
        ("bleu:effective_order=no", BLEU(effective_order=False)),
        ("bleu:effective_order=default", BLEU()),
        ("bleu:smooth=floor,smooth_value=0.5", BLEU(smooth="floor", smooth_value=0.5)),
        ("bleu:smooth=floor,smooth_value=1e-2", BLEU(smooth="floor", smooth_value=0.01)),
        ("bleu:weights=0.5/0.25/0.125/0.125", BLEU(weights=(0.5, 0.25, 0.125, 0.125))),
        ("bleu:max_order=1,weights=1", BLEU(max_order=1, weights=(1.0,))),
        ("bleu:multi-bleu", BLEU.preset("multi-bleu")),
        ("bleu:preset=multi-bleu", BLEU.preset("multi-bleu")),
        ("bleu:multi-bleu,lowercase=true", BLEU.preset("multi-bleu", lowercase=True)),
        ("bleu:lowercase=true,multi-bleu", BLEU.preset("multi-bleu", lowercase=True)),
    ],
)
def test_spec(spec, meant):
    assert metric(spec) == meant
    assert metric(meant.spec) == meant


def test_spec_is_the_shortest():
    """Only what differs from the default, or the preset that is exactly this."""
    assert BLEU(max_order=4, smooth="exp").spec == "bleu"
    assert BLEU(tokenize="ascii-spaces", smooth="none").spec == "bleu:multi-bleu"
    assert BLEU(lowercase=True, smooth="none").spec == "bleu:papineni2002"
    assert BLEU.preset("multi-bleu", max_order=2).spec == "bleu:tokenize=ascii-spaces,max_order=2,smooth=none"
    assert (
        BLEU(effective_order=False).spec == "bleu:effective_order=false"
    )  # not the same as the default, None


@settings(max_examples=40, deadline=None)
@given(
    shares=st.lists(st.integers(1, 1000), min_size=1, max_size=6),
    value=st.floats(min_value=1e-9, max_value=1e9, exclude_min=True),
)
def test_numbers_keep_every_digit(shares, value):
    weights = tuple(share / sum(shares) for share in shares)
    first = BLEU(max_order=len(weights), weights=weights, smooth="floor", smooth_value=value)
    again = metric(first.spec)
    assert isinstance(again, BLEU)
    assert (again.weights, again.smooth_value) == (weights, value)
    assert again == first == eval(repr(first), {"BLEU": BLEU})


# --- commas and backslashes -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a,b", "a\\b", "a\\,b", ",", "\\", "a\\\\,", "no comma", "a=b", "a:b"])
def test_commas_in_values_are_escaped(name):
    """A file name may hold a comma: `tokenize=spm:my\\,model`."""
    written = f"tokenize={Parameter.format(name)},max_order=2"
    assert parse_settings(BLEU, written) == {"tokenize": name, "max_order": 2}


@settings(max_examples=60, deadline=None)
@given(name=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1))
def test_any_text_can_be_a_value(name):
    assert parse_settings(BLEU, f"max_order=3,tokenize={Parameter.format(name)}") == {
        "max_order": 3,
        "tokenize": name,
    }


def test_unescaped_comma_separates():
    assert "unknown preset 'b'" in refusal("bleu:tokenize=13a,b")


# --- refusals that help -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("bleau", "unknown metric 'bleau'. Did you mean 'bleu'"),
        ("", "unknown metric ''. Known: "),
        ("qqqq:max_order=2", "unknown metric 'qqqq'. Known: "),
        ("bleu:max_ordr=2", "bleu: unknown parameter 'max_ordr'. Did you mean 'max_order'"),
        ("bleu:lowercased=true", "bleu: unknown parameter 'lowercased'. Did you mean 'lowercase'?"),
        ("bleu:zzz=1", "bleu: unknown parameter 'zzz'. Known: lowercase, "),
        ("bleu:papineni", "bleu: unknown preset 'papineni'. Did you mean 'papineni2002'"),
        ("bleu:preset=mteval", "bleu: unknown preset 'mteval'. Did you mean 'mteval-v13a'"),
        (
            "bleu:max_order=2,max_order=3",
            "bleu: 'max_order' is set twice in 'max_order=2,max_order=3'. Set it once.",
        ),
        ("bleu:max-order=2,max_order=3", "bleu: 'max_order' is set twice"),
        ("bleu:multi-bleu,nltk", "bleu: 'preset' is set twice"),
        ("bleu:max_order=two", "bleu: max_order=two: expected an integer from 1 to 100."),
        ("bleu:max_order=2.5", "bleu: max_order=2.5: expected an integer from 1 to 100."),
        ("bleu:max_order=", "bleu: max_order=: expected an integer from 1 to 100."),
        ("bleu:max_order=0", "bleu: max_order=0: expected an integer from 1 to 100."),
        ("bleu:max_order=-3", "bleu: max_order=-3: expected an integer from 1 to 100."),
        ("bleu:lowercase=maybe", "bleu: lowercase=maybe: expected false, true, ascii."),
        ("bleu:smooth=expo", "bleu: smooth='expo': expected none, floor, add-k, add-k-all, exp, "),
        ("bleu:brevity=longest", "bleu: brevity='longest': expected closest, shortest, average."),
        ("bleu:effective_order=2", "bleu: effective_order=2: expected true or false or 'default'."),
        ("bleu:weights=a/b", "bleu: weights=a/b: expected numbers separated by '/'"),
        (
            "bleu:weights=0.5/0.5",
            "bleu: weights: got 2, expected 4, one per order. Set max_order to change the number of orders.",
        ),
        (
            "bleu:max_order=2,weights=0.5/0.6",
            "bleu: weights=(0.5, 0.6): expected non-negative numbers that sum to 1.",
        ),
        ("bleu:max_order=2,weights=1.5/-0.5", "bleu: weights=(1.5, -0.5): expected non-negative numbers"),
        ("bleu:max_order=2,weights=nan/nan", "expected non-negative numbers that sum to 1."),
        ("bleu:smooth_value=1", "bleu: smooth_value=1.0: smoothing method 'exp' has no parameter."),
        ("bleu:smooth=none,smooth_value=1", "smoothing method 'none' has no parameter."),
        ("bleu:smooth=floor,smooth_value=lots", "bleu: smooth_value=lots: expected a number or 'default'."),
        ("bleu:smooth=floor,smooth_value=-1", "bleu: smooth_value=-1.0: expected a number of at least 0."),
        ("bleu:smooth=add-k,smooth_value=nan", "bleu: smooth_value=nan: expected a number of at least 0."),
        ("bleu:smooth=add-k,smooth_value=inf", "bleu: smooth_value=inf: expected a number of at least 0."),
        ("bleu:smooth=chen-cherry-4,smooth_value=0", "smoothing method 'chen-cherry-4' divides by it"),
        ("bleu:tokenize=13b", "bleu: unknown tokenizer '13b'. Did you mean '13a'?"),
        ("bleu:tokenize=13a:model", "bleu: tokenizer '13a' does not take a model file, got '13a:model'."),
        ("bleu:tokenize=spm:", "bleu: tokenizer 'spm:' lacks the model file. Use spm:FILE"),
    ],
)
def test_refusals(spec, said):
    assert said in refusal(spec)


def test_refusals_are_value_errors_too():
    with pytest.raises(ValueError, match="unknown metric"):
        metric("nonsense")


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_order": "4"},
        {"max_order": 2.5},
        {"max_order": None},
        {"tokenize": 13},
        {"effective_order": "yes"},
        {"weights": "abcd"},
        {"weights": 4},
        {"smooth": "floor", "smooth_value": "0.1"},
    ],
    ids=repr,
)
def test_values_of_the_wrong_type_are_refused_at_once(wrong):
    with pytest.raises(UnderstudyError):
        BLEU(**wrong)


# --- in Python --------------------------------------------------------------------------------------------


def test_parameters_are_keywords():
    with pytest.raises(TypeError):
        BLEU(4)  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError):
        BLEU(max_ordre=4)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["smooth", "brevity", "lowercase", "empty_order", "no_match"])
def test_choices_are_checked(name):
    wrong: dict[str, Any] = {name: "sideways"}
    with pytest.raises(BadParameter, match=f"^{name}='sideways': expected "):
        BLEU(**wrong)


def test_a_list_of_weights_is_as_good_as_a_tuple():
    of_list = BLEU(weights=[0.25] * 4)  # type: ignore[arg-type]
    assert of_list == BLEU(weights=(0.25,) * 4)
    assert hash(of_list) == hash(BLEU(weights=(0.25,) * 4))


@pytest.mark.parametrize("metric_class", METRICS.values(), ids=METRICS)
def test_a_whole_number_is_the_float_that_it_equals(metric_class):
    """One metric with one spec, so that what one counted adds up with what the other did."""
    for name, parameter in metric_class.parameters().items():
        if float not in parameter.types:
            continue
        taken = 0
        for number in (0, 1, 2):
            with contextlib.suppress(BadParameter):
                ours, other = (metric_class(**{name: value}) for value in (number, float(number)))
                assert (ours, ours.spec, repr(ours)) == (other, other.spec, repr(other))
                assert type(getattr(ours, name)) is float
                taken += 1
        assert taken or name in (
            "smooth_value",
            "weight",
        )  # which no smoothing, no kind of ROUGE takes by default


def test_statistics_of_a_whole_number_and_its_float_add_up():
    one, other = (BLEU(smooth="add-k", smooth_value=value) for value in (1, 1.0))
    assert one.spec == other.spec == "bleu:smooth=add-k,smooth_value=1.0"
    assert (one.statistics(["a b"], ["a b"]) + other.statistics(["c"], ["c"])).segments == 2
    assert BLEU(max_order=2, weights=(1, 0)).spec == "bleu:max_order=2,weights=1.0/0.0"


def test_numbers_larger_than_any_float_are_refused():
    for wrong in ({"smooth": "add-k", "smooth_value": 10**400}, {"weights": [10**400, 0, 0, 0]}):
        with pytest.raises(BadParameter, match="is too large for a float; expected"):
            BLEU(**wrong)


def test_zero_for_a_smoothing_that_adds_is_no_smoothing():
    pair = (["a b c d x"], ["a b c d e"])
    plain = BLEU(smooth="none").corpus(*pair).value
    assert BLEU(smooth="floor", smooth_value=0).corpus(*pair).value == plain
    assert BLEU(smooth="add-k", smooth_value=0).corpus(*pair).value == plain


def test_preset_with_changes():
    changed = BLEU.preset("papineni2002", max_order=2, smooth="floor")
    assert (changed.max_order, changed.lowercase, changed.smooth) == (2, True, "floor")
    with pytest.raises(BadParameter, match=r"unknown preset 'papineni'. Did you mean 'papineni2002'\?"):
        BLEU.preset("papineni")


@pytest.mark.parametrize(
    "make",
    [
        lambda: BLEU(smooth_method="exp"),  # type: ignore[call-arg]
        lambda: BLEU.preset("nltk", smooth_method="exp"),
        lambda: dataclasses.replace(BLEU(), smooth_method="exp"),  # type: ignore[call-arg]
    ],
    ids=["constructor", "preset", "replace"],
)
def test_a_keyword_that_is_no_parameter_is_refused_as_in_a_spec(make):
    with pytest.raises(UnknownParameter) as caught:
        make()
    assert isinstance(caught.value, TypeError)  # what Python itself raises
    assert (
        str(caught.value)
        == "BLEU: unknown parameter 'smooth_method'. Did you mean 'smooth_value' or 'smooth'?"
    )
    assert refusal("bleu:smooth_method=exp") == str(caught.value).replace("BLEU", "bleu")


@pytest.mark.parametrize("metric_class", METRICS.values(), ids=METRICS)
def test_a_constructor_shows_its_parameters_and_names_them_where_another_is_asked_for(metric_class):
    names = [*metric_class.parameters()]
    assert [*inspect.signature(metric_class).parameters] == names
    with pytest.raises(
        UnknownParameter,
        match=f"^{metric_class.__name__}: unknown parameter 'zzz'. Known: {', '.join(names)}",
    ):
        metric_class(zzz=1)


WHOLE_NUMBERS = [
    (name, parameter)
    for name, metric_class in METRICS.items()
    for parameter in metric_class.parameters().values()
    if int in parameter.types
]


@pytest.mark.parametrize(
    ("name", "parameter"),
    WHOLE_NUMBERS,
    ids=[f"{name}-{parameter.name}" for name, parameter in WHOLE_NUMBERS],
)
def test_whole_numbers_have_two_ends(name, parameter):
    """Beyond which there would be no memory, no end, or no such integer in the core."""
    least, most = parameter.between
    for value in (least - 1, most + 1, 10**20):
        or_default = " or 'default'" if type(None) in parameter.types else ""
        said = f"{name}: {parameter.name}={value}: expected an integer from {least} to {most}{or_default}."
        assert refusal(f"{name}:{parameter.name}={value}") == said


@pytest.mark.parametrize("metric_class", METRICS.values(), ids=METRICS)
def test_parameters_explain_themselves(metric_class):
    """Read back from text, every default and every choice is itself; help is one line without a period."""
    assert issubclass(metric_class, Metric)
    for name, parameter in metric_class.parameters().items():
        assert parameter.name == name
        assert parameter.default == getattr(metric_class(), name)
        assert parameter.expected
        assert "\n" not in parameter.help
        for value in (parameter.default, *parameter.choices):
            read = parse_settings(metric_class, f"{name}={Parameter.format(value)}")[name]
            kind = str if isinstance(value, Unchosen) else type(value)  # what is written has been chosen
            assert (read, type(read)) == (value, kind)


def test_every_preset_is_valid():
    for metric_class in METRICS.values():
        for name, chosen in metric_class.presets.items():
            assert set(chosen) <= set(metric_class.parameters()), name
            assert metric(f"{metric_class.name}:{name}") == metric_class(**chosen)


def test_infinite_and_missing_numbers_are_not_weights():
    for weights in ((math.inf, -math.inf), (math.nan, 1.0), (math.inf, 0.0)):
        with pytest.raises(BadParameter, match="weights="):
            BLEU(max_order=2, weights=weights)


def test_a_constructor_says_how_presets_and_parameters_are_named():
    with pytest.raises(UnknownParameter, match=r"^BLEU: use BLEU.preset\(name\) for a preset.$"):
        BLEU(preset="nltk")  # type: ignore[call-arg]
    with pytest.raises(
        UnknownParameter, match=r"^BLEU\('13a'\): parameters must be given by name. Known: lowercase, "
    ):
        BLEU("13a")  # type: ignore[call-arg, arg-type]
