"""`understudy compare`: significance tests between systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import RESAMPLING_TESTS
from understudy.cli import options, sacrebleu_flags, significance_options
from understudy.cli.analysis_options import AnalysisOptions, analysis_options
from understudy.cli.arguments import (
    FileArgument,
    as_systems,
    complete_file,
    systems_by_folder,
    systems_with_runs,
)
from understudy.cli.named_sets import FOR_SETS, ChosenSet, named_set_options, systems_with
from understudy.cli.number_types import Integer
from understudy.cli.parsers import warn_of_unparsed
from understudy.cli.progress import estimated_segments, progress, progress_of_files
from understudy.cli.regression_check import RegressionCheck, regression_options
from understudy.cli.report_files import check_targets, figures_option, report_option

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown
    from understudy.comparing.results import Comparison
    from understudy.studies.references_study import ReferencesStudy

_FOR_PEOPLE = ("table", "markdown", "latex")  # formats that show all pairs only with --pairs


@click.command(cls=sacrebleu_flags.Command)
@click.argument("systems", metavar="SYSTEM...", nargs=-1, shell_complete=complete_file)
@options.references
@named_set_options()
@options.metrics
@click.option(
    "--scores",
    metavar="FILE",
    shell_complete=complete_file,
    help="Segment scores from any tool, instead of SYSTEM files: TSV or CSV with columns system, seg and one per "
    "metric (or metric and score), or one column per system; or an mt-metrics-eval file or folder. FILE:NAME,NAME "
    "selects metrics.",
)
@click.option(
    "--lower-is-better",
    metavar="NAME",
    multiple=True,
    help="Metric in --scores for which lower is better. Repeatable.",
)
@click.option(
    "--baseline",
    metavar="NAME",
    help="Baseline system (default: the first; with --test blocks, the preceding system).",
)
@click.option(
    "--all-pairs",
    is_flag=True,
    help="Compare all pairs and rank systems in significance clusters. With --baseline, the marks in the table refer "
    "to the baseline.",
)
@significance_options.test
@significance_options.samples
@options.seed
@significance_options.correct
@options.significance("Significance level alpha. Confidence intervals have level 1 - alpha.")
@significance_options.interval
@click.option(
    "--level",
    type=click.Choice(("auto", "corpus", "mean")),
    default="auto",
    show_default=True,
    help="Statistic to compare: corpus score or mean segment score. auto: mean for permutation, ttest and wilcoxon, "
    "otherwise corpus.",
)
@click.option(
    "--blocks",
    metavar="N",
    type=Integer(min=2),
    default=20,
    show_default=True,
    help="Number of blocks in --test blocks.",
)
@click.option(
    "--block-size", metavar="N", type=Integer(min=1), help="Segments per block, instead of --blocks."
)
@click.option(
    "--by-document", is_flag=True, help="Use one block per document, as given by the files or by --labels."
)
@click.option(
    "--runs",
    is_flag=True,
    help="Treat files in the same folder as training runs of one system, named after the folder.",
)
@options.kinds
@options.tsv_quoting
@options.shorthands()
@options.format
@options.digits(2)
@options.output
@report_option
@figures_option
@options.threads
@click.option(
    "--pairs",
    is_flag=True,
    help="Show all pairs below the table, with confidence intervals, differences and p-values for each metric.",
)
@regression_options
@analysis_options
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    *,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    chosen_set: ChosenSet,
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
    gate: RegressionCheck,
    analysis: AnalysisOptions,
    **plan: Any,
) -> None:
    """Test differences between systems for statistical significance.

    SYSTEM is FILE or NAME=FILE. NAME=PATTERN, e.g. base='base/run*.txt', names several training runs of one
    system; variance across runs is reported separately from variance across segments.

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
    test_set = chosen_set.read(shorthands.language)
    systems = systems_with(test_set, systems, all_of_them=scores is None)
    _refuse_idle(systems, scores, format, plan)
    named = systems_by_folder(systems) if runs else systems_with_runs(systems)
    given = as_systems(named)
    files = [*references, *(path for _, paths in named for path in paths)]
    shown = bool(report or figures)
    inputs = [*files, *analysis.files, *([scores] if scores else [])]
    check_targets(output, report, figures, inputs, summary=gate.summary)
    chosen = [] if scores is not None else shorthands.metrics(metrics)
    gate.check(chosen, plan)
    by_document = plan["by_document"]
    documents_wanted = by_document or any(metric.reads_documents for metric in chosen)
    analysis.check(
        scores=scores is not None,
        documents_wanted=documents_wanted,
        source_wanted=any(metric.reads_sources for metric in chosen),
        report=shown,
        named_set=test_set is not None,
    )

    from understudy import Corpus, break_down, compare_scores, study_references
    from understudy import compare as compare_systems

    shown_as: dict[str, Any] = {"format": format, "digits": digits, "pairs": pairs}
    if scores is not None:
        documents = analysis.label_files if by_document else None
        found = compare_scores(
            scores, lower_is_better=lower_is_better, documents=documents, kinds=kinds, **plan
        )
        gate.check(found.metrics, plan)
        _write_report(found, None, [], digits=digits, report=report, folder=figures, threads=threads)
        options.deliver(analysis.rendering(found), output, sheets=analysis.sheets(found), **shown_as)
        if gate.closed(found, digits):
            ctx.exit(1)
        return

    answers = options.all_references(references, chosen, systems, test_set=test_set)
    reads_texts = analysis.breakdown or analysis.references_study or shown
    sought = by_document or not reads_texts
    with (
        shorthands.computing(chosen),
        (
            progress("comparing", lambda: estimated_segments(files))
            if reads_texts
            else progress_of_files("comparing", files)
        ) as advance,
    ):
        documents = analysis.label_files if documents_wanted and sought else None
        corpus = None  # unless something else needs the texts: counts alone take less memory
        if reads_texts:
            corpus = Corpus.read(
                given, answers, documents=documents, labels=analysis.labels, sources=analysis.source
            )
        found = compare_systems(
            **(
                {"systems": corpus}
                if corpus is not None
                else _files(given, answers, documents, analysis.source)
            ),
            metrics=chosen,
            lang=shorthands.language,
            kinds=kinds,
            threads=threads,
            progress=advance,
            **plan,
        )
    breakdown = None
    if analysis.breakdown or (shown and answers):
        breakdown = break_down(
            corpus, metrics=chosen, threads=threads, **analysis.of_breakdown(found, shorthands.language)
        )
    with shorthands.computing(chosen, wanted=False):
        studies: list[ReferencesStudy] = []
        if analysis.references_study:
            with progress("sampling references", lambda: analysis.drawn_segments(found)) as advance:
                studies = study_references(
                    corpus,
                    metrics=chosen,
                    level=found.plan.level,
                    draws=analysis.draws,
                    seed=found.plan.seed,
                    threads=threads,
                    progress=advance,
                )
    warn_of_unparsed(
        (system.name, metric.label, system.detail.get("unparsed", 0))
        for metric in found.metrics
        for system in metric.systems
    )
    with shorthands.computing(chosen, wanted=False):
        _write_report(
            found, breakdown, studies, digits=digits, report=report, folder=figures, threads=threads
        )
    rendering = analysis.rendering(found, breakdown, studies)
    options.deliver(rendering, output, sheets=analysis.sheets(found, breakdown, studies), **shown_as)
    if gate.closed(found, digits):
        ctx.exit(1)


def _files(
    systems: list[Any], references: Sequence[Any], documents: list[FileArgument] | None, source: str | None
) -> dict[str, Any]:
    """The texts for the library, which need not be in memory at once."""
    return {
        "systems": systems,
        "references": references,
        "sources": None if source is None else FileArgument(source),
        "documents": documents,
    }


def _refuse_idle(systems: Sequence[str], scores: str | None, format: str, plan: dict[str, Any]) -> None:
    if (scores is None) == (not systems):
        raise click.UsageError("expected either SYSTEM files or --scores. Give one of them.")
    people = " or ".join(_FOR_PEOPLE)
    options.refuse_idle(["pairs"], unless=format in _FOR_PEOPLE, cure=f"use --format {people}")
    text_only = [*options.FOR_TEXT, *FOR_SETS, "level", "runs"]
    options.refuse_idle(text_only, unless=scores is None, cure="give SYSTEM files instead of --scores")
    options.refuse_idle(["lower_is_better"], unless=scores is not None, cure="add --scores")
    sampling = ("auto", *RESAMPLING_TESTS)
    drawing = f"use --test {', '.join(sampling[:-1])} or {sampling[-1]}"
    options.refuse_idle(["samples"], unless=plan["test"] in sampling, cure=drawing)
    in_blocks = plan["test"] == "blocks"
    options.refuse_idle(["blocks", "block_size", "by_document"], unless=in_blocks, cure="add --test blocks")
    if plan["by_document"]:
        options.refuse_beside(["blocks", "block_size"], "--by-document")
    if plan["block_size"] is not None:
        options.refuse_beside(["blocks"], "--block-size")


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
