"""The runs of one track in another."""

from __future__ import annotations

import sqlite3

from understudy.errors import BadInput
from understudy.tracking.records import (
    StoredCounts,
    TrackedRun,
    TrackedSet,
    counts_in,
    known_sets,
    runs_in,
)


def merge(source: sqlite3.Connection, target: sqlite3.Connection) -> list[TrackedRun]:
    """Store what only the source has, in the transaction of the target; returns the runs that are new there. A run of
    both must have the same hypotheses; it gets the metrics and the text that it lacks.
    """
    added = []
    for test_set in known_sets(source):
        home = _home(source, target, test_set)
        there = {run.name: run for run in runs_in(target, home)}
        known = {run.id: {each.spec: each for each in counts} for run, counts in _counted(target, home)}
        for run, counts in _counted(source, test_set):
            if run.name in there and there[run.name].fingerprint != run.fingerprint:
                raise BadInput(
                    f"run '{run.name}' of test set '{home.name}' has other hypotheses in each track. Rename "
                    "one of them."
                )
            if run.name in there:
                number = there[run.name].id
                _keep_text(source, target, run, number)
            else:
                number = _copied(source, target, run, home)
                added.append(run)
            of_run = known.get(number, {})
            for stored in counts:
                if stored.spec not in of_run:
                    stored.put(target, number)
                else:
                    of_run[stored.spec].is_again(
                        stored, run.name
                    )  # or of another version: the target keeps its own
    return added


def _counted(
    connection: sqlite3.Connection, test_set: TrackedSet
) -> list[tuple[TrackedRun, list[StoredCounts]]]:
    runs = runs_in(connection, test_set)
    counts = counts_in(connection, runs)
    return [(run, counts[run.id]) for run in runs]


def _home(source: sqlite3.Connection, target: sqlite3.Connection, test_set: TrackedSet) -> TrackedSet:
    """The same test set in the target, by its name or, if it has another name there, by its fingerprints."""
    known = known_sets(target)
    named = [each for each in known if each.name == test_set.name]
    fitting = [each for each in known if _are_the_same(each, test_set)]
    of_source = [each for each in fitting if each.source_fingerprint == test_set.source_fingerprint]
    if not test_set.reference_count:  # only the source, or the name, identifies it
        fitting = of_source = [each for each in of_source if each.source_fingerprint is not None]
    columns = "name, segments, reference_count, reference_fingerprint, source_fingerprint, reference_texts"
    row = source.execute(f"SELECT {columns} FROM test_sets WHERE id = ?", (test_set.id,)).fetchone()
    for homes in ([each for each in named if _are_the_same(each, test_set)], of_source, fitting):
        if len(homes) == 1:
            target.execute(
                "UPDATE test_sets SET source_fingerprint = coalesce(source_fingerprint, ?), "
                "reference_texts = coalesce(reference_texts, ?) WHERE id = ?",
                (row["source_fingerprint"], row["reference_texts"], homes[0].id),
            )
            return homes[0]
    if named:
        alike = "" if named[0].identified() != test_set.identified() else ", of another source text"
        raise BadInput(
            f"test set '{test_set.name}' has {named[0].identified()} in one track and {test_set.identified()} in the "
            f"other{alike}. They cannot be merged."
        )
    target.execute(f"INSERT INTO test_sets ({columns}) VALUES (?, ?, ?, ?, ?, ?)", tuple(row))
    return next(each for each in known_sets(target) if each.name == test_set.name)


def _are_the_same(one: TrackedSet, other: TrackedSet) -> bool:
    """A source that only one of them has is no difference."""
    sources = {one.source_fingerprint, other.source_fingerprint} - {None}
    return (one.segments, one.reference_fingerprint, len(sources) <= 1) == (
        other.segments,
        other.reference_fingerprint,
        True,
    )


def _copied(source: sqlite3.Connection, target: sqlite3.Connection, run: TrackedRun, home: TrackedSet) -> int:
    """The number of the run in the target."""
    columns = "name, date, step, note, tags, fingerprint, version, text"
    row = source.execute(f"SELECT {columns} FROM runs WHERE id = ?", (run.id,)).fetchone()
    inserted = target.execute(
        f"INSERT INTO runs (test_set, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (home.id, *row)
    )
    return int(inserted.lastrowid or 0)


def _keep_text(source: sqlite3.Connection, target: sqlite3.Connection, run: TrackedRun, number: int) -> None:
    (text,) = source.execute("SELECT text FROM runs WHERE id = ?", (run.id,)).fetchone()
    target.execute("UPDATE runs SET text = coalesce(text, ?) WHERE id = ?", (text, number))
