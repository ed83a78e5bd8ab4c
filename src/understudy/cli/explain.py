"""`understudy explain`: attribute the difference between two specs to parameters."""

from __future__ import annotations

import functools

import click

from understudy.choices import DIFFERING_SEGMENTS
from understudy.cli import options, sacrebleu_flags
from understudy.cli.arguments import complete_file, complete_metric, named_system, two_specs
from understudy.cli.named_sets import ChosenSet, named_set_options, systems_with
from understudy.cli.number_types import Integer
from understudy.cli.report_files import check_targets, figures_option, report_option


@click.command(
    cls=sacrebleu_flags.Command, short_help="Explain why two specs or tools give different scores."
)
@click.argument("system", metavar="SYSTEM", shell_complete=complete_file)
@options.references
@named_set_options()
@options.source
@click.option(
    "-a",
    "--against",
    metavar="SPEC",
    required=True,
    shell_complete=complete_metric,
    help="Spec to compare with, or a preset of the same metric.",
)
@click.option(
    "-m",
    "--metric",
    metavar="SPEC",
    default="bleu",
    show_default=True,
    shell_complete=complete_metric,
    help="Spec to start from.",
)
@click.option(
    "-n",
    "--segments",
    metavar="N",
    type=Integer(min=0),
    default=DIFFERING_SEGMENTS,
    show_default=True,
    help="Number of differing segments to show.",
)
@options.tsv_quoting
@options.shorthands(several_parsers=False)
@options.format
@options.digits(2)
@options.output
@report_option
@figures_option
@options.threads
def explain(
    *,
    system: str,
    references: tuple[str, ...],
    chosen_set: ChosenSet,
    source: str | None,
    against: str,
    metric: str,
    segments: int,
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
) -> None:
    """Explain why two specs of a metric, or two tools, give different scores.

    SYSTEM is FILE or NAME=FILE. The parameters that differ are changed one at a time, letter case and tokenization
    first. The table shows the score after each step and the contribution of the step.

    \b
    Examples:
      understudy explain system.txt -r ref.txt --against mteval-v13a
      understudy explain system.txt -r ref.txt -m bleu:nltk --against bleu:multi-bleu
      understudy explain system.txt -r ref.txt -m ter --against ter:sacrebleu
    """
    from understudy import Corpus
    from understudy import explain as explain_system
    from understudy.report.explanations import as_sheets, render

    if len(shorthands.parsers) > 1:
        raise click.UsageError(
            "--parser is given more than once. To compare parsers, set them in the specs, e.g. -m "
            "hwcm:parser=english --against parser=spacy:MODEL."
        )
    first, second = shorthands.metrics(two_specs(metric, against), distinct=False)
    test_set = chosen_set.read(shorthands.language)
    answers = options.all_references(references, [first, second], test_set=test_set)
    entry = named_system(*systems_with(test_set, [system]))
    read = [*references, entry if isinstance(entry, str) else entry[1], *([] if source is None else [source])]
    check_targets(output, report, figures, read)
    corpus = Corpus.read([entry], answers, sources=options.sources_for([first, second], source, test_set))
    if len(corpus.systems) > 1:
        raise click.UsageError(
            f"'{system}' contains {len(corpus.systems)} systems, expected one. Use FILE:NAME."
        )
    with shorthands.computing([first, second]):
        found = explain_system(corpus, metric=first, against=second, segments=segments, threads=threads)
    if report is not None:
        found.report(report, digits=digits)
    if figures is not None:
        found.figures(figures)
    options.deliver(
        functools.partial(render, found),
        output,
        sheets=lambda: as_sheets(found),
        format=format,
        digits=digits,
    )
