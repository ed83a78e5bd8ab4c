"""Track: the runs of a project and their counts in one file, with their history, comparisons and checks."""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from understudy.arrays import one_blas_thread
from understudy.choices import TRACK_FILE
from understudy.comparing.plan import Plan
from understudy.comparing.regressions import checked_metrics
from understudy.comparing.results import Comparison
from understudy.comparing.run import compare_evidence
from understudy.corpus.corpus import Corpus, as_corpus
from understudy.corpus.system_kinds import Kinds
from understudy.errors import BadInput, BadParameter
from understudy.fitness.without_judgments import fitness
from understudy.metrics.base.registry import metric as metric_of
from understudy.renderable import Renderable
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_file, check_name, check_whole, checked_names, refuse_unknown_keywords
from understudy.studies.parser_sensitivity import parser_sensitivity
from understudy.tracking.adding import (
    LAST,
    CountedRun,
    RunFacts,
    check_addition,
    check_run_name,
    fitting_set,
    kept_corpus,
    store,
)
from understudy.tracking.checking import TrackCheck, check_of
from understudy.tracking.history import History, history_of
from understudy.tracking.merging import merge
from understudy.tracking.records import TrackedRun, TrackedSet, counts_in, runs_in, shortened
from understudy.tracking.selection import (
    Checked,
    checked_run,
    latest_run,
    run_named,
    runs_together,
    series_between,
    sets_named,
    tagged,
)
from understudy.tracking.series import named_metrics, series_of, stored_signature
from understudy.tracking.track_file import NoRuns, TrackFile
from understudy.version import __version__
from understudy.wording import number_of

_UNADDED = 0  # no run of a track has this id
_NEW = "the system"  # the name of a system that is checked without being added


@dataclass(frozen=True, eq=False, repr=False)
class TrackedRuns(Renderable):
    """The runs of a track: what `understudy track list` prints."""

    track: str
    test_sets: list[TrackedSet]
    runs: list[TrackedRun]  # by test set, in their order
    metrics: list[list[str]]  # the specs of every run


class Track:
    """The runs of a project in one SQLite file, which `add` creates.

    Every run keeps its counts, not its text, so that paired tests are possible at any later time. Runs are compared
    only if they have the same references and the same signature. `now` is the clock: a function without arguments
    that returns a datetime.
    """

    def __init__(
        self, track: str | os.PathLike[str] = TRACK_FILE, *, now: Callable[[], datetime] | None = None
    ) -> None:
        check_file("track", track)
        self._file = TrackFile(track)
        self._now = now or _utc_now

    @property
    def path(self) -> str:
        return self._file.path

    def __repr__(self) -> str:
        return f"<Track '{self.path}'>"

    # --- changes ---------------------------------------------------------------------------------------------

    def add(
        self,
        run: str,
        system: Any = None,
        references: Any = None,
        metrics: Metrics = ("bleu",),
        *,
        note: str | None = None,
        test_set: str | None = None,
        date: str | datetime | None = None,
        step: int | None = None,
        tags: Sequence[str] | None = None,
        keep_text: bool = False,
        lang: str | None = None,
        source: Any = None,
        documents: Any = None,
        threads: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> TrackedRun:
        """Count a system output and store the run. Once this returns, the run survives a crash.

        A run that exists with the same hypotheses gets further metrics, and a new note, date, step or tags if they are
        given. Without a system, the text that `keep_text` stored is counted. `test_set` names the test set, which is
        otherwise recognized by its references; `date` is ISO 8601, in UTC unless it has a time zone.
        """
        facts = RunFacts.checked(
            run, test_set=test_set, note=note, date=date, step=step, tags=tags, keep_text=keep_text
        )
        chosen = chosen_metrics(metrics, lang)
        if system is None:
            if references is not None or source is not None:
                raise BadParameter("references and source need a system. Give the system, or none of them.")
            with self._file.reading() as connection:
                of_set, kept = run_named(connection, run, test_set)
                corpus = kept_corpus(connection, of_set, kept)
            facts = replace(facts, test_set=of_set.name)
        else:
            corpus = _corpus(run, system, references, source, documents)
        read = CountedRun.read(corpus)
        with suppress(NoRuns), self._file.reading() as connection:
            check_addition(connection, facts, read)
        counted = read.counted(corpus, chosen, threads=threads, progress=progress)
        with self._file.writing() as connection:
            return store(connection, facts, counted, self._now().astimezone(timezone.utc))

    def remove(self, run: str, *, test_set: str | None = None) -> TrackedRun:
        """Remove a run and all its counts."""
        with self._file.changing() as connection:
            _, found = run_named(connection, run, test_set)
            connection.execute("DELETE FROM runs WHERE id = ?", (found.id,))
            connection.execute("DELETE FROM test_sets WHERE id NOT IN (SELECT test_set FROM runs)")
        return found

    def rename(self, run: str, name: str, *, test_set: str | None = None) -> None:
        """Give a run another name."""
        check_run_name(name)
        with self._file.changing() as connection:
            of_set, found = run_named(connection, run, test_set)
            if any(other.name == name for other in runs_in(connection, of_set)):
                raise BadParameter(f"test set '{of_set.name}' has a run '{name}' already. Use another name.")
            connection.execute("UPDATE runs SET name = ? WHERE id = ?", (name, found.id))

    def import_runs(self, other: str | os.PathLike[str]) -> list[TrackedRun]:
        """Add all runs of another track, in one transaction. Runs that are the same in both are skipped."""
        check_file("other", other)
        if os.path.exists(self.path) and os.path.exists(other) and os.path.samefile(self.path, other):
            raise BadParameter(f"other: '{os.fspath(other)}' is this track. Name another one.")
        with TrackFile(other).reading() as source, self._file.writing() as connection:
            return merge(source, connection)

    # --- results ---------------------------------------------------------------------------------------------

    def runs(self, *, test_set: str | None = None, tags: Sequence[str] = ()) -> TrackedRuns:
        """All runs with their dates, notes and metrics."""
        with self._file.reading() as connection:
            sets = sets_named(connection, test_set)
            found = [
                run for each in sets for run in tagged(runs_in(connection, each), checked_names("tags", tags))
            ]
            counts = counts_in(connection, found)
        metrics = [[stored.spec for stored in counts[run.id]] for run in found]
        return TrackedRuns(self.path, sets, found, metrics)

    def show(
        self,
        *,
        metrics: Sequence[str] = (),
        test_set: str | None = None,
        tags: Sequence[str] = (),
        last: int | None = None,
        across_versions: bool = False,
        **plan: Any,
    ) -> History:
        """Every metric over time, with tests of each run against the run before it and against the best run before it.

        `metrics` are specs, labels or names, `last` is a number of runs, the latest ones; `across_versions` compares
        runs that different versions of understudy counted. `plan` has test, samples, seed, correct, significance and
        interval, as in `understudy.compare`.
        """
        refuse_unknown_keywords(plan, self.show, Plan)
        if last is not None:
            check_whole("last", last)
        decided = Plan(**plan)
        with self._file.reading() as connection:
            sets = sets_named(connection, test_set)
            by_set = [
                tagged(runs_in(connection, each), checked_names("tags", tags))[-(last or 0) :]
                for each in sets
            ]
            counts = counts_in(connection, [run for runs in by_set for run in runs])
        if not counts:
            raise BadParameter(f"the track '{self.path}' has no such runs. See 'understudy track list'.")
        known = [stored for of_run in counts.values() for stored in of_run]
        chosen = {each.spec for each in named_metrics(known, checked_names("metrics", metrics), "the track")}
        wanted = {
            run: [stored for stored in of_run if stored.spec in chosen] for run, of_run in counts.items()
        }
        series = [
            each
            for of_set, runs in zip(sets, by_set, strict=True)
            for each in series_of(of_set, runs, wanted, across_versions=across_versions)
        ]
        return history_of(self.path, series, decided)

    @one_blas_thread()
    def compare(
        self,
        runs: Sequence[str],
        *,
        metrics: Sequence[str] = (),
        test_set: str | None = None,
        across_versions: bool = False,
        **plan: Any,
    ) -> Comparison:
        """Compare runs by their stored counts: the same result as `understudy.compare` with their texts, without the
        analyses that need texts. The first run is the baseline, unless `plan` has another.
        """
        refuse_unknown_keywords(plan, self.compare, Plan)
        names = checked_names("runs", runs)
        chosen_plan = Plan(**plan)
        if len(set(names)) < max(2, len(names)):
            raise BadParameter(
                f"runs: got {', '.join(names) or 'none'}, expected at least two different runs."
            )
        with self._file.reading() as connection:
            of_set, found = runs_together(connection, names, test_set)
            counts = counts_in(connection, found)
        wanted = checked_names("metrics", metrics)
        series = series_between(of_set, found, counts, wanted, across_versions=across_versions)
        decided = chosen_plan.for_segments(of_set.segments)
        evidence = [each.evidence(decided.level) for each in series]
        references = [each.references for each in series]
        compared = [
            replace(result, signature=stored_signature(each, result.signature))
            for each, result in zip(series, compare_evidence(evidence, decided, references), strict=True)
        ]
        return Comparison(
            decided,
            of_set.segments,
            max(references),
            compared,
            parser_sensitivity(
                (each.metric, {system.name: system.score for system in result.systems})
                for each, result in zip(series, compared, strict=True)
            ),
            fitness(compared, evidence, references, Kinds()),
        )

    def check(
        self,
        run: str | None = None,
        system: Any = None,
        references: Any = None,
        *,
        baseline: str = LAST,
        metrics: Sequence[str] = (),
        margin: float = 0.0,
        test_set: str | None = None,
        tags: Sequence[str] = (),
        across_versions: bool = False,
        source: Any = None,
        documents: Any = None,
        threads: int | None = None,
        **plan: Any,
    ) -> TrackCheck:
        """Test whether a run is significantly worse than its baseline: `last`, the run before it; `best`, the best run
        before it by each metric; or a run by name. The default run is the latest. With a system and its references, it
        is checked without being added.

        All metrics with a direction are tested unless some are named. p-values are corrected for the number of metrics
        and, with `best`, for the number of runs that the best was selected from. A loss of at most `margin` passes.
        """
        refuse_unknown_keywords(plan, self.check, Plan)
        check_name("baseline", baseline)
        decided = Plan(**plan)
        wanted = checked_names("metrics", metrics)
        tags = checked_names("tags", tags)
        if not isinstance(margin, (int, float)) or not 0 <= margin < math.inf:
            raise BadParameter(f"margin={margin!r}: expected a number of at least 0.")
        corpus = None if system is None else _corpus(run or _NEW, system, references, source, documents)
        with self._file.reading() as connection:
            if corpus is None:
                of_set, candidate = (
                    latest_run(connection, test_set, tags)
                    if run is None
                    else run_named(connection, run, test_set)
                )
                earlier, counts = checked_run(connection, of_set, candidate, baseline, tags)
            else:
                read = CountedRun.read(corpus)
                of_set = _known_set(connection, read, test_set)
                taken = {each.name for each in runs_in(connection, of_set)}
                candidate = _unadded(f"{run} (not added)" if run in taken else run or _NEW, of_set, read)
                earlier, counts = checked_run(connection, of_set, None, baseline, tags)
        if corpus is not None:
            known = [stored for each in earlier for stored in counts[each.id]]
            where = f"run '{earlier[0].name}'" if len(earlier) == 1 else "the runs before"
            specs = dict.fromkeys(stored.spec for stored in named_metrics(known, wanted, where))
            counted = read.counted(corpus, [metric_of(spec) for spec in specs], threads=threads)
            counts = {**counts, candidate.id: counted.counts}
        checked = Checked(of_set, candidate, earlier, counts)
        gated = checked_metrics(wanted, checked.series(wanted, across_versions=across_versions))
        if margin and len(gated) > 1:
            named = ", ".join(each.spec for each in gated)
            raise BadParameter(
                f"margin={margin!r} is in units of one metric, got {named}. Choose one with -m."
            )
        return check_of(
            self.path,
            candidate.name,
            gated,
            decided,
            baseline=baseline,
            margin=float(margin),
            untested=[] if wanted else checked.left_out(gated),
            cautions=checked.not_comparable(gated, across_versions=across_versions),
        )


def _corpus(run: str, system: Any, references: Any, source: Any, documents: Any) -> Corpus:
    beside = {"sources": source, "documents": documents}
    if isinstance(system, Corpus):
        return as_corpus(system, references, **beside)
    return Corpus({run: system}, references, **beside)


def _known_set(connection: sqlite3.Connection, read: CountedRun, name: str | None) -> TrackedSet:
    sets = sets_named(connection, name)
    found = fitting_set(sets, read, name)
    if found is None:
        known = "; ".join(f"'{each.name}': {each.identified()}" for each in sets)
        raise BadInput(
            f"no run of the track has these references ({shortened(read.reference_fingerprint)}, "
            f"{number_of(len(read.hypotheses), 'segment')}). Known: {known}."
        )
    return found


def _unadded(name: str, test_set: TrackedSet, read: CountedRun) -> TrackedRun:
    """A system as a run that no track has."""
    return TrackedRun(
        _UNADDED,
        name,
        test_set.name,
        _utc_now(),
        None,
        "",
        (),
        read.hypothesis_fingerprint,
        __version__,
        has_text=False,
    )


def _utc_now() -> datetime:
    return datetime.now(timezone.utc)
