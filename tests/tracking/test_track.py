"""What a track keeps, what it refuses, and how it is changed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from material.tracks import START, noisy, reference, ticking
from understudy import BLEU, CHRF, Corpus, Track, UnderstudyError
from understudy.tracking.packed_values import packed_counts, unpacked_counts

REFERENCE = reference()
OTHER = noisy(REFERENCE, 0.3, seed=9)


def test_runs_have_dates_notes_and_metrics(three_runs: Track) -> None:
    found = three_runs.runs()
    assert [run.name for run in found.runs] == ["run-1", "run-2", "run-3"]
    assert [run.date for run in found.runs] == [START + timedelta(days=day) for day in range(3)]
    assert [run.note for run in found.runs] == ["note 1", "note 2", "note 3"]
    assert found.metrics == [["bleu", "ter"]] * 3
    assert [(each.name, each.segments, each.reference_count) for each in found.test_sets] == [
        ("made-up", 120, 1)
    ]


def test_dates_are_utc(track: Track) -> None:
    dates: list[str | datetime] = [
        "2026-01-01",
        "2026-01-01T12:00:00+02:00",
        "2026-01-01T11:00:00Z",
        datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=-1))),
    ]
    for number, date in enumerate(dates):
        track.add(f"run-{number}", OTHER, REFERENCE, date=date)
    assert [f"{run.date:%H:%M %Z}" for run in track.runs().runs] == [
        "00:00 UTC",
        "10:00 UTC",
        "11:00 UTC",
        "13:00 UTC",
    ]


def test_runs_are_in_the_order_of_their_steps_if_all_have_one(track: Track) -> None:
    for step in (2000, 1000):
        track.add(f"step-{step}", noisy(REFERENCE, 0.3, seed=step), REFERENCE, step=step)
    assert [run.name for run in track.runs().runs] == ["step-1000", "step-2000"]
    track.add("no-step", noisy(REFERENCE, 0.3, seed=3), REFERENCE)
    assert [run.name for run in track.runs().runs] == ["step-2000", "step-1000", "no-step"]


def test_metrics_are_added_to_a_run_with_the_same_text(track: Track) -> None:
    track.add("a", OTHER, REFERENCE, ["bleu"], note="old", tags=["main"])
    track.add("a", OTHER, REFERENCE, ["chrf"], note="new")
    track.add("a", OTHER, REFERENCE, ["bleu"])
    (run,) = track.runs().runs
    assert (run.note, run.tags) == ("new", ("main",))
    assert track.runs().metrics == [["bleu", "chrf"]]


def test_metrics_are_added_from_kept_text(track: Track) -> None:
    two = [list(pair) for pair in zip(REFERENCE, noisy(REFERENCE, 0.1, seed=5), strict=True)]
    track.add("a", OTHER, two, ["bleu"], keep_text=True)
    track.add("a", metrics=["chrf"])
    again = Track(Path(track.path).with_name("again.sqlite"), now=ticking())
    again.add("a", OTHER, two, ["bleu", "chrf"])
    scores = [[each.steps[0].result.score for each in made.show().metrics] for made in (track, again)]
    assert scores[0] == scores[1]


def test_a_run_of_other_text_is_refused(track: Track) -> None:
    track.add("a", OTHER, REFERENCE)
    with pytest.raises(UnderstudyError, match="run 'a' exists with other hypotheses"):
        track.add("a", REFERENCE, REFERENCE)
    with pytest.raises(UnderstudyError, match="the text of run 'a' was not kept"):
        track.add("a", metrics=["chrf"])


def test_a_named_test_set_has_one_set_of_references(track: Track) -> None:
    track.add("a", OTHER, REFERENCE, test_set="news")
    with pytest.raises(
        UnderstudyError, match=r"test set 'news' has 120 segments, 1 reference .* references of the run"
    ):
        track.add("b", OTHER, OTHER, test_set="news")
    with pytest.raises(UnderstudyError, match="the run has 10 segments"):
        track.add("b", OTHER[:10], REFERENCE[:10], test_set="news")
    track.add("b", REFERENCE, REFERENCE)
    assert {run.test_set for run in track.runs().runs} == {"news"}  # recognized by its references


def test_the_source_is_part_of_a_test_set(track: Track) -> None:
    german, french = [f"de {text}" for text in REFERENCE], [f"fr {text}" for text in REFERENCE]
    track.add("a", OTHER, REFERENCE, source=german, test_set="de-en")
    track.add("a", OTHER, REFERENCE, source=french, test_set="fr-en")
    with pytest.raises(UnderstudyError, match="those of several test sets: 'de-en', 'fr-en'"):
        track.add("b", OTHER, REFERENCE)
    assert track.add("b", OTHER, REFERENCE, source=french).test_set == "fr-en"
    with pytest.raises(UnderstudyError, match="the source of the run"):
        track.add("c", OTHER, REFERENCE, source=french, test_set="de-en")


def test_a_reference_free_metric_needs_a_name_for_its_test_set(track: Track) -> None:
    with pytest.raises(UnderstudyError, match="nothing identifies the test set"):
        track.add("a", OTHER, metrics=["self-bleu"])
    track.add("a", OTHER, metrics=["self-bleu"], test_set="free")
    track.add("b", noisy(OTHER, 0.5, seed=1), metrics=["self-bleu"], test_set="free")
    (metric,) = track.show().metrics
    assert len(metric.steps) == 2  # though each is fitted on its own hypotheses


def test_runs_are_renamed_and_removed(three_runs: Track) -> None:
    three_runs.rename("run-2", "second")
    with pytest.raises(UnderstudyError, match="has a run 'run-1' already"):
        three_runs.rename("second", "run-1")
    with pytest.raises(UnderstudyError, match="unknown run 'run-2'"):
        three_runs.remove("run-2")
    three_runs.remove("second")
    assert [run.name for run in three_runs.runs().runs] == ["run-1", "run-3"]
    assert len(three_runs.show().metrics[0].steps) == 2


def test_the_last_run_of_a_test_set_takes_it_along(track: Track) -> None:
    track.add("a", OTHER, REFERENCE, test_set="news")
    track.remove("a")
    track.add("a", OTHER, OTHER, test_set="news")


def test_tracks_are_merged(three_runs: Track, tmp_path: Path) -> None:
    other = Track(tmp_path / "other.sqlite", now=ticking())
    other.add("run-1", noisy(REFERENCE, 0.4, seed=1), REFERENCE, ["bleu", "chrf"])
    other.add("run-4", OTHER, REFERENCE, ["bleu"])
    other.add("elsewhere", OTHER, OTHER, ["bleu"], test_set="another")
    added = three_runs.import_runs(other.path)
    assert {run.name for run in added} == {"run-4", "elsewhere"}
    assert three_runs.import_runs(other.path) == []
    found = three_runs.runs(test_set="made-up")
    assert {run.name: specs for run, specs in zip(found.runs, found.metrics, strict=True)} == {
        "run-1": ["bleu", "ter", "chrf"],
        "run-2": ["bleu", "ter"],
        "run-3": ["bleu", "ter"],
        "run-4": ["bleu"],
    }
    other.remove("run-1")
    other.add("run-1", OTHER, REFERENCE)
    with pytest.raises(UnderstudyError, match="other hypotheses in each track"):
        three_runs.import_runs(other.path)
    with pytest.raises(UnderstudyError, match="is this track"):
        three_runs.import_runs(three_runs.path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"run": ""}, "run: the name is empty"),
        ({"run": "best"}, "run: 'best' is a baseline"),
        ({"run": 7}, "run: got int, expected a string"),
        ({"date": "yesterday"}, "date='yesterday': expected a date"),
        ({"step": -1}, "step=-1: expected an integer"),
        ({"tags": 5}, "tags: got int"),
        ({"note": 5}, "note: got int"),
        ({"test_set": " "}, "test_set: the name is empty"),
        ({"metrics": ["blue"]}, "unknown metric 'blue'"),
        ({"system": None}, "references and source need a system"),
    ],
)
def test_invalid_facts_are_refused_and_nothing_is_stored(track: Track, options: dict, said: str) -> None:
    given = {"run": "a", "system": OTHER, "references": REFERENCE, **options}
    with pytest.raises(UnderstudyError, match=said):
        track.add(**given)
    assert not Path(track.path).exists()


def test_a_corpus_is_a_system_and_its_references(track: Track) -> None:
    track.add("a", Corpus({"x": OTHER}, REFERENCE))
    with pytest.raises(UnderstudyError, match="got 2 systems"):
        track.add("b", Corpus({"x": OTHER, "y": OTHER}, REFERENCE))


@pytest.mark.parametrize("largest", [0, 1, 127, 128, 40_000, 2**31, 2**62])
def test_counts_are_packed_exactly(largest: int) -> None:
    counts = np.array([[largest, 0], [-largest, 1], [3, largest // 2]], dtype=np.int64)
    kind, stored = packed_counts(counts)
    again = unpacked_counts(kind, stored, 3, 2)
    assert again.dtype == np.int64
    assert (again == counts).all()
    floats = counts / 3
    kind, stored = packed_counts(floats)
    assert unpacked_counts(kind, stored, 3, 2).tobytes() == floats.tobytes()


def test_python_has_the_interface_of_the_results(three_runs: Track, tmp_path: Path) -> None:
    history = three_runs.show()
    assert history == three_runs.show()
    assert "run-2" in repr(history)
    assert history.to_dict()["metrics"][0]["runs"][1]["previous"]["second"] == "run-1"
    assert "run-2" in history.to_markdown()
    assert "\\begin{tabular}" in history.to_latex()
    assert "passed" in repr(three_runs.check())
    assert three_runs.check().to_dict()["passed"] is True
    assert "made-up" in repr(three_runs.runs())
    assert repr(Track(tmp_path / "x")).startswith("<Track '")


def test_scores_are_those_of_the_metric(three_runs: Track) -> None:
    history = three_runs.show(metrics=["BLEU"])
    (metric,) = history.metrics
    for number, (step, errors) in enumerate(zip(metric.steps, (0.4, 0.4, 0.1), strict=True), start=1):
        text = noisy(REFERENCE, errors, seed=number)
        assert step.result.score == BLEU().corpus(text, REFERENCE).value


def test_a_test_set_of_which_one_track_has_the_source(three_runs: Track, tmp_path: Path) -> None:
    other = Track(tmp_path / "other.sqlite", now=ticking())
    source = [f"source of {text}" for text in REFERENCE]
    other.add("run-4", OTHER, REFERENCE, source=source)
    assert [run.name for run in three_runs.import_runs(other.path)] == ["run-4"]
    assert [each.name for each in three_runs.runs().test_sets] == ["made-up"]
    with pytest.raises(UnderstudyError, match=r"the source of the run \(.*\) is different"):
        three_runs.add("run-5", OTHER, REFERENCE, source=REFERENCE, test_set="made-up")
    unlike = Track(tmp_path / "unlike.sqlite", now=ticking())
    unlike.add("run-6", OTHER, REFERENCE, source=REFERENCE, test_set="made-up")
    with pytest.raises(
        UnderstudyError, match=r"in the other, of another source text\. They cannot be merged"
    ):
        three_runs.import_runs(unlike.path)


def test_texts_are_merged(three_runs: Track, tmp_path: Path) -> None:
    """Those of a run that both tracks have, and the references that the track did not keep."""
    other = Track(tmp_path / "other.sqlite", now=ticking())
    other.add("run-1", noisy(REFERENCE, 0.4, seed=1), REFERENCE, keep_text=True)
    other.add("run-4", OTHER, REFERENCE, keep_text=True)
    three_runs.import_runs(other.path)
    for run, text in (("run-1", noisy(REFERENCE, 0.4, seed=1)), ("run-4", OTHER)):
        three_runs.add(run, metrics=["chrf"])
        (history,) = three_runs.show(metrics=["chrf"]).metrics
        scores = {step.run.name: step.result.score for step in history.steps}
        assert scores[run] == CHRF().corpus(text, REFERENCE).value


def test_other_counts_with_the_same_signature_are_not_merged(three_runs: Track, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    shutil.copy(three_runs.path, other)
    assert three_runs.import_runs(other) == []
    with closing(sqlite3.connect(other)) as connection, connection:
        kind, counts = packed_counts(np.zeros((120, 10), dtype=np.int64))
        connection.execute(
            "UPDATE counts SET kind = ?, counts = ? WHERE run = 2 AND spec = 'bleu'", (kind, counts)
        )
    with pytest.raises(UnderstudyError, match="run 'run-2' has other counts by bleu with the same signature"):
        three_runs.import_runs(other)


def test_damaged_counts_of_a_run_that_is_added_again(three_runs: Track) -> None:
    with closing(sqlite3.connect(three_runs.path)) as connection, connection:
        connection.execute("UPDATE counts SET counts = x'00' WHERE run = 2")
    with pytest.raises(
        UnderstudyError, match=r"the counts of bleu for run 'run-2' are damaged: .* Remove the run"
    ):
        three_runs.add("run-2", noisy(REFERENCE, 0.4, seed=2), REFERENCE, ["bleu"])


def test_without_references_and_source_a_test_set_is_named(track: Track, tmp_path: Path) -> None:
    """Its number of segments is that of many."""
    track.add("one", OTHER, metrics=["self-bleu"], test_set="first")
    with pytest.raises(UnderstudyError, match=r"nothing identifies the test set\. Name it with --test-set"):
        track.add("two", REFERENCE, metrics=["self-bleu"])
    assert track.add("two", REFERENCE, metrics=["self-bleu"], source=OTHER).test_set != "first"
    other = Track(tmp_path / "other.sqlite", now=ticking())
    other.add("three", REFERENCE, metrics=["self-bleu"], test_set="second")
    track.import_runs(other.path)
    assert {run.name: run.test_set for run in track.runs(test_set="second").runs} == {"three": "second"}
