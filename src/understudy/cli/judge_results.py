"""What judgments say: `understudy judge results` and `export`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from understudy.choices import CONFIDENCE, CORRECTIONS, EXPORT_LAYOUTS, JUDGMENT_KINDS
from understudy.cli import options, say
from understudy.cli.arguments import complete_file
from understudy.cli.number_types import Integer, Number
from understudy.cli.report_files import check_targets, figures_option, report_option, write_report_files


def _file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How files of judgments are read."""
    for option in reversed(
        (
            click.option(
                "--kind",
                type=click.Choice(("auto", *JUDGMENT_KINDS)),
                default="auto",
                show_default=True,
                help="Kind of the files: tables of ratings, of rankings or of error spans, MQM ratings with marks in "
                "the text, or Appraise's CSV. auto: recognized by their columns.",
            ),
            click.option(
                "--weights",
                metavar="NAME=W,...",
                help="Weights of errors, by severity, category or SEVERITY:CATEGORY, e.g. "
                "minor=1,major=5,non-translation=25. Scores are computed from them (default: the penalties in the "
                "file, else the weights of MQM).",
            ),
            click.option(
                "--language-pair",
                metavar="PAIR",
                help="Language pair of a file that has several, as the file spells it, e.g. cze-eng.",
            ),
            options.tsv_quoting,
        )
    ):
        command = option(command)
    return command


@click.command()
@click.argument("what", metavar="CAMPAIGN|FILE...", nargs=-1, required=True, shell_complete=complete_file)
@click.option(
    "--question",
    "questions",
    metavar="NAME",
    multiple=True,
    help="Question to report. Repeatable. Default: all.",
)
@click.option("--group", metavar="NAME", help="Group of judges, e.g. monolingual. Default: all judges.")
@click.option(
    "--details", is_flag=True, help="Show all pairs, all judges and the items with most disagreement."
)
@click.option(
    "--samples",
    metavar="N",
    type=Integer(min=2),
    default=1000,
    show_default=True,
    help="Number of bootstrap resamples for agreement and Bradley-Terry strengths.",
)
@options.seed
@options.significance("Significance level alpha for significance clusters and controls.")
@click.option(
    "--correct",
    "correction",
    type=click.Choice(CORRECTIONS),
    default="holm",
    show_default=True,
    help="Multiple-testing correction: Holm, Benjamini-Hochberg or none.",
)
@click.option(
    "--confidence",
    metavar="P",
    type=Number(0, 1, min_open=True, max_open=True),
    default=CONFIDENCE,
    show_default=True,
    help="Level of confidence intervals.",
)
@click.option(
    "--top",
    metavar="N",
    type=Integer(min=0),
    default=10,
    show_default=True,
    help="Number of items with most disagreement.",
)
@_file_options
@options.format
@options.digits(2)
@options.output
@report_option
@figures_option
def results(
    *,
    what: Sequence[str],
    questions: Sequence[str],
    details: bool,
    kind: str,
    weights: str | None,
    language_pair: str | None,
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    **plan: Any,
) -> None:
    """Report what judges said: system means, significance clusters, agreement between judges.

    CAMPAIGN is a campaign, also while it is served. FILE is a table of judgments collected elsewhere; several files,
    such as error spans and scores, are combined.

    \b
    understudy judge results wmt.campaign
    understudy judge results human.tsv --question adequacy --format latex
    understudy judge results mqm-errors.tsv mqm-scores.tsv --report results.html
    """
    check_targets(output, report, figures, what)
    from understudy import judge
    from understudy.report.judge_charts import judge_figures
    from understudy.report.judge_sheets import as_sheets
    from understudy.report.judge_tables import render
    from understudy.report.tables_page import judgments_page

    found = judge(
        list(what),
        question=tuple(questions),
        kind=None if kind == "auto" else kind,
        weights=weights,
        language_pair=language_pair,
        **plan,
    )
    write_report_files(
        lambda: judgments_page(found, digits=digits),
        lambda: judge_figures(found),
        report=report,
        figures=figures,
    )
    options.deliver(
        functools.partial(render, found, details=details),
        output,
        sheets=lambda: as_sheets(found),
        format=format,
        digits=digits,
    )


@click.command()
@click.argument("what", metavar="CAMPAIGN|FILE...", nargs=-1, required=True, shell_complete=complete_file)
@click.option(
    "--to",
    metavar="FILE|DIR",
    required=True,
    shell_complete=complete_file,
    help="File for one table, or folder for all tables.",
)
@click.option(
    "--layout",
    type=click.Choice(EXPORT_LAYOUTS),
    help="ratings: scores for `understudy trust --human`; spans: error spans for `understudy trust --human-spans`; "
    "rankings: one ranked system per line; answers: all answers of a campaign with comments and corrected texts, in "
    "JSON lines; mt-metrics-eval: its files human-scores, with means over judges. Default: the first of these that the "
    "judgments have.",
)
@_file_options
def export(
    *,
    what: Sequence[str],
    to: str,
    layout: str | None,
    kind: str,
    weights: str | None,
    language_pair: str | None,
) -> None:
    """Write judgments as tables for `understudy trust` and other programs, also while a campaign is served.

    \b
    understudy judge export wmt.campaign --to human.tsv
    understudy judge export wmt.campaign --to human/
    understudy judge export wmt.campaign --to wmt26 --layout mt-metrics-eval --language-pair en-de
    """
    from understudy import export_judgments

    written = export_judgments(
        list(what),
        to,
        layout=layout,
        language_pair=language_pair,
        kind=None if kind == "auto" else kind,
        weights=weights,
    )
    for path in written:
        say(f"written: {path}")


@click.command("import")
@click.argument("campaign", metavar="CAMPAIGN", shell_complete=complete_file)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file)
@click.option(
    "--database",
    metavar="URL",
    help="PostgreSQL database for the campaign, postgresql://... (default: a file).",
)
@_file_options
def import_(
    *,
    campaign: str,
    files: Sequence[str],
    database: str | None,
    kind: str,
    weights: str | None,
    language_pair: str | None,
) -> None:
    """Make a campaign from judgments that were collected elsewhere.

    FILE is read as by `understudy judge results`. The campaign has results, exports and a status. It cannot be served.

    \b
    understudy judge import wmt23.campaign mqm-errors.tsv mqm-scores.tsv
    """
    from understudy import Campaign, read_judged

    judgments = read_judged(
        list(files), kind=None if kind == "auto" else kind, weights=weights, language_pair=language_pair
    )
    with Campaign.import_judgments(campaign, judgments, database=database) as made:
        done = made.status().done
    say(f"{campaign}: {done:,} judgments imported.")
