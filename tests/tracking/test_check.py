"""The check of a run against its baseline."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from material.tracks import noisy, reference
from understudy import Track, UnderstudyError, compare
from understudy.report.track_sheets import check_sheets
from understudy.report.track_tables import check_in_words

REFERENCE = reference()
GOOD, BAD = noisy(REFERENCE, 0.1, seed=21), noisy(REFERENCE, 0.5, seed=22)


def test_the_latest_run_is_tested_against_the_run_before(three_runs: Track) -> None:
    assert three_runs.check().passed
    three_runs.add("bad", BAD, REFERENCE, ["bleu", "ter"])
    check = three_runs.check()
    assert not check.passed
    assert [(each.comparison.label, each.pair.first, each.pair.second) for each in check.failures] == [
        ("BLEU", "bad", "run-3"),
        ("TER", "bad", "run-3"),
    ]
    assert all(each.loss > 0 for each in check.metrics)


def test_one_metric_has_the_p_value_of_compare(three_runs: Track) -> None:
    (checked,) = three_runs.check("run-2", baseline="run-1", metrics=["bleu"]).metrics
    texts = {f"run-{number}": noisy(REFERENCE, 0.4, seed=number) for number in (1, 2)}
    (alone,) = compare(texts, REFERENCE, ["bleu"]).pairs
    assert checked.pair == alone


def test_several_metrics_are_corrected(three_runs: Track) -> None:
    check = three_runs.check("run-2", baseline="run-1")
    raw = sorted(each.comparison.pairs[0].p_value for each in check.metrics)
    assert sorted(each.pair.corrected for each in check.metrics) == pytest.approx(
        [min(1.0, 2 * raw[0]), min(1.0, max(2 * raw[0], raw[1]))]
    )
    assert "Holm-corrected for 2 metrics" in check_in_words(check)


def test_the_best_is_selected_by_the_direction_of_each_metric(three_runs: Track) -> None:
    three_runs.add("bad", BAD, REFERENCE, ["bleu", "ter"])
    check = three_runs.check(baseline="best")
    assert {each.pair.second for each in check.metrics} == {"run-3"}
    assert {each.candidates for each in check.metrics} == {3}
    for each in check.metrics:
        assert each.pair.corrected == pytest.approx(6 * each.pair.p_value)  # two metrics, three runs
    assert (
        "Holm-corrected for 2 metrics and Bonferroni-corrected for the selection from 3 runs"
        in check_in_words(check)
    )
    assert {each.pair.second for each in three_runs.check("run-3", baseline="best").metrics} <= {
        "run-1",
        "run-2",
    }


def test_a_system_is_checked_without_being_added(three_runs: Track) -> None:
    check = three_runs.check("new", BAD, REFERENCE, baseline="best")
    assert not check.passed
    assert (check.run, check.metrics[0].pair.second, check.metrics[0].candidates) == ("new", "run-3", 3)
    assert three_runs.check(None, GOOD, REFERENCE, metrics=["ter"]).metrics[0].pair.second == "run-3"
    assert three_runs.check("run-3", GOOD, REFERENCE).run == "run-3 (not added)"
    assert len(three_runs.runs().runs) == 3
    with pytest.raises(
        UnderstudyError, match=r"no run of the track has these references .* Known: 'made-up'"
    ):
        three_runs.check("new", BAD, GOOD)


def test_a_loss_within_the_margin_passes(three_runs: Track) -> None:
    check = three_runs.check("new", BAD, REFERENCE, metrics=["bleu"])
    loss = check.metrics[0].loss
    assert three_runs.check("new", BAD, REFERENCE, metrics=["bleu"], margin=loss + 1).passed
    assert not three_runs.check("new", BAD, REFERENCE, metrics=["bleu"], margin=loss - 1).passed
    with pytest.raises(UnderstudyError, match=r"got bleu, ter\. Choose one with -m"):
        three_runs.check("new", BAD, REFERENCE, margin=1)
    with pytest.raises(UnderstudyError, match="margin=-1: expected a number"):
        three_runs.check("new", BAD, REFERENCE, margin=-1)


def test_what_cannot_be_checked_is_refused(three_runs: Track) -> None:
    for run, options, said in (
        ("run-1", {}, "there is no run before 'run-1'"),
        ("run-1", {"baseline": "run-1"}, "is its own baseline"),
        ("run-1", {"baseline": "run-8"}, "unknown run 'run-8'"),
        ("run-9", {}, "unknown run 'run-9'"),
        ("run-2", {"metrics": ["chrf"]}, "unknown metric 'chrf'"),
        ("run-2", {"significance": 2}, "significance=2"),
        ("run-2", {"baseline": 3}, "baseline: got int"),
    ):
        with pytest.raises(UnderstudyError, match=said):
            three_runs.check(run, **options)


def test_a_baseline_of_another_test_set_is_refused_as_such(three_runs: Track) -> None:
    three_runs.add("other", GOOD, ["another reference"] * len(GOOD), ["bleu"])
    with pytest.raises(
        UnderstudyError, match=r"'run-2' and 'other' cannot be compared: .* differ in the references"
    ):
        three_runs.check("run-2", baseline="other")
    with pytest.raises(UnderstudyError, match=r"the baseline 'other' is of test set '.*', the system of '"):
        three_runs.check("new", BAD, REFERENCE, baseline="other")


def test_a_metric_without_a_direction_is_not_tested(track: Track) -> None:
    track.add("a", GOOD, REFERENCE, ["length-ratio", "bleu"])
    track.add("b", BAD, REFERENCE, ["length-ratio", "bleu"])
    assert [each.comparison.spec for each in track.check().metrics] == ["bleu"]
    with pytest.raises(UnderstudyError, match="cannot show that a system is worse"):
        track.check(metrics=["length-ratio"])


def test_the_best_is_selected_from_comparable_runs_only(track: Track) -> None:
    track.add("chrf", GOOD, REFERENCE, ["chrf"])
    track.add("a", BAD, REFERENCE, ["bleu", "chrf"])
    track.add("b", BAD, REFERENCE, ["bleu", "chrf"])
    bleu, chrf = track.check(baseline="best").metrics
    assert (bleu.pair.second, bleu.candidates) == ("a", 1)
    assert (chrf.pair.second, chrf.candidates) == ("chrf", 2)
    track.add("c", GOOD, REFERENCE, ["ter"])
    with pytest.raises(UnderstudyError, match="no metric in common"):
        track.check(baseline="best")


def test_tags_select_the_runs_before(three_runs: Track) -> None:
    for number in (4, 5):
        three_runs.add(
            f"run-{number}", noisy(REFERENCE, 0.4, seed=number), REFERENCE, ["bleu"], tags=["main"]
        )
    (checked,) = three_runs.check(tags=["main"]).metrics
    assert (checked.pair.first, checked.pair.second) == ("run-5", "run-4")
    with pytest.raises(UnderstudyError, match="there is no run before 'run-3'"):
        three_runs.check("run-3", tags=["main"])


def test_later_runs_are_no_baseline(three_runs: Track) -> None:
    (bleu, _) = three_runs.check("run-2", baseline="best").metrics
    assert (bleu.pair.second, bleu.candidates) == ("run-1", 1)


def test_the_sentence_says_what_was_tested(three_runs: Track) -> None:
    sentence = check_in_words(three_runs.check("new", BAD, REFERENCE, metrics=["bleu"], margin=0.5))
    assert sentence.startswith(
        "failed: new is significantly worse by more than 0.5 than run-3, the run before (-"
    )
    assert sentence.endswith(
        "; paired bootstrap, 1,000 resamples, alpha 0.05, test set made-up, 120 segments."
    )


@pytest.mark.parametrize("correct", ["holm", "bh"])
def test_a_clear_loss_fails_however_many_runs_the_best_is_selected_from(track: Track, correct: str) -> None:
    for number in range(60):
        track.add(f"run-{number}", GOOD, REFERENCE, ["bleu"])
    check = track.check("new", BAD, REFERENCE, baseline="best", correct=correct)
    assert not check.passed
    assert not check.cautions
    few = track.check("new", BAD, REFERENCE, baseline="best", correct=correct, samples=1000)
    assert few.passed
    assert few.cautions == [
        "With 1,000 resamples, no loss can be significant at 0.05. Use at least 1,199 resamples."
    ]
    assert not track.check("new", BAD, REFERENCE, baseline="best", correct=correct, samples=1199).passed


def test_a_check_that_cannot_fail_says_so(track: Track) -> None:
    track.add("a", GOOD[:6], REFERENCE[:6], ["bleu", "chrf"])
    check = track.check("new", BAD[:6], REFERENCE[:6])
    assert check.passed
    assert check.cautions[-1] == "On 6 segments, no loss can be significant at 0.05 after correction."
    shown = check.to_markdown()
    assert all(said in shown for said in check.cautions)
    assert check.to_dict()["cautions"] == check.cautions


def test_metrics_of_one_run_alone_are_named(track: Track) -> None:
    track.add("a", GOOD, REFERENCE, ["bleu", "chrf", "length-ratio"])
    track.add("b", GOOD, REFERENCE, ["bleu", "ter"])
    check = track.check()
    assert check.untested == ["chrf", "ter"]
    assert "Not tested: chrf and ter, which the run or its baseline does not have." in check.to_markdown()
    assert not track.check(metrics=["bleu"]).untested
    assert track.check("c", BAD, REFERENCE, baseline="best").untested == []
    with pytest.raises(UnderstudyError, match="unknown metric 'chrf' of run 'b', which has bleu, ter"):
        track.check("c", BAD, REFERENCE, metrics=["chrf"])


def test_the_sheet_has_both_scores(three_runs: Track) -> None:
    (sheet,) = check_sheets(three_runs.check("run-2", metrics=["bleu"]))
    row = dict(zip(sheet.columns, sheet.rows[0], strict=True))
    assert row["difference"] == pytest.approx(row["score"] - row["second_score"])
    assert row["signature"].startswith("nrefs:1|")


def test_runs_that_cannot_be_the_best_are_noted(three_runs: Track) -> None:
    """The best run was counted by another version."""
    with closing(sqlite3.connect(three_runs.path)) as connection, connection:
        connection.execute(
            "UPDATE counts SET signature = replace(signature, 'understudy-', 'understudy-0') WHERE run = 3"
        )
    three_runs.add("bad", BAD, REFERENCE, ["bleu", "ter"])
    check = three_runs.check(baseline="best")
    assert {each.candidates for each in check.metrics} == {2}
    assert [caution.partition(":")[0] for caution in check.cautions] == [
        f"1 earlier run not considered as the best by {label}. {label} of 'run-3' and 'bad' cannot be compared"
        for label in ("BLEU", "TER")
    ]
    assert "use --across-versions" in check.cautions[0]
    assert three_runs.check(baseline="best", across_versions=True).cautions == []
