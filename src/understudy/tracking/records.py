"""Records of a track: test sets, runs, and the counts of a run by one metric; as rows of the database."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from understudy.errors import BadInput
from understudy.metrics.base.score import references_in_words
from understudy.metrics.base.statistics import Statistics
from understudy.tracking.packed_values import packed_counts, unpacked_counts
from understudy.wording import number_of

VERSION = "version"  # the entry of a signature that names the version of understudy
_FINGERPRINT_DIGITS = 12  # of 64, in messages and default names


class DamagedRow(Exception):
    """A row whose values cannot be what was stored. The file of the track reports it by its name."""


_Record = TypeVar("_Record")


def _of_rows(
    read: Callable[[sqlite3.Row], _Record], table: str, rows: Iterable[sqlite3.Row]
) -> list[_Record]:
    try:
        return [read(row) for row in rows]
    except (ValueError, TypeError, LookupError):
        raise DamagedRow(f"the table {table} has a row that cannot be read") from None


def shortened(fingerprint: str) -> str:
    return fingerprint[:_FINGERPRINT_DIGITS]


@dataclass(frozen=True)
class TrackedSet:
    """A test set: what runs must share to be compared."""

    id: int
    name: str
    segments: int
    reference_count: int
    reference_fingerprint: str
    source_fingerprint: str | None  # where the source was given

    @classmethod
    def of_row(cls, row: sqlite3.Row) -> TrackedSet:
        return cls(*(row[name] for name in cls.__dataclass_fields__))

    def in_words(self) -> str:
        return (
            f"{number_of(self.segments, 'segment')}, "
            f"{references_in_words((self.reference_count, self.reference_count))}"
        )

    def identified(self) -> str:
        """The same, with what the references are known by."""
        return (
            f"{self.in_words()} ({shortened(self.reference_fingerprint)})"
            if self.reference_count
            else self.in_words()
        )


@dataclass(frozen=True)
class TrackedRun:
    """One system output on one test set, and what is known about it."""

    id: int
    name: str
    test_set: str
    date: datetime  # UTC
    step: int | None
    note: str
    tags: tuple[str, ...]
    fingerprint: str  # of the hypotheses
    version: str  # of understudy, when the run was added
    has_text: bool

    @classmethod
    def of_row(cls, row: sqlite3.Row, test_set: str) -> TrackedRun:
        return cls(
            row["id"],
            row["name"],
            test_set,
            datetime.fromisoformat(row["date"]),
            row["step"],
            row["note"],
            tuple(json.loads(row["tags"])),
            row["fingerprint"],
            row["version"],
            bool(row["has_text"]),
        )

    @property
    def day(self) -> str:
        return f"{self.date:%Y-%m-%d %H:%M}"


@dataclass(frozen=True)
class StoredCounts:
    """The statistics of a run by one metric, with the signature of its score, still packed."""

    run: int
    spec: str
    label: str
    signature: Mapping[str, str]
    columns: tuple[str, ...]
    references: tuple[int, int]
    fitted_on: str
    of_input: Mapping[str, str]
    kind: str
    counts: bytes

    @classmethod
    def of(cls, statistics: Statistics, label: str, signature: Mapping[str, str]) -> StoredCounts:
        kind, counts = packed_counts(statistics.array)
        return cls(
            0,
            statistics.spec,
            label,
            dict(signature),
            statistics.columns,
            statistics.references,
            statistics.fitted_on,
            dict(statistics.of_input),
            kind,
            counts,
        )

    @classmethod
    def of_row(cls, row: sqlite3.Row) -> StoredCounts:
        signature = json.loads(row["signature"])
        if VERSION not in signature:
            raise ValueError("a signature without a version")
        return cls(
            row["run"],
            row["spec"],
            row["label"],
            signature,
            tuple(json.loads(row["columns"])),
            (row["fewest_references"], row["most_references"]),
            row["fitted_on"],
            json.loads(row["of_input"]),
            row["kind"],
            row["counts"],
        )

    def _values(self, run: int) -> tuple[Any, ...]:
        """For the columns of the table, in their order."""
        return (
            run,
            self.spec,
            self.label,
            json.dumps(dict(self.signature)),
            json.dumps(self.columns),
            *self.references,
            self.fitted_on,
            json.dumps(dict(self.of_input)),
            self.kind,
            self.counts,
        )

    def put(self, connection: sqlite3.Connection, run: int) -> None:
        """Store them, in place of counts by the same metric."""
        values = self._values(run)
        connection.execute(f"INSERT OR REPLACE INTO counts VALUES ({', '.join('?' * len(values))})", values)

    def is_again(self, other: StoredCounts, run: str) -> bool:
        """Whether these are the counts of a run that are stored already, by the same spec and the same signature. Other
        counts with the same signature are an error.
        """
        if (self.signature, self.fitted_on) != (other.signature, other.fitted_on):
            return False
        try:  # another library may have compressed them
            same = self.kind == other.kind and zlib.decompress(self.counts) == zlib.decompress(other.counts)
        except zlib.error as error:
            raise self._damaged(run, error) from None
        if not same:
            raise BadInput(
                f"run '{run}' has other counts by {self.spec} with the same signature. Were other trees or documents "
                "given? Remove the run and add it again."
            )
        return True

    def statistics(self, segments: int, run: str) -> Statistics:
        try:
            array = unpacked_counts(self.kind, self.counts, segments, len(self.columns))
        except ValueError as error:
            raise self._damaged(run, error) from None
        return Statistics(
            array, self.columns, self.spec, segments, self.references, self.fitted_on, self.of_input
        )

    def _damaged(self, run: str, error: Exception) -> BadInput:
        return BadInput(
            f"the counts of {self.spec} for run '{run}' are damaged: {error}. Remove the run and add it again."
        )


def known_sets(connection: sqlite3.Connection) -> list[TrackedSet]:
    fields = ", ".join(TrackedSet.__dataclass_fields__)
    rows = connection.execute(f"SELECT {fields} FROM test_sets ORDER BY id")
    return _of_rows(TrackedSet.of_row, "test_sets", rows)


_RUN = "id, name, date, step, note, tags, fingerprint, version, text IS NOT NULL AS has_text"


def runs_in(connection: sqlite3.Connection, test_set: TrackedSet) -> list[TrackedRun]:
    """In their order: by training step if all of them have one, otherwise by date."""
    rows = connection.execute(f"SELECT {_RUN} FROM runs WHERE test_set = ?", (test_set.id,))
    found = _of_rows(lambda row: TrackedRun.of_row(row, test_set.name), "runs", rows)
    if all(run.step is not None for run in found):
        return sorted(found, key=lambda run: (run.step, run.date, run.id))
    return sorted(found, key=lambda run: (run.date, run.id))


def counts_in(connection: sqlite3.Connection, runs: Sequence[TrackedRun]) -> dict[int, list[StoredCounts]]:
    """The counts of every run, by its id, in the order in which metrics were added."""
    found: dict[int, list[StoredCounts]] = {}
    for run in runs:
        rows = connection.execute("SELECT * FROM counts WHERE run = ? ORDER BY rowid", (run.id,))
        found[run.id] = _of_rows(StoredCounts.of_row, "counts", rows)
    return found
