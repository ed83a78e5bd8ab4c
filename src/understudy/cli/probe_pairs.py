"""`understudy probe --pairs`: metrics on challenge sets."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from understudy.choices import CORRECTIONS
from understudy.cli import options
from understudy.cli.arguments import complete_file
from understudy.cli.report_files import check_targets

# Options that only challenge sets use, and those of the other parts, by the names of parameters.
_FOR_PAIRS = ("scores", "lower_is_better", "severities", "correct", "significance")
_NOT_FOR_PAIRS = (
    "references",
    "sources",
    "labels",
    "what",
    "variants",
    "perturbations",
    "strengths",
    "level",
    "seconds",
    "searched",
)
_DIGITS = 3


def pair_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for challenge sets, in this order."""
    for option in reversed(
        (
            click.option(
                "--pairs",
                metavar="FILE",
                multiple=True,
                shell_complete=complete_file,
                help="Challenge set, instead of SYSTEM: TSV, CSV or JSON lines with a good and an incorrect "
                "translation per line, a reference, and the phenomenon; or the files of ACES or DEMETR. Repeatable.",
            ),
            click.option(
                "--scores",
                metavar="FILE",
                multiple=True,
                shell_complete=complete_file,
                help="Metric scores of the pairs from any tool, with --pairs: two columns per metric, for the good and "
                "the incorrect translation. Repeatable.",
            ),
            click.option(
                "--lower-is-better",
                metavar="NAME",
                multiple=True,
                help="Metric in --scores for which lower is better. Repeatable.",
            ),
            click.option(
                "--severities",
                metavar="NAME,...",
                help="Severities of --pairs, the least severe first (default: neutral,minor,major,critical).",
            ),
            click.option(
                "--correct",
                type=click.Choice(CORRECTIONS),
                default="holm",
                show_default=True,
                help="Multiple-testing correction of the tests between metrics: Holm, Benjamini-Hochberg or none.",
            ),
            options.significance("Significance level alpha of the tests between metrics."),
        )
    ):
        command = option(command)
    return command


def pairs_shown(
    pairs: Sequence[str],
    systems: Sequence[str],
    *,
    metrics: Sequence[str],
    scores: Sequence[str],
    severities: str | None,
    samples: int | None,
    digits: int | None,
    shorthands: options.Shorthands,
    format: str,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
    **plan: Any,
) -> bool:
    """Whether there is a challenge set. If so, its results are computed and printed."""
    options.refuse_idle(_FOR_PAIRS, unless=pairs, cure="add --pairs")
    if not pairs:
        return False
    if systems:
        raise click.UsageError("--pairs cannot be combined with SYSTEM. Omit one of them.")
    options.refuse_beside(_NOT_FOR_PAIRS, "--pairs")
    options.refuse_idle(["lower_is_better"], unless=scores, cure="add --scores")
    check_targets(output, report, figures, [*pairs, *scores])
    chosen = shorthands.metrics(metrics) if options.given("metrics") else None
    if severities is not None:
        plan["severities"] = [name.strip() for name in severities.split(",")]
    if samples is not None:
        plan["samples"] = samples

    from understudy import probe_pairs
    from understudy.report.challenge_sheets import as_sheets
    from understudy.report.challenge_tables import render

    with shorthands.computing(chosen or []):
        found = probe_pairs(
            list(pairs),
            chosen,
            scores=list(scores) or None,
            lang=shorthands.language,
            threads=threads,
            **plan,
        )
    shown = _DIGITS if digits is None else digits
    if report is not None:
        found.report(report, digits=shown)
    if figures is not None:
        found.figures(figures)
    options.deliver(
        functools.partial(render, found), output, sheets=lambda: as_sheets(found), format=format, digits=shown
    )
    return True
