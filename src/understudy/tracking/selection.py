"""Which runs, test sets and metrics a command is about."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from understudy.errors import BadInput, BadParameter, UnderstudyError, did_you_mean
from understudy.metrics.base.registry import metric as metric_of
from understudy.tracking.adding import BEST, LAST
from understudy.tracking.records import (
    StoredCounts,
    TrackedRun,
    TrackedSet,
    counts_in,
    known_sets,
    runs_in,
)
from understudy.tracking.series import (
    RunCounts,
    Series,
    named_metrics,
    no_shared_metric,
    refuse_unlike_counts,
    refuse_unlike_sets,
    series_of,
    unlike_in_words,
)
from understudy.wording import listed, number_of

Counts = Mapping[int, Sequence[StoredCounts]]  # of every run, by its id


def sets_named(connection: sqlite3.Connection, name: str | None) -> list[TrackedSet]:
    """All test sets, or the one of that name."""
    known = known_sets(connection)
    found = [each for each in known if name in (None, each.name)]
    if name is not None and not found:
        raise BadParameter(f"unknown test set '{name}'. {did_you_mean(name, [each.name for each in known])}")
    return found


def tagged(runs: Sequence[TrackedRun], tags: Sequence[str]) -> list[TrackedRun]:
    """The runs that have all of these tags."""
    return [run for run in runs if set(tags) <= set(run.tags)]


def run_named(
    connection: sqlite3.Connection, name: str, test_set: str | None
) -> tuple[TrackedSet, TrackedRun]:
    """The run of that name, with its test set."""
    known = [(each, run) for each in sets_named(connection, test_set) for run in runs_in(connection, each)]
    found = [(each, run) for each, run in known if run.name == name]
    if not found:
        names = dict.fromkeys(run.name for _, run in known)
        raise BadParameter(f"unknown run '{name}'. {did_you_mean(name, names)}")
    if len(found) > 1:
        names_of_sets = listed([each.name for each, _ in found])
        raise BadParameter(
            f"run '{name}' is in several test sets: {names_of_sets}. Choose one with --test-set."
        )
    return found[0]


def runs_together(
    connection: sqlite3.Connection, names: Sequence[str], test_set: str | None
) -> tuple[TrackedSet, list[TrackedRun]]:
    """The runs of these names, in the only test set that has all of them."""
    by_set = [
        (each, {run.name: run for run in runs_in(connection, each)})
        for each in sets_named(connection, test_set)
    ]
    every = list(dict.fromkeys(name for _, runs in by_set for name in runs))
    for name in names:
        if name not in every:
            raise BadParameter(f"unknown run '{name}'. {did_you_mean(name, every)}")
    having_all = [(each, runs) for each, runs in by_set if all(name in runs for name in names)]
    if len(having_all) > 1:
        sets = listed([each.name for each, _ in having_all])
        raise BadParameter(f"the runs are in several test sets: {sets}. Choose one with --test-set.")
    if having_all:
        of_set, runs = having_all[0]
        return of_set, [runs[name] for name in names]
    one = next((each, runs[names[0]]) for each, runs in by_set if names[0] in runs)
    missing = next(name for name in names if all(name not in runs for each, runs in by_set if each == one[0]))
    other = next((each, runs[missing]) for each, runs in by_set if missing in runs)
    refuse_unlike_sets(one[1], one[0], other[1], other[0])
    raise AssertionError("two test sets are unlike")


def latest_run(
    connection: sqlite3.Connection, test_set: str | None, tags: Sequence[str]
) -> tuple[TrackedSet, TrackedRun]:
    """The last run of the only test set, or of the one of that name."""
    sets = sets_named(connection, test_set)
    if len(sets) > 1:
        names = listed([each.name for each in sets])
        raise BadParameter(f"the track has several test sets: {names}. Choose one with --test-set.")
    runs = tagged(runs_in(connection, sets[0]), tags) if sets else []
    if not runs:
        raise BadParameter("the track has no such run. See 'understudy track list'.")
    return sets[0], runs[-1]


def series_between(
    test_set: TrackedSet,
    runs: Sequence[TrackedRun],
    counts: Counts,
    metrics: Sequence[str],
    *,
    across_versions: bool,
) -> list[Series]:
    """The metrics that all of these runs have: by these names, or by any. Unlike signatures are refused."""
    first, *others = runs
    found = []
    for stored in named_metrics(counts[first.id], metrics, f"run '{first.name}'"):
        entries = [RunCounts(first, stored)]
        for other in others:
            same = [each for each in counts[other.id] if each.spec == stored.spec]
            entries += [RunCounts(other, each) for each in same]
            if same:
                refuse_unlike_counts(entries[0], entries[-1], across_versions=across_versions)
            elif metrics:
                raise no_shared_metric(first.name, [stored], other.name, counts[other.id])
        if len(entries) == len(runs):
            of_metric = {entry.run.id: [entry.counts] for entry in entries}
            found += series_of(test_set, runs, of_metric, across_versions=across_versions)
    if not found:
        lacking = next(
            (run for run in others if not _specs(counts[run.id]) & _specs(counts[first.id])), others[0]
        )
        raise no_shared_metric(first.name, counts[first.id], lacking.name, counts[lacking.id])
    return found


def _specs(counts: Sequence[StoredCounts]) -> set[str]:
    return {stored.spec for stored in counts}


# --- the baseline of a check -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Checked:
    """The run that is checked, and the runs that its baseline is selected from."""

    test_set: TrackedSet
    run: TrackedRun
    earlier: list[TrackedRun]  # the baseline alone, unless it is to be the best
    counts: Counts

    def series(self, metrics: Sequence[str], *, across_versions: bool) -> list[Series]:
        """By each metric: the comparable earlier runs, and the run as the last one."""
        if len(self.earlier) == 1:
            return series_between(
                self.test_set,
                [*self.earlier, self.run],
                self.counts,
                metrics,
                across_versions=across_versions,
            )
        wanted = named_metrics(self.counts[self.run.id], metrics, f"run '{self.run.name}'")
        every = series_of(
            self.test_set, [*self.earlier, self.run], self.counts, across_versions=across_versions
        )
        found = []
        for stored in wanted:
            comparable = next(each for each in every if RunCounts(self.run, stored) in each.entries)
            if len(comparable.entries) > 1:
                found.append(comparable)
            elif metrics:
                self._refuse(stored, across_versions)
        if not found:
            self._refuse(wanted[0], across_versions)
        return found

    def left_out(self, tested: Sequence[Series]) -> list[str]:
        """Metrics of the run, or of runs before it, by which nothing was tested although they have a direction."""
        done = {each.spec for each in tested}
        known = dict.fromkeys(
            stored.spec for run in [*self.earlier, self.run] for stored in self.counts[run.id]
        )
        return [spec for spec in known if spec not in done and _has_direction(spec)]

    def not_comparable(self, tested: Sequence[Series], *, across_versions: bool) -> list[str]:
        """Sentences on earlier runs that cannot be the best by a metric, because they have another signature of it."""
        found = []
        for series in tested:
            own = series.entries[-1]
            unlike = [
                RunCounts(run, stored)
                for run in self.earlier
                for stored in self.counts[run.id]
                if stored.spec == series.spec and run not in series.runs
            ]
            if unlike:
                why = unlike_in_words(unlike[-1], own, across_versions=across_versions)
                found.append(
                    f"{number_of(len(unlike), 'earlier run')} not considered as the best by {series.label}. {why}"
                )
        return found

    def _refuse(self, stored: StoredCounts, across_versions: bool) -> None:
        """No earlier run can be compared by this metric: say why the latest cannot."""
        latest = self.earlier[-1]
        for other in self.counts[latest.id]:
            if other.spec == stored.spec:
                refuse_unlike_counts(
                    RunCounts(latest, other), RunCounts(self.run, stored), across_versions=across_versions
                )
        raise no_shared_metric(latest.name, self.counts[latest.id], self.run.name, [stored])


def _has_direction(spec: str) -> bool:
    try:
        return metric_of(spec).higher_is_better is not None
    except UnderstudyError:  # a plug-in that is not installed here
        return True


def _baseline_named(
    connection: sqlite3.Connection, name: str, test_set: TrackedSet, run: TrackedRun | None
) -> TrackedRun:
    """The run of that name on this test set. The error for a run of another one says so."""
    named = [
        (each, found)
        for each in known_sets(connection)
        for found in runs_in(connection, each)
        if found.name == name
    ]
    if named and all(each != test_set for each, _ in named):
        other, baseline = named[0]
        if run is not None:
            refuse_unlike_sets(run, test_set, baseline, other)
        raise BadInput(
            f"the baseline '{name}' is of test set '{other.name}', the system of '{test_set.name}'. Name a run on the "
            "same test set."
        )
    return run_named(connection, name, test_set.name)[1]


def checked_run(
    connection: sqlite3.Connection,
    test_set: TrackedSet,
    run: TrackedRun | None,
    baseline: str,
    tags: Sequence[str],
) -> tuple[list[TrackedRun], Counts]:
    """The runs that the baseline of a run is selected from, with the counts of all. Without a run, all are earlier."""
    runs = runs_in(connection, test_set)
    before = runs if run is None else runs[: [each.id for each in runs].index(run.id)]
    earlier = tagged(before, tags)
    if baseline not in (LAST, BEST):
        named = _baseline_named(connection, baseline, test_set, run)
        if run is not None and named.id == run.id:
            raise BadParameter(f"run '{run.name}' is its own baseline. Name another run.")
        earlier = [named]
    if not earlier:
        which = "the track has no run" if run is None else f"there is no run before '{run.name}'"
        raise BadInput(
            f"{which} on test set '{test_set.name}' to compare with. Add one with 'understudy track add'."
        )
    chosen = earlier[-1:] if baseline == LAST else earlier
    return chosen, counts_in(connection, [*chosen, *([run] if run else [])])
