"""`understudy probe`: errors that a metric does not notice."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import (
    CONFIDENCE,
    PROBE_LEVELS,
    PROBE_SECONDS,
    PROBE_STRENGTHS,
    PROBED_SEGMENTS,
    PROBES,
    VARIANTS,
)
from understudy.cli import options, sacrebleu_flags
from understudy.cli.arguments import FileArgument, complete_file, named_system
from understudy.cli.named_sets import FOR_SETS, ChosenSet, named_set_options, systems_with
from understudy.cli.number_types import Integer, Number
from understudy.cli.output import print_text, styles_wanted, terminal_width
from understudy.cli.probe_pairs import pair_options, pairs_shown
from understudy.cli.progress import progress
from understudy.cli.report_files import check_targets, figures_option, report_option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from understudy.metrics.base.metric import Metric

_PARTS_OF = {  # options that only some parts use
    "variants": ("variants",),
    "perturbations": ("perturbations",),
    "strengths": ("perturbations",),
    "samples": ("variants", "perturbations"),
    "seconds": ("search",),
    "searched": ("search",),
}
_NOT_FOR_LISTS = (
    "references",
    *FOR_SETS,
    "metrics",
    "sources",
    "pairs",
    "what",
    *_PARTS_OF,
    "format",
    "output",
    "report",
    "figures",
)


def _complete_perturbation(
    ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from understudy import list_perturbations

    known, _ = list_perturbations(ctx.params.get("language"))
    return [
        CompletionItem(facts.name, help=facts.description)
        for facts in known
        if facts.name.startswith(incomplete)
    ]


@click.command(cls=sacrebleu_flags.Command, short_help="Find errors that a metric does not notice.")
@click.argument("systems", metavar="[SYSTEM]", nargs=-1, shell_complete=complete_file)
@options.always_references
@named_set_options()
@options.metrics
@click.option(
    "--source",
    "sources",
    metavar="FILE",
    shell_complete=complete_file,
    help="Source text, for perturbations and metrics that use it.",
)
@click.option(
    "--labels",
    metavar="FILE",
    shell_complete=complete_file,
    help="Document of each segment, for metrics that use documents: one name per line, or a table with a column "
    "`document`.",
)
@click.option(
    "--what",
    type=click.Choice((*PROBES, "all")),
    multiple=True,
    default=tuple(name for name in PROBES if name != "search"),
    show_default=True,
    help="Part: permutations (number of word orders that BLEU does not distinguish), variants (texts that score no "
    "worse), perturbations (graded errors) or search (texts found by optimizing the metric). Repeatable.",
)
@click.option(
    "--variants",
    metavar="N",
    type=Integer(min=1),
    default=VARIANTS,
    show_default=True,
    help="Maximum number of variants per segment and construction.",
)
@click.option(
    "--perturbation",
    "perturbations",
    metavar="NAME",
    multiple=True,
    shell_complete=_complete_perturbation,
    help="Error to apply, e.g. drop-words (default: all that apply). Repeatable. Harmless changes are always applied.",
)
@click.option(
    "--strength",
    "strengths",
    metavar="S",
    type=Number(0, 1, min_open=True),
    multiple=True,
    default=PROBE_STRENGTHS,
    show_default=True,
    help="Strength of graded perturbations: share of what can be changed. Repeatable.",
)
@click.option(
    "--list",
    "listing",
    is_flag=True,
    help="List all perturbations, for the language --lang if given, and exit.",
)
@click.option(
    "--level",
    type=click.Choice(PROBE_LEVELS),
    default=PROBE_LEVELS[0],
    show_default=True,
    help="Score to compare: segment scores, or the corpus score.",
)
@click.option(
    "--samples",
    metavar="N",
    type=Integer(min=1),
    help="Number of resamples (default: 1000 bootstrap resamples of segments; with --pairs, 10000 permutations).",
)
@click.option(
    "--seconds",
    metavar="S",
    type=Number(0, min_open=True),
    default=PROBE_SECONDS,
    show_default=True,
    help="Time limit of --what search, in seconds.",
)
@click.option(
    "-n",
    "--searched",
    metavar="N",
    type=Integer(min=1),
    default=PROBED_SEGMENTS,
    show_default=True,
    help="Number of segments for --what search.",
)
@options.seed
@click.option(
    "--confidence",
    metavar="P",
    type=Number(0, 1, min_open=True, max_open=True),
    default=CONFIDENCE,
    show_default=True,
    help="Confidence level.",
)
@pair_options
@options.tsv_quoting
@options.shorthands(several_parsers=False, tags=True)
@options.format
@options.digits(2)
@options.output
@report_option
@figures_option
@options.threads
def probe(
    *,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    chosen_set: ChosenSet,
    metrics: tuple[str, ...],
    sources: str | None,
    labels: str | None,
    listing: bool,
    samples: int | None,
    pairs: tuple[str, ...],
    scores: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    severities: str | None,
    correct: str,
    significance: float,
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
    **plan: Any,
) -> None:
    """Find errors that a metric does not notice.

    SYSTEM is FILE or NAME=FILE. The hypotheses are changed, and every metric scores the result: with words in another
    order, with errors of growing strength, and with harmless changes for comparison. Variants are searched for against
    the first metric.

    \b
    Examples:
      understudy probe system.txt -r ref.txt
      understudy probe system.txt -r refA.txt -r refB.txt -m bleu -m chrf -m ter --report probe.html
      understudy probe system.txt -r ref.txt --source source.txt --lang en --what perturbations
      understudy probe system.txt -r ref.txt --what search --seconds 30
      understudy probe --list
      understudy probe --pairs aces.tsv -m bleu -m chrf --scores comet.tsv
    """
    if listing:
        options.refuse_beside(_NOT_FOR_LISTS, "--list")
        _print_perturbations(shorthands.language)
        return
    if pairs_shown(
        pairs,
        systems,
        metrics=metrics,
        scores=scores,
        lower_is_better=lower_is_better,
        severities=severities,
        correct=correct,
        significance=significance,
        samples=samples,
        seed=plan["seed"],
        confidence=plan["confidence"],
        digits=digits if options.given("digits") else None,
        shorthands=shorthands,
        format=format,
        output=output,
        report=report,
        figures=figures,
        threads=threads,
    ):
        return
    if not systems:
        raise click.UsageError(
            "missing argument 'SYSTEM'. Give a hypothesis file, or --pairs for a challenge set."
        )
    if len(systems) > 1:
        raise click.UsageError(f"got {len(systems)} systems, expected one. Probe each system alone.")
    test_set = chosen_set.read(shorthands.language)
    (system,) = systems_with(test_set, systems)
    _refuse_idle(plan["what"])
    if samples is not None:
        plan["samples"] = samples
    entry = named_system(system)
    file = entry if isinstance(entry, str) else entry[1]
    check_targets(output, report, figures, [*references, file, *filter(None, (sources, labels))])
    parsers = _parsers(plan["what"], shorthands)
    chosen = shorthands.metrics(metrics, used_elsewhere=["parser"] if parsers else [])
    answers = options.all_references(references, chosen, [system], test_set=test_set)
    if test_set is not None:
        options.refuse_beside(["sources"], "-t")

    from understudy import Corpus
    from understudy import probe as probe_system
    from understudy.report.probe_sheets import as_sheets
    from understudy.report.probe_tables import render

    corpus = Corpus.read([entry], answers, documents=_documents(labels, chosen), sources=sources)
    if len(corpus.systems) > 1:
        raise click.UsageError(
            f"'{system}' contains {len(corpus.systems)} systems, expected one. Use FILE:NAME."
        )
    parts = len(PROBES) if "all" in plan["what"] else len(set(plan["what"]))
    with (
        shorthands.computing(chosen, also=bool(parsers), other_texts=True),
        progress("probing", lambda: parts * len(corpus)) as advance,
    ):
        found = probe_system(
            corpus,
            metrics=chosen,
            lang=shorthands.language,
            threads=threads,
            progress=advance,
            **({"parser": parsers[0]} if parsers else {}),
            **plan,
        )
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


def _print_perturbations(language: str | None) -> None:
    from understudy import list_perturbations
    from understudy.report.perturbation_list import render

    known, left_out = list_perturbations(language)
    print_text(render(known, left_out, width=terminal_width(), styled=styles_wanted()))


def _parsers(what: Sequence[str], shorthands: options.Shorthands) -> tuple[str, ...]:
    """The parser for perturbations; none if there are no perturbations."""
    if len(shorthands.parsers) > 1:
        raise click.UsageError(
            "--parser is given more than once. To compare parsers, set them in the specs, e.g. -m hwcm:parser=english."
        )
    return (shorthands.parsers or ("auto",)) if {"perturbations", "all"} & {*what} else ()


def _refuse_idle(what: Sequence[str]) -> None:
    for parameter, parts in _PARTS_OF.items():
        options.refuse_idle(
            [parameter], unless={*parts, "all"} & {*what}, cure=f"add --what {' or '.join(parts)}"
        )


def _documents(labels: str | None, metrics: Sequence[Metric]) -> FileArgument | None:
    if labels is None:
        return None
    if not any(metric.reads_documents for metric in metrics):
        raise click.UsageError("--labels has no effect: none of the metrics uses documents. Omit it.")
    return FileArgument(labels)
