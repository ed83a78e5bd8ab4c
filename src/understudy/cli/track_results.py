"""`understudy track show`, `report` and `compare`: the history of a track, and comparisons of its runs."""

from __future__ import annotations

import functools
from typing import Any

import click

from understudy.cli import options, say, track_options
from understudy.cli.arguments import complete_file
from understudy.cli.report_files import check_targets, figures_option, report_option


@click.command()
@track_options.history_options
@options.format
@options.digits(2)
@options.output
@report_option
@figures_option
@track_options.track_file
def show(
    *,
    asked: dict[str, Any],
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    track: str,
) -> None:
    """Show every metric over time: scores with confidence intervals, and changes with p-values.

    Each run is tested against the run before it, and against the best run before it. p-values are corrected for the
    number of runs. Runs with other references or another signature are in separate tables.
    """
    check_targets(output, report, figures, [track])

    from understudy import Track
    from understudy.report.track_sheets import history_sheets
    from understudy.report.track_tables import render_history

    found = Track(track).show(**asked)
    if report is not None:
        found.report(report, digits=digits)
    if figures is not None:
        found.figures(figures)
    options.deliver(
        functools.partial(render_history, found),
        output,
        sheets=lambda: history_sheets(found),
        format=format,
        digits=digits,
    )


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@track_options.history_options
@click.option(
    "--title", metavar="TEXT", help="Title of the page (default: the number and the dates of the runs)."
)
@options.digits(2)
@figures_option
@track_options.track_file
def report(
    *,
    file: str,
    asked: dict[str, Any],
    title: str | None,
    digits: int,
    figures: str | None,
    track: str,
) -> None:
    """Write the history to FILE, a self-contained HTML page: all metrics over time, changes, notes and signatures.

    For Markdown, LaTeX, JSON, TSV, CSV and XLSX, use understudy track show --format.
    """
    check_targets(None, file, figures, [track])

    from understudy import Track

    found = Track(track).show(**asked)
    found.report(file, digits=digits, title=title)
    if figures is not None:
        found.figures(figures)
    say(f"wrote {file}.")


@click.command()
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True)
@track_options.known_metrics
@click.option("--baseline", metavar="NAME", help="Baseline run (default: the first).")
@click.option("--all-pairs", is_flag=True, help="Compare all pairs and rank runs in significance clusters.")
@click.option("--test-set", metavar="NAME", help="Test set, if several have these runs.")
@track_options.across_versions
@track_options.plan_options
@options.format
@options.digits(2)
@options.output
@report_option
@click.option("--pairs", is_flag=True, help="Show all pairs below the table.")
@track_options.track_file
def compare(
    *,
    runs: tuple[str, ...],
    metrics: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    test_set: str | None,
    across_versions: bool,
    plan: dict[str, Any],
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    pairs: bool,
    track: str,
) -> None:
    """Compare RUNs by their stored counts, with the digits of `understudy compare` on their files."""
    check_targets(output, report, None, [track])

    from understudy import Track
    from understudy.report.comparison_sheets import as_sheets
    from understudy.report.comparisons import render

    found = Track(track).compare(
        runs,
        metrics=metrics,
        test_set=test_set,
        across_versions=across_versions,
        baseline=baseline,
        all_pairs=all_pairs,
        **plan,
    )
    if report is not None:
        found.report(report, digits=digits)
    options.deliver(
        functools.partial(render, found, pairs=pairs),
        output,
        sheets=lambda: as_sheets(found),
        format=format,
        digits=digits,
    )
