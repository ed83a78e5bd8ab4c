"""A run that is added to a track: counted first, then stored in one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.corpus import Corpus
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.metric import Metric
from understudy.scoring.system_statistics import corpus_statistics
from understudy.settings import check_name, check_whole, checked_names
from understudy.tracking.packed_values import fingerprint, packed_texts, unpacked_texts
from understudy.tracking.records import (
    StoredCounts,
    TrackedRun,
    TrackedSet,
    counts_in,
    known_sets,
    runs_in,
    shortened,
)
from understudy.version import __version__
from understudy.wording import number_of

LAST, BEST = "last", "best"  # baselines, which no run can be named after


@dataclass(frozen=True)
class RunFacts:
    """What the user says about a run. None: not given, so that an existing run keeps what it has."""

    name: str
    test_set: str | None = None
    note: str | None = None
    date: datetime | None = None
    step: int | None = None
    tags: tuple[str, ...] | None = None
    keep_text: bool = False

    @classmethod
    def checked(
        cls, run: Any, *, test_set: Any, note: Any, date: Any, step: Any, tags: Any, keep_text: bool
    ) -> RunFacts:
        check_run_name(run)
        for what, value in (("test_set", test_set), ("note", note)):
            if value is not None:
                _check_text(what, value)
        if test_set is not None and not test_set.strip():
            raise BadParameter("test_set: the name is empty. Give a name, or omit it.")
        labels = None if tags is None else tuple(dict.fromkeys(checked_names("tags", tags)))
        for label in labels or ():
            _check_text("tags", label)
        if step is not None:
            check_whole("step", step, least=0, most=2**63 - 1)
        return cls(
            run,
            test_set,
            note,
            None if date is None else _utc(date),
            None if step is None else int(step),
            labels,
            keep_text,
        )


def check_run_name(name: Any) -> None:
    _check_text("run", name)
    if not name.strip():
        raise BadParameter("run: the name is empty. Give each run a name.")
    if name in (LAST, BEST):
        raise BadParameter(f"run: '{name}' is a baseline of 'understudy track check'. Use another name.")


def _check_text(what: str, value: Any) -> None:
    """Raise an error unless it is a string that a database can hold."""
    check_name(what, value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadParameter(f"{what}: {value!r} is not valid Unicode. Use other characters.") from None


def _utc(date: Any) -> datetime:
    """A date in ISO 8601, or a datetime, in UTC; without a time zone it is UTC.

    >>> _utc("2026-03-01").isoformat(), _utc("2026-03-01T12:00:00+02:00").isoformat()
    ('2026-03-01T00:00:00+00:00', '2026-03-01T10:00:00+00:00')
    """
    try:
        # Python 3.10 does not read the Z of UTC.
        found = (
            date if isinstance(date, datetime) else datetime.fromisoformat(str(date).replace("Z", "+00:00"))
        )
        found = found if found.tzinfo is not None else found.replace(tzinfo=timezone.utc)
        return found.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        raise BadParameter(
            f"date={date!r}: expected a date such as 2026-03-01 or 2026-03-01T09:30:00+01:00."
        ) from None


@dataclass(frozen=True)
class CountedRun:
    """A system output with its counts, independent of any track."""

    hypotheses: Column
    references: References | None
    hypothesis_fingerprint: str
    reference_fingerprint: str
    source_fingerprint: str | None
    counts: list[StoredCounts]

    @classmethod
    def read(cls, corpus: Corpus) -> CountedRun:
        """Not counted yet."""
        if len(corpus.systems) != 1:
            names = ", ".join(corpus.systems)
            raise BadParameter(f"got {len(corpus.systems)} systems ({names}), expected one for each run.")
        (hypotheses,) = corpus.systems.values()
        return cls(
            hypotheses,
            corpus.references,
            fingerprint([hypotheses]),
            fingerprint([] if corpus.references is None else corpus.references.columns),
            None if corpus.sources is None else fingerprint([corpus.sources]),
            [],
        )

    def counted(
        self,
        corpus: Corpus,
        metrics: Sequence[Metric],
        *,
        threads: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> CountedRun:
        counts = []
        chosen = list({metric.spec: metric for metric in metrics}.values())
        statistics = corpus_statistics(corpus, chosen, threads=threads, progress=progress)
        for metric, by_run in zip(chosen, statistics, strict=True):
            (of_run,) = by_run.values()
            signature = metric.signature(of_run.references, of_input=of_run.of_input)
            counts.append(StoredCounts.of(of_run, metric.label, signature.choices))
        return replace(self, counts=counts)

    @property
    def reference_count(self) -> int:
        return 0 if self.references is None else len(self.references.columns)


# --- test sets -----------------------------------------------------------------------------------------------


def fitting_set(known: Sequence[TrackedSet], run: CountedRun, name: str | None) -> TrackedSet | None:
    """The test set that a run belongs to; None if it is a new one."""
    if name is not None:
        named = [each for each in known if each.name == name]
        if named and (difference := _difference(named[0], run)):
            raise BadInput(
                f"test set '{name}' has {named[0].identified()}: {difference}. Use another name with --test-set, or "
                "the files of this test set."
            )
        return named[0] if named else None
    if run.references is None and run.source_fingerprint is None:
        raise BadParameter(
            "without references and source, nothing identifies the test set. Name it with --test-set."
        )
    fitting = [each for each in known if not _difference(each, run)]
    if run.references is None:
        fitting = [each for each in fitting if each.source_fingerprint == run.source_fingerprint]
    if len(fitting) > 1:
        names = ", ".join(f"'{each.name}'" for each in fitting)
        raise BadInput(f"the references are those of several test sets: {names}. Choose one with --test-set.")
    return fitting[0] if fitting else None


def _difference(known: TrackedSet, run: CountedRun) -> str:
    """In what a run does not fit; empty if it does. A source that only one of them has is no difference."""
    if known.segments != len(run.hypotheses):
        return f"the run has {number_of(len(run.hypotheses), 'segment')}"
    if known.reference_fingerprint != run.reference_fingerprint:
        return f"the references of the run ({shortened(run.reference_fingerprint)}) are different"
    both = None not in (known.source_fingerprint, run.source_fingerprint)
    if both and known.source_fingerprint != run.source_fingerprint:
        return f"the source of the run ({shortened(str(run.source_fingerprint))}) is different"
    return ""


def _stored_set(connection: sqlite3.Connection, run: CountedRun, name: str | None) -> TrackedSet:
    known = known_sets(connection)
    found = fitting_set(known, run, name)
    if found is not None:
        if found.source_fingerprint is None and run.source_fingerprint is not None:
            connection.execute(
                "UPDATE test_sets SET source_fingerprint = ? WHERE id = ?", (run.source_fingerprint, found.id)
            )
        return found
    if name is None:
        short = run.reference_fingerprint if run.references is not None else str(run.source_fingerprint)
        name = shortened(short)
        if any(each.name == name for each in known):  # the same references of another source
            name = f"{name}-{shortened(str(run.source_fingerprint))}"
    values = (
        name,
        len(run.hypotheses),
        run.reference_count,
        run.reference_fingerprint,
        run.source_fingerprint,
    )
    connection.execute(
        "INSERT INTO test_sets (name, segments, reference_count, reference_fingerprint, source_fingerprint) "
        "VALUES (?, ?, ?, ?, ?)",
        values,
    )
    return next(each for each in known_sets(connection) if each.name == name)


# --- runs ----------------------------------------------------------------------------------------------------


def check_addition(connection: sqlite3.Connection, facts: RunFacts, run: CountedRun) -> None:
    """Refuse what could not be stored, before anything is counted."""
    test_set = fitting_set(known_sets(connection), run, facts.test_set)
    if test_set is not None:
        _same_run(runs_in(connection, test_set), facts, run)


def _same_run(runs: Sequence[TrackedRun], facts: RunFacts, run: CountedRun) -> TrackedRun | None:
    """The run of that name, if it has the same hypotheses."""
    for known in runs:
        if known.name == facts.name:
            if known.fingerprint != run.hypothesis_fingerprint:
                raise BadInput(
                    f"run '{facts.name}' exists with other hypotheses ({shortened(known.fingerprint)}, got "
                    f"{shortened(run.hypothesis_fingerprint)}). Use another name, or remove that run first."
                )
            return known
    return None


def store(connection: sqlite3.Connection, facts: RunFacts, run: CountedRun, now: datetime) -> TrackedRun:
    """In the transaction of the connection: a new run, or further metrics of a run with the same hypotheses."""
    test_set = _stored_set(connection, run, facts.test_set)
    known = _same_run(runs_in(connection, test_set), facts, run)
    if known is None:
        values = (
            test_set.id,
            facts.name,
            (facts.date or now).isoformat(timespec="seconds"),
            facts.step,
            facts.note or "",
            json.dumps(facts.tags or ()),
            run.hypothesis_fingerprint,
            __version__,
        )
        inserted = connection.execute(
            "INSERT INTO runs (test_set, name, date, step, note, tags, fingerprint, version) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        number = int(inserted.lastrowid or 0)
    else:
        number = known.id
        _update(connection, number, facts)
    stored = [] if known is None else counts_in(connection, [known])[number]
    for counts in run.counts:
        # Counts by a metric that the run already has must be the same, or of another version of understudy.
        if not any(each.spec == counts.spec and each.is_again(counts, facts.name) for each in stored):
            counts.put(connection, number)
    if facts.keep_text:
        connection.execute("UPDATE runs SET text = ? WHERE id = ?", (packed_texts([run.hypotheses]), number))
        if run.references is not None:
            texts = packed_texts(run.references.columns)
            connection.execute("UPDATE test_sets SET reference_texts = ? WHERE id = ?", (texts, test_set.id))
    return next(each for each in runs_in(connection, test_set) if each.id == number)


def _update(connection: sqlite3.Connection, number: int, facts: RunFacts) -> None:
    """What is given anew about a run."""
    changes = {
        "note": facts.note,
        "date": None if facts.date is None else facts.date.isoformat(timespec="seconds"),
        "step": facts.step,
        "tags": None if facts.tags is None else json.dumps(facts.tags),
    }
    for column, value in changes.items():
        if value is not None:
            connection.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, number))


# --- kept texts ----------------------------------------------------------------------------------------------


def kept_corpus(connection: sqlite3.Connection, of_set: TrackedSet, run: TrackedRun) -> Corpus:
    """The texts of a run and its references, if they were kept."""
    name = run.name
    if not run.has_text:
        raise BadInput(f"the text of run '{name}' was not kept. Give the SYSTEM and its references again.")
    try:
        (text,) = connection.execute("SELECT text FROM runs WHERE id = ?", (run.id,)).fetchone()
        (answers,) = connection.execute(
            "SELECT reference_texts FROM test_sets WHERE id = ?", (of_set.id,)
        ).fetchone()
        (hypotheses,) = unpacked_texts(text)
        columns = [] if answers is None else unpacked_texts(answers)
    except ValueError as error:
        raise BadInput(f"the text of run '{name}' is damaged: {error}. Give the SYSTEM again.") from None
    references = {f"reference {number}": column for number, column in enumerate(columns, start=1)}
    return Corpus({name: hypotheses}, references or None)
