"""The coefficients of all metrics: which of them the scores can have, with intervals and permutation baselines, the
metrics in their order, and the gains of learned weights.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence

from understudy.errors import BadInput, UnderstudyError
from understudy.resampling.significance_tests import too_few_samples
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.feature_weights.learning import FeatureLearning
from understudy.trusting.gains import Gain, gains
from understudy.trusting.intervals import estimates
from understudy.trusting.metric_tests.metric_ranking import MetricRanking, rank_metrics, unranked_because
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.permutation_baseline import DEALS, PermutationBaseline, chances
from understudy.trusting.plan import TrustPlan
from understudy.trusting.results import CoefficientResult, MetricTrust
from understudy.trusting.thread_map import thread_map

Progress = Callable[[int], None]


def possible_coefficients(
    pairing: PairedScores, plan: TrustPlan, threads: int
) -> tuple[list[CoefficientSpec], dict[CoefficientSpec, str]]:
    """The coefficients that these scores can have, and why not the others."""
    can, refused = [], {}
    for asked in plan.asked():
        if asked.level == "system" and len(pairing.systems) < 2:
            refused[asked] = f"got one system, '{pairing.systems[0]}', expected at least two."
            continue
        try:
            estimate(pairing, asked, seed=plan.seed, threads=threads)
        except UnderstudyError as error:
            refused[asked] = str(error)
        else:
            can.append(asked)
    return can, refused


def check_possible(possible: Mapping[str, tuple[list[CoefficientSpec], dict[CoefficientSpec, str]]]) -> None:
    if not any(asked for asked, _ in possible.values()):
        raise BadInput(next(reason for _, refused in possible.values() for reason in refused.values()))


def check_defined(found: Mapping[str, Sequence[CoefficientResult]]) -> None:
    agreements = [each.agreement for agreed in found.values() for each in agreed]
    if all(math.isnan(each.value) for each in agreements):
        raise BadInput(f"all coefficients are undefined: {next(each.reason for each in agreements)}.")


def coefficient_results(
    paired: AlignedScores,
    asked: Mapping[str, list[CoefficientSpec]],
    plan: TrustPlan,
    *,
    over: str,
    threads: int,
    progress: Progress | None,
) -> dict[str, list[CoefficientResult]]:
    """Metrics of which the same can be asked are resampled together, so that nothing is drawn twice."""
    together: dict[tuple[tuple[CoefficientSpec, ...], tuple[int, int]], list[str]] = {}
    for name, of_metric in asked.items():
        together.setdefault((tuple(of_metric), paired.pairings[name].shape), []).append(name)
    found: dict[str, list[CoefficientResult]] = {}
    for (of_all, _), names in together.items():
        if not of_all:
            found |= {name: [] for name in names}
            continue
        estimated = estimates(
            {name: paired.pairings[name] for name in names},
            of_all,
            over=over,
            samples=plan.samples,
            seed=plan.seed,
            confidence=plan.confidence,
            threads=threads,
            progress=progress,
        )
        deal = functools.partial(_chances, asked=of_all, plan=plan)
        permuted = thread_map(deal, [paired.pairings[name] for name in names], threads)
        for name, by_chance in zip(names, permuted, strict=True):
            found[name] = [
                CoefficientResult(one, value, by_chance[one], plan.significance)
                for one, value in zip(of_all, estimated[name], strict=True)
            ]
    return found


def _chances(
    pairing: PairedScores, asked: Sequence[CoefficientSpec], plan: TrustPlan
) -> dict[CoefficientSpec, PermutationBaseline]:
    """Systems' scores are permuted as often as there are samples, and at least as often as it takes for p to be as
    small as the level. Up to 8 systems, `chances` takes all permutations instead.
    """
    samples = too_few_samples(plan.samples, 1, plan.significance) or plan.samples
    found: dict[CoefficientSpec, PermutationBaseline] = {}
    for level, deals in (("system", samples), ("segment", DEALS)):
        of_level = [one for one in asked if one.level == level]
        found |= dict(zip(of_level, chances(pairing, of_level, deals=deals, seed=plan.seed), strict=True))
    return found


def rankings_of_metrics(
    paired: AlignedScores, plan: TrustPlan, over: str, threads: int
) -> list[MetricRanking]:
    """The metrics in order at each level, if there are several that can be compared."""
    found = []
    for level in plan.levels:
        asked = plan.ranked_by(level, len(paired.systems))
        of_pairs = level == "system" or (asked is not None and asked.grouping == "segment")
        if asked is None or (of_pairs and len(paired.systems) < 2):
            continue
        test = plan.test_of(level)
        pairings = {
            name: pairing
            for name, pairing in paired.pairings.items()
            if unranked_because(pairing, asked, test) is None
        }
        if len(pairings) < 2:
            continue
        found.append(
            rank_metrics(
                pairings,
                asked,
                test=test,
                over=over,
                samples=plan.samples,
                seed=plan.seed,
                significance=plan.significance,
                rule=plan.clusters,
                threads=threads,
            )
        )
    return found


def gains_of_features(
    learning: FeatureLearning, metrics: Sequence[MetricTrust], plan: TrustPlan, over: str, threads: int
) -> list[Gain]:
    """Of the learned weights over the plain metric, by all coefficients that both have."""
    by_name = {metric.name: metric for metric in metrics}
    learned, plain = by_name[learning.name], by_name[learning.plain]
    common = [
        one
        for one in plan.asked()
        if all((each := metric.of(one)) and not math.isnan(each.value) for metric in (learned, plain))
    ]
    return gains(
        (learned.name, learned.pairing),
        (plain.name, plain.pairing),
        common,
        resampled=over,
        samples=plan.samples,
        seed=plan.seed,
        confidence=plan.confidence,
        threads=threads,
    )
