"""Figures of `probe`: permutations by length, noticed variants, responses by strength, blind spots and searches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from understudy.report.figure import (
    INK,
    MOST_COLORS,
    PALETTE,
    SHOWN,
    Figure,
    Row,
    apart,
    chart,
    color,
    count,
    line_height,
    names,
)
from understudy.report.probe_response_tables import ranked_errors
from understudy.report.probe_wording import (
    metric_labels,
    percent,
    shown_permutations,
    signed,
    strength_in_words,
)

if TYPE_CHECKING:
    from understudy.metrics.base.score import Interval
    from understudy.probing.permutations.bounds import PermutationBounds
    from understudy.probing.perturbations.results import PerturbationFacts, Perturbations
    from understudy.probing.plan import ProbePlan
    from understudy.probing.results import Probe
    from understudy.probing.variants.results import Variants

DRAWN = 6  # metrics with figures of their own
_CHANCE = 0.5
_HARMLESS = "harmless changes"  # title of the figure of all their groups


def probe_figures(found: Probe) -> list[Figure]:
    """All figures for which there are data."""
    drawn: list[Figure] = []
    if found.permutations is not None:
        drawn.append(_permutations(found.permutations))
    if found.variants is not None and found.variants.count:
        drawn.append(_noticed(found, found.variants))
    if found.perturbations is not None:
        drawn += _of_perturbations(found, found.perturbations)
    if found.search is not None:
        drawn += _paths(found)
    return [figure for figure in drawn if figure.rows]


# --- permutations and variants -----------------------------------------------------------------------------


def _permutations(bounds: PermutationBounds) -> Figure:
    rows = [
        {
            "segment": bound.segment + 1,
            "tokens": bound.length,
            "bigram_matches": bound.matches,
            "log10_permutations": bound.log10,
            SHOWN: f"segment {bound.segment + 1}: {bound.length} tokens, {shown_permutations(bound)} permutations",
        }
        for bound in bounds.segments
    ]

    def draw(rows: list[Row], width: int) -> Any:  # noqa: ARG001
        import altair as alt

        return (
            chart(rows)
            .mark_point(filled=True, size=36, opacity=0.55, color=PALETTE[0])
            .encode(
                x=alt.X("tokens:Q", title="length of the hypothesis in tokens"),
                y=alt.Y(
                    "log10_permutations:Q",
                    title="permutations (log scale)",
                    axis=alt.Axis(labelExpr="'10^' + datum.label", tickMinStep=1),
                ),
                description=f"{SHOWN}:N",
            )
            .properties(height=280)
        )

    return Figure(
        "permutations",
        "permutations",
        "Permutations by length",
        "Each dot is a segment. Permutations of its blocks that do not lower BLEU: (k - b)!, as in figure 1 of "
        "Callison-Burch et al. (2006).",
        rows,
        draw,
    )


def _noticed(found: Probe, variants: Variants) -> Figure:
    labels = metric_labels(found.metrics)
    rows = []
    for notice in variants.notices:
        if notice.variants:
            low, high = _ends(notice.interval, notice.scored_lower)
            rows.append(
                {
                    "construction": notice.construction,
                    "metric": labels[notice.metric],
                    "worse": 100 * notice.scored_lower,
                    "low": 100 * low,
                    "high": 100 * high,
                    "variants": notice.variants,
                    SHOWN: f"{labels[notice.metric]} scores {percent(notice.scored_lower)} of "
                    f"{notice.variants:,} variants ({notice.construction}) worse",
                }
            )

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        metrics = count(rows, "metric")
        base = chart(rows).encode(
            y=names("construction", width),
            yOffset=alt.YOffset("metric:N", sort=None),
            description=f"{SHOWN}:N",
        )
        x = alt.X("worse:Q", title="variants scored worse (%)", scale=alt.Scale(domain=[0, 100]))
        if metrics > MOST_COLORS:
            return base.mark_bar(color=PALETTE[0]).encode(x=x).properties(height=30 + 3 * 12 * metrics)
        bars = base.mark_bar().encode(x=x, color=color("metric", rows, width, beside="construction"))
        ends = base.mark_rule(color=INK, opacity=0.6, aria=False).encode(x="low:Q", x2="high:Q")
        return (bars + ends).properties(height=max(120, count(rows, "construction") * (14 + 14 * metrics)))

    return Figure(
        "variants-scored-worse",
        "variants",
        f"Variants with the same {labels[0]} or better, by metric",
        f"Share of the variants that each metric scores worse than the hypothesis. {labels[0]} scores none of them "
        f"worse. Line: {found.plan.confidence:.0%} confidence interval.",
        rows,
        draw,
    )


# --- perturbations -----------------------------------------------------------------------------------------


def _of_perturbations(found: Probe, perturbations: Perturbations) -> Iterator[Figure]:
    labels = metric_labels(found.metrics)[:DRAWN]
    graded: dict[str, list[PerturbationFacts]] = {}
    for facts in perturbations.facts:
        if facts.graded:
            graded.setdefault(_HARMLESS if facts.harmless else facts.group, []).append(facts)
    for metric, name in enumerate(apart(labels)):
        yield _blind_spots(name, labels[metric], metric, perturbations, found.plan)
        for title, key in zip(graded, apart(list(graded)), strict=True):
            figure = f"{name}-{key}-responses", f"{labels[metric]}: responses by strength ({title})"
            curves = _curves(figure, labels[metric], metric, perturbations, graded[title])
            if any(row["difference"] for row in curves.rows):
                yield curves


def _blind_spots(name: str, label: str, metric: int, perturbations: Perturbations, plan: ProbePlan) -> Figure:
    """What the verdicts are based on: shares of segments, or differences of corpus scores."""
    of_corpus = plan.level == "corpus"
    value, scale = ("difference", 1) if of_corpus else ("share", 100)
    spots = {
        (spot.perturbation, spot.strength): spot
        for spot in perturbations.blind_spots
        if spot.metric == metric
    }
    rows = []
    for error in ranked_errors(perturbations):
        if (spot := spots.get(error)) is None:
            continue
        shown = f"{spot.perturbation} {strength_in_words(spot.strength)}".rstrip()
        cost = spot.excess if of_corpus else spot.below_harmless
        low, high = _ends(cost.interval, cost.value)
        costs = (
            f"costs {signed(cost.value, 2)} more than harmless changes"
            if of_corpus
            else f"costs more than harmless changes in {percent(cost.value)} of {spot.segments:,} segments"
        )
        rows.append(
            {
                "error": shown,
                value: scale * cost.value,
                "low": scale * low,
                "high": scale * high,
                "verdict": spot.verdict,
                "segments": spot.segments,
                SHOWN: f"{shown}: {costs} ({spot.verdict})",
            }
        )

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(y=names("error", width), description=f"{SHOWN}:N")
        x = alt.X(
            "low:Q",
            title=f"{label} that the error costs more"
            if of_corpus
            else "segments in which the error costs more (%)",
            scale=alt.Scale() if of_corpus else alt.Scale(domain=[0, 100]),
        )
        chance = (
            chart([{"chance": 0 if of_corpus else 100 * _CHANCE}])
            .mark_rule(color=INK, opacity=0.5, aria=False)
            .encode(x="chance:Q")
        )
        bars = base.mark_rule(strokeWidth=5, opacity=0.45, strokeCap="round").encode(
            x=x, x2="high:Q", color=_verdicts(rows, width)
        )
        points = base.mark_point(filled=True, size=60, opacity=1).encode(
            x=f"{value}:Q", color=_verdicts(rows, width)
        )
        return (chance + bars + points).properties(height=line_height(len(rows)))

    return Figure(
        f"{name}-blind-spots",
        "blind-spots",
        f"{label}: errors compared with harmless changes",
        (
            "Dot: how much more the error costs than harmless changes, in points of the corpus score. Bar: "
            f"{plan.confidence:.0%} confidence interval. 0: no difference."
            if of_corpus
            else "Dot: share of segments in which the error costs more than harmless changes of the same segment. "
            f"Bar: {plan.confidence:.0%} confidence interval. 50%: no difference."
        ),
        rows,
        draw,
    )


def _verdicts(rows: Sequence[Row], width: int) -> Any:
    """Blind, undecided and sensitive, in the same colors in all figures."""
    return color(
        "verdict",
        rows,
        width,
        colors=(PALETTE[3], PALETTE[7], PALETTE[2]),
        values=("blind", "undecided", "sensitive"),
        beside="error",
    )


def _curves(
    figure: tuple[str, str],
    label: str,
    metric: int,
    perturbations: Perturbations,
    graded: Sequence[PerturbationFacts],
) -> Figure:
    """A figure of this name and title."""
    rows: list[Row] = []
    falls: dict[str, float] = {}
    for facts in graded:
        curve = perturbations.curve(facts.name, metric)
        falls[facts.name] = max((abs(each.difference.value) for each in curve), default=0.0)
        for each in curve:
            if math.isfinite(each.difference.value):
                low, high = _ends(each.difference.interval, each.difference.value)
                rows.append(
                    {
                        "perturbation": facts.name,
                        "strength": 100 * (each.strength or 0.0),
                        "difference": each.difference.value,
                        "low": low,
                        "high": high,
                        "segments": each.changed,
                        SHOWN: f"{facts.name} {strength_in_words(each.strength)}: {signed(each.difference.value, 2)} "
                        f"{label} in {each.changed:,} segments",
                    }
                )
    # The colors are for those that a metric notices least.
    least = sorted(falls, key=falls.__getitem__)[:MOST_COLORS]
    drawn = None if len(falls) <= MOST_COLORS else [row for row in rows if row["perturbation"] in least]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(
            x=alt.X("strength:Q", title="strength (%)", scale=alt.Scale(domainMin=0)),
            color=color("perturbation", rows, width),
        )
        y = alt.Y("difference:Q", title=f"difference in {label}")
        bands = base.mark_area(opacity=0.12, aria=False).encode(y=alt.Y("low:Q", title=""), y2="high:Q")
        lines = base.mark_line(strokeWidth=1.5, point=alt.OverlayMarkDef(filled=True, size=40)).encode(
            y=y, description=f"{SHOWN}:N"
        )
        return (bands + lines).properties(height=230)

    name, title = figure
    some = (
        "" if drawn is None else f" The {len(least)} of {len(falls)} with the smallest differences are drawn."
    )
    return Figure(
        name,
        "responses",
        title,
        f"Changed minus original, with confidence intervals; strength: share of what can be changed.{some}",
        rows,
        draw,
        drawn,
    )


# --- search ------------------------------------------------------------------------------------------------


def _paths(found: Probe) -> Iterator[Figure]:
    assert found.search is not None
    labels = metric_labels(found.metrics)[:DRAWN]
    for metric, name in enumerate(apart(labels)):
        rows: list[Row] = []
        for each in found.search.searches:
            if each.metric != metric:
                continue
            search = f"{each.goal}, segment {each.segment + 1}"
            scores = [each.start_score, *(step.score for step in each.steps)]
            edits = [each.start_name, *(step.edit for step in each.steps)]
            rows += [
                {
                    "search": search,
                    "step": place,
                    "score": score,
                    "edit": edit,
                    SHOWN: f"{search}, step {place}: {score:.2f} ({edit})",
                }
                for place, (score, edit) in enumerate(zip(scores, edits, strict=True))
                if math.isfinite(score)
            ]
        yield _path_figure(f"{name}-search", labels[metric], rows)


def _path_figure(name: str, label: str, rows: list[Row]) -> Figure:
    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        lines = (
            chart(rows)
            .mark_line(strokeWidth=1.5, point=alt.OverlayMarkDef(filled=True, size=30))
            .encode(
                x=alt.X("step:Q", title="edits", axis=alt.Axis(tickMinStep=1)),
                y=alt.Y("score:Q", title=label, scale=alt.Scale(zero=False)),
                detail="search:N",
                description=f"{SHOWN}:N",
            )
            .properties(height=230)
        )
        several = count(rows, "search") > MOST_COLORS
        return lines if several else lines.encode(color=color("search", rows, width))

    caption = "Each line is a search: the score after every accepted edit, from the text it began with."
    return Figure(name, "search", f"{label}: search paths", caption, rows, draw)


def _ends(interval: Interval | None, value: float) -> tuple[float, float]:
    return (value, value) if interval is None else (interval.low, interval.high)
