"""Results of judgments as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.judging.estimates import Absent, Estimate
from understudy.judging.methods_paragraph import CORRECTIONS, TESTS
from understudy.report import judge_details, latex, markdown
from understudy.report.agreement_details import NO_VALUE, interval_in_words
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, arrow, printable, shown_p
from understudy.report.judge_sheets import as_data, as_sheets
from understudy.report.render_grid import drawn

if TYPE_CHECKING:
    from understudy.judging.analysis.further_judgments import FurtherJudgments
    from understudy.judging.analysis.rank_clusters import RankClusters
    from understudy.judging.results import Agreement, JudgeResults, QuestionResults, RankingResults

_DIGITS = 2
_MORE_DIGITS = 3  # of coefficients, shares and strengths
_MOST_OPEN_PAIRS = 10  # shown unless all details are

Named = list[tuple[str, Grid]]


def render(
    found: JudgeResults,
    format: str = "table",
    *,
    digits: int = _DIGITS,
    details: bool = False,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`. `details` adds all pairs, judges and disputed items."""
    if format in DATA_FORMATS:
        return data_text(found, format, as_data, as_sheets)
    comment = "% " if format == "latex" else ""
    first = headline(found)
    parts = [markdown.escaped(first) if format == "markdown" else f"{comment}{first}"]
    for title, grid in as_grids(found, digits, details=details):
        (table,) = drawn([grid], format, width=width, styled=styled)
        parts += [f"**{markdown.escaped(title)}**" if format == "markdown" else f"{comment}{title}", table]
    if format in ("latex", "markdown"):
        escaped = latex.escaped if format == "latex" else markdown.escaped
        parts.append(escaped(printable(found.methods)))
    return "\n\n".join([*parts, *_notes(found, comment)])


def headline(found: JudgeResults) -> str:
    """The number of systems, segments and judges."""
    of_group = f" of group '{found.plan.group}'" if found.plan.group else ""
    protocol = "" if found.protocol == found.name else f" ({found.protocol})"
    return printable(
        f"Judgments: {found.name}{protocol}. {_count(len(found.systems), 'system')}, "
        f"{_count(found.segments, 'segment')}, {_count(len(found.judges), 'judge')}{of_group}."
    )


def as_grids(found: JudgeResults, digits: int = _DIGITS, *, details: bool = False) -> Named:
    """The tables of all questions, of rankings, of error spans and of controls, with their titles."""
    named: Named = []
    for each in found.questions:
        of_question = _of_question(found, each, digits, details=details)
        named += [(f"{printable(each.name)}: {title}", grid) for title, grid in of_question]
    if found.rankings is not None:
        named += _of_rankings(found, found.rankings, details=details)
    named += judge_details.span_grids(found, digits)
    if found.controls:
        named.append(("controls", judge_details.controls_grid(found, details=details)))
    return named


# --- ratings -------------------------------------------------------------------------------------------------


def _of_question(found: JudgeResults, each: QuestionResults, digits: int, *, details: bool) -> Named:
    named = [("systems", _systems(found, each, digits))]
    if not isinstance(each.adjacent, Absent):
        named.append(("adjacent systems", _adjacent(found, each, digits)))
    named.append(("agreement", _agreement(found, each.agreement)))
    named += _pairs(each, digits, details=details)
    if details:
        named += judge_details.detail_grids(found, each, digits)
    return named


def _systems(found: JudgeResults, each: QuestionResults, digits: int) -> Grid:
    clusters = {} if isinstance(each.clusters, Absent) else {s.system: s for s in each.clusters.systems}
    adjusted = {} if isinstance(each.effects, Absent) else {e.name: e for e in each.effects.systems}
    level = 0.0 if isinstance(each.effects, Absent) else each.effects.level
    z_of = {mean.system: mean.mean for mean in each.z_means}
    place = {name: number for number, name in enumerate(clusters)}
    # The order is that of the statistic which is tested.
    means = sorted(each.means, key=lambda mean: place.get(mean.system, len(place)))
    names = [mean.system for mean in means]
    better = arrow(each.question.higher_is_better, None)
    columns = []
    if clusters:
        numbers = [str(clusters[name].cluster) if name in clusters else NO_VALUE for name in names]
        columns.append(GridColumn(("cluster",), numbers))
    columns += [
        GridColumn(("system",), [printable(name) for name in names], numeric=False),
        GridColumn(("judgments",), [f"{mean.judgments:,}" for mean in means]),
        GridColumn(("segments",), [f"{mean.segments:,}" for mean in means]),
        GridColumn((f"mean {better}",), [_shown(mean.mean, digits) for mean in means]),
        GridColumn((f"z {better}",), [_shown(z_of[name], digits, interval=False) for name in names]),
    ]
    if adjusted:
        columns.append(
            GridColumn(
                (f"adjusted {better}",),
                [
                    _shown(adjusted[name].effect.plus(level), digits) if name in adjusted else NO_VALUE
                    for name in names
                ],
            )
        )
    return Grid(columns, _system_notes(found, each))


def _system_notes(found: JudgeResults, each: QuestionResults) -> list[str]:
    over = "documents" if found.by_document else "segments"
    notes = [
        f"mean: over segments, of the mean over judges. In parentheses: {found.plan.confidence:.0%} CI, Student's t "
        f"over {over}.",
        "z: mean of scores standardized per judge.",
    ]
    if left_out := [scale.judge for scale in each.scales if scale.deviation is None]:
        notes[-1] += (
            f" Without {_count(len(left_out), 'judge')} who gave one answer only, or the same answer always: "
            f"{_some(left_out)}."
        )
    if isinstance(each.effects, Absent):
        if len(each.means) > 1:
            notes.append(f"No adjusted means: {each.effects.reason}.")
    else:
        notes.append(
            "adjusted: mean in a linear model with effects of judges and segments; CI clustered by segment."
        )
    if isinstance(each.clusters, Absent):
        notes.append(f"No significance clusters: {each.clusters.reason}.")
    else:
        notes.append(_cluster_note(each.clusters))
    return notes


def _cluster_note(clusters: RankClusters) -> str:
    return (
        f"Clusters, by the {clusters.statistic} on {_count(clusters.units, 'segment')}: {TESTS[clusters.test]}; "
        f"{CORRECTIONS[clusters.correction]} p-values (alpha = {clusters.significance:g})."
    )


def _adjacent(found: JudgeResults, each: QuestionResults, digits: int) -> Grid:
    assert not isinstance(each.adjacent, Absent)
    pairs = each.adjacent
    confidence = f"{found.plan.confidence:.0%}"
    reasons = sorted({pair.reason for pair in pairs if pair.reason})
    return Grid(
        [
            GridColumn(("lower rank",), [printable(pair.worse) for pair in pairs], numeric=False),
            GridColumn(("higher rank",), [printable(pair.better) for pair in pairs], numeric=False),
            GridColumn(
                ("difference",),
                [NO_VALUE if pair.difference is None else f"{pair.difference:+.{digits}f}" for pair in pairs],
            ),
            *(
                GridColumn(
                    (f"{confidence} CI", header),
                    [_bounds(None if of is None else of.interval, digits) for of in intervals],
                )
                for header, intervals in (
                    ("by judge and segment", [pair.by_judge_and_segment for pair in pairs]),
                    ("by segment", [pair.by_segment for pair in pairs]),
                )
            ),
            GridColumn(
                ("p,", "by segment"),
                [NO_VALUE if pair.by_segment is None else shown_p(pair.by_segment.p_value) for pair in pairs],
            ),
            GridColumn(("n",), [f"{pair.differences:,}" for pair in pairs]),
        ],
        [
            "Neighbors in the ranking above, compared within judge and segment, as in Papineni et al. (2001); t "
            "intervals of the n differences. By segment: differences on one segment are not taken to be independent. "
            "p-values are not corrected.",
            *(f"No value: {reason}." for reason in reasons),
        ],
    )


def _pairs(each: QuestionResults | RankingResults, digits: int, *, details: bool) -> Named:
    """All pairs, or those that do not differ significantly, those first that need the fewest judgments."""
    if isinstance(each.clusters, Absent):
        return []
    further = {(pair.better, pair.worse): pair for pair in each.further}
    chosen = [pair for pair in each.clusters.pairs if details or not pair.significant]
    if not details:
        chosen.sort(key=lambda pair: _needed(further[pair.better, pair.worse]))
    if not chosen:
        return []
    left_out = 0 if details else max(0, len(chosen) - _MOST_OPEN_PAIRS)
    chosen = chosen if details else chosen[:_MOST_OPEN_PAIRS]
    of_pairs = [further.get((pair.better, pair.worse)) for pair in chosen]
    clusters = each.clusters
    notes = [
        f"In parentheses: {1 - clusters.significance:.0%} CI, not corrected. p: {CORRECTIONS[clusters.correction]}.",
        "more: judgments of these two systems until a difference of this size would be significant with a probability "
        "of 80%.",
    ]
    if left_out:
        notes.append(f"{_count(left_out, 'further pair')} not shown. Use --details to show all pairs.")
    title = "pairs" if details else "pairs that do not differ significantly"
    return [
        (
            title,
            Grid(
                [
                    GridColumn(("better",), [printable(pair.better) for pair in chosen], numeric=False),
                    GridColumn(("worse",), [printable(pair.worse) for pair in chosen], numeric=False),
                    GridColumn(
                        ("difference",),
                        [
                            f"{pair.difference:+.{digits}f}{interval_in_words(pair.interval, digits)}"
                            for pair in chosen
                        ],
                    ),
                    GridColumn(("p",), [shown_p(pair.corrected, pair.at_most) for pair in chosen]),
                    GridColumn(("more",), [_more(pair) for pair in of_pairs]),
                ],
                notes,
            ),
        )
    ]


def _needed(pair: FurtherJudgments) -> float:
    return float("inf") if pair.more_judgments is None else pair.more_judgments


def _more(pair: FurtherJudgments | None) -> str:
    if pair is None:
        return ""
    return (pair.reason or NO_VALUE) if pair.more_judgments is None else f"{pair.more_judgments:,}"


# --- agreement -----------------------------------------------------------------------------------------------


def _agreement(found: JudgeResults, agreed: Agreement) -> Grid:
    rows: list[tuple[str, int, Estimate]] = [
        (f"Krippendorff's alpha ({agreed.level})", agreed.items, agreed.alpha)
    ]
    if agreed.fleiss is not None:
        rows.append(("Fleiss' kappa", agreed.items, agreed.fleiss))
    if agreed.cohen is not None:
        rows.append(("Cohen's kappa, mean of pairs of judges", agreed.items, agreed.cohen.mean))
    repeats = agreed.repeats
    if repeats.repeats:
        rows += [
            ("self-agreement: identical repeats", repeats.repeats, repeats.identical),
            (f"self-agreement: Krippendorff's alpha ({agreed.level})", repeats.repeats, repeats.alpha),
        ]
    reasons = sorted({estimate.reason or estimate.no_interval or "" for *_, estimate in rows} - {""})
    return Grid(
        [
            GridColumn(("coefficient",), [name for name, *_ in rows], numeric=False),
            GridColumn(("items",), [f"{items:,}" for _, items, _ in rows]),
            GridColumn(("value",), [_shown(estimate, _MORE_DIGITS) for *_, estimate in rows]),
        ],
        [
            f"In parentheses: {found.plan.confidence:.0%} CI, {found.plan.samples:,} bootstrap resamples of segments.",
            *(f"No value or no interval: {reason}." for reason in reasons),
        ],
    )


# --- rankings ------------------------------------------------------------------------------------------------


def _of_rankings(found: JudgeResults, each: RankingResults, *, details: bool) -> Named:
    named = [("rankings: systems", _ranked_systems(found, each))]
    named.append(("rankings: agreement on pairs", _agreement(found, each.agreement)))
    named += [(f"rankings: {title}", grid) for title, grid in _pairs(each, _MORE_DIGITS, details=details)]
    return named


def _ranked_systems(found: JudgeResults, each: RankingResults) -> Grid:
    clusters = {} if isinstance(each.clusters, Absent) else {s.system: s for s in each.clusters.systems}
    strengths = (
        {} if isinstance(each.strengths, Absent) else {s.system: s.strength for s in each.strengths.systems}
    )
    place = {name: number for number, name in enumerate(clusters)}
    rates = sorted(each.win_rates, key=lambda rate: place.get(rate.system, len(place)))
    columns = []
    if clusters:
        numbers = [str(clusters[r.system].cluster) if r.system in clusters else NO_VALUE for r in rates]
        columns.append(GridColumn(("cluster",), numbers))
    columns += [
        GridColumn(("system",), [printable(rate.system) for rate in rates], numeric=False),
        GridColumn(("wins",), [f"{rate.wins:,}" for rate in rates]),
        GridColumn(("losses",), [f"{rate.losses:,}" for rate in rates]),
        GridColumn(("ties",), [f"{rate.ties:,}" for rate in rates]),
        GridColumn(("win rate ↑",), [_shown(rate.better, _MORE_DIGITS) for rate in rates]),
    ]
    if strengths:
        cells = [
            _shown(strengths[r.system], _MORE_DIGITS) if r.system in strengths else NO_VALUE for r in rates
        ]
        columns.append(GridColumn(("strength ↑",), cells))
    notes = [
        f"{_count(each.rankings, 'ranking')}, {_count(each.comparisons, 'pairwise comparison')}. win rate: wins / "
        "(wins + losses).",
        f"In parentheses: {found.plan.confidence:.0%} CI, bootstrap resamples of segments.",
    ]
    if isinstance(each.strengths, Absent):
        notes.append(f"No Bradley-Terry strengths: {each.strengths.reason}.")
    else:
        notes.append("strength: natural logarithm of the Bradley-Terry strength, with ties (Davidson 1970).")
    if isinstance(each.clusters, Absent):
        notes.append(f"No significance clusters: {each.clusters.reason}.")
    else:
        notes.append(_cluster_note(each.clusters))
    return Grid(columns, notes)


# --- cells ---------------------------------------------------------------------------------------------------


def _shown(estimate: Estimate, digits: int, *, interval: bool = True) -> str:
    if estimate.value is None:
        return NO_VALUE
    words = interval_in_words(estimate.interval, digits) if interval else ""
    return f"{estimate.value:.{digits}f}{words}"


def _bounds(interval: object, digits: int) -> str:
    return NO_VALUE if interval is None else interval_in_words(interval, digits).strip(" ()")  # type: ignore[arg-type]


def _some(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 5 else f"{', '.join(names[:5])} and {len(names) - 5} others"


def _notes(found: JudgeResults, comment: str) -> list[str]:
    lines = [printable(note) for note in found.notes]
    if len(found.groups) > 1 and found.plan.group is None:
        lines.append(f"Groups of judges: {', '.join(map(printable, found.groups))}. Select one with --group.")
    return ["\n".join(comment + line for line in lines)] if lines else []


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
