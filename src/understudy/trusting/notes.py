"""Notes on the data that readers need to interpret the coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from understudy.resampling.significance_tests import is_real, too_few_samples
from understudy.trusting.alignment import AlignedScores, some
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.combinations.cross_fitting import BALANCED_ACCURACY, fitted_without
from understudy.trusting.combinations.learning import Learning
from understudy.trusting.human_ceiling import NOTHING_SHARED, ONE_JUDGE, Ceiling
from understudy.trusting.metric_scores import MetricScores
from understudy.trusting.metric_tests.metric_ranking import DRAWING, MetricRanking, unranked_because
from understudy.trusting.metric_tests.permutation_tests import exhaustive_permutations
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.results import ACC_EQ, MetricTrust
from understudy.wording import number_of

# With fewer systems, a correlation exceeds ±0.7 by chance in 5% of samples (t distribution, 6 degrees of freedom).
_FEW_SYSTEMS = 8

_HUMAN_SCORES = "the human scores"


def notes_on(
    paired: AlignedScores,
    scored: MetricScores,
    metrics: Sequence[MetricTrust],
    rankings: Sequence[MetricRanking],
    plan: TrustPlan,
    *,
    learning: Learning | None = None,
    ceiling: Ceiling | None = None,
) -> list[str]:
    """All notes, of one or two sentences each."""
    notes = [f"{_beginning(sentence)}." for sentence in paired.left_out]
    notes += coverage(paired)
    notes += _without_system_score(paired) if "system" in plan.levels else []
    notes += _reasons(metrics)
    notes += _unranked(metrics, plan, len(paired.systems))
    notes += _too_few_samples(rankings, len(paired.systems), plan)
    notes += _ties(metrics)
    if falling := [metric.name for metric in metrics if metric.regression and metric.regression.r < 0]:
        notes.append(
            f"Pearson's r of {some(falling)} with human scores is negative at system level, which R² does not show."
        )
    notes += few_systems(paired) if "system" in plan.levels else []
    return [*notes, *_of_ceiling(ceiling, paired), *_copies(paired, scored), *_of_learning(learning)]


def _copies(paired: AlignedScores, scored: MetricScores) -> list[str]:
    names = [name for name in scored.copies if name in paired.systems]
    return [
        f"{name} is identical to a reference, so metrics give it a perfect score. Exclude one of them."
        for name in names
    ]


def coverage(paired: AlignedScores) -> list[str]:
    """Which translations have no human score."""
    human = next(iter(paired.pairings.values())).human
    if human is None:
        return []
    known = ~np.isnan(human)
    segments, systems = int(known.any(axis=0).sum()), len(paired.systems)
    found = []
    if segments < human.shape[1]:
        found.append(
            f"Human scores cover {segments:,} of {human.shape[1]:,} segments; metric system scores use all segments."
        )
    if repeated := paired.human.repeated:
        found.append(
            f"{repeated:,} translation{'s were' if repeated != 1 else ' was'} scored more than once by the same rater: "
            "the mean of these scores counts once."
        )
    if (missing := segments * systems - int(known.sum())) > 0:
        found.append(
            f"{missing:,} of {segments * systems:,} translations of these segments have no human score; segment-level "
            "coefficients exclude them."
        )
    return found


def _without_system_score(paired: AlignedScores) -> list[str]:
    """Of systems whose segments were scored: files of mt-metrics-eval may say None of a system as a whole."""
    given = {_HUMAN_SCORES: next(iter(paired.pairings.values())).human_systems}
    given |= {name: pairing.metric_systems for name, pairing in paired.pairings.items()}
    lacking: dict[tuple[str, ...], list[str]] = {}
    for name, scores in given.items():
        if scores is not None and np.isnan(scores).any():
            systems = tuple(paired.systems[row] for row in np.flatnonzero(np.isnan(scores)))
            lacking.setdefault(systems, []).append(name)
    return [
        f"{some(systems)} {'has' if len(systems) == 1 else 'have'} no system score in {some(names)}: excluded at "
        f"system level{'' if _HUMAN_SCORES in names else f' for {some(names)} only'}."
        for systems, names in lacking.items()
    ]


def _reasons(metrics: Sequence[MetricTrust]) -> list[str]:
    """Why coefficients have no value, said once for all metrics and coefficients of the same reason."""
    by_metric: dict[tuple[str, str, str], list[str]] = {}
    for metric in metrics:
        undefined = {each.asked: each.agreement.reason for each in metric.agreed if each.agreement.reason}
        for asked, reason in {**metric.not_to_be_had, **undefined}.items():
            key = (metric.name, asked.level, reason.rstrip("."))
            by_metric.setdefault(key, []).append(_spec(asked))
    together: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (name, level, reason), coefficients in by_metric.items():
        together.setdefault((reason, level, tuple(coefficients)), []).append(name)
    return [
        f"{some(names)} {'has' if len(names) == 1 else 'have'} no {level}-level {', '.join(coefficients)}: {reason}."
        for (reason, level, coefficients), names in together.items()
    ]


def _unranked(metrics: Sequence[MetricTrust], plan: TrustPlan, systems: int) -> list[str]:
    """Metrics that have coefficients of a level, but not the scores that the test between metrics takes."""
    found = []
    for level in plan.levels:
        known = [metric for metric in metrics if any(each.asked.level == level for each in metric.agreed)]
        asked = plan.ranked_by(level, systems)
        if asked is None or len(known) < 2:
            continue
        if systems == 1 and asked.grouping == "segment":
            found.append(
                f"Metrics are not ranked by {_spec(asked)}: one system has nothing to compare within a segment. Use "
                f"--rank-by {asked.coefficient}:none."
            )
            continue
        by_reason: dict[str, list[str]] = {}
        for metric in known:
            reason = unranked_because(metric.pairing, asked, plan.test_of(level))
            if reason is not None:
                by_reason.setdefault(reason, []).append(metric.name)
        found += [
            f"{some(names)} {'is' if len(names) == 1 else 'are'} not ranked at {level} level: {reason}"
            for reason, names in by_reason.items()
        ]
    return found


def _too_few_samples(rankings: Sequence[MetricRanking], systems: int, plan: TrustPlan) -> list[str]:
    """Where no p-value can be small enough. n systems have 2ⁿ permutations; two of them are as extreme as the observed
    difference: the one that swaps no system, and the one that swaps all.
    """
    found = []
    for ranking in rankings:
        pairs = sum(not math.isnan(pair.p_value) for pair in ranking.pairs)
        everything = exhaustive_permutations(ranking.test, systems, plan.samples)
        corrected = pairs if ranking.rule == "strict" else 1
        if everything is not None:
            sides = 1 if ranking.rule == "strict" else 0.5
            if pairs and not is_real(sides * corrected / everything, plan.significance):
                enough = 1 + math.ceil(math.log2(sides * corrected / plan.significance))
                found.append(
                    f"With {number_of(systems, 'system')} and {number_of(pairs, 'pair')} of metrics, no difference "
                    f"can reach p ≤ {plan.significance:g} by {ranking.test}. At least {enough} systems are needed."
                )
            continue
        needed = (
            too_few_samples(plan.samples, corrected, plan.significance) if ranking.test in DRAWING else None
        )
        if needed is not None:
            among = f" and {pairs:,} pairs" if ranking.rule == "strict" else ""
            found.append(
                f"With {plan.samples:,} resamples{among}, no difference can reach p ≤ {plan.significance:g} at "
                f"{ranking.asked.level} level. Use --samples {needed} or more."
            )
    return found


def _ties(metrics: Sequence[MetricTrust]) -> list[str]:
    """Tie thresholds of the metrics, if they were calibrated. If the best threshold makes all pairs
    ties, acc-eq is the share of ties in the human scores.
    """
    found, everything, tied = [], [], 0.0
    for metric in metrics:
        agreed, threshold = metric.of(ACC_EQ), metric.tie_threshold
        if agreed is None or threshold is None:
            continue
        tied = human_ties(metric.pairing)
        if abs(tied - agreed.value) < 1e-12:
            everything.append(metric.name)
        else:
            found.append(f"{metric.name} {threshold:.3g}")
    notes = []
    if found or everything:
        notes.append(f"{tied:.1%} of translation pairs within a segment are ties in the human scores.")
    if found:
        notes.append(f"Tie thresholds for acc-eq: {some(found)}.")
    if everything:
        notes.append(nothing_but_ties(everything))
    return notes


def human_ties(pairing: PairedScores) -> float:
    """The share of ties among the translation pairs of a segment, averaged over segments."""
    pairs = pairing.segment_pairs
    known = pairs.known.sum(axis=0)
    equal = ((pairs.human == 0) & pairs.known).sum(axis=0)
    return float((equal[known > 0] / known[known > 0]).mean())


def nothing_but_ties(metrics: Sequence[str]) -> str:
    return (
        f"acc-eq of {some(metrics)} is highest if all translation pairs are ties: it is the share of human ties and "
        "does not depend on the metric."
    )


def few_systems(paired: AlignedScores) -> list[str]:
    count = len(paired.systems)
    return (
        [f"Only {count} systems: system-level coefficients are unreliable."]
        if 1 < count < _FEW_SYSTEMS
        else []
    )


def _of_ceiling(ceiling: Ceiling | None, paired: AlignedScores) -> list[str]:
    """The translations behind the agreement of one rater, and why it is not an upper bound."""
    if ceiling is None:
        return []
    if ceiling.translations == 0:
        return [f"Agreement of {ONE_JUDGE} with the others cannot be computed: {NOTHING_SHARED}."]
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in ceiling.values:
        if each.reason is not None:
            reasons.setdefault((each.asked.level, each.reason), []).append(_spec(each.asked))
    notes = [
        f"{_capital(ONE_JUDGE)} has no {level}-level {', '.join(coefficients)}: {reason}."
        for (level, reason), coefficients in reasons.items()
    ]
    if all(each.reason for each in ceiling.values):
        return notes
    what = "translations" if paired.human.segments else "systems"
    where = (
        f"all {ceiling.judged:,} {what} with human scores"
        if ceiling.translations == ceiling.judged
        else f"the {ceiling.translations:,} of {ceiling.judged:,} {what} scored by several raters"
    )
    return [
        f"{_capital(ONE_JUDGE)} is based on {where}. It is not an upper bound: metrics are compared with the mean of "
        "all raters, which is less noisy than the mean of the others.",
        *notes,
    ]


def _spec(asked: CoefficientSpec) -> str:
    return asked.coefficient if asked.level == "system" else f"{asked.coefficient}:{asked.grouping}"


def _of_learning(learning: Learning | None) -> list[str]:
    if learning is None:
        return []
    trained = learning.model.trained_on
    weights = ", ".join(f"{spec} {weight:+.3g}" for spec, weight in learning.weights.items())
    notes = [
        f"Learned combination: {weights} (change of the score per standard deviation of the metric). "
        f"{fitted_without(trained, systems_left_out=learning.systems_left_out)} CIs do not include the variance of "
        "learning."
    ]
    if trained.quality == BALANCED_ACCURACY and trained.out_of_fold is not None:
        notes.append(
            f"{learning.model.method} separates human ({trained.measure}) from machine translations with an "
            f"out-of-fold balanced accuracy of {trained.out_of_fold:.3f} (chance level: 0.5)."
        )
    return [*notes, *learning.remarks]


def _beginning(sentence: str) -> str:
    """With a capital, unless it begins with a name."""
    return _capital(sentence) if sentence.startswith(("excluded ", "similar names ")) else sentence


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
