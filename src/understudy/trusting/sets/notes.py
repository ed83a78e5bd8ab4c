"""Notes on several test sets: exclusions, and the definition of the average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from understudy.resampling.significance_tests import too_few_samples
from understudy.trusting.alignment import AlignedScores, some
from understudy.trusting.notes import coverage, few_systems, human_ties, nothing_but_ties
from understudy.trusting.plan import TrustPlan
from understudy.trusting.results import ACC_EQ
from understudy.trusting.sets.averages import RankedMetrics, is_share
from understudy.trusting.sets.results import SetTask
from understudy.trusting.sets.scores import ScoredSet


def notes_on_set(
    each: ScoredSet,
    paired: AlignedScores,
    tasks: Sequence[SetTask],
    refused: Mapping[tuple[str, str], Sequence[str]],
) -> list[str]:
    """Systems with human scores that are excluded, metrics that are not ranked, by set and reason, and notes on the
    human scores. The tasks are those of the set.
    """
    excluded = each.judged.excluded
    groups = {
        "excluded, reference of the metrics": [
            name for name in each.left_out if name in each.judged.references
        ],
        "excluded, other references (use --references-as-systems)": [
            name for name in each.left_out if name not in each.judged.references and name not in excluded
        ],
        "excluded": [
            name for name in each.left_out if name in excluded and name not in each.judged.references
        ],
    }
    sentences = [f"{what}: {some(names)}" for what, names in groups.items() if names]
    sentences += [
        f"not ranked: {some(metrics)}, because {reason.removesuffix('.')}"
        for (name, reason), metrics in refused.items()
        if name == each.judged.name
    ]
    said = [f"{sentence}." for sentence in (*sentences, *paired.left_out)]
    said += coverage(paired)
    if any(task.asked.level == "system" for task in tasks):
        said += few_systems(paired)
    for task in tasks:
        if task.asked == ACC_EQ:
            tied = [
                name
                for name, value in task.ranked.values.items()
                if abs(value - human_ties(paired.pairings[name])) < 1e-12
            ]
            said += [nothing_but_ties(tied)] if tied else []
    return [f"{each.judged.name}: {sentence}" for sentence in said]


def notes_on_average(
    tasks: Sequence[SetTask], overall: RankedMetrics, plan: TrustPlan, metrics: Sequence[str]
) -> list[str]:
    """Metrics without an average, and the definition of the average."""
    counted = [task for task in tasks if task.weight > 0]
    notes = []
    for name in dict.fromkeys(metrics):
        lacking = [
            f"{task.of_set} {task.asked.coefficient}" for task in counted if name not in task.ranked.values
        ]
        if lacking:
            notes.append(f"{name} has no average: it lacks {some(lacking)}.")
    if len(counted) > 1 and any(not is_share(task.asked) for task in counted):
        notes.append("Correlations are mapped from [-1, 1] to [0, 1] for the average.")
    return [*notes, *_too_few_samples(plan, overall)]


def _too_few_samples(plan: TrustPlan, overall: RankedMetrics) -> list[str]:
    pairs = len(overall.p_values) if plan.clusters == "strict" else 1
    needed = too_few_samples(plan.samples, pairs, plan.significance) if overall.p_values else None
    if needed is None:
        return []
    return [
        f"With {plan.samples:,} resamples no difference can be significant. Use --samples {needed} or more."
    ]
