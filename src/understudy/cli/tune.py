"""`understudy tune`: tune the weights of a log-linear model on n-best lists."""

from __future__ import annotations

import math
from typing import Any

import click

from understudy.choices import (
    HELD_OUT,
    MOST_RESTARTS,
    PRO_RESTARTS,
    RANDOM_DIRECTIONS,
    RESTARTS,
    TUNE_LEVELS,
    TUNING_METHODS,
    TUNING_SAMPLES,
)
from understudy.cli import options
from understudy.cli.arguments import as_files, complete_file
from understudy.cli.named_sets import ChosenSet, named_set_options
from understudy.cli.number_types import Integer, Number
from understudy.cli.option_groups import GroupedCommand
from understudy.cli.output import print_text, styles_wanted, terminal_width, write_file
from understudy.cli.progress import progress
from understudy.cli.report_files import check_targets, figures_option, report_option
from understudy.report.scores import FORMATS


def _bounds(
    ctx: click.Context,  # noqa: ARG001
    param: click.Parameter,  # noqa: ARG001
    given: tuple[str, ...],
) -> dict[str, tuple[float | None, float | None]]:
    found: dict[str, tuple[float | None, float | None]] = {}
    for text in given:
        name, equals, ends = text.rpartition("=")
        low, colon, high = ends.partition(":")
        try:
            pair = tuple(float(end) if end.strip() else None for end in (low, high))
        except ValueError:
            pair = (math.nan, math.nan)
        if not (name and equals and colon) or any(end is not None and math.isnan(end) for end in pair):
            raise click.BadParameter(f"expected NAME=LOW:HIGH, such as lm=0: or length=-1:1, got '{text}'.")
        if name in found:
            raise click.BadParameter(f"feature '{name}' has two ranges.")
        found[name] = (pair[0], pair[1])
    return found


@click.command(cls=GroupedCommand, short_help="Tune the weights of n-best features on a metric.")
@click.argument("nbest", metavar="NBEST...", nargs=-1, required=True, shell_complete=complete_file)
@options.always_references
@named_set_options(selection=False)
@options.source
@options.metrics
@click.option(
    "--metric-weight",
    "metric_weights",
    metavar="W",
    multiple=True,
    type=Number(0, min_open=True),
    help="Weight of a metric in the objective, once per -m, in the same order (default: 1 each). A metric where lower "
    "is better is subtracted: with bleu and ter, the objective is (BLEU - TER) / 2.",
)
@click.option(
    "--level",
    type=click.Choice(TUNE_LEVELS),
    default="corpus",
    show_default=True,
    help="Corpus score or mean segment score as the objective.",
)
@click.option(
    "--method",
    type=click.Choice(TUNING_METHODS),
    default="mert",
    show_default=True,
    help="Minimum error rate training (Och 2003) or pairwise ranking optimization (Hopkins & May 2011).",
)
@click.option(
    "--start",
    metavar="FILE",
    shell_complete=complete_file,
    help="Initial weights, a JSON file such as -o writes (default: equal weights).",
)
@click.option(
    "--restarts",
    metavar="N",
    type=Integer(min=0, max=MOST_RESTARTS),
    help=f"Number of random starts in addition to the initial weights (default: {RESTARTS}). With --method pro, number "
    f"of further samples of pairs (default: {PRO_RESTARTS}).",
)
@click.option(
    "--directions",
    metavar="N",
    type=Integer(min=0),
    default=RANDOM_DIRECTIONS,
    show_default=True,
    help="Number of random directions in each sweep of mert, after those of single features.",
)
@click.option(
    "--bounds",
    metavar="NAME=LOW:HIGH",
    multiple=True,
    callback=_bounds,
    help="Range of a weight; either end may be empty, e.g. lm=0: for at least 0. Repeatable.",
)
@click.option(
    "--fix",
    metavar="NAME",
    multiple=True,
    help="Feature whose weight stays as in the initial weights. Repeatable.",
)
@click.option(
    "--interpolation",
    metavar="SHARE",
    type=Number(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Share of the new weights with --method pro; the rest is that of the --start weights.",
)
@click.option(
    "--held-out",
    metavar="SHARE",
    type=Number(0, 1, max_open=True),
    help=f"Share of segments to hold out for the check against overfitting; 0 for none (default: {HELD_OUT}).",
)
@click.option(
    "--folds",
    metavar="K",
    type=Integer(min=2),
    help="Check by K-fold cross-validation instead, and tune the final weights on all segments.",
)
@click.option("--refit", is_flag=True, help="Tune again on all segments after the check.")
@click.option(
    "--samples",
    metavar="N",
    type=Integer(min=1),
    default=TUNING_SAMPLES,
    show_default=True,
    help="Number of resamples of held-out segments.",
)
@options.seed
@options.significance("Significance level of the check.")
@options.tsv_quoting
@options.shorthands(several_parsers=False)
@click.option(
    "-f",
    "--format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="Format of standard output; json, tsv and csv have full precision.",
)
@options.digits(2)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the weights to FILE (atomically), as JSON for `understudy decide --weights` and --start.",
)
@report_option
@figures_option
@options.threads
def tune(
    *,
    nbest: tuple[str, ...],
    references: tuple[str, ...],
    chosen_set: ChosenSet,
    source: str | None,
    metrics: tuple[str, ...],
    start: str | None,
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
    **plan: Any,
) -> None:
    """Tune the weights of a log-linear model on a metric.

    NBEST is an n-best list with feature values: Moses' format, TSV or JSON lines. Several lists, such as the iterations
    of a decoder, are merged. The tuned weights select the candidates with the best corpus score; segments that are held
    out show whether the gain holds on other text.

    \b
    Examples:
      understudy tune run1.nbest -r ref.txt -o weights.json
      understudy tune run1.nbest run2.nbest -r ref.txt -m bleu -m ter --start weights.json
      understudy tune run1.nbest -r ref.txt -m chrf --bounds lm=0: --fix length --folds 5
      understudy tune run1.nbest -r ref.txt --method pro
    """
    from understudy import TunePlan
    from understudy import tune as tune_weights
    from understudy.report.tunings import render, weights_file

    options.refuse_idle(["directions"], unless=plan["method"] == "mert", cure="use --method mert")
    chosen = shorthands.metrics(metrics)
    test_set = chosen_set.read(shorthands.language)
    answers = options.all_references(references, chosen, test_set=test_set)
    inputs = [*nbest, *references, *filter(None, (start, source))]
    check_targets(output, report, figures, inputs)
    plan |= {"metric_weights": plan["metric_weights"] or None, "start": start}
    settings = TunePlan(**plan)
    options.refuse_idle(["samples", "significance"], unless=settings.checked, cure="hold out segments")
    with (
        shorthands.computing(chosen, other_texts=True),
        progress("tuning", lambda: settings.searches, unit="searches") as advance,
    ):
        found = tune_weights(
            as_files(nbest),
            answers,
            chosen,
            sources=options.sources_for(chosen, source, test_set, given=True),
            threads=threads,
            progress=advance,
            **plan,
        )
    if output is not None:
        write_file(weights_file(found), output)
    if report is not None:
        found.report(report, digits=digits)
    if figures is not None:
        found.figures(figures)
    print_text(render(found, format, digits=digits, width=terminal_width(), styled=styles_wanted()))
