"""`understudy track check`: a check for releases and pipelines."""

from __future__ import annotations

import functools
import os
from typing import Any

import click

from understudy.cli import options, track_options
from understudy.cli.arguments import FileArgument, as_files, complete_file
from understudy.cli.number_types import Number
from understudy.cli.output import check_output


@click.command()
@click.argument("run", metavar="[RUN | SYSTEM]", required=False, shell_complete=complete_file)
@options.references_for(
    "Reference translation of SYSTEM, which is then checked without being added. Repeatable."
)
@click.option(
    "--baseline",
    metavar="last|best|NAME",
    default="last",
    show_default=True,
    help="last: the run before; best: the run with the best score before, by each metric; or the name of a run.",
)
@track_options.known_metrics
@click.option(
    "--margin",
    metavar="X",
    type=Number(0),
    default=0.0,
    show_default=True,
    help="Loss that is accepted even if it is significant, in units of the metric.",
)
@track_options.test_set
@track_options.tags
@track_options.source
@track_options.labels
@track_options.across_versions
@track_options.plan_options
@options.format
@options.digits(2)
@options.output
@options.threads
@track_options.track_file
@click.pass_context
def check(
    ctx: click.Context,
    *,
    run: str | None,
    references: tuple[str, ...],
    baseline: str,
    metrics: tuple[str, ...],
    margin: float,
    test_set: str | None,
    tags: tuple[str, ...],
    source: str | None,
    labels: str | None,
    across_versions: bool,
    plan: dict[str, Any],
    format: str,
    digits: int,
    output: str | None,
    threads: int | None,
    track: str,
) -> None:
    """Exit with code 1 if a run is significantly worse than its baseline by any metric, otherwise with code 0.

    RUN is a run of the track (default: the latest). With -r, it is a SYSTEM file, which is checked without being added.
    p-values are corrected for the number of metrics and, with --baseline best, for the number of runs that the best was
    selected from.

    \b
    Examples:
      understudy track check --baseline best
      understudy track check run-7 --baseline run-3 -m chrf --margin 0.2
      understudy track check out.txt -r ref.txt --baseline last && understudy track add run-8 out.txt -r ref.txt
    """
    is_system = bool(references)
    if is_system and run is None:
        raise click.UsageError("-r needs a SYSTEM to check.")
    options.refuse_idle(["source", "labels", "threads"], unless=is_system, cure="give a SYSTEM with -r")
    if output is not None:
        check_output(output, [track, *references])

    from understudy import Track
    from understudy.report.track_sheets import check_sheets
    from understudy.report.track_tables import render_check

    found = Track(track).check(
        os.path.basename(run) if run is not None and is_system else run,
        FileArgument(run) if run is not None and is_system else None,
        as_files(references) or None,
        baseline=baseline,
        metrics=metrics,
        margin=margin,
        test_set=test_set,
        tags=tags,
        across_versions=across_versions,
        source=None if source is None else FileArgument(source),
        documents=None if labels is None else FileArgument(labels),
        threads=threads,
        **plan,
    )
    options.deliver(
        functools.partial(render_check, found),
        output,
        sheets=lambda: check_sheets(found),
        format=format,
        digits=digits,
    )
    if not found.passed:
        ctx.exit(1)
