"""Tuning as a whole: known truth, noise, held-out segments, restrictions, merged lists, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.candidate_lists import made_up_texts
from understudy import BLEU, CHRF, NIST, TER, NBest, UnderstudyError, decide, metric, tune
from understudy.corpus.nbest import NBest as Lists
from understudy.errors import LengthMismatch

TEXTS = [["a b c d", "a b x d"], ["e f g h", "e x g y", "e f g x"], ["i j k l", "x y"], ["m n o p", "m n o"]]
REFERENCES = ["a b c d", "e f g h", "i j k l", "m n o p"]


def lists_of(texts: list[list[str]], **features: Any) -> NBest:
    return NBest.of_texts(texts, features=features)


def small(**more: Any) -> NBest:
    """The first candidate of each segment is the reference; `good` says so, `bad` says the opposite."""
    good = [[1.0 if number == 0 else 0.0 for number in range(len(group))] for group in TEXTS]
    bad = [[2 - 3 * value for value in group] for group in good]
    return lists_of(TEXTS, good=good, bad=bad, **more)


def simulated(seed: int, segments: int = 150, weights: tuple[float, ...] = (1.0, -0.5, 0.25)) -> Any:
    """Features with which the model with the true weights scores candidates as chrF does, up to a factor; and a feature
    of pure noise.
    """
    random = np.random.default_rng(seed)
    texts, references, _ = made_up_texts(random, segments, 12)
    features: dict[str, list[list[float]]] = {f"f{number}": [] for number in range(len(weights))}
    features["noise"] = []
    for group, reference in zip(texts, references, strict=True):
        quality = CHRF().segments(group, [reference] * len(group)) / 20
        # All but the first are random; the first makes the weighted sum the quality.
        others = random.normal(size=(len(weights) - 1, len(group)))
        first = (quality - np.array(weights[1:]) @ others) / weights[0]
        for number, values in enumerate([first, *others]):
            features[f"f{number}"].append(values.tolist())
        features["noise"].append(random.normal(size=len(group)).tolist())
    return lists_of(texts, **features), references


@pytest.mark.parametrize("method", ["mert", "pro"])
def test_known_weights_are_recovered(method: str) -> None:
    lists, references = simulated(1)
    found = tune(lists, references, "chrf", method=method, restarts=4)
    truth = np.array([1.0, -0.5, 0.25, 0.0])
    weights = np.array(list(found.weights.values()))
    cosine = weights @ truth / np.linalg.norm(weights) / np.linalg.norm(truth)
    assert cosine > 0.98
    assert abs(weights).sum() == pytest.approx(1)
    assert found.held_out is not None
    assert found.held_out.better
    assert found.held_out.significant
    assert found.verdict().startswith("The gain holds: chrF changes by +")


def test_noise_is_no_gain_and_said_so() -> None:
    """Of 20 lists with nothing but noise, tuning gains on all, and the check accepts about one."""
    accepted = 0
    for seed in range(20):
        random = np.random.default_rng(seed)
        texts, references, _ = made_up_texts(random, 60, 8)
        noise = {
            name: [random.normal(size=len(group)).tolist() for group in texts]
            for name in ("a", "b", "c", "d")
        }
        found = tune(lists_of(texts, **noise), references, restarts=2, held_out=0.4, samples=500, seed=seed)
        assert found.held_out is not None
        assert found.tuned_on.difference > 0
        holds = found.held_out.better and found.held_out.significant
        assert found.verdict().startswith("The gain holds") == holds
        accepted += holds
    assert accepted <= 3


def test_lower_is_better_for_error_rates() -> None:
    lists, references = simulated(2, segments=60)
    found = tune(lists, references, "ter", restarts=2)
    assert found.tuned_on.tuned < found.tuned_on.initial
    assert found.objective == "TER (lower is better)"
    assert found.held_out is not None
    assert found.held_out.difference < 0
    assert found.held_out.better
    assert found.held_out.interval is not None
    assert found.held_out.interval.high < 0


class _Fraction(CHRF):
    """chrF from 0 to 1, and not in percent."""

    percent = False

    def score(self, statistics: Any) -> Any:
        return super().score(statistics) / 100


def test_the_search_does_not_depend_on_the_scale_of_the_metric() -> None:
    """Sweeps go on for gains, and restarts reach the best, in proportion to the scale."""
    random = np.random.default_rng(0)
    texts, references, _ = made_up_texts(random, 150, 8)
    noise = {name: [random.normal(size=len(group)).tolist() for group in texts] for name in "abcdef"}
    percent, fraction = (
        tune(lists_of(texts, **noise), references, each, held_out=0, restarts=3, directions=0)
        for each in (CHRF(), _Fraction())
    )
    ends = [each.tuned / 100 for each in percent.restarts]
    assert [each.tuned for each in fraction.restarts] == pytest.approx(ends, rel=1e-12)
    assert fraction.reached == percent.reached == 1


def test_what_is_reported_is_the_score_of_what_the_weights_choose() -> None:
    """Computed again from the texts."""
    lists, references = simulated(3, segments=60)
    found = tune(lists, references, ["bleu", "ter"], held_out=0, restarts=2)
    chosen = reranked(lists, found.weights)
    bleu, ter = BLEU().corpus(chosen, references).value, TER().corpus(chosen, references).value
    assert found.tuned_on.tuned_scores == (bleu, ter)
    assert found.tuned_on.tuned == (bleu - ter) / 2
    assert found.objective == "(BLEU - TER) / 2 (higher is better)"
    first = reranked(lists, found.initial)
    assert found.tuned_on.initial_scores[0] == BLEU().corpus(first, references).value


def reranked(lists: NBest, weights: Any) -> list[str]:
    scores = sum(lists.feature(name) * weight for name, weight in weights.items())
    bounds = zip(lists.offsets, lists.offsets[1:], strict=False)
    return [lists.texts[int(start + np.argmax(scores[start:end]))] or "" for start, end in bounds]


def test_held_out_figures_are_of_the_weights_that_are_returned() -> None:
    lists, references = simulated(4, segments=60)
    found = tune(lists, references, restarts=1)
    from understudy.deciding.tuning.held_out import split

    _, held_out = split(60, 0.2, found.seed)
    chosen = reranked(lists, found.weights)
    assert found.held_out is not None
    assert (found.held_out.segments, found.tuned_on.segments) == (12, 48)
    assert (
        found.held_out.tuned
        == BLEU().corpus([chosen[i] for i in held_out], [references[i] for i in held_out]).value
    )
    assert not found.refitted
    assert "not refitted on the 12 held out" in found.final_weights_in_words()
    again = tune(lists, references, restarts=1, refit=True)
    assert again.refitted
    assert again.tuned_on.segments == 60
    assert again.held_out == found.held_out
    assert "tuned again on all 60" in again.final_weights_in_words()


def test_one_held_out_segment_has_no_interval() -> None:
    found = tune(small(), REFERENCES, restarts=1, held_out=0.01)
    assert found.held_out is not None
    assert (found.held_out.segments, found.held_out.interval, found.held_out.p_value) == (1, None, 1.0)
    assert "One segment has no confidence interval and shows no significant difference." in found.verdict()
    assert "95% CI" not in found.verdict()
    assert found.to_dict()["held_out"]["interval"] is None


def test_cross_validation() -> None:
    lists, references = simulated(5, segments=40)
    found = tune(lists, references, restarts=1, folds=4)
    whole = tune(lists, references, restarts=1, held_out=0)
    assert found.weights == whole.weights
    assert found.held_out is not None
    assert (found.held_out.segments, found.held_out.folds) == (40, 4)
    assert found.held_out.initial == whole.tuned_on.initial
    assert whole.held_out is None
    assert "unknown whether the gain holds" in whole.verdict()


@pytest.mark.parametrize("method", ["mert", "pro"])
def test_the_same_seed_gives_the_same_digits_with_any_threads(method: str) -> None:
    lists, references = simulated(6, segments=40)
    first = tune(lists, references, method=method, restarts=2, threads=1)
    assert tune(lists, references, method=method, restarts=2, threads=3) == first
    assert tune(lists, references, method=method, restarts=2, seed=1) != first


def test_bounds_and_fixed_weights() -> None:
    lists, references = simulated(7, segments=60)
    found = tune(lists, references, bounds={"f1": (0, None), "noise": (0.0, 0.0)}, restarts=3)
    assert found.weights["f1"] >= 0
    assert found.weights["noise"] == 0
    assert found.normalized
    start = {"f0": 2.0, "f1": -1.0, "f2": 0.5, "noise": 1.0}
    found = tune(lists, references, start=start, fix=["f0"], bounds={"noise": (-0.25, 0.25)}, restarts=3)
    assert found.weights["f0"] == 2
    assert abs(found.weights["noise"]) <= 0.25
    assert found.initial == {**start, "noise": 0.25}
    assert not found.normalized
    pro = tune(lists, references, bounds={"f1": (0, None)}, method="pro", restarts=0)
    assert pro.weights["f1"] >= 0


def test_interpolation_moves_part_of_the_way() -> None:
    lists, references = simulated(8, segments=40)
    start = {"f0": 0.0, "f1": 0.0, "f2": 0.0, "noise": 1.0}
    whole = tune(lists, references, start=start, method="pro", restarts=0)
    part = tune(lists, references, start=start, method="pro", restarts=0, interpolation=0.1)
    assert part.weights["noise"] > 0.5 > abs(whole.weights["noise"])


def test_units_of_features_do_not_matter() -> None:
    """A feature in other units, by a power of 2, gets the weight in other units, exactly."""
    lists, references = simulated(9, segments=40)
    scaled = lists_of(
        [lists.segment(number) for number in range(len(lists))],
        **{
            name: np.split(lists.feature(name) * factor, lists.offsets[1:-1])
            for name, factor in zip(lists.feature_names, (2.0**40, 1.0, 2.0**-30, 1.0), strict=True)
        },
    )
    found = tune(scaled, references, restarts=3)
    assert found.weights["f0"] * 2.0**40 > 0.5 * abs(found.weights["f1"])
    assert found.tuned_on.tuned == pytest.approx(tune(lists, references, restarts=3).tuned_on.tuned, abs=3)


def test_levels_and_metrics_that_need_a_fit() -> None:
    found = tune(small(), REFERENCES, "chrf", level="mean", held_out=0, restarts=1)
    assert found.tuned_on.tuned == 100
    assert found.label == "mean segment chrF"
    found = tune(small(), REFERENCES, "nist", held_out=0, restarts=1)
    assert found.tuned_on.tuned == NIST().corpus([group[0] for group in TEXTS], REFERENCES).value
    assert found.tuned_on.initial < found.tuned_on.tuned
    towards = tune(small(), REFERENCES, "length-ratio", held_out=0, restarts=1)
    assert (towards.tuned_on.tuned, towards.tuned_on.tuned_scores) == (0, (100,))


@pytest.mark.parametrize("spec", ["rouge", "gleu", "ribes", "wer", "exact-match", "gtm", "eed"])
def test_any_metric_of_sums(spec: str) -> None:
    if lack := metric(spec).missing:
        pytest.skip(lack)
    found = tune(small(), REFERENCES, spec, held_out=0, restarts=2)
    chosen = [group[0] for group in TEXTS]
    assert found.tuned_on.tuned == pytest.approx(metric(spec).corpus(chosen, REFERENCES).value)


def test_a_score_as_far_from_its_target_on_the_other_side_is_no_gain() -> None:
    """Initial weights choose 95% of the length, tuned ones 105%, a bit less in one segment of 20."""
    texts = [[" ".join("a" * 38), " ".join("a" * (42 if number % 20 else 41))] for number in range(200)]
    lists = lists_of(texts, short=[[1.0, 0.0]] * 200, long=[[0.0, 0.1]] * 200)
    start = {"short": 1.0, "long": 0.01}
    found = tune(lists, [" ".join("a" * 40)] * 200, "length-ratio", start=start, restarts=3).held_out
    assert found is not None
    assert found.initial_scores == (95,)
    assert found.tuned_scores[0] > 104.5
    assert found.initial == -5
    assert found.interval.low <= found.difference == found.tuned - found.initial <= found.interval.high
    assert found.difference < 0.5
    assert found.p_value > 0.05
    assert not found.significant


def test_the_initial_score_is_that_of_reranking() -> None:
    """With features in tenths, sums that should be equal differ by rounding."""
    random = np.random.default_rng(3)
    texts, references, _ = made_up_texts(random, 60, 8)
    features = {
        f"f{k}": [(random.integers(0, 5, len(group)) / 10).tolist() for group in texts] for k in range(4)
    }
    lists = lists_of(texts, **features)
    found = tune(lists, references, "chrf", held_out=0, restarts=1)
    for weights, value in (
        (found.initial, found.tuned_on.initial),
        (found.weights, found.tuned_on.tuned),
    ):
        chosen = decide(lists, method="rerank", weights=weights).texts
        assert CHRF().corpus(chosen, references).value == pytest.approx(value, abs=1e-9)


def test_limits_of_the_check_are_noted() -> None:
    lists, references = simulated(2, segments=20)
    folds = tune(lists, references, "chrf", folds=4, restarts=0).to_markdown()
    assert "Folds share tuning segments: the p-value is too small, the CI too narrow." in folds
    few = tune(lists, references, "chrf", restarts=0).to_markdown()
    assert "With 4 segments, no p-value is below 0.12." in few
    assert "Folds share" not in few
    assert "no p-value is below" not in folds


# --- n-best lists ----------------------------------------------------------------------------------------------


def test_several_lists_are_merged_without_duplicates(tmp_path: Path) -> None:
    first, second = tmp_path / "1.nbest", tmp_path / "2.nbest"
    first.write_text(
        "0 ||| a b ||| f= 1 g= 0\n0 ||| a c ||| f= 0 g= 0\n1 ||| d ||| f= 0 g= 0\n", encoding="utf-8"
    )
    second.write_text(  # features in another order; a known candidate, one with other features, and a new one
        "0 ||| a c ||| g= -0.0 f= 0\n0 ||| a c ||| g= 1 f= 0\n1 ||| e ||| g= 2 f= 3\n", encoding="utf-8"
    )
    found = tune([first, second], ["a c", "e"], "chrf", held_out=0, restarts=1)
    assert (found.candidates, found.duplicates, found.segments) == (5, 1, 2)
    assert found.tuned_on.tuned == 100
    alone = tune(first, ["a c", "e"], "chrf", held_out=0, restarts=1)
    assert alone.features != found.features


def refused(**given: Any) -> str:
    lists = given.pop("lists", small())
    with pytest.raises(UnderstudyError) as caught:
        tune(lists, **{"references": REFERENCES, "restarts": 1, **given})
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_lists_that_do_not_fit_are_refused() -> None:
    assert "has no feature 'more'" in refused(
        lists=[small(more=[[0.0] * len(each) for each in TEXTS]), small()]
    )
    short = lists_of(TEXTS[:3], good=[[0.0] * len(group) for group in TEXTS[:3]])
    assert "must have the same segments" in refused(lists=[small(), short])
    assert "has no features" in refused(lists=NBest.of_texts(TEXTS))
    assert "the list is empty" in refused(lists=[])
    assert "got int" in refused(lists=3)
    assert "got int" in refused(lists=[3])
    with pytest.raises(LengthMismatch, match="4 segments"):
        tune(small(), REFERENCES[:3])
    empty = Lists(
        small().texts,
        np.array([0, 2, 5, 5, 9]),
        small().features,
        small().feature_names,
    )
    assert "segment 3 has no candidates" in refused(lists=empty)
    huge = small(huge=[[1e300] * len(group) for group in TEXTS])
    assert "feature 'huge' is 1e+300, expected a number of at most 1e+100" in refused(lists=huge)
    assert "nan" in refused_features(math.nan)


def refused_features(value: float) -> str:
    with pytest.raises(UnderstudyError) as caught:
        small(wrong=[[value] * len(group) for group in TEXTS])
    return str(caught.value)


INVALID: dict[str, tuple[dict[str, Any], str]] = {
    "no references": ({"references": None}, "tuning needs references"),
    "reference-free": ({"metrics": "self-bleu"}, "self-bleu is reference-free"),
    "unknown option": ({"restart": 3}, "unknown option 'restart'. Did you mean 'restarts'"),
    "method": ({"method": "mira"}, "method='mira': expected mert, pro"),
    "weights for one metric": ({"metric_weights": [1, 2]}, "got 2 numbers for 1 metric"),
    "huge weight": (
        {"metric_weights": [1e308]},
        "got 1e+308, expected a number above 0 and of at most 1e+100.",
    ),
    "negative weight": ({"metric_weights": [-1]}, "A metric where lower is better needs no negative weight."),
    "bounds of nothing": ({"bounds": {"godo": (0, 1)}}, "unknown feature 'godo'. Did you mean 'good'"),
    "bounds in the wrong order": ({"bounds": {"good": (1, 0)}}, "the lower one first"),
    "bounds in words": ({"bounds": {"good": "0:1"}}, "expected two numbers"),
    "bounds as a list": ({"bounds": [("good", 0)]}, "expected a mapping"),
    "fixed and bounded": ({"bounds": {"good": (0, 1)}, "fix": ["good"]}, "has bounds and is fixed"),
    "everything fixed": ({"fix": ["good", "bad"]}, "there is nothing to tune"),
    "zero weights": ({"start": {"good": 0, "bad": 0}}, "all weights are 0"),
    "a weight too few": ({"start": {"good": 1}}, "has no weight for feature 'bad'"),
    "a weight too many": ({"start": {"good": 1, "bad": 1, "lm": 1}}, "unknown feature 'lm'"),
    "a weight that is none": ({"start": {"good": 1, "bad": math.nan}}, "the weight of 'bad' is nan"),
    "start of another kind": ({"start": [1, 2]}, "weights: expected numbers by the name"),
    "no such file": ({"start": "no-such.json"}, "no-such.json"),
    "a share of 1": ({"held_out": 1}, "held_out=1: expected a number from 0"),
    "held out and folds": ({"held_out": 0.2, "folds": 3}, "cannot be combined"),
    "too many folds": ({"folds": 5}, "there are only 4 segments"),
    "refit of folds": ({"folds": 2, "refit": True}, "refit has no effect"),
    "refit of nothing": ({"held_out": 0, "refit": True}, "refit has no effect"),
    "interpolation of mert": ({"interpolation": 0.5}, "interpolation has no effect"),
    "interpolation of nothing": ({"interpolation": 0.5, "method": "pro"}, "Give them as start"),
}


@pytest.mark.parametrize(("given", "said"), INVALID.values(), ids=INVALID)
def test_invalid_settings_are_refused(given: dict[str, Any], said: str) -> None:
    assert said in refused(**given)


def test_weights_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"weights": {"good": 3, "bad": 1}}), encoding="utf-8")
    assert tune(small(), REFERENCES, start=path, held_out=0).initial == {"good": 0.75, "bad": 0.25}
    path.write_text('{"good": 3, "bad": 1}', encoding="utf-8")
    assert tune(small(), REFERENCES, start=path, held_out=0).initial == {"good": 0.75, "bad": 0.25}
    path.write_text('{"good": 3', encoding="utf-8")
    assert "not valid JSON" in refused(start=path)
    path.write_text("[1]", encoding="utf-8")
    assert "expected numbers by the name" in refused(start=path)


# --- little to tune --------------------------------------------------------------------------------------------


def test_one_segment_and_one_candidate() -> None:
    one = lists_of([["a b", "a c"]], f=[[0.0, 1.0]], g=[[1.0, 0.0]])
    assert "only one segment" in refused(lists=one, references=["a c"])
    found = tune(one, ["a c"], "chrf", held_out=0)
    assert found.tuned_on.tuned == 100
    alone = lists_of([["a b"], ["c d"], ["e f"]], f=[[0.0], [1.0], [2.0]])
    found = tune(alone, ["a b", "c", "x"], "chrf")
    assert found.constant == ("f",)
    assert found.weights == found.initial == {"f": 1.0}
    assert found.verdict().startswith("No gain: ")
    assert "no two candidates" in refused(
        lists=alone, references=["a b", "c", "x"], metrics="chrf", method="pro"
    )


def test_a_feature_that_does_not_vary_keeps_its_weight() -> None:
    found = tune(small(constant=[[7.0] * len(group) for group in TEXTS]), REFERENCES, "chrf", held_out=0)
    assert found.constant == ("constant",)
    assert found.tuned_on.tuned == 100
    assert "constant" in repr(found)


def test_the_result_is_renderable() -> None:
    found = tune(small(), REFERENCES, ["bleu", "ter"], restarts=1, held_out=0.5)
    data = found.to_dict()
    assert data["weights"] == dict(found.weights)
    assert data["held_out"]["difference"] == data["held_out"]["tuned"] - data["held_out"]["initial"]
    assert json.dumps(data, allow_nan=False)
    assert "objective" in found.to_markdown()
    assert "objective" in found.to_latex()
    assert {field.name for field in fields(found)} >= {"weights", "restarts", "held_out"}
    assert "good=" in str(found)
