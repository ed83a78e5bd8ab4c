"""Series: the runs of one test set with the same signature of one metric. Only these are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.evidence import Evidence
from understudy.tracking.records import VERSION, StoredCounts, TrackedRun, TrackedSet, shortened


@dataclass(frozen=True)
class RunCounts:
    """A run with its counts by one metric."""

    run: TrackedRun
    counts: StoredCounts


@dataclass(frozen=True, eq=False)
class Series:
    """Comparable runs in their order, by one metric."""

    test_set: TrackedSet
    metric: Metric
    entries: tuple[RunCounts, ...]

    @property
    def spec(self) -> str:
        return self.metric.spec

    @property
    def label(self) -> str:
        return self.metric.label

    @property
    def higher_is_better(self) -> bool | None:
        return self.metric.higher_is_better

    @property
    def runs(self) -> list[TrackedRun]:
        return [entry.run for entry in self.entries]

    @property
    def references(self) -> tuple[int, int]:
        return self.entries[0].counts.references

    @property
    def versions(self) -> list[str]:
        """The versions of understudy that counted."""
        return list(dict.fromkeys(entry.counts.signature[VERSION] for entry in self.entries))

    def statistics(self, entry: RunCounts) -> Statistics:
        return entry.counts.statistics(self.test_set.segments, entry.run.name)

    def evidence(self, level: str = "corpus") -> Evidence:
        """All runs, ready for resampling. Their names are unique within a test set."""
        rows = [(entry.run.name, self.statistics(entry)) for entry in self.entries]
        return Evidence.of_statistics(self.metric, rows, level)

    def among(self, places: Sequence[int]) -> Series:
        """Only the runs at these places, in this order."""
        return Series(self.test_set, self.metric, tuple(self.entries[place] for place in places))


def series_of(
    test_set: TrackedSet,
    runs: Sequence[TrackedRun],
    counts: Mapping[int, Sequence[StoredCounts]],
    *,
    across_versions: bool = False,
) -> list[Series]:
    """The series of a test set, in the order in which metrics and signatures appear first."""
    found: dict[object, list[RunCounts]] = {}
    for run in runs:
        for stored in counts[run.id]:
            key = _key(stored, across_versions)
            found.setdefault(key, []).append(RunCounts(run, stored))
    specs = list(dict.fromkeys(entries[0].counts.spec for entries in found.values()))
    ordered = sorted(found.values(), key=lambda entries: specs.index(entries[0].counts.spec))
    return [Series(test_set, _metric(entries[0].counts), tuple(entries)) for entries in ordered]


def _key(stored: StoredCounts, across_versions: bool) -> tuple[object, ...]:
    choices = {
        name: value for name, value in stored.signature.items() if not (across_versions and name == VERSION)
    }
    # A reference-free metric is fitted on the hypotheses, which are different for every run.
    fitted_on = stored.fitted_on if stored.references[1] else ""
    return stored.spec, tuple(choices.items()), stored.columns, fitted_on


def _metric(stored: StoredCounts) -> Metric:
    """The metric of a spec, if it still means what it meant when the run was added: defaults may change."""
    metric = metric_of(stored.spec)
    now = metric.signature(stored.references, of_input=stored.of_input).choices
    changed = _differences({**stored.signature, VERSION: now[VERSION]}, now)
    if changed or metric.columns != stored.columns:
        said = f" ({'; '.join(changed)})" if changed else ""
        raise BadInput(
            f"{stored.spec} of {stored.signature[VERSION]} is not {stored.spec} of {now[VERSION]}{said}. Add the runs "
            "to a new track, or use that version."
        )
    return metric


# --- what differs between runs -------------------------------------------------------------------------------


def _differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """The entries of two signatures that are not equal.

    >>> _differences({"nrefs": "1", "tok": "13a"}, {"nrefs": "1", "tok": "intl"})
    ['tok:13a and tok:intl']
    """
    return [
        f"{name}:{one.get(name, 'none')} and {name}:{other.get(name, 'none')}"
        for name in dict.fromkeys([*one, *other])
        if one.get(name) != other.get(name)
    ]


def refuse_unlike_counts(first: RunCounts, second: RunCounts, *, across_versions: bool = False) -> None:
    """Raise an error that names what differs between the signatures of two runs by one metric."""
    if said := unlike_in_words(first, second, across_versions=across_versions):
        raise BadInput(said)


def unlike_in_words(first: RunCounts, second: RunCounts, *, across_versions: bool) -> str:
    """What differs between the signatures of two runs by one metric, and what to do; empty if nothing does."""
    one, other = first.counts, second.counts
    if _key(one, across_versions) == _key(other, across_versions):
        return ""
    found = _differences(one.signature, other.signature)
    if across_versions:
        found = [difference for difference in found if not difference.startswith(f"{VERSION}:")]
    if one.fitted_on != other.fitted_on and not found:
        found = [f"fitted on {shortened(one.fitted_on)} and {shortened(other.fitted_on)}"]
    return (
        f"{one.label} of '{first.run.name}' and '{second.run.name}' cannot be compared: {'; '.join(found)}. "
        f"{_cure(found)}"
    )


def _cure(differences: Sequence[str]) -> str:
    if all(difference.startswith(f"{VERSION}:") for difference in differences):
        return (
            "Add the run again with this version of understudy, or use --across-versions if its changelog lists no "
            "change of these scores."
        )
    return "Add one of the runs again with the same settings and references."


def refuse_unlike_sets(first: TrackedRun, one: TrackedSet, second: TrackedRun, other: TrackedSet) -> None:
    """Raise the error for runs of two test sets."""
    differences = []
    if one.segments != other.segments:
        differences.append("the number of segments")
    if one.reference_fingerprint != other.reference_fingerprint:
        differences.append("the references")
    if not differences:
        differences.append("the source" if one.source_fingerprint != other.source_fingerprint else "the name")
    raise BadInput(
        f"'{first.name}' and '{second.name}' cannot be compared: '{first.name}' is of test set '{one.name}' "
        f"({one.identified()}), '{second.name}' of '{other.name}' ({other.identified()}), which differ in "
        f"{' and '.join(differences)}. Add both runs on one test set."
    )


def no_shared_metric(
    first: str, one: Sequence[StoredCounts], second: str, other: Sequence[StoredCounts]
) -> BadInput:
    """The error for two runs without a common metric. If two specs are of the same metric, it names what differs."""
    for mine in one:
        for theirs in other:
            if mine.spec.partition(":")[0] == theirs.spec.partition(":")[0]:
                found = "; ".join(_differences(mine.signature, theirs.signature))
                return BadInput(
                    f"'{first}' has {mine.spec}, '{second}' has {theirs.spec}: {found}. Add {theirs.spec} to "
                    f"'{first}' with 'understudy track add', or {mine.spec} to '{second}'."
                )
    metrics = [", ".join(each.spec for each in of_run) for of_run in (one, other)]
    return BadInput(
        f"'{first}' ({metrics[0]}) and '{second}' ({metrics[1]}) have no metric in common. Add one with 'understudy "
        "track add'."
    )


class _Named(Protocol):
    @property
    def spec(self) -> str: ...
    @property
    def label(self) -> str: ...


Known = TypeVar("Known", bound=_Named)


def named_metrics(known: Sequence[Known], names: Sequence[str], where: str) -> list[Known]:
    """Series or counts by metrics with these specs, labels or names; all without names."""
    specs = list(dict.fromkeys(each.spec for each in known))
    chosen = {each.spec for each in known if not names}
    for name in names:
        exact = {each.spec for each in known if name in (each.spec, each.label)}
        found = exact or {spec for spec in specs if spec.partition(":")[0] == name}
        if not found:
            raise BadParameter(f"unknown metric '{name}' of {where}, which has {', '.join(specs)}.")
        chosen |= found
    return [each for each in known if each.spec in chosen]


def best_of_first(evidence: Evidence, runs: int) -> int:
    """The best of so many runs from the first on: the latest of those that share the best score."""
    worths = evidence.worth(evidence.scores)[:runs]
    return int(np.flatnonzero(worths == worths.max())[-1])


def stored_signature(series: Series, signature: str) -> str:
    """A signature that this version of understudy made of stored counts, with the versions that counted."""
    versions = f"{VERSION}:{'/'.join(series.versions)}"
    entries = signature.split("|")
    return "|".join(versions if entry.startswith(f"{VERSION}:") else entry for entry in entries)
