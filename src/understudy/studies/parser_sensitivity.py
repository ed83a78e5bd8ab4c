"""Parser sensitivity: changes of scores and ranking with another parser.

Parsers differ in errors and annotation schemes, so scores of a syntax-based metric with different parsers are not
comparable. The rankings should be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from understudy.errors import BadParameter
from understudy.fitness.findings import PAIRS_TOLD
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.registry import metrics as every_metric
from understudy.metrics.base.tree_metric import TreeMetric
from understudy.resampling.rankings import kendall_tau
from understudy.scoring.run import Metrics, chosen_metrics, score


@dataclass(frozen=True)
class ParserSensitivity:
    """One metric with several parsers."""

    metric: str  # its label
    spec: str  # under the first of them
    higher_is_better: bool | None
    scores: dict[str, dict[str, float]]  # by parser, then by system
    spread: float  # by how much the score of one system differs at most between two parsers
    changed: list[
        tuple[str, str]
    ]  # systems that change places: one parser has the first ahead, another the second
    tau: float  # the smallest Kendall's tau between the rankings of two parsers

    @property
    def parsers(self) -> list[str]:
        return list(self.scores)

    @property
    def systems(self) -> list[str]:
        return list(next(iter(self.scores.values())))

    @property
    def ranks(self) -> dict[str, dict[str, int]]:
        """By parser, then by system: 1 for the best. Systems of one score share the better rank."""
        worth = metric_of(self.spec).worth
        return {
            parser: {
                system: 1 + sum(worth(other) > worth(score) for other in scores.values())
                for system, score in scores.items()
            }
            for parser, scores in self.scores.items()
        }

    def __str__(self) -> str:
        """The answer in words."""
        moved = f"scores differ by up to {self.spread:.1f}."
        all_of_them = "both" if len(self.scores) == 2 else f"all {len(self.scores)}"
        if len(self.systems) == 1:
            return f"{self.metric}: across {all_of_them} parsers, {moved}"
        if not self.changed:
            return f"{self.metric}: the ranking is the same under {all_of_them} parsers; {moved}"
        told = [f"{one} and {other}" for one, other in self.changed[:PAIRS_TOLD]]
        more = f", and {len(self.changed) - PAIRS_TOLD} more pairs," if len(self.changed) > PAIRS_TOLD else ""
        return (
            f"{self.metric}: {'; '.join(told)}{more} change ranks across parsers (Kendall's tau {self.tau:.2f}); "
            f"{moved}"
        )


def study_parsers(
    systems: Any,
    references: Any,
    metrics: Metrics,
    parsers: Sequence[str],
    *,
    level: str = "corpus",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[ParserSensitivity]:
    """Score the systems by each syntax-based metric with each parser. See `understudy.report.parsers` for tables of it.

    Files are text: trees in files already have a parser.
    """
    if len(parsers) < 2 or len(set(parsers)) < len(parsers):
        raise BadParameter(
            f"parsers {', '.join(map(repr, parsers)) or 'none'}: expected at least two different parsers."
        )
    under_each: list[TreeMetric] = []
    for metric in chosen_metrics(metrics):
        if not isinstance(metric, TreeMetric):
            of_syntax = [name for name, kind in every_metric().items() if issubclass(kind, TreeMetric)]
            raise BadParameter(f"{metric.name} is not a syntax-based metric. Use {', '.join(of_syntax)}.")
        under_each += [replace(metric, parser=name) for name in parsers]
    found = score(systems, references, under_each, level=level, threads=threads, progress=progress)
    return parser_sensitivity(
        (metric, {system.name: system.scores[index].value for system in found.systems})
        for index, metric in enumerate(found.metrics)
    )


def parser_sensitivity(scored: Iterable[tuple[Metric, Mapping[str, float]]]) -> list[ParserSensitivity]:
    """For metrics that were computed with several parsers: the changes of scores and ranks."""
    groups: dict[TreeMetric, list[tuple[TreeMetric, Mapping[str, float]]]] = {}
    for metric, scores in scored:
        if isinstance(metric, TreeMetric):
            groups.setdefault(replace(metric, parser="auto"), []).append((metric, scores))
    return [_sensitivity(group) for group in groups.values() if len(group) > 1]


def _sensitivity(group: Sequence[tuple[TreeMetric, Mapping[str, float]]]) -> ParserSensitivity:
    first = group[0][0]
    systems = list(group[0][1])
    values = np.array([[scores[system] for system in systems] for _, scores in group])  # [parsers, systems]
    worths = np.asarray(first.worth(values))
    return ParserSensitivity(
        metric=first.label,
        spec=first.spec,
        higher_is_better=first.higher_is_better,
        scores={
            metric.parser: dict(zip(systems, row, strict=True))
            for (metric, _), row in zip(group, values.tolist(), strict=True)
        },
        spread=float((values.max(axis=0) - values.min(axis=0)).max()),
        changed=[
            (systems[a], systems[b])
            for a, b in combinations(range(len(systems)), 2)
            if {-1.0, 1.0} <= set(np.sign(worths[:, a] - worths[:, b]).tolist())
        ],
        tau=min(kendall_tau(one, other) for one, other in combinations(worths, 2)),
    )
