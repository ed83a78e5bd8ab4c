"""What a reader must know of the data to read the numbers of agreement rightly."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from understudy.agreement.ceiling import NOTHING_SHARED, ONE_JUDGE, Ceiling
from understudy.agreement.coefficients import Asked, coefficient_named
from understudy.agreement.combinations.learning import Learning
from understudy.agreement.matching import some
from understudy.agreement.metric_tests import DRAWING, MetricRanking
from understudy.agreement.results import ACC_EQ, MetricTrust
from understudy.agreement.scored import Paired, Scored
from understudy.agreement.trust_plan import TrustPlan
from understudy.comparison.significance import too_few_samples

# Of fewer points a correlation is beyond ±0.7 one time in twenty though there is none (t distribution, 6 degrees).
FEW_SYSTEMS = 8


def notes_on(
    paired: Paired,
    scored: Scored,
    metrics: Sequence[MetricTrust],
    rankings: Sequence[MetricRanking],
    plan: TrustPlan,
    *,
    learning: Learning | None = None,
    ceiling: Ceiling | None = None,
) -> list[str]:
    """All that is to be said, a sentence or two each."""
    notes = [f"{_capital(sentence)}." for sentence in paired.left_out]
    notes += _coverage(paired)
    notes += _reasons(metrics)
    notes += _unranked(metrics, rankings, plan)
    notes += _too_few_samples(rankings, plan)
    notes += _ties(metrics)
    if falling := [metric.name for metric in metrics if metric.regression and metric.regression.r < 0]:
        notes.append(
            f"People rate systems lower that {some(falling)} {'rates' if len(falling) == 1 else 'rate'} higher: "
            "R² does not show that, r does."
        )
    if "system" in plan.levels and 1 < len(paired.systems) < FEW_SYSTEMS:
        notes.append(
            f"There are {len(paired.systems)} systems: a coefficient of so few says little, whatever its value."
        )
    return [*notes, *_of_ceiling(ceiling, paired), *_copies(paired, scored), *_of_learning(learning)]


def _copies(paired: Paired, scored: Scored) -> list[str]:
    names = [name for name in scored.copies if name in paired.systems]
    return [
        f"{name} is the same text as a reference: metrics find it perfect, whatever it is. Leave one of them out."
        for name in names
    ]


def _coverage(paired: Paired) -> list[str]:
    """Which translations have no human score."""
    human = next(iter(paired.pairings.values())).human
    if human is None:
        return []
    known = ~np.isnan(human)
    segments, systems = int(known.any(axis=0).sum()), len(paired.systems)
    found = []
    if segments < human.shape[1]:
        found.append(
            f"People judged {segments:,} of {human.shape[1]:,} segments; metrics score systems over all of their own."
        )
    if (missing := segments * systems - int(known.sum())) > 0:
        found.append(
            f"{missing:,} of {segments * systems:,} translations of judged segments have no human score, and are left "
            "out of what needs one."
        )
    return found


def _reasons(metrics: Sequence[MetricTrust]) -> list[str]:
    """Why coefficients have no value, said once for all metrics and coefficients of the same reason."""
    by_metric: dict[tuple[str, str, str], list[str]] = {}
    for metric in metrics:
        undefined = {
            each.asked: each.estimate.agreement.reason
            for each in metric.agreed
            if each.estimate.agreement.reason
        }
        for asked, reason in {**metric.not_to_be_had, **undefined}.items():
            key = (metric.name, asked.level, reason.rstrip("."))
            by_metric.setdefault(key, []).append(_spec(asked))
    together: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (name, level, reason), coefficients in by_metric.items():
        together.setdefault((reason, level, tuple(coefficients)), []).append(name)
    return [
        f"{some(names)} {'has' if len(names) == 1 else 'have'} no {', '.join(coefficients)} of {level}s: {reason}."
        for (reason, level, coefficients), names in together.items()
    ]


def _unranked(
    metrics: Sequence[MetricTrust], rankings: Sequence[MetricRanking], plan: TrustPlan
) -> list[str]:
    """Metrics that have coefficients of systems, but not the scores of segments that the test between metrics takes."""
    if "system" not in plan.levels or plan.ranked_by("system") is None:
        return []
    ranked = [name for ranking in rankings if ranking.asked.level == "system" for name in ranking.values]
    known = [metric for metric in metrics if any(each.asked.level == "system" for each in metric.agreed)]
    left_out = [
        metric.name for metric in known if metric.name not in ranked and metric.pairing.metric is None
    ]
    if len(known) < 2 or not left_out:
        return []
    return [
        f"{some(left_out)} {'is' if len(left_out) == 1 else 'are'} not ranked on systems: {plan.test_of('system')} "
        "exchanges scores of segments, and there are none. The test williams needs none."
    ]


def _too_few_samples(rankings: Sequence[MetricRanking], plan: TrustPlan) -> list[str]:
    """Where no p could be small enough."""
    found = []
    for ranking in rankings:
        pairs = sum(not math.isnan(pair.p_value) for pair in ranking.pairs)
        needed = too_few_samples(plan.samples, pairs, plan.significance) if ranking.test in DRAWING else None
        if needed is not None:
            found.append(
                f"With {plan.samples:,} samples and {pairs:,} pairs no metrics of {ranking.asked.level}s can be told "
                f"apart at {plan.significance:g}: draw at least {needed:,}."
            )
    return found


def _ties(metrics: Sequence[MetricTrust]) -> list[str]:
    """From which difference on metrics tell translations apart, where that was tuned. Where the best threshold calls
    everything equal, acc-eq is the share of pairs that people tie.
    """
    found, everything, tied = [], [], 0.0
    for metric in metrics:
        agreed, threshold = metric.of(ACC_EQ), metric.tie_threshold
        if agreed is None or threshold is None:
            continue
        pairs = metric.pairing.segment_pairs
        known = pairs.known.sum(axis=0)
        equal = ((pairs.human == 0) & pairs.known).sum(axis=0)
        tied = float((equal[known > 0] / known[known > 0]).mean())
        if abs(tied - agreed.value) < 1e-12:
            everything.append(metric.name)
        else:
            found.append(f"{metric.name} {threshold:.3g}")
    title = coefficient_named(ACC_EQ.coefficient, ACC_EQ.level).title
    notes = []
    if found or everything:
        notes.append(f"People call {tied:.1%} of pairs of translations of a segment equal.")
    if found:
        notes.append(f"For the {title}, a metric calls equal what differs by no more than: {some(found)}.")
    if everything:
        notes.append(
            f"For {some(everything)} the {title} is reached by calling all translations equal: it says how often "
            "people do that, and nothing of the metric."
        )
    return notes


def _of_ceiling(ceiling: Ceiling | None, paired: Paired) -> list[str]:
    """On what the ceiling rests, and that it is none that cannot be passed."""
    if ceiling is None:
        return []
    if ceiling.translations == 0:
        return [f"There is no ceiling of {ONE_JUDGE}: {NOTHING_SHARED}."]
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in ceiling.values:
        if each.reason is not None:
            reasons.setdefault((each.asked.level, each.reason), []).append(_spec(each.asked))
    notes = [
        f"{_capital(ONE_JUDGE)} has no {', '.join(coefficients)} of {level}s: {reason}."
        for (level, reason), coefficients in reasons.items()
    ]
    if all(each.reason for each in ceiling.values):
        return notes
    what = "translations" if paired.human.segments else "systems"
    where = (
        f"all {ceiling.judged:,} judged {what}"
        if ceiling.translations == ceiling.judged
        else f"{ceiling.translations:,} of {ceiling.judged:,} judged {what}, those that several judges scored"
    )
    return [
        f"{_capital(ONE_JUDGE)} rests on {where}. It is no upper bound: metrics are compared with the mean of all "
        "judges, which has less noise than the mean of the others.",
        *notes,
    ]


def _spec(asked: Asked) -> str:
    return asked.coefficient if asked.level == "system" else f"{asked.coefficient}:{asked.grouping}"


def _of_learning(learning: Learning | None) -> list[str]:
    if learning is None:
        return []
    trained = learning.model.trained_on
    weights = ", ".join(f"{spec} {weight:+.3g}" for spec, weight in learning.weights.items())
    return [
        f"Learned combination: {weights} (what a standard deviation better adds). Every translation is scored by "
        f"weights that saw none of its {trained.by}; intervals do not allow for learning anew.",
        *learning.remarks,
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
