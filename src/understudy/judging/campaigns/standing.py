"""Results as they stand while a campaign runs, for the lead's page: agreement, ranking, and what is still open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from understudy.judging.agreement.krippendorff import krippendorff_alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.agreement.self_agreement import (
    EVERYONE,
    SelfAgreement,
    self_agreement,
    self_agreement_of_comparisons,
)
from understudy.judging.analysis.bradley_terry import bradley_terry
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.analysis.controls import JudgeControls, missed_controls
from understudy.judging.analysis.further_judgments import further_judgments
from understudy.judging.analysis.judge_and_item_effects import judge_and_item_effects
from understudy.judging.analysis.means import system_means
from understudy.judging.analysis.rank_clusters import RankClusters, rank_clusters
from understudy.judging.campaigns.post_edits import HTER
from understudy.judging.estimates import Absent, Estimate
from understudy.judging.judgments import Judgments, Question, Ratings


@dataclass(frozen=True)
class Standing:
    """Rows of the lead's page. Intervals are 95% confidence intervals."""

    agreement: list[dict[str, Any]] = field(default_factory=list)
    ranking: list[dict[str, Any]] = field(
        default_factory=list
    )  # by the statistic that is tested, the best first
    statistic: str = "mean"
    question: str | None = None  # None: rankings
    in_steps: bool = True  # whether the question has a scale with few points
    open_pairs: list[dict[str, Any]] = field(default_factory=list)
    controls: dict[str, JudgeControls] = field(default_factory=dict)  # by judge
    repeats: dict[str, SelfAgreement] = field(default_factory=dict)  # by judge


def standing_of(judgments: Judgments) -> Standing:
    """Of the last question of the protocol, which is the one that systems are ranked by."""
    controls = judgments.controls
    found = () if controls is None else missed_controls(controls, judgments.judges, judgments.questions)
    missed = {each.judge: each for each in found}
    if judgments.rankings is not None:
        return _of_rankings(judgments, Comparisons.of(judgments.rankings), missed)
    question = [each for each in judgments.questions if each.name != HTER][-1]
    ratings = judgments.ratings[question.name]
    alphas = [
        _row(f"Krippendorff’s α, {each.name}", _alpha(judgments.ratings[each.name], each))
        for each in judgments.questions
        if each.name in judgments.ratings
    ]
    repeats = self_agreement(ratings, judgments.judges, question.level)
    in_steps = question.level != "interval"
    return replace(
        _ranked(judgments, ratings, question),
        agreement=[*alphas, *_self(repeats, in_steps=in_steps)],
        question=question.name,
        in_steps=in_steps,
        controls=missed,
        repeats=_by_judge(repeats),
    )


def _of_rankings(
    judgments: Judgments, comparisons: Comparisons, missed: dict[str, JudgeControls]
) -> Standing:
    alpha = krippendorff_alpha(ReliabilityData.of_comparisons(comparisons), "nominal")
    repeats = self_agreement_of_comparisons(comparisons, judgments.judges)
    found = bradley_terry(comparisons, judgments.systems)
    standing = Standing(
        [_row("Krippendorff’s α, pairs", alpha), *_self(repeats)], controls=missed, repeats=_by_judge(repeats)
    )
    ranked = found if isinstance(found, Absent) else found.rank_clusters()
    if isinstance(found, Absent) or isinstance(ranked, Absent):
        return standing
    judged = {each.system: each.wins + each.losses + each.ties for each in found.systems}
    rows = _rows({each.system: each.strength for each in found.systems}, judged, ranked)
    return replace(standing, ranking=rows, statistic=ranked.statistic, open_pairs=_open_pairs(ranked, judged))


def _ranked(judgments: Judgments, ratings: Ratings, question: Question) -> Standing:
    """The ranking and what is open in it, as in the results."""
    systems, judges, better = judgments.systems, judgments.judges, question.higher_is_better
    means = system_means(ratings, systems, documents=judgments.documents)
    ranked = rank_clusters(ratings, systems, judges, higher_is_better=better)
    judged = {each.system: each.judgments for each in means}
    values = {each.system: each.mean for each in means}
    if isinstance(ranked, Absent):
        return Standing(ranking=_rows(values, judged, ranked, better))
    if ranked.test == "effects":
        effects = judge_and_item_effects(ratings, systems, judges)
        assert not isinstance(effects, Absent)  # they were tested
        values |= {each.name: each.effect.plus(effects.level) for each in effects.systems}
    rows = _rows(values, judged, ranked, better)
    return Standing(ranking=rows, statistic=ranked.statistic, open_pairs=_open_pairs(ranked, judged))


def _rows(
    values: Mapping[str, Estimate],
    judged: Mapping[str, int],
    ranked: RankClusters | Absent,
    higher_is_better: bool = True,
) -> list[dict[str, Any]]:
    """The best system first; those without judgments last."""
    clusters = {} if isinstance(ranked, Absent) else {each.system: each.cluster for each in ranked.systems}
    places = {system: place for place, system in enumerate(clusters)}
    rows = [
        {
            **{"system": system, "cluster": clusters.get(system), "judgments": judged[system]},
            **_estimate("value", value),
        }
        for system, value in values.items()
    ]
    sign = -1 if higher_is_better else 1

    def place(row: dict[str, Any]) -> tuple[float, float]:
        value = row["value"]
        return places.get(row["system"], len(places)), np.inf if value is None else sign * value

    return sorted(rows, key=place)


def _open_pairs(ranked: RankClusters | Absent, judgments: dict[str, int]) -> list[dict[str, Any]]:
    if isinstance(ranked, Absent):
        return []
    corrected = {(pair.better, pair.worse): pair.corrected for pair in ranked.pairs}
    return [
        {
            **{"better": each.better, "worse": each.worse, "p": float(corrected[each.better, each.worse])},
            **{"needed": each.more_judgments, "reason": each.reason},
        }
        for each in further_judgments(ranked, judgments)
    ]


def _alpha(ratings: Ratings, question: Question) -> Estimate:
    return krippendorff_alpha(ReliabilityData.of_ratings(ratings), question.level)


def _self(repeats: Sequence[SelfAgreement], *, in_steps: bool = True) -> list[dict[str, Any]]:
    """Nobody hits the same point of a slider twice: without steps, few repeats are identical."""
    (of_all,) = (each for each in repeats if each.judge == EVERYONE)
    if in_steps:
        return [_row("Identical repeats", of_all.identical)]
    return [_row("Krippendorff’s α, repeats", of_all.alpha)]


def _by_judge(repeats: Sequence[SelfAgreement]) -> dict[str, SelfAgreement]:
    return {each.judge: each for each in repeats if each.judge != EVERYONE}


def _row(name: str, estimate: Estimate) -> dict[str, Any]:
    return {"name": name, **_estimate("value", estimate), "reason": estimate.reason}


def _estimate(name: str, estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        name: _number(estimate.value),
        "low": None if interval is None else _number(interval.low),
        "high": None if interval is None else _number(interval.high),
    }


def _number(value: float | None) -> float | None:
    """JSON has neither NaN nor infinity."""
    return None if value is None or not np.isfinite(value) else float(value)
