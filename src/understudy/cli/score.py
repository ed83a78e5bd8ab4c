"""`understudy score`: score systems with metrics."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import click

from understudy.choices import INTERVAL_METHODS, SCORE_LEVELS
from understudy.cli import options, sacrebleu_flags, say
from understudy.cli.arguments import FileArgument, as_files, complete_file, named_system
from understudy.cli.named_sets import ChosenSet, named_set_options, systems_with
from understudy.cli.number_types import AnyNumber
from understudy.cli.output import print_text, write_file
from understudy.cli.parsers import warn_of_unparsed
from understudy.cli.progress import progress_of_files
from understudy.cli.report_files import check_targets, figures_option, report_option
from understudy.errors import BadParameter
from understudy.report.scores import as_sheets, numbers, render

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.scoring.run import Scores


def _finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"expected a finite number, got {value}.")
    return value


@click.command(cls=sacrebleu_flags.Command)
@click.argument("systems", metavar="[SYSTEM...]", nargs=-1, shell_complete=complete_file)
@options.references
@named_set_options()
@options.source
@options.metrics
@click.option(
    "--level",
    type=click.Choice(SCORE_LEVELS),
    default="corpus",
    show_default=True,
    help="Corpus score, segment scores, or mean segment score.",
)
@click.option(
    "--labels",
    metavar="FILE",
    shell_complete=complete_file,
    help="Document of each segment, for metrics that use documents: one name per line, or a table with a column "
    "`document`. Not needed for WMT and NIST files.",
)
@options.tsv_quoting
@options.shorthands()
@options.format
@options.digits(2)
@click.option("-q", "--quiet", is_flag=True, help="Print only the scores, one per line.")
@options.output
@report_option
@figures_option
@options.threads
@click.option("--ci", is_flag=True, help="Add 95% confidence intervals from bootstrap resamples of segments.")
@click.option(
    "--interval",
    type=click.Choice(INTERVAL_METHODS),
    default="percentile",
    show_default=True,
    help="Bootstrap confidence interval for --ci: percentile, or bias-corrected and accelerated.",
)
@options.samples("Number of bootstrap resamples for --ci.")
@options.seed
@click.option(
    "--fail-under",
    metavar="NUMBER",
    type=AnyNumber(),
    callback=_finite,
    help="Exit with code 1 if a system scores worse than NUMBER on the first metric.",
)
@click.pass_context
def score(
    ctx: click.Context,
    *,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    chosen_set: ChosenSet,
    source: str | None,
    metrics: tuple[str, ...],
    level: str,
    labels: str | None,
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    quiet: bool,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
    ci: bool,
    interval: str,
    samples: int,
    seed: int,
    fail_under: float | None,
) -> None:
    """Score systems against reference translations.

    SYSTEM is FILE or NAME=FILE. FILE has one segment per line, plain or compressed; - is standard input. Tables, WMT
    files and tree files (.ptb, .mrg, .conllu) are also accepted; all.tsv:nmt is the column nmt of all.tsv. With -t,
    SYSTEM can be the name of a system in the test set (default: all of them).

    \b
    Examples:
      understudy score nmt.txt -r ref.txt
      understudy score old=nmt.txt new=nmt2.txt.gz -r refA.txt -r refB.txt -m bleu -m bleu:tokenize=intl
      understudy score nmt.txt -r ref.txt -m all
      understudy score nmt.txt -t wmt23 -l en-de -m bleu -m chrf
      understudy score nmt.txt -r ref.txt -m hwcm -m stm --parser english --parser stanza:en
      understudy score nmt.ptb -r ref.ptb -m stm -m bleu
      understudy score nmt.txt -r ref.txt --source source.txt -m bleu -m comet:model=FOLDER
      decoder < source.txt | understudy score - -r ref.txt --quiet
      understudy score nmt.txt -r ref.txt --level segment --format tsv -o segments.tsv
    """
    _refuse_contradictions(quiet=quiet, level=level, fail_under=fail_under, ci=ci)
    options.refuse_idle(["interval", "samples", "seed"], unless=ci, cure="add --ci")
    test_set = chosen_set.read(shorthands.language)
    systems = systems_with(test_set, systems, all_of_them=True)
    if not systems:
        why = "" if test_set is None else f" Test set {test_set.called} has no systems."
        raise click.UsageError(f"missing argument 'SYSTEM...'.{why}")
    named = [named_system(system) for system in systems]
    files = [*references, *(entry if isinstance(entry, str) else entry[1] for entry in named)]
    files += [] if source is None else [source]
    if files.count("-") > 1:
        raise BadParameter(
            "standard input ('-') is given twice, but can be read only once. Save it to a file first."
        )
    check_targets(output, report, figures, [*files, *([labels] if labels is not None else [])])
    chosen = shorthands.metrics(metrics)
    answers = options.all_references(references, chosen, systems, test_set=test_set)
    sources = options.sources_for(chosen, source, test_set)
    documents = None
    if labels is not None:
        if not any(metric.reads_documents for metric in chosen):
            raise click.UsageError("--labels has no effect: none of the metrics uses documents. Omit it.")
        documents = FileArgument(labels)

    from understudy import score as score_systems

    with (
        shorthands.computing(chosen, wanted=not quiet),
        progress_of_files("scoring", files, wanted=not quiet) as advance,
    ):
        if not ci:
            result = score_systems(
                as_files(named),
                answers,
                chosen,
                level=level,
                sources=sources,
                documents=documents,
                threads=threads,
                progress=advance,
            )
        else:
            from understudy import score_with_intervals

            result = score_with_intervals(
                as_files(named),
                answers,
                chosen,
                level=level,
                interval=interval,
                samples=samples,
                seed=seed,
                sources=sources,
                documents=documents,
                threads=threads,
                progress=advance,
            )
    warn_of_unparsed(
        (system.name, metric.label, count)
        for system in result.systems
        for metric, count in zip(chosen, system.unparsed, strict=True)
    )
    if report is not None:
        result.report(report, digits=digits)
    if figures is not None:
        result.figures(figures)
    if not quiet:
        options.deliver(
            functools.partial(render, result),
            output,
            sheets=lambda: as_sheets(result),
            format=format,
            digits=digits,
        )
    elif output is not None:
        write_file(numbers(result, digits), output)
    else:
        print_text(numbers(result, digits))
    if fail_under is not None and _report_failures(result, fail_under):
        ctx.exit(1)


def _refuse_contradictions(*, quiet: bool, level: str, fail_under: float | None, ci: bool) -> None:
    if quiet and options.given("format"):
        raise click.UsageError("--quiet cannot be combined with --format. Use one of them.")
    if fail_under is not None and level == "segment":
        raise click.UsageError("--fail-under needs one score per system. Use --level corpus or mean.")
    if ci and level == "segment":
        raise click.UsageError("--ci is not available for segment scores. Use --level corpus or mean.")


def _report_failures(result: Scores, threshold: float) -> bool:
    """Report the systems that score worse than the threshold."""
    metric = result.metrics[0]
    failed = False
    for system in result.systems:
        value = system.scores[0].value
        if metric.worth(value) < metric.worth(threshold):
            failed = True
            found = f"{metric.label} {value:.4f} is {_side(metric)} {threshold:g}"
            say(f"{system.name}: {found}")
    return failed


def _side(metric: Metric) -> str:
    """The position of a score that is worse than the threshold."""
    if metric.higher_is_better is None:
        return f"further from {metric.target:g} than"
    return "below" if metric.higher_is_better else "above"
