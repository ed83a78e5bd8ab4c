"""The runs of one track in another."""

from __future__ import annotations

import sqlite3

from understudy.errors import BadInput
from understudy.tracking.records import TrackedRun, TrackedSet, counts_in, known_sets, runs_in


def merge(source: sqlite3.Connection, target: sqlite3.Connection) -> list[TrackedRun]:
    """Store what only the source has, in the transaction of the target; returns the runs that are new there. A run of
    both must be the same.
    """
    added = []
    for test_set in known_sets(source):
        home = _home(source, target, test_set)
        there = {run.name: run for run in runs_in(target, home)}
        runs = runs_in(source, test_set)
        counts = counts_in(source, runs)
        for run in runs:
            if run.name in there and there[run.name].fingerprint != run.fingerprint:
                raise BadInput(
                    f"run '{run.name}' of test set '{home.name}' has other hypotheses in each track. Rename "
                    "one of them."
                )
            if run.name not in there:
                _copy_run(source, target, run, home)
                added.append(run)
            number = next(each.id for each in runs_in(target, home) if each.name == run.name)
            for stored in counts[run.id]:
                places = ", ".join("?" * len(stored.values(number)))
                target.execute(f"INSERT OR IGNORE INTO counts VALUES ({places})", stored.values(number))
    return added


def _home(source: sqlite3.Connection, target: sqlite3.Connection, test_set: TrackedSet) -> TrackedSet:
    """The same test set in the target, by its name or, if it has another name there, by its fingerprints."""
    known = known_sets(target)
    for each in known:
        same = (each.segments, each.reference_fingerprint) == (
            test_set.segments,
            test_set.reference_fingerprint,
        )
        if same and each.source_fingerprint == test_set.source_fingerprint:
            return each
        if each.name == test_set.name:
            raise BadInput(
                f"test set '{each.name}' has {each.identified()} in one track and {test_set.identified()} in the other."
                " They cannot be merged."
            )
    columns = "name, segments, reference_count, reference_fingerprint, source_fingerprint, reference_texts"
    row = source.execute(f"SELECT {columns} FROM test_sets WHERE id = ?", (test_set.id,)).fetchone()
    target.execute(f"INSERT INTO test_sets ({columns}) VALUES (?, ?, ?, ?, ?, ?)", tuple(row))
    return next(each for each in known_sets(target) if each.name == test_set.name)


def _copy_run(
    source: sqlite3.Connection, target: sqlite3.Connection, run: TrackedRun, home: TrackedSet
) -> None:
    columns = "name, date, step, note, tags, fingerprint, version, text"
    row = source.execute(f"SELECT {columns} FROM runs WHERE id = ?", (run.id,)).fetchone()
    target.execute(
        f"INSERT INTO runs (test_set, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (home.id, *row)
    )
