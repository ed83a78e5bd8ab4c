"""What must be said of several test sets beside their table: what was left out, and what an average is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from understudy.agreement.averages import Ranked, is_share
from understudy.agreement.matching import some
from understudy.agreement.scored import Paired
from understudy.agreement.set_scores import ScoredSet
from understudy.agreement.task_results import Task
from understudy.agreement.trust_plan import TrustPlan
from understudy.comparison.significance import too_few_samples


def notes_on_set(
    each: ScoredSet, paired: Paired, refused: Mapping[tuple[str, str], Sequence[str]]
) -> list[str]:
    """Systems that people scored and that are not compared, and metrics that cannot be, by set and reason."""
    excluded = each.judged.excluded
    groups = {
        "reference of the metrics, not compared": [
            name for name in each.left_out if name in each.judged.references
        ],
        "other references, not compared without --references-as-systems": [
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
    return [f"{each.judged.name}: {sentence}." for sentence in (*sentences, *paired.left_out)]


def notes_on_average(
    tasks: Sequence[Task], overall: Ranked, plan: TrustPlan, metrics: Sequence[str]
) -> list[str]:
    """Which of the metrics have no average, and what the average is of."""
    counted = [task for task in tasks if task.weight > 0]
    notes = []
    for name in dict.fromkeys(metrics):
        lacking = [
            f"{task.of_set} {task.asked.coefficient}" for task in counted if name not in task.ranked.values
        ]
        if lacking:
            notes.append(f"{name} has no average: it lacks {some(lacking)}.")
    if any(not is_share(task.asked) for task in counted):
        notes.append("Correlations are mapped from [-1, 1] to [0, 1] for the average.")
    return [*notes, *_too_few_samples(plan, overall)]


def _too_few_samples(plan: TrustPlan, overall: Ranked) -> list[str]:
    pairs = len(overall.p_values) if plan.clusters == "strict" else 1
    needed = too_few_samples(plan.samples, pairs, plan.significance) if overall.p_values else None
    if needed is None:
        return []
    return [f"With {plan.samples:,} resamples no difference can be significant. Draw at least {needed:,}."]
