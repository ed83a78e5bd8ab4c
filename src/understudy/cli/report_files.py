"""Files that several commands write in addition to their results: the report and its figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from understudy.cli.arguments import complete_file
from understudy.cli.output import check_output, write_file

if TYPE_CHECKING:
    from understudy.report.figure import Figure

report_option = click.option(
    "--report",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write a self-contained HTML report.",
)
figures_option = click.option(
    "--figures",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write the report's figures (SVG, PNG) and their data (CSV) to DIR.",
)


def check_targets(output: str | None, report: str | None, figures: str | None, inputs: Sequence[str]) -> None:
    """Rejects files that cannot be written, before anything is computed."""
    if report is not None and report == output:
        raise click.UsageError(f"--report and --output are both '{report}'. Use two different files.")
    for option, written in (("--output", output), ("--report", report)):
        if written is not None:
            check_output(written, inputs, option=option)
    if report or figures:
        from understudy.report.charts import check_installed

        check_installed()


def write_report_files(
    page: Callable[[], str],
    drawn: Callable[[], Sequence[Figure]],
    *,
    report: str | None,
    figures: str | None,
) -> None:
    """Writes the requested files only."""
    from understudy.corpus.files import written_whole
    from understudy.report.charts import files

    if report is not None:
        write_file(page(), report)
    if figures is not None:
        os.makedirs(figures, exist_ok=True)
        for name, content in files(drawn()):
            with written_whole(os.path.join(figures, name)) as file:
                file.write(content)
