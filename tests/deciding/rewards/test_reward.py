"""`Reward`: what the reward functions of all libraries share."""

from __future__ import annotations

import pickle

import pytest

from understudy import BLEU, NIST, Reward, UnderstudyError, metric
from understudy.errors import BadInput, BadParameter, InvalidText, LengthMismatch, WrongType

REFERENCE = "the cat sat on the mat"


@pytest.mark.parametrize("spec", ["bleu", "bleu:smooth=add-k", "gleu", "chrf", "ter", "length-ratio"])
def test_rewards_are_those_of_the_metric(spec):
    completions = ["the cat sat", "a dog ran", REFERENCE, " the mat on the cat sat \n"]
    references = [REFERENCE, [REFERENCE, "a dog ran off"], [None, REFERENCE], REFERENCE]
    expected = metric(spec).rewards(
        [text.strip() for text in completions], [[REFERENCE], references[1], [REFERENCE], [REFERENCE]]
    )
    assert Reward(metric=spec).of(completions, references) == expected.tolist()


def test_a_metric_may_be_given_itself():
    assert (
        Reward(metric=BLEU(max_order=2)).of(["a b"], ["a b c"])
        == BLEU(max_order=2).rewards(["a b"], ["a b c"]).tolist()
    )


@pytest.mark.parametrize("missing", [None, "", " ", [], [None], ["", None], ()])
def test_without_a_reference_there_is_no_reward(missing):
    assert Reward().of(["the cat", "the cat"], [missing, "the cat"]) == [None, 1.0]
    assert Reward().of(["the cat"], [missing]) == [None]
    with pytest.raises(
        BadInput, match="references: sample 2 of 3 has none, and verl needs a reward of every sample"
    ):
        Reward().of_all(["the cat"] * 3, ["the cat", missing, "the cat"], "verl")


@pytest.mark.parametrize("spec", ["bleu", "ter", "exact-match", "length-ratio", "wer"])
@pytest.mark.parametrize("empty", ["", " \n", "\t"])
def test_an_empty_completion_gets_nothing(spec, empty):
    assert Reward(metric=spec).of([empty, "a"], ["a", "a"]) == [0.0, 1.0]


def test_no_samples():
    assert Reward().of([], []) == []


@pytest.mark.parametrize(
    ("settings", "completion", "answer"),
    [
        ({"after": "</think>"}, "<think>no</think> the cat", "the cat"),
        ({"after": "</think>"}, "<think>a</think>b</think>the cat", "the cat"),
        ({"after": "</think>"}, "<think>the cat", ""),
        ({"after": "</think>"}, "the cat</think>", ""),
        ({"extract": r"<answer>(.*?)</answer>"}, "x <answer>\nthe\ncat </answer> y", "the\ncat"),
        ({"extract": r"<answer>(.*?)</answer>"}, "<answer>a</answer><answer>the cat</answer>", "the cat"),
        ({"extract": r"<answer>(.*?)</answer>"}, "<answer>the cat", ""),
        ({"extract": r"the \w+"}, "so the cat", "the cat"),
        ({"extract": r"(a)?z"}, "z", ""),
    ],
)
def test_the_answer_in_a_completion(settings, completion, answer):
    reward = Reward(metric="chrf", **settings)
    expected = metric("chrf").rewards([answer], ["the cat"]).tolist()
    assert reward.of([completion], ["the cat"]) == expected


def test_it_can_be_pickled_after_use_too():
    reward = Reward(metric="chrf", extract=r"<a>(.*)</a>")
    before = reward.of(["<a>cat</a>"], ["cats"])
    again = pickle.loads(pickle.dumps(reward))
    assert again == reward
    assert again.of(["<a>cat</a>"], ["cats"]) == before


def test_a_fitted_metric_keeps_its_fit():
    fitted = metric("weighted-ngram").fit([REFERENCE, "a dog ran off", "it rained"])
    reward = pickle.loads(pickle.dumps(Reward(metric=fitted)))
    assert reward.of(["the cat"], [REFERENCE]) == fitted.rewards(["the cat"], [REFERENCE]).tolist()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"metric": "nist"}, BadParameter, "nist: its scores are not fractions"),
        ({"metric": NIST().fit(["a b"])}, BadParameter, "not fractions"),
        ({"metric": "weighted-ngram"}, BadInput, "depend on the rest of its batch"),
        ({"metric": "self-bleu"}, BadParameter, "it does not compare completions with references"),
        ({"metric": "blue"}, BadParameter, "Did you mean 'bleu'"),
        ({"metric": 3}, BadParameter, "expected a metric or its spec"),
        ({"extract": "("}, BadParameter, "not a regular expression"),
        ({"extract": "(a)(b)"}, BadParameter, "got 2 groups, expected at most one"),
        ({"extract": 3}, WrongType, "extract: got int"),
        ({"extract": "a", "after": "b"}, BadParameter, "expected only one of them"),
        ({"after": ""}, BadParameter, "expected a tag"),
        ({"after": 3}, WrongType, "after: got int"),
        ({"threads": 0}, BadParameter, "threads=0"),
        ({"metrics": "bleu"}, BadParameter, "Did you mean 'metric'"),
    ],
)
def test_settings_that_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        Reward(**settings)


@pytest.mark.parametrize(
    ("completions", "references", "error", "message"),
    [
        (["a"], ["a", "b"], LengthMismatch, "got 1 completions and references of 2 samples"),
        ("a", ["a"], WrongType, "completions: got a single str"),
        (["a"], "a", WrongType, "references: got a single str"),
        (["a", None], ["a", "b"], WrongType, "completions: sample 2 is None, expected a string"),
        (["a"], [3], WrongType, "references of sample 1: got int"),
        (["a"], [["a", 3]], WrongType, "references: sample 1 has int"),
        # The number is that of the sample, although the first has nothing to score.
        (["", "a", "\ud800"], ["a", None, "a"], InvalidText, "segment 3 has a lone surrogate"),
    ],
)
def test_input_that_is_refused(completions, references, error, message):
    with pytest.raises(error, match=message) as raised:
        Reward().of(completions, references)
    assert isinstance(raised.value, UnderstudyError)


def test_plain_bleu_4_is_a_bad_reward():
    """As the guide says: without smoothing, completions of very different quality get the same reward, 0."""
    references = ["the cat sat on the mat near the door"]
    good, bad = "a cat sat on a mat near a door", "purple ideas sleep"
    assert Reward(metric="bleu:smooth=none").of([good, bad], references * 2) == [0.0, 0.0]
    for spec in ("bleu", "bleu:smooth=add-k", "gleu", "chrf"):
        better, worse = Reward(metric=spec).of([good, bad], references * 2)
        assert better is not None
        assert worse is not None
        assert better > worse + 0.1
