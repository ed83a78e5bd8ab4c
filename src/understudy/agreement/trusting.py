"""The verb `trust`: does the metric agree with the people?"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from understudy.agreement.chance import Chance, chances
from understudy.agreement.coefficients import coefficient_named, estimate
from understudy.agreement.combinations.combining import Combination, combined
from understudy.agreement.combinations.learning import Learning
from understudy.agreement.draws import OVER
from understudy.agreement.fitness_evidence import fitness_with_people
from understudy.agreement.intervals import Asked, estimates
from understudy.agreement.judgments import Scores, read_judgments
from understudy.agreement.matching import some
from understudy.agreement.metric_tests import MetricRanking, rank_metrics
from understudy.agreement.noticed import Noticed, noticed
from understudy.agreement.outliers import Without, leave_one_out, outliers, without
from understudy.agreement.pairing import Pairing
from understudy.agreement.regression import Regression, regress
from understudy.agreement.results import ACC_EQ, Agreed, MetricTrust, Trust
from understudy.agreement.scored import Measure, Paired, Scored, pair, score_systems
from understudy.agreement.side_by_side import side_by_side
from understudy.agreement.trust_plan import TrustPlan
from understudy.comparison.evidence import SAMPLES_AT_ONCE
from understudy.comparison.findings import Fitness
from understudy.comparison.gathering import Path, Systems
from understudy.comparison.kinds import GivenKinds, Kinds
from understudy.errors import BadInput, UnderstudyError
from understudy.metrics.base import Metric

Progress = Callable[[int], None]

# How often scores are dealt out at random. What few systems get by chance takes more deals to know.
DEALS = {"system": 199, "segment": 8}

# Of fewer points a correlation is beyond ±0.7 one time in twenty though there is none (t distribution, 6 degrees).
FEW_SYSTEMS = 8


def trust(
    human: Path | Scores,
    systems: Systems | Path = (),
    references: Iterable[Path] = (),
    metrics: Iterable[str | Metric] = ("bleu",),
    *,
    scores: Path | Iterable[Path] = (),
    measure: str | None = None,
    lower_is_better: Collection[str] = (),
    judged_only: bool = False,
    kinds: GivenKinds = (),
    learn: str | Combination | None = None,
    threads: int | None = None,
    **plan: Any,
) -> Trust:
    """How far metrics agree with human scores: computed here of systems' outputs, or read from files of scores.

    Systems are matched with the judgments by their names. `kinds` says which of them work alike, such as
    `{"nmt": ["A", "B"], "rule-based": ["C"]}`. `plan` is what `TrustPlan` takes: level, coefficients, rank_by, test,
    over, samples, seed, confidence. `learn` is the method by which a combination of all metrics is learned, such as
    ridge, or a `Combination`; the result is in `learning`, and beside the other metrics.

    >>> systems = ["examples/system-weak.en", "examples/system-medium.en", "examples/system-strong.en"]
    >>> references = ["examples/reference-1.en"]
    >>> found = trust("examples/judgments.tsv", systems, references, measure="adequacy", samples=100)
    >>> found.metrics[0].of(Asked("accuracy", "system")).value
    1.0
    """
    chosen_plan = TrustPlan(**plan)
    judged = human if isinstance(human, Scores) else read_judgments(human, measure)
    scored = score_systems(
        systems, references, metrics, scores=scores, lower_is_better=lower_is_better, threads=threads
    )
    combination = Combination(learn) if isinstance(learn, str) else learn
    return trust_scored(
        judged,
        scored,
        chosen_plan,
        judged_only=judged_only,
        kinds=kinds,
        combination=combination,
        threads=threads,
    )


def trust_scored(
    human: Scores,
    scored: Scored,
    plan: TrustPlan | None = None,
    *,
    judged_only: bool = False,
    kinds: GivenKinds = (),
    combination: Combination | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Trust:
    """The same, of metrics whose scores are there already."""
    plan = plan or TrustPlan()
    named_kinds = _kinds(kinds, human, scored)
    learning = None
    if combination is not None:
        scored, learning = combined(human, scored, named_kinds, combination, seed=plan.seed)
    paired = pair(human, scored, judged_only=judged_only)
    if len(paired.systems) < 2 and plan.level == "system":
        raise BadInput(f"coefficients of systems need two systems, and there is only '{paired.systems[0]}'.")
    of_systems = named_kinds.among(paired.systems)
    over = plan.over or (OVER[0] if paired.segments else OVER[1])
    threads = threads or 1
    possible = {name: _possible(pairing, plan, threads) for name, pairing in paired.pairings.items()}
    _check_possible(possible)
    found = _agreed(
        paired,
        {name: asked for name, (asked, _) in possible.items()},
        plan,
        over=over,
        threads=threads,
        progress=progress,
    )
    far = outliers(next(iter(paired.pairings.values())).system_scores[0])
    names = tuple(system for system, is_far in zip(paired.systems, far, strict=True) if is_far)
    of_systems_too = "system" in plan.levels

    def looked_at(measure: Measure) -> MetricTrust:
        pairing = paired.pairings[measure.name]
        asked, refused = possible[measure.name]
        return MetricTrust(
            measure.name,
            measure.spec,
            measure.signature,
            measure.source,
            measure.lower_is_better,
            pairing,
            found[measure.name],
            refused,
            _line(pairing) if of_systems_too else None,
            _noticed(pairing, plan, over) if of_systems_too else None,
            _without(pairing, asked, names),
            leave_one_out(pairing, Asked("r2", "system"))
            if of_systems_too and len(paired.systems) > 3
            else [],
        )

    results = side_by_side(looked_at, scored.measures, threads)
    return Trust(
        human,
        paired.systems,
        paired.segments,
        plan,
        over,
        results,
        _rankings(paired, plan, over, threads),
        names,
        _fitness(of_systems, scored, results) if of_systems else None,
        learning,
        [*_notes(paired, results, plan), *_copies(paired, scored), *_of_learning(learning)],
    )


def steps(metrics: int, plan: TrustPlan) -> int:
    """How often `progress` is told that one more is done."""
    return metrics * len(plan.asked()) * math.ceil(plan.samples / SAMPLES_AT_ONCE)


# --- coefficients -------------------------------------------------------------------------------------------


def _possible(pairing: Pairing, plan: TrustPlan, threads: int) -> tuple[list[Asked], dict[Asked, str]]:
    """The coefficients that these scores can have, and why not the others."""
    can, refused = [], {}
    for asked in plan.asked():
        if asked.level == "system" and len(pairing.systems) < 2:
            refused[asked] = f"there is only one system, '{pairing.systems[0]}'."
            continue
        try:
            estimate(pairing, asked.coefficient, asked.level, asked.grouping, threads=threads)
        except UnderstudyError as error:
            refused[asked] = str(error)
        else:
            can.append(asked)
    return can, refused


def _check_possible(possible: Mapping[str, tuple[list[Asked], dict[Asked, str]]]) -> None:
    if not any(asked for asked, _ in possible.values()):
        raise BadInput(next(reason for _, refused in possible.values() for reason in refused.values()))


def _agreed(
    paired: Paired,
    asked: Mapping[str, list[Asked]],
    plan: TrustPlan,
    *,
    over: str,
    threads: int,
    progress: Progress | None,
) -> dict[str, list[Agreed]]:
    """Metrics of which the same can be asked are resampled together, so that nothing is drawn twice."""
    together: dict[tuple[tuple[Asked, ...], tuple[int, int]], list[str]] = {}
    for name, of_metric in asked.items():
        together.setdefault((tuple(of_metric), paired.pairings[name].shape), []).append(name)
    found: dict[str, list[Agreed]] = {}
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
        deal = functools.partial(_chances, asked=of_all, seed=plan.seed)
        dealt = side_by_side(deal, [paired.pairings[name] for name in names], threads)
        for name, by_chance in zip(names, dealt, strict=True):
            found[name] = [
                Agreed(one, value, by_chance[one]) for one, value in zip(of_all, estimated[name], strict=True)
            ]
    return found


def _chances(pairing: Pairing, asked: Sequence[Asked], seed: int) -> dict[Asked, Chance]:
    found: dict[Asked, Chance] = {}
    for level, deals in DEALS.items():
        of_level = [one for one in asked if one.level == level]
        dealt = chances(pairing, of_level, deals=deals, seed=seed)
        found |= dict(zip(of_level, dealt, strict=True))
    return found


def _rankings(paired: Paired, plan: TrustPlan, over: str, threads: int) -> list[MetricRanking]:
    """The metrics in order at each level, if there are several that can be compared."""
    found = []
    for level in plan.levels:
        asked = plan.ranked_by(level)
        if asked is None or len(paired.systems) < 2:
            continue
        test = plan.test_of(level)
        needs_segments = level == "segment" or test.startswith("perm")
        pairings = {
            name: pairing
            for name, pairing in paired.pairings.items()
            if not needs_segments
            or (pairing.metric is not None and (pairing.human is not None or level == "system"))
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
                threads=threads,
            )
        )
    return found


# --- what else is looked at ---------------------------------------------------------------------------------


def _line(pairing: Pairing) -> Regression | None:
    try:
        return regress(*pairing.system_scores)
    except BadInput:
        return None


def _noticed(pairing: Pairing, plan: TrustPlan, over: str) -> Noticed | None:
    try:
        return noticed(pairing, over=over, samples=plan.samples, seed=plan.seed, confidence=plan.confidence)
    except BadInput:
        return None


def _without(pairing: Pairing, asked: Sequence[Asked], names: Sequence[str]) -> list[Without]:
    """Two systems must be left."""
    sets = [[name] for name in names] + ([list(names)] if len(names) > 1 else [])
    return [
        without(pairing, one, systems)
        for one in asked
        for systems in sets
        if len(pairing.systems) - len(systems) >= 2
    ]


def _kinds(given: GivenKinds, human: Scores, scored: Scored) -> Kinds:
    """A kind may name any system that people or metrics scored."""
    if not given:
        return Kinds()
    known = dict.fromkeys(human.systems)
    for measure in scored.measures:
        known |= dict.fromkeys(measure.scores.systems)
    return Kinds.of(given, list(known))


def _fitness(kinds: Kinds, scored: Scored, metrics: Sequence[MetricTrust]) -> Fitness:
    gathered, human = scored.gathered, metrics[0].pairing.human
    return fitness_with_people(
        {metric.name: metric.pairing for metric in metrics},
        kinds,
        references=None if gathered is None else min(fewest for fewest, _ in gathered.references),
        segments=None if human is None else int((~np.isnan(human)).any(axis=0).sum()),
        noticed={metric.name: metric.noticed for metric in metrics if metric.noticed is not None},
    )


def _notes(paired: Paired, metrics: Sequence[MetricTrust], plan: TrustPlan) -> list[str]:
    """What a reader must know of the data to read the numbers."""
    notes = [f"{_capital(sentence)}." for sentence in paired.left_out]
    notes += _coverage(paired)
    notes += _reasons(metrics)
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
    return notes


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
            grouping = "" if asked.level == "system" else f":{asked.grouping}"
            key = (metric.name, asked.level, reason.rstrip("."))
            by_metric.setdefault(key, []).append(f"{asked.coefficient}{grouping}")
    together: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (name, level, reason), coefficients in by_metric.items():
        together.setdefault((reason, level, tuple(coefficients)), []).append(name)
    return [
        f"{some(names)} {'has' if len(names) == 1 else 'have'} no {', '.join(coefficients)} of {level}s: {reason}."
        for (reason, level, coefficients), names in together.items()
    ]


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
