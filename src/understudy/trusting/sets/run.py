"""The verb `trust` on several test sets, as in the WMT metrics tasks: one table with an average."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np

from understudy.arrays import one_blas_thread
from understudy.choices import AGREEMENT_LEVELS
from understudy.errors import BadInput, BadParameter, UnderstudyError, WrongType, did_you_mean
from understudy.metrics.base.threads import checked_threads
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_name, refuse_unknown_keywords
from understudy.text.languages import language_of
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.coefficients.pairwise_preferences import check_number_of_pairs
from understudy.trusting.metric_tests.metric_ranking import null_differences, unranked_because
from understudy.trusting.metric_tests.pair_swaps import SWAPPED
from understudy.trusting.plan import TEST, TEST_OF, TrustPlan
from understudy.trusting.sets.averages import RankedMetrics, average
from understudy.trusting.sets.chosen_files import Choices, JudgedSet, SetChoices, Sets, judged_sets
from understudy.trusting.sets.notes import notes_on_average, notes_on_set
from understudy.trusting.sets.results import ComparedSet, SetsTrust, SetTask
from understudy.trusting.sets.scores import ScoredSet, score_set

Progress = Callable[[int], None]


@one_blas_thread()
def trust_sets(
    sets: Sets | Sequence[ScoredSet],
    metrics: Metrics = (),
    *,
    lower_is_better: Collection[str] = (),
    by: str | None = None,
    weights: Mapping[str, float] | None = None,
    lang: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    human: Choices = None,
    measure: Choices = None,
    references: Choices = (),
    systems: Choices = (),
    scores: Choices = (),
    labels: Choices = None,
    exclude: Choices = (),
    references_as_systems: bool = False,
    **plan: Any,
) -> SetsTrust:
    """Measure the agreement of metrics with human scores on several test sets, and its average.

    `sets` maps names to folders, `{"zh-en": "wmt23.zh-en", ...}`. A folder has a plain layout, with human*.tsv,
    systems/, references such as refA.txt, and docs.tsv; or it is a folder of mt-metrics-eval, in which a set has the
    name of its language pair. All files are looked up in the folder of each set; `SET:FILE` is for one set only.
    Without `metrics` and `scores`, the scores in mt-metrics-eval folders are read if all sets have them, otherwise BLEU
    is computed. A set named after a language pair sets the target language, unless `lang` does.

    `by` is a label such as domain, and adds one column per value. `weights` are the weights of sets (`SET`) or of their
    tasks at one level (`SET:system`), by default 1. `plan` has the settings of `TrustPlan`: coefficients (default: spa
    and acc-eq:segment), test, clusters (default: wmt), samples, seed, significance.

    `progress` is called with the number of segments scored since the last call. To score the sets only once, pass the
    result of `score_sets` as `sets`; `progress` is then called with the number of coefficients done, as counted by
    `ScoredSet.steps`.

    >>> found = trust_sets(
    ...     {"first": "examples", "second": "examples"},
    ...     ["bleu", "chrf"],
    ...     human="judgments.tsv",
    ...     measure=["first:adequacy", "second:fluency"],
    ...     systems="system-*.en",
    ...     references="reference-1.en",
    ...     samples=100,
    ... )
    >>> found.metrics
    ['chrF', 'BLEU']
    """
    refuse_unknown_keywords(plan, trust_sets, TrustPlan)
    chosen_plan = TrustPlan.for_sets(**plan)
    if isinstance(sets, (list, tuple)) and sets and all(isinstance(each, ScoredSet) for each in sets):
        return _trusted_sets(sets, chosen_plan, by=by, weights=weights, threads=threads, progress=progress)
    scored = score_sets(
        sets,  # type: ignore[arg-type]
        metrics,
        lower_is_better=lower_is_better,
        lang=lang,
        threads=threads,
        progress=progress,
        human=human,
        measure=measure,
        references=references,
        systems=systems,
        scores=scores,
        labels=labels,
        exclude=exclude,
        references_as_systems=references_as_systems,
    )
    return _trusted_sets(scored, chosen_plan, by=by, weights=weights, threads=threads)


def score_sets(
    sets: Sets,
    metrics: Metrics = (),
    *,
    lower_is_better: Collection[str] = (),
    lang: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **choices: Any,
) -> list[ScoredSet]:
    """Find the files of every set, read its human scores, and score its systems. `choices` are the arguments of
    `trust_sets` that select files.
    """
    refuse_unknown_keywords(choices, score_sets, SetChoices)
    found, metrics = _with_default_metrics(judged_sets(sets, SetChoices(**choices)), metrics)
    chosen = chosen_metrics(metrics) if metrics else []
    scored = []
    for each in found:
        with _said_of(each.name):
            scored.append(
                score_set(
                    each,
                    chosen,
                    lang=lang or _target_language(each),
                    lower_is_better=lower_is_better,
                    threads=threads,
                    progress=progress,
                )
            )
    _check_names(scored, lower_is_better)
    return scored


def _trusted_sets(
    scored: Sequence[ScoredSet],
    plan: TrustPlan,
    *,
    by: str | None = None,
    weights: Mapping[str, float] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SetsTrust:
    """`progress` is called once per coefficient."""
    if by is not None:
        check_name("by", by)
    weighed = _weights({} if weights is None else weights, [each.judged.name for each in scored])
    of_systems = any(asked.level == "system" for asked in plan.asked())
    possible, notes = _possible(scored, plan)
    run = _Run(plan, checked_threads(threads), progress)
    sets, tasks, parts = [], [], []
    for each in scored:
        name = each.judged.name
        with _said_of(name):
            paired = each.paired(system_means=of_systems)
            tasks += [run.task(name, None, asked, paired, weighed[name, asked.level]) for asked in possible]
            segments_by = {} if by is None else each.segments_by(by)
        sets.append(_compared(each, paired))
        notes += notes_on_set(each, paired, [task for task in tasks if task.of_set == name], run.refused)
        if by is not None and not segments_by:
            notes.append(f"{name}: no segment labels '{by}'.")
        for label, segments in segments_by.items():
            try:
                of_label = each.paired(segments, system_means=of_systems)
                parts += [run.task(name, label, asked, of_label, 0.0) for asked in possible]
            except UnderstudyError as error:
                notes.append(f"{name}, {by} '{label}': {error}")
    if by is not None and not parts:
        titles = {label.title for each in scored for label in each.judged.labelings}
        raise BadParameter(f"unknown segment labels '{by}'. {did_you_mean(by, sorted(titles))}")
    overall = average(
        [(task.asked, task.ranked) for task in tasks],
        [task.weight for task in tasks],
        rule=plan.clusters,
        significance=plan.significance,
    )
    if not any(task.ranked.values for task in tasks):
        raise BadInput("all coefficients are undefined in all sets. Check that the scores are not all equal.")
    notes += notes_on_average(
        tasks, overall, plan, [measure.name for each in scored for measure in each.scored.measures]
    )
    return SetsTrust(sets, tasks, by, parts, overall, plan, notes)


def _possible(scored: Sequence[ScoredSet], plan: TrustPlan) -> tuple[list[CoefficientSpec], list[str]]:
    """The coefficients whose ties can be calibrated in all sets, determined in advance, and the reasons against the
    others.
    """
    of_ties = [asked for asked in plan.asked() if asked.coefficient in SWAPPED]
    refused: dict[CoefficientSpec, str] = {}
    for each in scored if of_ties else ():
        with _said_of(each.judged.name):
            pairings = each.paired().pairings.values()
        for asked in of_ties:
            try:
                for pairing in [one for one in pairings if one.metric is not None][
                    :1
                ]:  # all have the same pairs
                    check_number_of_pairs(*pairing.segment_scores, asked.grouping)
            except BadParameter as error:
                refused.setdefault(
                    asked, f"{asked.coefficient}:{asked.grouping} of {each.judged.name}: {error}"
                )
    possible = [asked for asked in plan.asked() if asked not in refused]
    if not possible:
        raise BadParameter(next(iter(refused.values())))
    return possible, [f"Not computed: {reason}" for reason in refused.values()]


class _Run:
    """The tasks in sequence, each with its own permutations."""

    def __init__(self, plan: TrustPlan, threads: int, progress: Progress | None) -> None:
        self.plan, self.threads, self.progress = plan, threads, progress
        self.done = 0
        self.refused: dict[tuple[str, str], list[str]] = {}  # by set and reason: metrics

    def task(
        self, name: str, label: str | None, asked: CoefficientSpec, paired: AlignedScores, weight: float
    ) -> SetTask:
        if len(paired.systems) < 2:
            raise BadInput(f"got one system, '{paired.systems[0]}', expected at least two.")
        test = self.plan.test or TEST_OF.get(asked.coefficient, TEST[asked.level])
        reasons = {
            metric: unranked_because(pairing, asked, test) for metric, pairing in paired.pairings.items()
        }
        pairings = {metric: paired.pairings[metric] for metric, reason in reasons.items() if reason is None}
        for metric, reason in reasons.items():
            if reason is not None and not pairings:
                raise BadInput(
                    f"{asked.coefficient} is undefined for {metric} and all other metrics: {reason}"
                )
            if reason is not None and label is None and metric not in self.refused.get((name, reason), []):
                self.refused.setdefault((name, reason), []).append(metric)
        values = {
            metric: estimate(pairing, asked, seed=self.plan.seed, threads=self.threads).value
            for metric, pairing in pairings.items()
        }
        _, drawn = null_differences(
            pairings, asked, test=test, samples=self.plan.samples, seed=self.plan.seed, threads=self.threads
        )
        # Tasks of the same shape are exchanged alike: in another order, the exchanges of one say nothing of another's.
        order = np.random.default_rng([self.plan.seed, self.done]).permutation(drawn.shape[1])
        self.done += 1
        null = dict(zip(combinations(pairings, 2), drawn[:, order], strict=True))
        ranked = RankedMetrics.by(self.plan.clusters, values, null, self.plan.significance)
        if self.progress is not None:
            self.progress(1)
        # Of many metrics and parts, null distributions take gigabytes; only the average has a use for them.
        return SetTask(name, label, asked, test, weight, ranked if weight else replace(ranked, null={}))


def _weights(given: Mapping[str, float], names: Sequence[str]) -> dict[tuple[str, str], float]:
    known = {f"{name}:{level}": (name, level) for name in names for level in AGREEMENT_LEVELS}
    found = dict.fromkeys(known.values(), 1.0)
    if not isinstance(given, Mapping):
        raise WrongType(
            f"weights: got {type(given).__name__}, expected weights by set, such as {{'zh-en': 2}}."
        )
    for key, weight in given.items():
        if not isinstance(weight, Real) or not 0 <= weight < float("inf"):
            raise BadParameter(f"weight {key}={weight}: expected a number of at least 0.")
        if key not in known and key not in names:
            raise BadParameter(f"weight of unknown set '{key}'. {did_you_mean(key, [*names, *known])}")
    for key in sorted(given, key=known.__contains__):  # the weight of one level takes precedence
        found |= {of_task: given[key] for each, of_task in known.items() if key in (each, of_task[0])}
    return found


def _with_default_metrics(sets: Sequence[JudgedSet], metrics: Metrics) -> tuple[list[JudgedSet], Metrics]:
    """Default: the scores that all sets contain, otherwise BLEU."""
    asked = bool(metrics) or any(each.scores for each in sets)
    published = [each.folder.metric_scores for each in sets]
    if asked or not all(published):
        return list(sets), metrics if asked else ["bleu"]
    return [replace(each, scores=[str(folder)]) for each, folder in zip(sets, published, strict=True)], ()


def _target_language(judged: JudgedSet) -> str | None:
    """The language of a set that is named after its language pair."""
    pair = judged.folder.pair or judged.name
    try:
        language_of(pair)
    except BadParameter:
        return None
    return pair if "-" in pair else None


def _check_names(scored: Sequence[ScoredSet], lower_is_better: Collection[str]) -> None:
    read = [measure for each in scored for measure in each.scored.measures if measure.source]
    known = {name for measure in read for name in (measure.name, measure.spec)}
    for name in lower_is_better:
        if name not in known:
            raise BadParameter(f"unknown metric '{name}' in the scores. {did_you_mean(name, sorted(known))}")
    judged = {system for each in scored for system in each.human.systems}
    judged |= {system for each in scored for system in each.judged.folder.systems}
    judged |= {system for each in scored for system in each.left_out}
    for each in scored:
        for name in each.judged.excluded:
            if name not in judged:
                raise BadParameter(
                    f"cannot exclude unknown system '{name}'. {did_you_mean(name, sorted(judged))}"
                )


def _compared(each: ScoredSet, paired: AlignedScores) -> ComparedSet:
    rows = [each.human.systems.index(system) for system in paired.systems]
    return ComparedSet(
        each.judged.name,
        each.human.name,
        paired.systems,
        len(paired.segments),
        int((~np.isnan(each.human.scores[rows])).sum()),
        tuple(each.judged.references),
        {measure.name: measure.signature for measure in each.scored.measures if measure.signature},
    )


@contextmanager
def _said_of(name: str) -> Iterator[None]:
    """Add the name of the set to errors."""
    try:
        yield
    except UnderstudyError as error:
        error.args = (f"set '{name}': {error}",)
        if error.on_command_line:
            error.on_command_line = f"set '{name}': {error.on_command_line}"
        raise
