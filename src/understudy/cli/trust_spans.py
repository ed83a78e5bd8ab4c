"""`understudy trust --human-spans`: agreement of predicted error spans with human error spans."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from understudy.choices import SEVERITY_CREDIT
from understudy.cli import options
from understudy.cli.arguments import as_files, complete_file, named_system
from understudy.cli.number_types import Number
from understudy.cli.output import check_output

# Options of `understudy trust` for error spans, and for both error spans and scores.
FOR_SPANS = ("human_spans", "spans", "annotated", "severity_credit")
_FOR_BOTH = (
    "systems",
    "folders",
    "samples",
    "seed",
    "confidence",
    "significance",
    "format",
    "digits",
    "output",
)


def span_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for error spans, in this order."""
    for option in reversed(
        (
            click.option(
                "--human-spans",
                metavar="FILE",
                shell_complete=complete_file,
                help="Human error spans, instead of --human: TSV with columns system, seg, start, end, severity and, "
                "for several raters, rater.",
            ),
            click.option(
                "--spans",
                metavar="[NAME=]FILE",
                multiple=True,
                shell_complete=complete_file,
                help="Predicted error spans, in the same columns. Repeatable (default: raters against each other).",
            ),
            click.option(
                "--annotated",
                metavar="FILE",
                shell_complete=complete_file,
                help="All annotated translations, if --human-spans lists only translations with errors: TSV with "
                "columns system, seg and, for several raters, rater.",
            ),
            click.option(
                "--severity-credit",
                metavar="C",
                type=Number(0, 1),
                default=SEVERITY_CREDIT,
                show_default=True,
                help="Credit for a character in a predicted span of the wrong severity.",
            ),
        )
    ):
        command = option(command)
    return command


def refuse_span_options() -> None:
    """Without --human-spans."""
    options.refuse_idle(FOR_SPANS, unless=False, cure="add --human-spans")


def trust_spans(
    human: str,
    spans: Sequence[str],
    texts: Sequence[str | tuple[str, str]],
    *,
    annotated: str | None,
    output: str | None,
    format: str,
    digits: int,
    **plan: Any,
) -> None:
    """Compares the spans and prints the results."""
    others = [
        parameter.name
        for parameter in click.get_current_context().command.params
        if parameter.name not in (*FOR_SPANS, *_FOR_BOTH, "help")
    ]
    options.refuse_beside([name for name in others if name is not None], "--human-spans")
    named = [named_system(text) for text in spans]
    files = [each if isinstance(each, str) else each[1] for each in (*named, *texts)]
    if output is not None:
        check_output(output, [human, *files, *([annotated] if annotated else [])])

    from understudy import span_agreement
    from understudy.report.spans import as_sheets, render

    found = span_agreement(human, named, annotated=annotated, systems=as_files(texts), **plan)
    options.deliver(
        functools.partial(render, found),
        output,
        sheets=lambda: as_sheets(found),
        format=format,
        digits=digits,
    )
