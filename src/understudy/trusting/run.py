"""The verb `trust`: agreement of metrics with human scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from understudy.arrays import one_blas_thread
from understudy.choices import RESAMPLED
from understudy.corpus.judgments import ScoreTable, read_judgments
from understudy.corpus.label_input import documents_given
from understudy.corpus.score_tables import Table
from understudy.corpus.system_kinds import GivenKinds, Kinds
from understudy.errors import BadInput, BadParameter
from understudy.fitness.findings import Fitness
from understudy.fitness.with_judgments import fitness_with_people
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.threads import checked_threads
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_name, checked_names, refuse_unknown_keywords
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.combinations.combining import Combination, combined
from understudy.trusting.excluded_systems import excluding
from understudy.trusting.feature_weights.joining import with_learned_features
from understudy.trusting.feature_weights.settings import FeatureSettings
from understudy.trusting.grids.results import remarks
from understudy.trusting.grids.search import search
from understudy.trusting.grids.settings import SettingsGrid, grids_given
from understudy.trusting.human_ceiling import ceiling
from understudy.trusting.metric_coefficients import (
    Progress,
    check_defined,
    check_possible,
    coefficient_results,
    gains_of_features,
    possible_coefficients,
    rankings_of_metrics,
)
from understudy.trusting.metric_scores import (
    SENTINEL,
    Measure,
    MetricScores,
    align_with_human,
    score_systems,
)
from understudy.trusting.notes import notes_on
from understudy.trusting.noticeable_difference import NoticeableDifference, noticeable_difference
from understudy.trusting.outliers import WithoutSystems, leave_one_out, outliers, without
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.regression import Regression, regress
from understudy.trusting.results import MetricTrust, Trust
from understudy.trusting.sentinels import no_better_than_sentinels, sentinel_features, with_sentinels
from understudy.trusting.thread_map import thread_map


@one_blas_thread()
def trust(
    human: Table | ScoreTable,
    systems: Any = (),
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    scores: Table | Sequence[Table] = (),
    lang: str | None = None,
    measure: str | None = None,
    lower_is_better: Collection[str] = (),
    judged_only: bool = False,
    exclude: Collection[str] = (),
    sources: Any = None,
    documents: Any = None,
    kinds: GivenKinds = (),
    learn: str | Combination | None = None,
    learn_features: str | FeatureSettings | None = None,
    learn_within: bool = False,
    learn_sentinels: bool = False,
    grid: str | SettingsGrid | Sequence[str | SettingsGrid] = (),
    sentinels: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    **plan: Any,
) -> Trust:
    """Measure the agreement of metrics with human scores. Human scores are a file, a table with the columns system, seg
    and score, or the result of `read_judgments`.

    Metrics are computed on a `Corpus` or anything a corpus can be made of, read from files or tables of `scores`, or
    both. For several kinds of human scores, call `score_systems` once and pass its result as `systems`. Systems are
    matched with the human scores by name; those in `exclude` are excluded. `lang` is the target language, as in
    `understudy.score`. `sources` is the source text, for metrics that read it. `documents` are the document labels, for
    metrics that use documents and for `learn`, if the files have none. `kinds` are the system types, such as `{"nmt":
    ["A", "B"], "rule-based": ["C"]}`. `plan` has the settings of `TrustPlan`: level, coefficients, rank_by, test,
    clusters, over, samples, seed, confidence, significance. `progress` is called with the number of segments scored
    since the last call, or, if they were scored before, with the number of resampling steps as counted by
    `TrustPlan.steps`.

    `learn` is the method of a learned combination of all metrics, such as ridge, or a `Combination`; `learn_within`
    fits only differences within segments, and with `learn_sentinels`, it also uses what sentinels see. The result is in
    `learning`, and among the metrics. `learn_features` learns weights of single ngrams, chains or subtrees instead, by
    the method `learn`, or as `FeatureSettings` say; the result is in `feature_learning` and `gains`, and among the
    metrics. `grid` is a grid of settings, or several: every setting of
    `bleu:max_order=1..6,average=geometric|arithmetic` is compared with the human scores, and one is selected by
    cross-validation. The results are in `grids`. `sentinels` adds scores that see only the length of the hypothesis,
    only its surface, or only the source (if the corpus has sources); notes name metrics that are not significantly
    better.

    >>> systems = ["examples/system-weak.en", "examples/system-medium.en", "examples/system-strong.en"]
    >>> references = ["examples/reference-1.en"]
    >>> found = trust("examples/judgments.tsv", systems, references, measure="adequacy", samples=100)
    >>> found.metrics[0].of(CoefficientSpec("accuracy", "system")).value
    1.0
    """
    threads = checked_threads(threads)
    refuse_unknown_keywords(plan, trust, TrustPlan)
    chosen_plan = TrustPlan(**plan)
    grids = grids_given(grid, lambda specs: chosen_metrics(specs, lang))
    judged = human if isinstance(human, ScoreTable) else read_judgments(human, measure)
    resampled = progress if isinstance(systems, MetricScores) else None
    scored = systems
    if not isinstance(scored, MetricScores):
        if learn_features is not None:
            metrics = _with_plain(learn_features, metrics, lang)
        scored = score_systems(
            systems,
            references,
            metrics,
            scores=scores,
            lang=lang,
            lower_is_better=lower_is_better,
            sources=sources,
            documents=documents,
            threads=threads,
            progress=progress,
        )
    if learn_within and learn is None and learn_features is None:
        raise BadParameter("learn_within has no effect without learn or learn_features. Add one, or omit it.")
    if learn_sentinels and (learn is None or learn_features is not None):
        raise BadParameter(
            "learn_sentinels has no effect without a learned combination. Add learn='ridge' and omit learn_features."
        )
    feature_settings, learn = _feature_settings(learn_features, learn, learn_within, documents, scored)
    excluded = checked_names("exclude", exclude)
    combination = _combination(learn, learn_within, learn_sentinels, documents, scored)
    found = _trusted(
        judged,
        scored,
        chosen_plan,
        judged_only=judged_only,
        exclude=excluded,
        kinds=kinds,
        combination=combination,
        feature_settings=feature_settings,
        sentinels=sentinels,
        documents=_documents(documents, scored),
        threads=threads,
        progress=resampled,
    )
    searches = search(
        grids,
        judged,
        scored.corpus,
        chosen_plan,
        documents=_documents(documents, scored),
        over=found.over,
        judged_only=judged_only,
        exclude=excluded,
        threads=threads,
    )
    return replace(found, grids=searches, notes=[*found.notes, *remarks(searches)])


def _feature_settings(
    given: str | FeatureSettings | None,
    learn: str | Combination | None,
    within: bool,
    documents: Any,
    scored: MetricScores,
) -> tuple[FeatureSettings | None, str | Combination | None]:
    """The settings of feature weights, and of a combination: not both are learned."""
    if given is None:
        return None, learn
    if isinstance(given, FeatureSettings):
        settings = given
        if learn is not None:
            raise BadParameter(
                "learn and learn_features: feature weights have the method of their settings. Give one."
            )
    else:
        check_name("learn_features", given)
        if isinstance(learn, Combination):
            raise BadParameter(
                "learn and learn_features: a combination or feature weights are learned. Give one."
            )
        settings = FeatureSettings(given, learn or "ridge", "segment" if within else "none")
    if settings.documents is None:
        settings = replace(settings, documents=_documents(documents, scored))
    return settings, None


def _combination(
    given: str | Combination | None, within: bool, sentinels: bool, documents: Any, scored: MetricScores
) -> Combination | None:
    if given is None:
        return None
    if not isinstance(given, Combination):
        check_name("learn", given)
        given = Combination(given, "segment" if within else "none", sentinels=sentinels)
    elif within or sentinels:
        raise BadParameter(
            "learn_within and learn_sentinels: a Combination has its own settings. Use its grouping and sentinels."
        )
    return given if given.documents is not None else replace(given, documents=_documents(documents, scored))


def _with_plain(given: str | FeatureSettings, metrics: Metrics, lang: str | None) -> Sequence[Metric]:
    """The metrics, and the plain metric of the features if it is not among them."""
    settings = given if isinstance(given, FeatureSettings) else FeatureSettings(given)
    found = chosen_metrics(metrics, lang)
    return found if settings.among(found) else chosen_metrics([*found, settings.plain], lang)


def _documents(given: Any, scored: MetricScores) -> Sequence[str] | None:
    """As the caller says, else as the texts do."""
    if given is not None:
        return documents_given(given)
    return None if scored.corpus is None else scored.corpus.documents


def _trusted(
    human: ScoreTable,
    scored: MetricScores,
    plan: TrustPlan,
    *,
    judged_only: bool,
    exclude: Collection[str],
    kinds: GivenKinds,
    combination: Combination | None,
    feature_settings: FeatureSettings | None,
    sentinels: bool,
    documents: Sequence[str] | None,
    threads: int,
    progress: Progress | None,
) -> Trust:
    human, scored = excluding(human, scored, exclude)
    named_kinds = _kinds(kinds, human, scored)
    absent: list[str] = []
    learning = None
    if combination is not None:
        seen: list[Measure] = []
        if combination.sentinels:
            seen, absent = sentinel_features(scored, threads)
        scored, learning = combined(
            human, scored, named_kinds, combination, beside=seen, seed=plan.seed, progress=progress
        )
    feature_learning = None
    if feature_settings is not None:
        scored, feature_learning = with_learned_features(
            human, scored, feature_settings, seed=plan.seed, threads=threads, progress=progress
        )
    if sentinels:
        scored, lacking = with_sentinels(human, scored, documents, seed=plan.seed, threads=threads)
        absent += lacking
    paired = align_with_human(human, scored, judged_only=judged_only, system_means="system" in plan.levels)
    if len(paired.systems) < 2 and plan.level == "system":
        raise BadInput(f"system-level coefficients need at least two systems, got '{paired.systems[0]}'.")
    of_systems = named_kinds.among(paired.systems)
    over = plan.over or (RESAMPLED[0] if paired.segments else RESAMPLED[1])
    possible = {
        name: possible_coefficients(pairing, plan, threads) for name, pairing in paired.pairings.items()
    }
    check_possible(possible)
    found = coefficient_results(
        paired,
        {name: asked for name, (asked, _) in possible.items()},
        plan,
        over=over,
        threads=threads,
        progress=progress,
    )
    check_defined(found)
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
            _without(pairing, asked, names, plan.seed),
            leave_one_out(pairing, CoefficientSpec("r2", "system"))
            if of_systems_too and len(paired.systems) > 3
            else [],
        )

    results = thread_map(looked_at, scored.measures, threads)
    rankings = rankings_of_metrics(paired, plan, over, threads)
    had = [
        one
        for one in plan.asked()
        if any(each.asked == one and not math.isnan(each.value) for of in found.values() for each in of)
    ]
    one_judge = ceiling(paired, had, plan, over=over, threads=threads)
    return Trust(
        human,
        paired.systems,
        paired.segments,
        plan,
        over,
        results,
        rankings,
        names,
        _fitness(of_systems, scored, results, names, plan) if of_systems else None,
        learning,
        [
            *([f"Excluded: {', '.join(exclude)}."] if exclude else []),
            *notes_on(paired, scored, results, rankings, plan, learning=learning, ceiling=one_judge),
            *([] if feature_learning is None else feature_learning.remarks),
            *no_better_than_sentinels(rankings, [one.name for one in results if one.source == SENTINEL]),
            *absent,
        ],
        one_judge,
        feature_learning,
        [] if feature_learning is None else gains_of_features(feature_learning, results, plan, over, threads),
    )


# --- what else is looked at ---------------------------------------------------------------------------------


def _line(pairing: PairedScores) -> Regression | None:
    try:
        return regress(*pairing.system_scores)
    except BadInput:
        return None


def _noticed(pairing: PairedScores, plan: TrustPlan, over: str) -> NoticeableDifference | None:
    try:
        return noticeable_difference(
            pairing, over=over, samples=plan.samples, seed=plan.seed, confidence=plan.confidence
        )
    except BadInput:
        return None


def _without(
    pairing: PairedScores, asked: Sequence[CoefficientSpec], names: Sequence[str], seed: int
) -> list[WithoutSystems]:
    """Two systems must be left."""
    sets = [[name] for name in names] + ([list(names)] if len(names) > 1 else [])
    return [
        without(pairing, one, systems, seed=seed)
        for one in asked
        for systems in sets
        if len(pairing.systems) - len(systems) >= 2
    ]


def _kinds(given: GivenKinds, human: ScoreTable, scored: MetricScores) -> Kinds:
    """A kind may name any system that people or metrics scored."""
    known = dict.fromkeys(human.systems)
    for measure in scored.measures:
        known |= dict.fromkeys(measure.scores.systems)
    return Kinds.of(given, list(known))


def _fitness(
    kinds: Kinds,
    scored: MetricScores,
    metrics: Sequence[MetricTrust],
    outliers: Sequence[str],
    plan: TrustPlan,
) -> Fitness:
    human = metrics[0].pairing.human
    return fitness_with_people(
        {metric.name: metric.pairing for metric in metrics},
        kinds,
        specs={metric.name: metric.spec for metric in metrics},
        references={
            measure.name: measure.references[0]
            for measure in scored.measures
            if measure.references[1]  # metrics that read no references, or were computed elsewhere, say 0
        },
        segments=None if human is None else int((~np.isnan(human)).any(axis=0).sum()),
        noticed={metric.name: metric.noticed for metric in metrics if metric.noticed is not None},
        outliers=outliers,
        samples=plan.samples,
        seed=plan.seed,
        significance=plan.significance,
    )
