"""Histories: which changes are significant, and against which run they are tested."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import track_simulations

from material.tracks import noisy, reference, ticking
from understudy import Track, UnderstudyError, compare
from understudy.comparing.plan import Plan

REFERENCE = reference()


def outputs(*errors: float) -> dict[str, list[str]]:
    return {
        f"run-{number}": noisy(REFERENCE, share, seed=number) for number, share in enumerate(errors, start=1)
    }


def tracked(path: Path, texts: dict[str, list[str]], *metrics: str) -> Track:
    track = Track(path / "history.sqlite", now=ticking())
    for name, text in texts.items():
        track.add(name, text, REFERENCE, metrics)
    return track


def test_steps_are_comparisons_of_neighbors(tmp_path: Path) -> None:
    """Their raw p-values and intervals are those of `compare`, and Holm's correction is by the book."""
    texts = outputs(0.4, 0.35, 0.36, 0.2)
    for metric in tracked(tmp_path, texts, "bleu", "ter").show(samples=4000).metrics:
        names = list(texts)
        p_values = []
        for place, step in enumerate(metric.steps[1:], start=1):
            pair = {name: texts[name] for name in (names[place - 1], names[place])}
            (alone,) = compare(pair, REFERENCE, [metric.spec], samples=4000).pairs
            assert step.previous is not None
            assert (step.previous.difference, step.previous.interval, step.previous.p_value) == (
                alone.difference,
                alone.interval,
                alone.p_value,
            )
            p_values.append(alone.p_value)
        assert [step.previous.corrected for step in metric.steps[1:] if step.previous] == pytest.approx(
            holm(p_values)
        )


def holm(p_values: list[float]) -> list[float]:
    """Holm (1979), one p-value after the other."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    found, largest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, (len(p_values) - rank) * p_values[index])
        found[index] = min(1.0, largest)
    return found


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_best_before_is_the_best_by_the_direction_of_the_metric(tmp_path: Path, metric: str) -> None:
    texts = outputs(0.4, 0.1, 0.3, 0.2)
    (found,) = tracked(tmp_path, texts, metric).show(samples=4000).metrics
    assert [step.best and step.best.second for step in found.steps] == [None, "run-1", "run-2", "run-2"]
    p_values = []
    for place, (name, best) in enumerate(
        (("run-2", "run-1"), ("run-3", "run-2"), ("run-4", "run-2")), start=1
    ):
        pair = {best: texts[best], name: texts[name]}
        (alone,) = compare(pair, REFERENCE, [metric], samples=4000).pairs
        p_values.append(min(1.0, place * alone.p_value))  # of so many it was selected
    assert [step.best.corrected for step in found.steps[1:] if step.best] == pytest.approx(holm(p_values))
    assert [step.verdict for step in found.steps] == ["", "better", "worse", "better"]
    assert [step.verdict_of_best for step in found.steps] == ["", "better", "worse", "worse"]


def test_without_correction_p_values_are_raw(tmp_path: Path) -> None:
    (found,) = tracked(tmp_path, outputs(0.4, 0.38, 0.3), "bleu").show(correct="none").metrics
    for step in found.steps[1:]:
        assert step.previous is not None
        assert step.best is not None
        assert step.previous.corrected == step.previous.p_value
        assert step.best.corrected == step.best.p_value


def test_enough_resamples_are_drawn_for_the_number_of_runs(tmp_path: Path) -> None:
    track = tracked(tmp_path, outputs(*[0.3] * 10), "bleu")
    (found,) = track.show().metrics
    assert (
        found.plan.samples == 9 * 9 * 20
    )  # so that the last can differ from the best of nine, in nine tests
    assert track.show().cautions == []
    assert "--samples 1620" in track.show(samples=1000).cautions[0]
    assert track.show(last=3).metrics[0].plan.samples == 1000


def test_runs_can_be_selected(three_runs: Track) -> None:
    three_runs.add("other", noisy(REFERENCE, 0.2, seed=8), REFERENCE, ["bleu"], tags=["branch", "x"])
    names = [[step.run.name for step in each.steps] for each in three_runs.show(tags=["branch"]).metrics]
    assert names == [["other"]]
    (latest, _) = three_runs.show(last=2).metrics
    assert [step.run.name for step in latest.steps] == ["run-3", "other"]
    with pytest.raises(UnderstudyError, match="no such runs"):
        three_runs.show(tags=["nobody"])
    with pytest.raises(UnderstudyError, match="unknown metric 'chrf' of the track, which has bleu, ter"):
        three_runs.show(metrics=["chrf"])
    with pytest.raises(UnderstudyError, match="unknown option 'sampels'"):
        three_runs.show(sampels=3)


def test_a_metric_without_a_direction_changes(tmp_path: Path) -> None:
    texts = {"long": [f"{text} and so on and so on" for text in REFERENCE], "same": REFERENCE}
    (found,) = tracked(tmp_path, texts, "length-ratio").show().metrics
    assert [step.verdict for step in found.steps] == ["", "changed"]
    assert found.best == []


# --- unlike runs ---------------------------------------------------------------------------------------------


def change_signature(track: Track, run: str, name: str, value: str) -> None:
    """As another version of understudy, or another parser, would have left it."""
    with closing(sqlite3.connect(track.path)) as connection, connection:
        (number, signature) = connection.execute(
            "SELECT run, signature FROM counts JOIN runs ON runs.id = run WHERE name = ? AND spec = 'bleu'",
            (run,),
        ).fetchone()
        changed = json.dumps({**json.loads(signature), name: value})
        connection.execute(
            "UPDATE counts SET signature = ? WHERE run = ? AND spec = 'bleu'", (changed, number)
        )
    connection.close()


def test_runs_of_another_version_are_another_series(three_runs: Track) -> None:
    change_signature(three_runs, "run-1", "version", "understudy-0.0.9")
    old, new, _ = three_runs.show().metrics
    assert [len(each.steps) for each in (old, new)] == [1, 2]
    assert [each.title for each in (old, new)] == ["BLEU (1)", "BLEU (2)"]
    assert "version:understudy-0.0.9|" in old.signature
    assert "Runs with another signature of BLEU are separate." in three_runs.show().to_markdown()
    with pytest.raises(
        UnderstudyError,
        match=r"BLEU of 'run-1' and 'run-2' cannot be compared: version:understudy-0.0.9 and version:",
    ):
        three_runs.compare(["run-1", "run-2"])
    assert three_runs.compare(["run-1", "run-2"], metrics=["ter"]).pairs
    assert three_runs.compare(["run-1", "run-2"], across_versions=True).pairs
    (both, _) = three_runs.show(across_versions=True).metrics
    assert "understudy-0.0.9/understudy-" in both.signature
    assert len(both.steps) == 3


def test_signatures_have_the_version_that_counted(three_runs: Track) -> None:
    for run in ("run-1", "run-2", "run-3"):
        change_signature(three_runs, run, "version", "understudy-0.0.9")
    signatures = [
        three_runs.show(metrics=["bleu"], test="ttest").metrics[0].signature,
        three_runs.compare(["run-1", "run-2"], metrics=["bleu"]).metrics[0].signature,
        three_runs.check(metrics=["bleu"]).metrics[0].comparison.signature,
    ]
    for signature in signatures:
        assert "|version:understudy-0.0.9|test:" in signature
        assert signature.count("nrefs:") == signature.count("version:") == 1
    assert "agg:mean" in signatures[0]


def test_other_metrics_are_shown_beside_one_that_is_not_installed(three_runs: Track) -> None:
    with closing(sqlite3.connect(three_runs.path)) as connection, connection:
        connection.execute("UPDATE counts SET spec = 'of-a-plug-in', label = 'X' WHERE spec = 'bleu'")
    connection.close()
    assert [each.spec for each in three_runs.show(metrics=["ter"]).metrics] == ["ter"]
    with pytest.raises(UnderstudyError, match="unknown metric 'of-a-plug-in'"):
        three_runs.show()


def test_a_spec_that_has_another_meaning_now_is_refused(three_runs: Track) -> None:
    for run in ("run-1", "run-2", "run-3"):
        change_signature(three_runs, run, "smooth", "floor")
    with pytest.raises(
        UnderstudyError, match=r"bleu of understudy.* is not bleu of .*smooth:floor and smooth:exp"
    ):
        three_runs.show()


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        (["bleu:tokenize=intl"], "'a' has bleu, 'b' has bleu:tokenize=intl: tok:13a and tok:intl"),
        (["chrf"], r"'a' \(bleu\) and 'b' \(chrf\) have no metric in common"),
    ],
)
def test_runs_without_a_common_metric_are_refused(track: Track, metrics: list[str], said: str) -> None:
    track.add("a", noisy(REFERENCE, 0.2, seed=1), REFERENCE, ["bleu"])
    track.add("b", noisy(REFERENCE, 0.2, seed=2), REFERENCE, metrics)
    with pytest.raises(UnderstudyError, match=said):
        track.compare(["a", "b"])
    with pytest.raises(UnderstudyError, match=said):
        track.check()
    with pytest.raises(UnderstudyError, match=r"unknown metric|'a' has bleu"):
        track.compare(["a", "b"], metrics=["ter"])


def test_runs_of_unlike_test_sets_are_refused(track: Track) -> None:
    track.add("a", REFERENCE, REFERENCE, test_set="one")
    track.add("b", REFERENCE[:50], REFERENCE[:50], test_set="two")
    with pytest.raises(UnderstudyError, match="which differ in the number of segments and the references"):
        track.compare(["a", "b"])
    with pytest.raises(UnderstudyError, match="several test sets: one and two"):
        track.check()
    track.add("a", REFERENCE[:50], REFERENCE[:50], test_set="two")
    assert track.compare(["a", "b"]).segments == 50
    with pytest.raises(UnderstudyError, match="run 'a' is in several test sets"):
        track.remove("a")


def test_metrics_fitted_on_other_references_are_refused(track: Track) -> None:
    """Which no test set allows, but a file can have."""
    for name in "ab":
        track.add(name, noisy(REFERENCE, 0.2, seed=ord(name)), REFERENCE, ["nist"])
    with closing(sqlite3.connect(track.path)) as connection, connection:
        connection.execute("UPDATE counts SET fitted_on = 'feedbeef' WHERE run = 2")
    connection.close()
    with pytest.raises(UnderstudyError, match=r"cannot be compared: fitted on [0-9a-f]+ and feedbeef"):
        track.compare(["a", "b"])
    assert [len(each.steps) for each in track.show().metrics] == [1, 1]


def test_bad_names_are_refused(three_runs: Track) -> None:
    for runs, said in (
        (["run-1"], "expected at least two different runs"),
        (["run-1", "run-1"], "expected at least two different runs"),
        (["run-1", "run-9"], "unknown run 'run-9'. Did you mean"),
    ):
        with pytest.raises(UnderstudyError, match=said):
            three_runs.compare(runs)
    with pytest.raises(UnderstudyError, match="unknown test set 'news'"):
        three_runs.show(test_set="news")


# --- simulations ---------------------------------------------------------------------------------------------


def test_a_seeded_history_with_one_real_step_finds_that_step_and_no_other(track: Track) -> None:
    """In the file, from texts: 20 runs, of which those from the eleventh on have fewer errors."""
    texts = reference(400)
    for run in range(20):
        track.add(
            f"run-{run}", noisy(texts, 0.30 if run < 10 else 0.22, seed=100 + run), texts, ["bleu", "chrf"]
        )
    found = track.show()
    assert [(metric.label, step.run.name, step.verdict) for metric, step in found.changes] == [
        ("BLEU", "run-10", "better"),
        ("chrF", "run-10", "better"),
    ]


def test_false_changes_are_as_rare_as_the_significance_level_says() -> None:
    """Of 60 histories without a change; more in docs/guide/track.md."""
    histories = track_simulations.Histories(10, segments=200).tested(60, Plan(significance=0.05))
    changes = sum(bool(track_simulations.found(each)) for each in histories)
    bests = sum(any(pair.significant for pair in each.with_bests) for each in histories)
    assert changes <= at_most_of(60)
    assert bests <= at_most_of(60)


def test_a_real_change_is_found_and_no_other() -> None:
    history = track_simulations.Histories(10, gain=6.0, change=5, segments=200)
    results = [track_simulations.found(each) for each in history.tested(40, Plan())]
    assert sum(history.step in each for each in results) >= 32
    assert sum(bool(set(each) - {history.step}) for each in results) <= at_most_of(40)


def at_most_of(rounds: int, rate: float = 0.05) -> int:
    """So many false findings would still be likely: the upper 1 in 1,000 of the binomial distribution."""
    drawn = np.random.default_rng(1).binomial(rounds, rate, 200_000)
    return int(np.quantile(drawn, 0.999))


def test_runs_without_uncorrected_tests_would_have_false_changes() -> None:
    """What the correction is for."""
    histories = track_simulations.Histories(10, segments=200).tested(40, Plan(correct="none"))
    assert sum(bool(track_simulations.found(each)) for each in histories) > at_most_of(40)


def test_a_plan_is_kept_as_it_was_given(three_runs: Track) -> None:
    history = three_runs.show(seed=3, significance=0.01)
    assert history.plan == Plan(seed=3, significance=0.01)
    used: Any = history.metrics[0].plan
    assert used == replace(history.plan, test="bootstrap", samples=used.samples)
