"""`understudy compare`: is the difference real?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import COMPARE_TESTS, CORRECTIONS, INTERVAL_METHODS, RESAMPLING_TESTS
from understudy.cli import options, sacrebleu_flags
from understudy.cli.arguments import complete_file, systems_by_folder, systems_with_runs
from understudy.cli.details import Details, details_options
from understudy.cli.gate import Gate, gate_options
from understudy.cli.parsers import warn_of_unparsed
from understudy.cli.progress import estimated_segments, progress
from understudy.cli.report_files import check_targets, figures_option, report_option

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown
    from understudy.comparing.results import Comparison
    from understudy.studies.references_study import ReferencesStudy

FOR_PEOPLE = ("table", "markdown", "latex")  # formats that do not show every pair unless they are asked to


@click.command(cls=sacrebleu_flags.Command)
@click.argument("systems", metavar="SYSTEM...", nargs=-1, shell_complete=complete_file)
@options.references
@options.metrics
@click.option(
    "--scores",
    metavar="FILE",
    shell_complete=complete_file,
    help="Compare by segment scores of any tool instead of files of text: a TSV or CSV file with the columns system, "
    "seg and a column for each metric, or metric and score; with a column for each system; or a file or folder of "
    "mt-metrics-eval. FILE:NAME,NAME chooses metrics.",
)
@click.option(
    "--lower-is-better",
    metavar="NAME",
    multiple=True,
    help="A metric in the --scores file whose smaller values are better. Repeat it for several.",
)
@click.option(
    "--baseline", metavar="NAME", help="Compare every other system with this one (default: the first)."
)
@click.option(
    "--all-pairs",
    is_flag=True,
    help="Compare every system with every other, and rank them. With --baseline, the table is marked against it.",
)
@click.option(
    "--test",
    type=click.Choice(("auto", *COMPARE_TESTS)),
    default="auto",
    show_default=True,
    help="Significance test. auto: paired bootstrap, or approximate randomization below 100 segments. "
    "bootstrap and randomization test the corpus score; permutation, ttest and wilcoxon the segment scores; "
    "blocks the mean score of consecutive blocks, as the BLEU report did; multeval shuffles the training runs given.",
)
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of resamples (default: 1000 for bootstrap, 10000 for the other resampling tests, more for many "
    "pairs).",
)
@options.seed
@click.option(
    "--correct",
    type=click.Choice(CORRECTIONS),
    default="holm",
    show_default=True,
    help="Correction of p-values for the number of pairs: Holm, Benjamini-Hochberg, or none.",
)
@options.significance("Significance level; confidence intervals have the level 1 - P.")
@click.option(
    "--interval",
    type=click.Choice(("auto", *INTERVAL_METHODS)),
    default="auto",
    show_default=True,
    help="Confidence interval from bootstrap resamples. auto: percentile; Student's t for ttest, blocks and several "
    "training runs.",
)
@click.option(
    "--level",
    type=click.Choice(("auto", "corpus", "mean")),
    default="auto",
    show_default=True,
    help="Statistic to compare: corpus score or mean segment score. auto: what the test is about.",
)
@click.option(
    "--blocks",
    "block_count",
    metavar="N",
    type=click.IntRange(min=2),
    default=20,
    show_default=True,
    help="Number of blocks.",
)
@click.option("--block-size", metavar="N", type=click.IntRange(min=1), help="Segments per block.")
@click.option("--by-document", is_flag=True, help="One block per document, from the files or --labels.")
@click.option(
    "--runs",
    is_flag=True,
    help="Files in one folder are training runs of one system, named after the folder.",
)
@options.kinds
@options.tsv_quoting
@options.shorthands
@options.format
@options.digits(2)
@options.output
@report_option
@figures_option
@options.threads
@click.option(
    "--pairs",
    is_flag=True,
    help="Show every pair below the table: intervals, differences and p-values of each metric.",
)
@gate_options
@details_options
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    *,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    metrics: tuple[str, ...],
    scores: str | None,
    lower_is_better: tuple[str, ...],
    runs: bool,
    kinds: tuple[str, ...],
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
    pairs: bool,
    gate: Gate,
    details: Details,
    **plan: Any,
) -> None:
    """Say which differences between systems are real.

    A SYSTEM is a file, or NAME=FILE. Several training runs of one system are given as NAME=PATTERN, such as
    base='base/run*.txt': how much scores vary over runs is then kept apart from how much they vary over sentences.

    \b
    Examples:
      understudy compare old.txt new.txt -r ref.txt
      understudy compare *.txt -r ref.txt --all-pairs -m bleu -m chrf
      understudy compare a.txt b.txt -r ref.txt --test blocks --block-size 25
      understudy compare base='base/*.txt' new='new/*.txt' -r ref.txt --test randomization
      understudy compare --scores comet.tsv --all-pairs
      understudy compare old.txt new.txt -r ref.txt --breakdown --labels domains.txt
      understudy compare *.txt -r refA.txt -r refB.txt --references-study
      understudy compare *.txt -r ref.txt --all-pairs --kind nmt:a.txt,b.txt --kind rule-based:c.txt
      understudy compare *.txt -r ref.txt --all-pairs --report report.html
      understudy compare old.txt new.txt -r ref.txt -m bleu -m chrf --fail-if-worse --summary summary.md
    """
    if (scores is None) == (not systems):
        raise click.UsageError("expected either systems to score, or --scores with scores to compare.")
    _refuse_idle(scores, plan)
    options.refuse_idle(
        ["pairs"], unless=format in FOR_PEOPLE, cure=f"take --format {' or '.join(FOR_PEOPLE)}"
    )
    named = systems_by_folder(systems) if runs else systems_with_runs(systems)
    files = [*references, *(path for _, paths in named for path in paths)]
    shown = bool(report or figures)
    inputs = [*files, *details.files, *([scores] if scores else [])]
    check_targets(output, report, figures, inputs)
    chosen = [] if scores is not None else shorthands.metrics(metrics)
    gate.check(chosen, plan, inputs)
    by_document = plan["by_document"]
    documents_wanted = by_document or any(metric.reads_documents for metric in chosen)
    details.check(scores=scores is not None, documents_wanted=documents_wanted, report=shown)

    from understudy import Corpus, break_down, compare_scores, study_references
    from understudy import compare as compare_systems

    shown_as: dict[str, Any] = {"format": format, "digits": digits, "pairs": pairs}
    if scores is not None:
        documents = details.label_files if by_document else None
        found = compare_scores(
            scores, lower_is_better=lower_is_better, documents=documents, kinds=kinds, **plan
        )
        gate.check(found.metrics, plan)
        _write_report(found, None, [], digits=digits, report=report, folder=figures, threads=threads)
        options.deliver(details.rendering(found), output, sheets=details.sheets(found), **shown_as)
        if gate.closed(found, digits):
            ctx.exit(1)
        return

    options.require_references(references, chosen, systems)
    sought = by_document or not (details.breakdown or details.references_study or shown)
    with (
        shorthands.parsing(chosen),
        progress("comparing", lambda: estimated_segments(files)) as advance,
    ):
        corpus = Corpus.read(
            named,
            references,
            documents=details.label_files if documents_wanted and sought else None,
            labels=details.labels,
            sources=details.source,
        )
        found = compare_systems(
            corpus,
            metrics=chosen,
            lang=shorthands.language,
            kinds=kinds,
            threads=threads,
            progress=advance,
            **plan,
        )
    breakdown = None
    if details.breakdown or (shown and references):
        breakdown = break_down(
            corpus, metrics=chosen, threads=threads, **details.of_breakdown(found, shorthands.language)
        )
    with shorthands.parsing(chosen, wanted=False):
        studies: list[ReferencesStudy] = []
        if details.references_study:
            with progress("drawing references", lambda: details.drawn_segments(found)) as advance:
                studies = study_references(
                    corpus,
                    metrics=chosen,
                    level=found.plan.level,
                    draws=details.draws,
                    seed=found.plan.seed,
                    threads=threads,
                    progress=advance,
                )
    warn_of_unparsed(
        (system.name, metric.label, system.detail.get("unparsed", 0))
        for metric in found.metrics
        for system in metric.systems
    )
    with shorthands.parsing(chosen, wanted=False):
        _write_report(
            found, breakdown, studies, digits=digits, report=report, folder=figures, threads=threads
        )
    rendering = details.rendering(found, breakdown, studies)
    options.deliver(rendering, output, sheets=details.sheets(found, breakdown, studies), **shown_as)
    if gate.closed(found, digits):
        ctx.exit(1)


def _refuse_idle(scores: str | None, plan: dict[str, Any]) -> None:
    text_only = [*options.FOR_TEXT, "level", "runs"]
    options.refuse_idle(text_only, unless=scores is None, cure="give files of text in place of --scores")
    options.refuse_idle(["lower_is_better"], unless=scores is not None, cure="add --scores")
    sampling = ("auto", *RESAMPLING_TESTS)
    drawing = f"take --test {', '.join(sampling[:-1])} or {sampling[-1]}"
    options.refuse_idle(["samples"], unless=plan["test"] in sampling, cure=drawing)
    in_blocks = plan["test"] == "blocks"
    options.refuse_idle(["block_count", "block_size"], unless=in_blocks, cure="add --test blocks")
    other_blocks = plan["by_document"] or plan["block_size"] is not None
    options.refuse_idle(["block_count"], unless=not other_blocks, cure="drop --block-size and --by-document")


def _write_report(
    found: Comparison,
    breakdown: Breakdown | None,
    studies: Sequence[ReferencesStudy],
    *,
    digits: int,
    report: str | None,
    folder: str | None,
    threads: int | None,
) -> None:
    if report is not None:
        found.report(report, breakdown=breakdown, studies=studies, digits=digits, threads=threads)
    if folder is not None:
        found.figures(folder, breakdown=breakdown, studies=studies)
