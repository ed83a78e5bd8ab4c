"""`understudy spark`: score a table on a Spark cluster."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from typing import Any

import click

from understudy.choices import NULLS, SCORE_LEVELS, TABLE_FORMATS
from understudy.cli import options
from understudy.cli.arguments import chosen_metrics
from understudy.cli.output import print_text, styles_wanted, terminal_width
from understudy.report.renderers import renderer_of
from understudy.report.scores import FORMATS


def _print_path(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        package = os.path.dirname(os.path.dirname(__file__))
        print_text(os.path.join(package, "__main__.py") + "\n")
        ctx.exit()


_format = functools.partial(
    click.option, type=click.Choice(TABLE_FORMATS), default="parquet", show_default=True
)


@click.command()
@click.option(
    "--path",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_path,
    help="Print the path of the program for spark-submit, and exit.",
)
@click.option(
    "--input", metavar="PATH", required=True, help="Table to score: a file or folder, as Spark names it."
)
@_format("--input-format", help="Format of the input.")
@click.option(
    "--hypothesis", metavar="COLUMN", default="hyp", show_default=True, help="Column with the translations."
)
@click.option(
    "-r",
    "--references",
    metavar="COLUMN",
    multiple=True,
    help="Column with references: strings or arrays of strings. Repeat for several references.",
)
@options.metrics
@click.option(
    "--by", metavar="COLUMN", multiple=True, help="Column to group rows by, such as the system. Repeatable."
)
@click.option(
    "--level",
    type=click.Choice([level for level in SCORE_LEVELS if level != "segment"]),
    default="corpus",
    show_default=True,
    help="Corpus score, or mean segment score.",
)
@click.option("--lang", metavar="LANGUAGE", help="Target language or language pair: selects the tokenizer.")
@click.option(
    "--documents", metavar="COLUMN", help="Column with document names, for metrics that use documents."
)
@click.option(
    "--ci", is_flag=True, help="Add 95% confidence intervals from the Poisson bootstrap; needs --id."
)
@click.option(
    "--id", metavar="COLUMN", help="Column with the name of each segment, different for every segment."
)
@options.samples("Number of bootstrap resamples for --ci.")
@options.seed
@click.option(
    "--nulls",
    type=click.Choice(NULLS),
    default="error",
    show_default=True,
    help="Null translations: an error, empty translations, or rows to drop.",
)
@click.option(
    "-f",
    "--format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="Format of standard output; json, tsv and csv have full precision.",
)
@click.option(
    "--output", metavar="PATH", help="New folder for a table of scores, instead of standard output."
)
@_format("--output-format", help="Format of the table in --output.")
def spark(
    *,
    input: str,
    references: tuple[str, ...],
    metrics: tuple[str, ...],
    format: str,
    output: str | None,
    ci: bool,
    **how: Any,
) -> None:
    """Score the rows of a table on Spark.

    \b
    On this machine:
      understudy spark --input scores.parquet -r ref -m bleu --by system
    On a cluster:
      spark-submit --master yarn "$(understudy spark --path)" spark --input s3://bucket/table -r ref \\
          -m bleu -m chrf --by system --by domain --output s3://bucket/scores
    """
    options.refuse_idle(["id", "samples", "seed"], unless=ci, cure="add --ci")

    options.refuse_idle(["output_format"], unless=output is not None, cure="add --output")
    options.refuse_idle(["format"], unless=output is None, cure="omit --output")
    chosen = chosen_metrics(metrics)
    if not references and any(metric.reads_references for metric in chosen):
        raise click.UsageError("missing option '-r'. Name a column with references.")

    from understudy.spark.job import run_job

    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # spark-submit sets it, and selects Python and log by itself
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        # What Spark logs of an error is a page of Java; the command prints its first line.
        os.environ.setdefault("PYSPARK_SUBMIT_ARGS", "--conf spark.log.level=OFF pyspark-shell")
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    found = run_job(input, output, references=references, metrics=chosen, ci=ci, **how)
    if output is None:
        rendered = renderer_of(found).render(found, format, width=terminal_width(), styled=styles_wanted())
        print_text(rendered)
