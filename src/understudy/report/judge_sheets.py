"""Results of judgments for programs, at full precision: as data for JSON, and as sheets."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from understudy.judging.estimates import Absent, Estimate
from understudy.report.json_values import plain
from understudy.report.sheets import Sheet
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.judging.results import Agreement, JudgeResults, QuestionResults, RankingResults

# Large arrays that are made of the others, or that the tests start from.
_NOT_SHOWN = ("tested", "drawn", "covariance", "values", "texts", "segment_numbers")
_RANKINGS = "rankings"  # in the place of a question


def as_data(found: JudgeResults) -> dict[str, Any]:
    """Everything, as JSON can hold it."""
    data: dict[str, Any] = {"understudy": __version__, **_data(found), "methods": found.methods}
    data["questions"] = {each.name: _data(each) for each in found.questions}
    return data


def _data(value: Any) -> Any:
    if isinstance(value, Absent):
        return {"absent": value.reason}
    if is_dataclass(value) and not isinstance(value, type):
        return {
            each.name: _data(getattr(value, each.name))
            for each in fields(value)
            if each.name not in _NOT_SHOWN
        }
    if isinstance(value, (list, tuple)):
        return [_data(item) for item in value]
    if isinstance(value, dict):
        return {str(name): _data(item) for name, item in value.items()}
    return plain(value)


def as_sheets(found: JudgeResults) -> list[Sheet]:
    """Systems first; then pairs, adjacent systems, agreement, judges, and whatever else there is."""
    sheets = [_systems(found), _pairs(found), _adjacent(found), _agreement(found), _judges(found)]
    if found.spans is not None:
        columns = ("system", "annotations", "spans", *found.spans.severities, "penalty")
        rows: list[Any] = [
            (
                *(each.system, each.annotations, each.spans),
                *(each.by_severity.get(name, 0) for name in found.spans.severities),
                each.penalty,
            )
            for each in found.spans.systems
        ]
        sheets.append(Sheet("spans", columns, rows))
    if found.controls is not None:
        columns = ("judge", "seen", "missed", "low", "high", "p_value", "verdict")
        rows = [
            (each.judge, each.seen, each.missed, *_ends(each.interval), each.p_value, each.verdict)
            for each in found.controls
        ]
        sheets.append(Sheet("controls", columns, rows))
    disputed = [
        (each.name, item.segment, item.system, item.disagreement, judge, value)
        for each in found.questions
        for item in each.disputed
        for judge, value in zip(item.judges, item.values, strict=True)
    ]
    sheets.append(Sheet("disputed", ("question", "segment", "system", "sd", "judge", "value"), disputed))
    return [sheet for number, sheet in enumerate(sheets) if sheet.rows or number == 0]


def _systems(found: JudgeResults) -> Sheet:
    columns = (
        *("question", "system", "cluster", "judgments", "segments", "mean", "low", "high"),
        *("z", "z_low", "z_high", "adjusted", "adjusted_low", "adjusted_high"),
        *("wins", "losses", "ties", "win_rate", "win_rate_low", "win_rate_high"),
        *("strength", "strength_low", "strength_high"),
    )
    rows = [row for each in found.questions for row in _rated(each)]
    if found.rankings is not None:
        rows += _ranked(found.rankings)
    # A file without rankings needs no columns for them.
    used = [place for place in range(len(columns)) if any(row[place] is not None for row in rows)]
    return Sheet(
        "systems",
        tuple(columns[place] for place in used),
        [tuple(row[place] for place in used) for row in rows],
    )


def _rated(each: QuestionResults) -> list[tuple[Any, ...]]:
    clusters = _clusters(each)
    z_of = {mean.system: mean.mean for mean in each.z_means}
    effects = {} if isinstance(each.effects, Absent) else {e.name: e.effect for e in each.effects.systems}
    level = 0.0 if isinstance(each.effects, Absent) else each.effects.level
    return [
        (
            *(each.name, mean.system, clusters.get(mean.system), mean.judgments, mean.segments),
            *_numbers(mean.mean),
            *_numbers(z_of[mean.system]),
            *(None if number is None else number + level for number in _numbers(effects.get(mean.system))),
            *(None,) * 9,
        )
        for mean in each.means
    ]


def _ranked(each: RankingResults) -> list[tuple[Any, ...]]:
    clusters = _clusters(each)
    strengths = (
        {}
        if isinstance(each.strengths, Absent)
        else {one.system: one.strength for one in each.strengths.systems}
    )
    return [
        (
            *(_RANKINGS, rate.system, clusters.get(rate.system), *(None,) * 11),
            *(rate.wins, rate.losses, rate.ties, *_numbers(rate.better)),
            *_numbers(strengths.get(rate.system)),
        )
        for rate in each.win_rates
    ]


def _pairs(found: JudgeResults) -> Sheet:
    columns = (
        *("question", "better", "worse", "difference", "low", "high", "p_value", "corrected", "significant"),
        *("more_segments", "more_judgments"),
    )
    parts: list[tuple[str, Any]] = [(each.name, each) for each in found.questions]
    parts += [(_RANKINGS, found.rankings)] if found.rankings is not None else []
    rows = []
    for name, each in parts:
        if isinstance(each.clusters, Absent):
            continue
        further = {(one.better, one.worse): one for one in each.further}
        for pair in each.clusters.pairs:
            more = further.get((pair.better, pair.worse))
            rows.append(
                (
                    *(name, pair.better, pair.worse, pair.difference, *_ends(pair.interval)),
                    *(pair.p_value, pair.corrected, pair.significant),
                    *((None, None) if more is None else (more.more_segments, more.more_judgments)),
                )
            )
    return Sheet("pairs", columns, rows)


def _adjacent(found: JudgeResults) -> Sheet:
    columns = (
        *("question", "worse", "better", "difference", "differences", "segments", "low", "high", "p_value"),
        *("low_by_segment", "high_by_segment", "p_value_by_segment"),
    )
    rows = [
        (
            *(each.name, pair.worse, pair.better, pair.difference, pair.differences, pair.segments),
            *(value for of in (pair.by_judge_and_segment, pair.by_segment) for value in _tested(of)),
        )
        for each in found.questions
        if not isinstance(each.adjacent, Absent)
        for pair in each.adjacent
    ]
    return Sheet("adjacent", columns, rows)


def _tested(of: Any) -> tuple[Any, ...]:
    return (None, None, None) if of is None else (*_ends(of.interval), of.p_value)


def _agreement(found: JudgeResults) -> Sheet:
    columns = ("question", "coefficient", "first", "second", "items", "value", "low", "high")
    rows = [row for each in found.questions for row in _agreed(each.name, each.agreement)]
    if found.rankings is not None:
        rows += _agreed(_RANKINGS, found.rankings.agreement)
    if found.spans is not None:
        matched = found.spans.matched
        rows += [
            (None, name, None, None, matched.translations, *_numbers(estimate))
            for name, estimate in (("span F1", matched.f1), ("span F1, place", matched.f1_without_severity))
        ]
    return Sheet("agreement", columns, rows)


def _agreed(name: str, agreed: Agreement) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = [
        (name, f"alpha ({agreed.level})", None, None, agreed.items, *_numbers(agreed.alpha))
    ]
    if agreed.fleiss is not None:
        rows.append((name, "Fleiss' kappa", None, None, agreed.items, *_numbers(agreed.fleiss)))
    if agreed.cohen is not None:
        rows.append((name, "Cohen's kappa, mean", None, None, agreed.items, *_numbers(agreed.cohen.mean)))
        rows += [
            (
                *(name, "Cohen's kappa", agreed.judges[pair.first], agreed.judges[pair.second]),
                *(pair.units, *_numbers(pair.kappa)),
            )
            for pair in agreed.cohen.pairs
        ]
    for own in agreed.own:
        if own.repeats:
            rows += [
                (name, what, own.judge or None, None, own.repeats, *_numbers(estimate))
                for what, estimate in (
                    ("identical repeats", own.identical),
                    ("self-agreement alpha", own.alpha),
                )
            ]
    return rows


def _judges(found: JudgeResults) -> Sheet:
    columns = ("question", "judge", "answers", "mean", "sd", "effect", "low", "high")
    rows = []
    for each in found.questions:
        effects = {} if isinstance(each.effects, Absent) else {e.name: e.effect for e in each.effects.judges}
        rows += [
            (
                *(each.name, scale.judge, scale.answers, scale.mean, scale.deviation),
                *_numbers(effects.get(scale.judge)),
            )
            for scale in each.scales
        ]
    return Sheet("judges", columns, rows)


def _clusters(each: QuestionResults | RankingResults) -> dict[str, int]:
    return (
        {}
        if isinstance(each.clusters, Absent)
        else {one.system: one.cluster for one in each.clusters.systems}
    )


def _numbers(estimate: Estimate | None) -> tuple[Any, Any, Any]:
    return (None, None, None) if estimate is None else (estimate.value, *_ends(estimate.interval))


def _ends(interval: Any) -> tuple[Any, Any]:
    return (None, None) if interval is None else (interval.low, interval.high)
