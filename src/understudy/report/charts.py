"""The figures of a comparison: Vega-Lite charts, made with altair and drawn by vl-convert, without network access.

Pages contain them as SVG. SVG needs no script, prints well and follows the page's colors. Vega itself would add 0.9 MB
and seconds of bundling to every report, and would have to evaluate strings as code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from understudy.errors import MissingExtra
from understudy.report.figure import (
    MOST_COLORS,
    PALETTE,
    SHOWN,
    Figure,
    Row,
    apart,
    chart,
    color,
    count,
    counts,
    dots,
    interval_bars,
    line_height,
    names,
    spans,
)

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown, Bucket, Bucketing
    from understudy.comparing.results import Comparison, MetricComparison, SystemResult
    from understudy.studies.references_study import ReferencesStudy

MOST_BUCKETS = 20  # of more, the most telling are drawn


def check_installed() -> None:
    """Refuses to begin what could not be finished."""
    try:
        import altair  # noqa: F401
        import jinja2  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtra.of("reports and figures", "altair, vl-convert and jinja2", "report") from None


def figures(
    comparison: Comparison, breakdown: Breakdown | None = None, studies: Sequence[ReferencesStudy] = ()
) -> list[Figure]:
    """All figures that there is data for. A system has the same color in all of them."""
    order = [system.name for system in ranked(comparison.metrics[0])]
    found = []
    for name, metric in zip(names_of(comparison), comparison.metrics, strict=True):
        found.append(_intervals(name, metric))
        if any("precisions" in system.detail for system in metric.systems):
            found.append(_precisions(name, metric, order))
        if any(len(system.run_scores) > 1 for system in metric.systems):
            found.append(_runs(name, metric))
    found += bucket_figures(breakdown.bucketings if breakdown else [], order)
    for name, study in zip(apart([study.spec for study in studies]), studies, strict=True):
        found += [_rankings_kept(name, study), _fewer_references(name, study, order)]
    return found


def names_of(comparison: Comparison) -> list[str]:
    """A name for each metric that can be part of a file's name and of an address."""
    return apart([metric.spec for metric in comparison.metrics])


def ranked(metric: MetricComparison) -> list[SystemResult]:
    """The systems from best to worst where they are ranked, else as they were given."""
    if metric.clusters is None:
        return metric.systems
    by_name = {system.name: system for system in metric.systems}
    return [by_name[name] for cluster in metric.clusters for name in cluster]


# --- one function per figure -------------------------------------------------------------------------------


def _intervals(name: str, metric: MetricComparison) -> Figure:
    confidence = f"{metric.systems[0].interval.confidence:.0%}"
    rows = [
        {
            "system": system.name,
            "score": system.score,
            "low": system.interval.low,
            "high": system.interval.high,
            SHOWN: f"{system.name}: {system.score:.2f}, {system.interval.low:.2f} to {system.interval.high:.2f}",
        }
        for system in ranked(metric)
    ]

    def draw(rows: list[Row], width: int) -> Any:
        return interval_bars(rows, width, field="system", title=metric.label)

    caption = (
        f"Dot: score. Bar: {confidence} confidence interval. Bars of two systems may overlap although their paired "
        "difference is significant; see the pairs."
    )
    return Figure(
        f"{name}-intervals",
        name,
        f"{metric.label} with {confidence} confidence intervals",
        caption,
        rows,
        draw,
    )


def _precisions(name: str, metric: MetricComparison, order: Sequence[str]) -> Figure:
    by_name = {system.name: system for system in metric.systems}
    rows = [
        {
            "system": system,
            "n": f"{n}-grams",
            "precision": precision,
            SHOWN: f"{system}: {n}-gram precision {precision:.1f}%",
        }
        for system in order
        for n, precision in enumerate(by_name[system].detail.get("precisions", ()), start=1)
    ]
    caption = "Clipped n-gram precision: share of a system's n-grams that match a reference."

    def draw(rows: list[Row], width: int) -> Any:
        if count(rows, "system") > MOST_COLORS:
            return dots(rows, width, group="n", value="precision", title="modified precision (%)")
        import altair as alt

        return (
            chart(rows)
            .mark_bar()
            .encode(
                x=alt.X("n:N", title=None, sort=None, axis=alt.Axis(labelAngle=0, ticks=False)),
                xOffset=alt.XOffset("system:N", sort=None),
                y=alt.Y("precision:Q", title="modified precision (%)", scale=alt.Scale(domain=[0, 100])),
                color=color("system", rows, width),
                description=f"{SHOWN}:N",
            )
            .properties(height=230)
        )

    return Figure(
        f"{name}-precisions", name, f"{metric.label}: precision by n-gram order", caption, rows, draw
    )


def _runs(name: str, metric: MetricComparison) -> Figure:
    rows = [
        {"system": system.name, "run": run, "score": score, SHOWN: f"{system.name}, run {run}: {score:.2f}"}
        for system in ranked(metric)
        for run, score in enumerate(system.run_scores, start=1)
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        return (
            chart(rows)
            .mark_tick(color=PALETTE[0], thickness=3, size=18, opacity=0.9)
            .encode(
                y=names("system", width),
                x=alt.X("score:Q", title=metric.label, scale=alt.Scale(zero=False)),
                description=f"{SHOWN}:N",
            )
            .properties(height=line_height(count(rows, "system")))
        )

    caption = "Each mark is a training run."
    return Figure(f"{name}-runs", name, f"{metric.label} of each training run", caption, rows, draw)


def bucket_figures(bucketings: Sequence[Bucketing], order: Sequence[str]) -> list[Figure]:
    """A figure per bucketing, with the systems in this order."""
    named = apart([f"{bucketing.metric} by {bucketing.title}" for bucketing in bucketings])
    return [_buckets(name, bucketing, order) for name, bucketing in zip(named, bucketings, strict=True)]


def _buckets(name: str, bucketing: Bucketing, order: Sequence[str]) -> Figure:
    chosen = most_telling(bucketing)
    some = len(chosen) < len(bucketing.buckets)

    def draw(rows: list[Row], width: int) -> Any:
        buckets, systems = count(rows, "bucket"), count(rows, "system")
        if some or min(buckets, systems) > MOST_COLORS:
            return spans(rows, width, group="bucket", value="score", title=bucketing.metric)
        if systems > MOST_COLORS:
            return dots(rows, width, group="bucket", value="score", title=bucketing.metric)
        import altair as alt

        return (
            chart(rows)
            .mark_bar()
            .encode(
                y=names("bucket", width),
                yOffset=alt.YOffset("system:N", sort=None),
                x=alt.X("score:Q", title=bucketing.metric),
                color=color("system", rows, width, beside="bucket"),
                description=f"{SHOWN}:N",
            )
            .properties(height=max(80, buckets * (10 + 11 * systems)))
        )

    title = f"{bucketing.metric} by {bucketing.title}"
    caption = _bucket_caption(bucketing, chosen)
    rows = _bucket_rows(bucketing, bucketing.buckets, order)
    drawn = _bucket_rows(bucketing, chosen, order) if some else None
    return Figure(name, "buckets", title, caption, rows, draw, drawn)


def most_telling(bucketing: Bucketing) -> list[Bucket]:
    """All buckets, or of very many those that say most of how systems differ: by the largest difference between two
    systems, times the size of the bucket, so that tiny buckets with extreme scores do not lead.
    """
    if len(bucketing.buckets) <= MOST_BUCKETS:
        return bucketing.buckets

    def weight(bucket: Bucket) -> float:
        scores = [score for score in bucket.scores.values() if math.isfinite(score)]
        return (max(scores) - min(scores)) * bucket.segments if scores else 0.0

    return sorted(bucketing.buckets, key=weight, reverse=True)[:MOST_BUCKETS]


def _bucket_rows(bucketing: Bucketing, buckets: Sequence[Bucket], order: Sequence[str]) -> list[Row]:
    return [
        {
            "bucket": bucket.label,
            bucketing.unit: bucket.size(system),
            "system": system,
            "score": score,
            SHOWN: f"{system}, {bucket.label} ({bucket.size(system):,.0f} {bucketing.unit}): {score:.2f}",
        }
        for bucket in buckets
        for system in order
        if math.isfinite(score := bucket.scores.get(system, math.nan))
    ]


def _bucket_caption(bucketing: Bucketing, chosen: Sequence[Bucket]) -> str:
    if len(chosen) < len(bucketing.buckets):
        return (
            f"The {len(chosen)} of {len(bucketing.buckets):,} buckets with the largest difference between two systems, "
            f"weighted by the number of {bucketing.unit}. Each dot is a system."
        )
    sizes = ", ".join(f"{bucket.label}: {_sizes(bucket)}" for bucket in chosen)
    return f"{(bucketing.counted or bucketing.unit).capitalize()}: {sizes}."


def _sizes(bucket: Bucket) -> str:
    """Of all systems."""
    ends = [end(map(bucket.size, bucket.scores)) for end in (min, max)]
    return " to ".join(f"{size:,.0f}" for size in dict.fromkeys(ends))


def _rankings_kept(name: str, study: ReferencesStudy) -> Figure:
    rows = [
        {
            "references": step.references,
            "draws": step.draws,
            "same_ranking": 100 * step.same_ranking,
            "tau": step.tau,
            SHOWN: f"{step.references} of {len(study.steps)} references: the same ranking in "
            f"{step.same_ranking:.0%} of {step.draws} draws, Kendall's tau {step.tau:.2f}",
        }
        for step in study.steps
    ]

    def draw(rows: list[Row], width: int) -> Any:  # noqa: ARG001
        import altair as alt

        return (
            chart(rows)
            .mark_bar(color=PALETTE[0])
            .encode(
                x=counts("references"),
                y=alt.Y("same_ranking:Q", title="draws (%)", scale=alt.Scale(domain=[0, 100])),
                description=f"{SHOWN}:N",
            )
            .properties(height=150)
        )

    return Figure(
        f"{name}-rankings-by-references",
        "references",
        f"{study.metric}: share of draws with the ranking by all references",
        f"{study.steps[0].draws} random selections per number of references, drawn for each {study.unit}. Kendall's "
        f"tau with the ranking by all references: {', '.join(f'{step.tau:.2f}' for step in study.steps)}.",
        rows,
        draw,
    )


def _fewer_references(name: str, study: ReferencesStudy, order: Sequence[str]) -> Figure:
    rows = [
        {
            "references": step.references,
            "system": system,
            "score": step.scores[system],
            "deviation": step.deviations[system],
            SHOWN: f"{system}, {step.references} of {len(study.steps)} references: {step.scores[system]:.2f}, SD "
            f"{step.deviations[system]:.2f} over {step.draws} draws",
        }
        for system in order
        for step in study.steps
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        lines = (
            chart(rows)
            .mark_line(
                point=alt.OverlayMarkDef(filled=True, size=40, color=PALETTE[0]),
                strokeWidth=1.5,
                color=PALETTE[0],
            )
            .encode(
                x=counts("references"),
                y=alt.Y("score:Q", title=study.metric, scale=alt.Scale(zero=False)),
                detail="system:N",
                description=f"{SHOWN}:N",
            )
            .properties(height=230)
        )
        # More systems than colors are distinguished by pointing at them.
        return lines if count(rows, "system") > MOST_COLORS else lines.encode(color("system", rows, width))

    caption = "Each line is a system: mean over the draws. The ranking changes where lines cross."
    return Figure(
        f"{name}-by-references",
        "references",
        f"{study.metric} by number of references",
        caption,
        rows,
        draw,
    )


def files(drawn: Sequence[Figure]) -> Iterator[tuple[str, bytes]]:
    """Every figure as files for papers and slides: their names and what is in them."""
    for figure in drawn:
        yield f"{figure.name}.svg", figure.svg().encode()
        yield f"{figure.name}.png", figure.png()
        yield f"{figure.name}.csv", figure.csv().encode()
