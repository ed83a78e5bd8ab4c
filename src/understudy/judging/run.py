"""The verb `judge`: judgments of people in, results out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.judging.agreement.cohen import cohen_kappa
from understudy.judging.agreement.fleiss import fleiss_kappa
from understudy.judging.agreement.krippendorff import krippendorff_alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.agreement.self_agreement import (
    SelfAgreement,
    self_agreement,
    self_agreement_of_comparisons,
)
from understudy.judging.agreement.span_agreement import matched_spans
from understudy.judging.analysis.adjacent_systems import adjacent_systems
from understudy.judging.analysis.bradley_terry import bradley_terry
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.analysis.controls import missed_controls
from understudy.judging.analysis.disagreement import disputed_items
from understudy.judging.analysis.further_judgments import FurtherJudgments, further_judgments
from understudy.judging.analysis.judge_and_item_effects import judge_and_item_effects
from understudy.judging.analysis.means import SystemMean, system_means
from understudy.judging.analysis.rank_clusters import RankClusters, rank_clusters
from understudy.judging.analysis.win_rates import win_rates
from understudy.judging.analysis.z_scores import z_scores
from understudy.judging.estimates import Absent
from understudy.judging.exchange.importing import judgments_from
from understudy.judging.judgments import Annotated, Judgments, Question, Spans, combined
from understudy.judging.plan import JudgePlan
from understudy.judging.results import (
    Agreement,
    JudgeResults,
    QuestionResults,
    RankingResults,
    SpanResults,
    SystemErrors,
)

if TYPE_CHECKING:
    from understudy.judging.campaigns.campaign import Campaign


def judge(
    what: Judgments | Campaign | Any,
    *,
    question: str | tuple[str, ...] | None = None,
    kind: str | None = None,
    weights: Mapping[str, float] | str | None = None,
    language_pair: str | None = None,
    **plan: Any,
) -> JudgeResults:
    """Results of judgments: means, significance clusters, agreement, and what else they allow.

    `what` is a campaign or its file, a file of judgments or several that belong together, a table with the columns
    system, seg, judge and score, or `Judgments`. `kind`, `weights` and `language_pair` are for files, as in
    `understudy.read_judged`. `question` selects questions; `plan` has the settings of `JudgePlan`: group, samples,
    seed, confidence, significance, correction, top.

    >>> found = judge("examples/judgments.tsv", question="adequacy", samples=100)
    >>> [mean.system for mean in found.questions[0].means][:2]
    ['system-strong.en', 'reference-2.en']
    """
    wanted = (question,) if isinstance(question, str) else tuple(question or ())
    chosen = JudgePlan(questions=wanted, **plan)
    judgments = judgments_from(what, kind=kind, weights=weights, language_pair=language_pair)
    return _results_of(judgments, chosen)


def _results_of(judgments: Judgments, plan: JudgePlan) -> JudgeResults:
    """All results of judgments in memory."""
    known = [each.name for each in judgments.questions]
    for name in plan.questions:
        if name not in known:
            raise BadParameter(f"{judgments.name}: unknown question '{name}'. {did_you_mean(name, known)}")
    chosen = judgments if plan.group is None else _of_group(judgments, plan.group)
    asked = [
        _of_question(chosen, each, plan)
        for each in chosen.questions
        if each.name in chosen.ratings
        and len(chosen.ratings[each.name])
        and (not plan.questions or each.name in plan.questions)
    ]
    rankings = None
    if chosen.rankings is not None and len(chosen.rankings) and not plan.questions:
        rankings = _of_rankings(chosen, plan)
    if not asked and rankings is None:
        raise BadInput(f"{judgments.name} has no judgments yet.")
    spans, controls = chosen.spans, chosen.controls
    return JudgeResults(
        name=chosen.name,
        protocol=chosen.protocol,
        plan=plan,
        systems=chosen.systems,
        judges=_present(chosen),
        groups=tuple(dict.fromkeys(chosen.groups or ())),
        segments=len(chosen.segments),
        questions=tuple(asked),
        rankings=rankings,
        spans=None if spans is None or not len(spans.annotated) else _of_spans(chosen, spans, plan),
        controls=None
        if controls is None
        else missed_controls(
            controls,
            chosen.judges,
            chosen.questions,
            significance=plan.significance,
            confidence=plan.confidence,
        ),
        texts=chosen.texts,
        segment_numbers=chosen.segments,
        by_document=chosen.documents is not None,
        notes=chosen.notes,
    )


# --- ratings -------------------------------------------------------------------------------------------------


def _of_question(judgments: Judgments, question: Question, plan: JudgePlan) -> QuestionResults:
    ratings = judgments.ratings[question.name]
    systems, judges, documents = judgments.systems, judgments.judges, judgments.documents
    better = question.higher_is_better
    means = system_means(ratings, systems, documents=documents, confidence=plan.confidence)
    standardized = z_scores(ratings, judges)
    z_means = system_means(standardized.ratings, systems, documents=documents, confidence=plan.confidence)
    clusters = rank_clusters(
        ratings,
        systems,
        judges,
        higher_is_better=better,
        correction=plan.correction,
        significance=plan.significance,
        seed=plan.seed,
    )
    data = ReliabilityData.of_ratings(ratings)
    once = ratings.first
    return QuestionResults(
        question=question,
        judgments=len(once.answers),
        translations=len(np.unique(combined(once.system, once.segment))),
        judges=len(np.unique(once.judge)),
        segments=len(np.unique(once.segment)),
        means=_ranked(means, better),
        z_means=_ranked(z_means, better),
        scales=standardized.judges,
        effects=judge_and_item_effects(ratings, systems, judges, confidence=plan.confidence),
        adjacent=adjacent_systems(
            ratings,
            systems,
            ranking=None if isinstance(clusters, Absent) else [each.system for each in clusters.systems],
            higher_is_better=better,
            confidence=plan.confidence,
        ),
        clusters=clusters,
        further=_further(clusters, {each.system: each.judgments for each in means}),
        agreement=_agreement(
            data,
            [judges[place] for place in np.unique(ratings.judge).tolist()],
            question.level,
            self_agreement(ratings, judges, question.level, **plan.resampling),
            plan,
        ),
        disputed=disputed_items(ratings, systems, judges, judgments.segments, top=plan.top),
    )


def _ranked(means: tuple[SystemMean, ...], higher_is_better: bool) -> tuple[SystemMean, ...]:
    """Systems that nobody judged last."""
    sign = -1.0 if higher_is_better else 1.0
    return tuple(
        sorted(
            means, key=lambda each: (each.mean.value is None, sign * (each.mean.value or 0.0))
        )  # ties stay in the order of the systems
    )


def _further(clusters: RankClusters | Absent, judged: dict[str, int]) -> tuple[FurtherJudgments, ...]:
    return () if isinstance(clusters, Absent) else further_judgments(clusters, judged)


def _agreement(
    data: ReliabilityData,
    judges: Sequence[str],
    level: str,
    own: tuple[SelfAgreement, ...],
    plan: JudgePlan,
) -> Agreement:
    in_steps = level != "interval"
    how = plan.resampling
    return Agreement(
        items=int((data.sizes > 1).sum()),
        alpha=krippendorff_alpha(data, level, **how),
        level=level,
        fleiss=fleiss_kappa(data, **how) if in_steps else None,
        cohen=cohen_kappa(data, **how) if in_steps else None,
        judges=tuple(judges),
        own=own,
    )


# --- rankings ------------------------------------------------------------------------------------------------


def _of_rankings(judgments: Judgments, plan: JudgePlan) -> RankingResults:
    assert judgments.rankings is not None
    once = judgments.rankings.first
    comparisons = Comparisons.of(judgments.rankings)
    how = plan.resampling
    strengths = bradley_terry(comparisons, judgments.systems, **how)
    rates = win_rates(comparisons, judgments.systems, **how)
    clusters: RankClusters | Absent = (
        strengths
        if isinstance(strengths, Absent)
        else strengths.rank_clusters(correction=plan.correction, significance=plan.significance)
    )
    return RankingResults(
        rankings=len(np.unique(once.screen)),
        comparisons=int((~comparisons.repeat).sum()),
        judges=len(np.unique(once.judge)),
        segments=len(np.unique(once.segment)),
        win_rates=tuple(
            sorted(rates, key=lambda each: (each.better.value is None, -(each.better.value or 0.0)))
        ),
        strengths=strengths,
        clusters=clusters,
        further=_further(clusters, {each.system: each.wins + each.losses + each.ties for each in rates}),
        agreement=_agreement(
            ReliabilityData.of_comparisons(comparisons),
            [judgments.judges[place] for place in np.unique(comparisons.of_texts()[0].judge).tolist()],
            "nominal",
            self_agreement_of_comparisons(comparisons, judgments.judges, **how),
            plan,
        ),
    )


# --- spans ---------------------------------------------------------------------------------------------------


def _of_spans(judgments: Judgments, spans: Spans, plan: JudgePlan) -> SpanResults:
    looked_at = spans.annotated
    first = {
        (answer, system)
        for answer, system, repeat in zip(
            looked_at.answer.tolist(), looked_at.system.tolist(), looked_at.repeat.tolist(), strict=True
        )
        if not repeat
    }
    annotations = Counter(system for _, system in first)
    severities: dict[int, Counter[str]] = {}
    categories: dict[int, Counter[str]] = {}
    penalties: Counter[int] = Counter()
    costs: dict[str, list[float]] = {}
    rows = zip(
        spans.answer.tolist(),
        spans.system.tolist(),
        spans.severity,
        spans.category,
        spans.penalty.tolist(),
        strict=True,
    )
    for answer, system, severity, category, penalty in rows:
        if (answer, system) in first:
            severities.setdefault(system, Counter())[severity] += 1
            categories.setdefault(system, Counter())[category] += 1
            penalties[system] += penalty
            costs.setdefault(severity, []).append(penalty)
    of_systems = [
        SystemErrors(
            judgments.systems[system],
            count,
            severities.get(system, Counter()).total(),
            dict(severities.get(system, Counter())),
            dict(categories.get(system, Counter())),
            penalties[system] / count,
        )
        for system, count in sorted(annotations.items())
    ]
    frequent = sum(categories.values(), Counter())
    return SpanResults(
        tuple(sorted(of_systems, key=lambda each: each.penalty)),
        tuple(sorted(costs, key=lambda name: float(np.mean(costs[name])))),
        tuple(name for name, _ in frequent.most_common() if name),
        matched_spans(spans, judgments.judges, judgments.systems, **plan.resampling),
    )


# --- some of the judges --------------------------------------------------------------------------------------


def _present(judgments: Judgments) -> tuple[str, ...]:
    """Judges who gave any judgment."""
    columns = [each.judge for each in judgments.ratings.values()]
    columns += [each.judge for each in (judgments.rankings,) if each is not None]
    found = np.unique(np.concatenate(columns)) if columns else np.empty(0, dtype=np.int64)
    return tuple(judgments.judges[place] for place in found.tolist())


def _of_group(judgments: Judgments, group: str) -> Judgments:
    if not judgments.groups or group not in judgments.groups:
        known = list(dict.fromkeys(judgments.groups or ()))
        there = did_you_mean(group, known) if known else "Its judges have no groups."
        raise BadParameter(f"{judgments.name}: unknown group '{group}'. {there}")
    member = np.array([each == group for each in judgments.groups])
    ratings = {name: each.rows(member[each.judge]) for name, each in judgments.ratings.items()}
    rankings, spans, controls = judgments.rankings, judgments.spans, judgments.controls
    if spans is not None:
        looked_at = spans.annotated
        kept = _rows(looked_at, member[looked_at.judge])
        spans = replace(
            _rows(spans, member[spans.judge], without="annotated"), annotated=Annotated(**kept.__dict__)
        )
    return replace(
        judgments,
        ratings=ratings,
        rankings=None if rankings is None else rankings.rows(member[rankings.judge]),
        spans=spans,
        controls=None if controls is None else _rows(controls, member[controls.judge]),
    )


def _rows(columns: Any, chosen: NDArray[np.bool_], *, without: str = "") -> Any:
    """Those rows of all columns: arrays and tuples."""
    places = np.flatnonzero(chosen).tolist()
    found = {}
    for each in fields(columns):
        column = getattr(columns, each.name)
        if each.name != without:
            found[each.name] = (
                tuple(column[place] for place in places) if isinstance(column, tuple) else column[chosen]
            )
    return replace(columns, **found)
