"""`understudy trust --human-spans`: are predicted error spans where people found errors?"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from understudy.choices import SEVERITY_CREDIT
from understudy.cli import options
from understudy.cli.arguments import as_files, complete_file, named_system
from understudy.cli.output import check_output

# Options of `understudy trust` that are about spans, or as good for them as for scores.
FOR_SPANS = ("human_spans", "predicted", "annotated", "credit")
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
    """The options that are about spans, in this order."""
    for option in reversed(
        (
            click.option(
                "--human-spans",
                metavar="FILE",
                shell_complete=complete_file,
                help="Error spans that people found, instead of --human: a TSV file with the columns system, seg, "
                "start, end, severity and, if there are several, rater.",
            ),
            click.option(
                "--spans",
                "predicted",
                metavar="[NAME=]FILE",
                multiple=True,
                shell_complete=complete_file,
                help="Predicted error spans, in the same columns (default: raters against each other). Repeat it for "
                "several.",
            ),
            click.option(
                "--annotated",
                metavar="FILE",
                shell_complete=complete_file,
                help="All translations that people annotated, if --human-spans has only those with errors: a TSV file "
                "with the columns system, seg and, if there are several, rater.",
            ),
            click.option(
                "--severity-credit",
                "credit",
                metavar="C",
                type=click.FloatRange(0, 1),
                default=SEVERITY_CREDIT,
                show_default=True,
                help="What a character counts that is in a predicted span of the wrong severity.",
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
    predicted: Sequence[str],
    texts: Sequence[str | tuple[str, str]],
    *,
    annotated: str | None,
    output: str | None,
    format: str,
    digits: int,
    **plan: Any,
) -> None:
    """Compares the spans and prints what was found."""
    others = [
        parameter.name
        for parameter in click.get_current_context().command.params
        if parameter.name not in (*FOR_SPANS, *_FOR_BOTH, "help")
    ]
    options.refuse_beside([name for name in others if name is not None], "--human-spans")
    named = [named_system(text) for text in predicted]
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
