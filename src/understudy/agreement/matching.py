"""Human scores and those of metrics brought together: the same systems and segments, and what one side lacks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.agreement.judgments import Scores
from understudy.agreement.pairing import Pairing
from understudy.comparison.evidence import Floats
from understudy.errors import BadInput

NAMES_IN_MESSAGES = 5


@dataclass(frozen=True)
class Unmatched:
    """What only people, or only a metric, have scores of. It is left out of what needs both."""

    metric: str
    human_systems: tuple[str, ...]
    metric_systems: tuple[str, ...]
    human_segments: int
    metric_segments: int

    def __str__(self) -> str:
        return "; ".join(
            [
                *(
                    f"only {who} scored {some(systems)}"
                    for who, systems in (("people", self.human_systems), (self.metric, self.metric_systems))
                    if systems
                ),
                *(
                    f"only {who} scored {count:,} segment{'s' if count > 1 else ''}"
                    for who, count in (("people", self.human_segments), (self.metric, self.metric_segments))
                    if count
                ),
            ]
        )


@dataclass(frozen=True)
class Matched:
    """What people and every metric say of the same translations."""

    systems: tuple[str, ...]
    segments: tuple[int, ...]  # all that anyone has; where a score is missing there is a gap
    pairings: dict[str, Pairing]  # by metric
    unmatched: tuple[Unmatched, ...]  # a report should say it


def match(human: Scores, metrics: Mapping[str, Scores], *, lower_is_better: Collection[str] = ()) -> Matched:
    """The systems that people and all metrics have scores of, in people's order. The scores of metrics that are better
    when lower are negated.
    """
    systems = tuple(
        system for system in human.systems if all(system in metric.systems for metric in metrics.values())
    )
    if not systems:
        raise BadInput(
            f"no system has scores of people and of all metrics. People scored {some(human.systems)}; "
            + "; ".join(f"{name} scored {some(metric.systems)}" for name, metric in metrics.items())
            + ". Are the names the same?"
        )
    segments = tuple(sorted(set(human.segments).union(*(metric.segments for metric in metrics.values()))))
    people, people_systems = _arranged(human, systems, segments)
    pairings = {}
    for name, metric in metrics.items():
        scores, of_systems = _arranged(metric, systems, segments)
        sign = -1.0 if name in lower_is_better else 1.0
        pairings[name] = Pairing(
            systems,
            people,
            None if scores is None else sign * scores,
            people_systems if human.given else None,
            sign * of_systems if metric.given else None,
        )
    lacking = (_unmatched(human, metric) for metric in metrics.values())
    return Matched(systems, segments, pairings, tuple(each for each in lacking if str(each)))


def _arranged(
    scores: Scores, systems: Sequence[str], segments: Sequence[int]
) -> tuple[Floats | None, Floats]:
    """The scores of these segments [systems, segments], if it has any of segments; and of these systems."""
    rows = [scores.systems.index(system) for system in systems]
    if not scores.segments:
        return None, scores.system_scores[rows]
    column = {segment: number for number, segment in enumerate(segments)}
    found = np.full((len(systems), len(segments)), np.nan)
    found[:, [column[segment] for segment in scores.segments]] = scores.scores[rows]
    return found, scores.system_scores[rows]


def _unmatched(human: Scores, metric: Scores) -> Unmatched:
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
    more = len(names) - NAMES_IN_MESSAGES
    return ", ".join(names[:NAMES_IN_MESSAGES]) + (f" and {more} more" if more > 0 else "")
