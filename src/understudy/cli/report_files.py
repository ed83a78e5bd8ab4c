"""Files that several commands write in addition to their results: the report and its figures."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from understudy.cli.arguments import complete_file
from understudy.cli.output import check_output, write_file
from understudy.corpus.files import is_device

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


def check_targets(
    output: str | None,
    report: str | None,
    figures: str | None,
    inputs: Sequence[str],
    **others: str | None,
) -> None:
    """Rejects files that cannot be written, or that replace each other, before anything is computed. `others` are files
    that only one command writes, by the name of their option.
    """
    written = {
        "--report": report,
        "--output": output,
        **{f"--{name.replace('_', '-')}": path for name, path in others.items()},
    }
    files = {option: path for option, path in written.items() if path is not None}
    for (one, path), (other, second) in itertools.combinations(files.items(), 2):
        if not is_device(path) and os.path.realpath(path) == os.path.realpath(second):
            raise click.UsageError(f"{one} and {other} are both '{path}'. Use two different files.")
    for option, path in files.items():
        check_output(path, inputs, option=option)
        if figures is not None:
            _refuse_among_figures(option, path, figures)
    if report or figures:
        from understudy.report.charts import check_installed

        check_installed()


def _refuse_among_figures(option: str, path: str, figures: str) -> None:
    """Rejects a file where the folder of figures, or one of its files, would be."""
    file, folder = os.path.realpath(path), os.path.realpath(figures)
    if file == folder:
        raise click.UsageError(
            f"{option} and --figures are both '{path}'. Use a file and a different folder."
        )
    if folder.startswith(os.path.join(file, "")):
        raise click.UsageError(
            f"--figures '{figures}' is inside {option} '{path}', which is a file. Use another folder."
        )
    if os.path.dirname(file) == folder and file.lower().endswith(_FIGURE_FILES):
        raise click.UsageError(
            f"{option} '{path}' is in the folder of --figures, which writes such files itself. Use another folder."
        )


_FIGURE_FILES = (".svg", ".png", ".csv")


def write_report_files(
    page: Callable[[], str],
    drawn: Callable[[], Sequence[Figure]],
    *,
    report: str | None,
    figures: str | None,
) -> None:
    """Writes the requested files only."""
    from understudy.corpus.files import made_folder, written_whole
    from understudy.report.charts import files

    if report is not None:
        write_file(page(), report)
    if figures is not None:
        made_folder(figures)
        for name, content in files(drawn()):
            with written_whole(os.path.join(figures, name)) as file:
                file.write(content)
