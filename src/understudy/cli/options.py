"""The options that several commands have: written once, so that they are called and mean the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from understudy.cli.arguments import complete_file, complete_metrics, complete_tokenizer
from understudy.cli.output import print_text, styles_wanted, terminal_width, write_file
from understudy.cli.parsers import complete_parser
from understudy.cli.unspaced import warn_of_unspaced
from understudy.report.scores import FORMATS

if TYPE_CHECKING:
    from understudy.metrics.base import Metric

# As in understudy.comparison.intervals, which is not imported before it is needed. A test compares them.
INTERVALS = ("percentile", "bca")

references = click.option(
    "-r",
    "--reference",
    "--refs",
    "references",
    metavar="FILE",
    multiple=True,
    shell_complete=complete_file,
    help="A reference translation. Repeat it for several. Metrics such as self-bleu need none.",
)
metrics = click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="SPEC",
    multiple=True,
    default=("bleu",),
    show_default=True,
    shell_complete=complete_metrics,
    help="A metric with its settings, such as bleu:tokenize=intl,lowercase=true. Repeat it for several; "
    "`all` is the usual panel. See `understudy metrics`.",
)
tokenize = click.option(
    "--tokenize",
    metavar="NAME",
    shell_complete=complete_tokenizer,
    help="The tokenizer of every metric that has one and does not set it. See `understudy tokenizers`.",
)
lowercase = click.option(
    "--lowercase", is_flag=True, help="Ignore case in every metric that can and does not say otherwise."
)
parsers = click.option(
    "--parser",
    "parsers",
    metavar="NAME",
    multiple=True,
    shell_complete=complete_parser,
    help="What parses text for every metric of syntax that does not set it: english, spacy:MODEL, stanza:LANGUAGE or "
    "udpipe:FILE; without it the best that is installed. Repeat it to see how scores move between parsers.",
)
language = click.option(
    "--lang",
    "language",
    metavar="CODE",
    help="The language a parser is chosen for, in every metric that has one and does not set it.",
)
kinds = click.option(
    "--kind",
    "kinds",
    metavar="KIND:NAME,...",
    multiple=True,
    help="Which systems work alike, such as nmt:A,B. Repeat it for every kind: then comparisons are named that metrics "
    "are not fit for.",
)
format = click.option(
    "-f",
    "--format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="JSON and TSV hold every digit.",
)
digits = click.option(
    "-w",
    "--width",
    "digits",
    metavar="DIGITS",
    type=click.IntRange(0, 15),
    default=2,
    show_default=True,
    help="Digits after the decimal point, in formats for people.",
)
output = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    callback=lambda _ctx, _param, path: None if path == "-" else path,
    help="Write to a file, whole or not at all, instead of standard output.",
)
threads = click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many cores to use (default: all). Scores never depend on it.",
)
seed = click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=12345,
    show_default=True,
    help="Of the samples that are drawn.",
)


def require_references(paths: Sequence[str], metrics: Sequence[Metric]) -> None:
    """Asks for references if a metric reads them and there are none. Warns if a metric makes no words of them."""
    if not paths and any(metric.reads_references for metric in metrics):
        raise click.UsageError("Missing option '-r': which file is the reference translation?")
    warn_of_unspaced(paths, metrics)


def deliver(render: Callable[..., str], path: str | None, **how: Any) -> None:
    """Writes what `render` makes to a file, or shows it as wide and as styled as the reader's terminal is."""
    if path is not None:
        write_file(render(**how), path)
    else:
        print_text(render(**how, width=terminal_width(), styled=styles_wanted()))
