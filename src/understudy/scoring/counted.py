"""Gathering: every system and every run of it counted by every metric, once, for all that looks at the counts later."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from understudy.corpus.files import Path
from understudy.corpus.naming import Nameable, names_apart
from understudy.corpus.source import name_of
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base.each_reference import EachReference
from understudy.metrics.base.metric import Metric, checked_threads
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.evidence import Evidence
from understudy.scoring.run import Metrics, chosen_metrics, count_whole, paths_of

# A system's files by its name: one, or several that are runs of it. Or files that are each a system of its own.
Systems = Mapping[str, Path | Sequence[Path]] | Iterable[Path | tuple[str, Path | Sequence[Path]]]


@dataclass(frozen=True)
class Runs:
    """The files of all systems: one each, or several that are runs of it."""

    system_of: dict[str, str]  # by the name of a run, the system it is of
    files: dict[str, Path]  # by the name of a run

    @classmethod
    def of(cls, systems: Systems) -> Runs:
        """A run is named after its system, with a number if there are several."""
        entries = systems.items() if isinstance(systems, Mapping) else systems
        if isinstance(entries, (str, os.PathLike)) or not isinstance(entries, Iterable):
            entries = [entries]
        found = [_nameable(entry) for entry in entries]
        names = names_apart([nameable for nameable, _ in found])
        system_of: dict[str, str] = {}
        files: dict[str, Path] = {}
        for name, (_, paths) in zip(names, found, strict=True):
            for number, path in enumerate(paths, start=1):
                run = name if len(paths) == 1 else f"{name}, run {number}"
                if run in files:
                    raise BadParameter(f"two systems are named '{run}'; name them apart with NAME=FILE.")
                system_of[run], files[run] = name, path
        return cls(system_of, files)

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(self.system_of.values()))

    def of_system(self, name: str) -> list[str]:
        """The names of its runs."""
        return [run for run, system in self.system_of.items() if system == name]


def _nameable(entry: Path | tuple[str, Path | Sequence[Path]]) -> tuple[Nameable, list[Path]]:
    """With its files."""
    if isinstance(entry, tuple):
        name, given = entry
        paths = paths_of("systems", given)
        if not paths:
            raise BadParameter(f"system '{name}' has no files.")
        return Nameable(name, name, os.fspath(paths[0])), paths
    (path,) = paths_of("systems", [entry])
    return Nameable(None, name_of(path), os.fspath(path)), [path]


@dataclass(frozen=True, eq=False)
class CountedSystems:
    """What the metrics counted."""

    runs: Runs
    reference_files: list[Path]
    evidence: list[Evidence]  # by metric
    references: list[tuple[int, int]]  # by metric: the fewest and the most references it read of a segment
    # By metric and name of the reference: the same with each reference alone, if that was asked for, the metric reads
    # references, and at least two have every segment.
    by_reference: list[dict[str, Evidence]] = field(default_factory=list)
    partial_references: list[str] = field(default_factory=list)  # those that some segment lacks, likewise

    @property
    def segments(self) -> int:
        return self.evidence[0].segments


def gather(
    systems: Systems,
    references: Path | Iterable[Path] = (),
    metrics: Metrics = ("bleu",),
    *,
    level: str = "corpus",
    documents: Sequence[str] | None = None,
    each_reference: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> CountedSystems:
    """Counts every run of every system; with `each_reference` also with each reference alone. `documents` says which
    document each segment is of, where the files do not and a metric looks at that.

    >>> gather(["examples/system-weak.en"], ["examples/reference-1.en"]).segments
    60
    """
    threads = checked_threads(threads)
    chosen = chosen_metrics(metrics)
    runs = Runs.of(systems)
    answers = paths_of("references", references)
    alone = EachReference(chosen if each_reference else [])
    counted = count_whole(
        runs.files,
        answers,
        chosen,
        documents=documents,
        each_reference=alone,
        threads=threads,
        progress=progress,
    )

    def evidence(metric: Metric, counts: Mapping[str, Statistics]) -> Evidence:
        rows = [(runs.system_of[run], statistics) for run, statistics in counts.items()]
        return Evidence.of_statistics(metric, rows, level)

    first = next(iter(counted.values()))
    return CountedSystems(
        runs,
        answers,
        [
            evidence(metric, {run: of_metrics[index] for run, of_metrics in counted.items()})
            for index, metric in enumerate(chosen)
        ],
        [statistics.references for statistics in first],
        [
            {name: evidence(metric, counts) for name, counts in alone.of_metric(index)}
            for index, metric in enumerate(chosen)
        ],
        alone.left_out,
    )


def checked_baseline(systems: Sequence[str], baseline: str | None) -> str:
    """The system that others are compared with: the first unless another is named."""
    if baseline is None:
        return systems[0]
    if baseline not in systems:
        raise BadParameter(f"no system '{baseline}'. {did_you_mean(baseline, systems)}")
    return baseline
