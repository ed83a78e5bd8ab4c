"""Alignment of human and metric scores: the same systems and segments, and what either side lacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.judgments import ScoreTable
from understudy.errors import BadInput
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.uneven_coverage import UnevenCoverage, uneven

_NAMES_IN_MESSAGES = 5


@dataclass(frozen=True)
class Unmatched:
    """Systems and segments with human scores only or metric scores only. They are excluded."""

    metric: str
    human_systems: tuple[str, ...]
    metric_systems: tuple[str, ...]
    human_segments: int
    metric_segments: int

    def __str__(self) -> str:
        human_only = f"human scores but no {self.metric} scores; excluded"
        metric_only = f"{self.metric} scores but no human scores; excluded"
        return ". ".join(
            [
                *(
                    f"{some(systems)} {'has' if len(systems) == 1 else 'have'} {what}"
                    for what, systems in (
                        (human_only, self.human_systems),
                        (metric_only, self.metric_systems),
                    )
                    if systems
                ),
                *(
                    f"{count:,} segment{'s have' if count > 1 else ' has'} {what}"
                    for what, count in (
                        (human_only, self.human_segments),
                        (metric_only, self.metric_segments),
                    )
                    if count
                ),
            ]
        )


@dataclass(frozen=True, eq=False)
class AlignedScores:
    """Human and metric scores of the same translations."""

    human: ScoreTable
    systems: tuple[str, ...]
    segments: tuple[int, ...]  # all that anyone has; where a score is missing there is a gap
    pairings: dict[str, PairedScores]  # by metric
    unmatched: tuple[Unmatched, ...]  # a report should say it
    uneven: tuple[UnevenCoverage, ...] = ()  # likewise
    # By metric: judged translations that it did not score. No metric is compared on these.
    unscored: dict[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()  # all this in words


def align(
    human: ScoreTable,
    metrics: Mapping[str, ScoreTable],
    *,
    lower_is_better: Collection[str] = (),
    judged_only: bool = False,
    system_means: bool = False,
) -> AlignedScores:
    """Align human and metric scores by system name. Scores of metrics for which lower is better are negated. At segment
    level, metrics are compared on the translations that all of them scored. With `judged_only`, metrics use only
    segments with human scores. If `system_means` are compared, systems that a metric scored on different segments than
    most systems are excluded.
    """
    of_people, human = human, human.known()
    given = {name: metric.known() for name, metric in metrics.items()}
    systems = _common_systems(human, given)
    for metric in given.values():
        _check_translations_in_common(human, metric, systems)
    seen = given
    if judged_only and human.segments:
        judged = set(human.segments)
        seen = {
            name: metric.on(judged).known() if metric.segments else metric for name, metric in given.items()
        }
        systems = _common_systems(human, seen)
    unlike: list[UnevenCoverage] = []
    if system_means:
        unlike = [
            each
            for metric in seen.values()
            if metric.segments and not metric.given
            for each in uneven(metric.name, systems, *_both_arranged(human, metric, systems))
        ]
        left_out = {each.system for each in unlike if each.too_many}
        systems = tuple(system for system in systems if system not in left_out)
        if len(systems) < 2 and left_out:
            raise BadInput(
                f"{next(each for each in unlike if each.too_many)}: too few systems are left with comparable mean "
                "scores. Score the same segments of all systems, or use only segment-level coefficients."
            )
    segments = tuple(sorted(set(human.segments).union(*(metric.segments for metric in seen.values()))))
    people, people_systems = _arranged(human, systems, segments)
    pairings = {}
    for name, metric in seen.items():
        scores, of_systems = _arranged(metric, systems, segments)
        sign = -1.0 if name in lower_is_better else 1.0
        pairings[name] = PairedScores(
            systems,
            people,
            None if scores is None else sign * scores,
            people_systems if human.given else None,
            sign * of_systems if metric.given else None,
        )
    pairings, unscored = _on_the_same_translations(pairings)
    lacking = (_unmatched(human, metric) for metric in given.values())
    unmatched = tuple(each for each in lacking if str(each))
    return AlignedScores(of_people, systems, segments, pairings, unmatched, tuple(unlike), unscored)


def _on_the_same_translations(
    pairings: Mapping[str, PairedScores],
) -> tuple[dict[str, PairedScores], dict[str, int]]:
    """Of two metrics that are equally good, the one that lacks the translations that are hard to judge would seem the
    better one. Also says how many each lacks.
    """
    scored = {name: ~np.isnan(each.metric) for name, each in pairings.items() if each.metric is not None}
    human = next(iter(pairings.values())).human
    if human is None or not scored:
        return dict(pairings), {}
    by_all, judged = np.all(list(scored.values()), axis=0), ~np.isnan(human)
    unscored = {name: int((judged & ~known).sum()) for name, known in scored.items()}
    if not any(unscored.values()):
        return dict(pairings), {}
    if not (judged & by_all).any():
        most = max(unscored, key=lambda name: unscored[name])
        raise BadInput(
            f"no translation has a human score and scores of all metrics; {most} lacks {unscored[most]:,} of "
            f"{int(judged.sum()):,}, the most. Omit it, or score the segments with human scores."
        )
    same = {name: replace(each, compared=by_all) for name, each in pairings.items() if name in scored}
    return {**pairings, **same}, {name: count for name, count in unscored.items() if count}


def _common_systems(human: ScoreTable, metrics: Mapping[str, ScoreTable]) -> tuple[str, ...]:
    # In an order of their own, so that no digit that is drawn depends on that of the files.
    systems = tuple(
        system
        for system in sorted(human.systems)
        if all(system in metric.systems for metric in metrics.values())
    )
    if not systems:
        others = [system for metric in metrics.values() for system in metric.systems]
        alike = alike_names(human.systems, others)
        raise BadInput(
            f"no system has human scores and scores of all metrics. Human scores: {some(human.systems)}; "
            + "; ".join(f"{name}: {some(metric.systems)}" for name, metric in metrics.items())
            + (f"; {names_differ(alike)}." if alike else ". Use the same system names.")
        )
    return systems


def _check_translations_in_common(human: ScoreTable, metric: ScoreTable, systems: Sequence[str]) -> None:
    """If both scored segments."""
    if not human.segments or not metric.segments:
        return
    judged, scored = (~np.isnan(each) for each in _both_arranged(human, metric, systems) if each is not None)
    if not (judged & scored).any():
        raise BadInput(
            f"no translation has both human and {metric.name} scores: human scores are for "
            f"{segment_range(human.segments)}, {metric.name} scores for {segment_range(metric.segments)}. Use the same "
            "segment numbers."
        )


def segment_range(segments: Sequence[int]) -> str:
    """From the first to the last.

    >>> segment_range([3]), segment_range([3, 4, 1000])
    ('segment 3', 'segments 3 to 1,000')
    """
    numbers = f"{segments[0]:,}" if len(segments) == 1 else f"{segments[0]:,} to {segments[-1]:,}"
    return f"segment{'s' if len(segments) > 1 else ''} {numbers}"


def alike_names(some_names: Sequence[str], others: Sequence[str]) -> list[tuple[str, str]]:
    """Names that differ in case, in spaces around them or in the ending of a file, and may mean the same system.

    >>> alike_names(["Online-A", "M2"], ["online-a.txt", "M2.1", "M3"])
    [('Online-A', 'online-a.txt'), ('M2', 'M2.1')]
    """

    def same(one: str, two: str) -> bool:
        short, long = sorted((one.strip().casefold(), two.strip().casefold()), key=len)
        return long == short or long.startswith(f"{short}.")

    return list(
        dict.fromkeys((one, two) for one in some_names for two in others if one != two and same(one, two))
    )


def names_differ(pairs: Sequence[tuple[str, str]]) -> str:
    """What to do about them."""
    listed = some([f"'{one}' and '{two}'" for one, two in pairs])
    return f"similar names are not matched: {listed}. Use the same name in all files, or NAME=FILE"


def _both_arranged(
    human: ScoreTable, metric: ScoreTable, systems: Sequence[str]
) -> tuple[Floats | None, Floats]:
    segments = sorted({*human.segments, *metric.segments})
    scores, _ = _arranged(metric, systems, segments)
    assert scores is not None
    return _arranged(human, systems, segments)[0], scores


def _arranged(
    scores: ScoreTable, systems: Sequence[str], segments: Sequence[int]
) -> tuple[Floats | None, Floats]:
    """The scores of these segments [systems, segments], if it has any of segments; and of these systems."""
    rows = [scores.systems.index(system) for system in systems]
    if not scores.segments:
        return None, scores.system_scores[rows]
    column = {segment: number for number, segment in enumerate(segments)}
    found = np.full((len(systems), len(segments)), np.nan)
    found[:, [column[segment] for segment in scores.segments]] = scores.scores[rows]
    return found, scores.system_scores[rows]


def _unmatched(human: ScoreTable, metric: ScoreTable) -> Unmatched:
    """Where one side has no segments at all, segments are not compared."""
    both = bool(human.segments) and bool(metric.segments)
    of_people, of_metric = set(human.segments), set(metric.segments)
    return Unmatched(
        metric.name,
        tuple(system for system in human.systems if system not in metric.systems),
        tuple(system for system in metric.systems if system not in human.systems),
        len(of_people - of_metric) if both else 0,
        len(of_metric - of_people) if both else 0,
    )


def some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are.

    >>> some(["a", "b"]), some("abcdefgh")
    ('a, b', 'a, b, c, d, e and 3 more')
    """
    more = len(names) - _NAMES_IN_MESSAGES
    return ", ".join(names[:_NAMES_IN_MESSAGES]) + (f" and {more} more" if more > 0 else "")
