"""`understudy trust`: agreement of metrics with human scores."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import (
    AGREEMENT_LEVELS,
    CLUSTER_RULES,
    LABEL_METHODS,
    LEARNING_METHODS,
    METRIC_TESTS,
    RESAMPLED,
)
from understudy.cli import options, sacrebleu_flags
from understudy.cli.arguments import FileArgument, complete_file, systems_in_folders
from understudy.cli.number_types import Integer, Number
from understudy.cli.progress import estimated_segments, progress
from understudy.cli.report_files import check_targets, figures_option, report_option, write_report_files
from understudy.cli.trust_sets import (
    by_option,
    exclude_option,
    references_as_systems_option,
    sets_option,
    sets_shown,
    weights_option,
)
from understudy.cli.trust_spans import refuse_span_options, span_options, trust_spans

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric


@click.command(cls=sacrebleu_flags.Command)
@click.argument("systems", metavar="[SYSTEM...]", nargs=-1, shell_complete=complete_file)
@click.option(
    "--human",
    metavar="FILE",
    multiple=True,
    shell_complete=complete_file,
    help="Human scores: TSV with columns system, seg, score and, for several raters, judge; without seg, system-level "
    "scores. Or an mt-metrics-eval file, e.g. human-scores/en-de.mqm.seg.score. Repeatable; each file has its own "
    "tables.",
)
@click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    help="Human score to use if a --human file has several, e.g. adequacy. Repeatable.",
)
@click.option(
    "--systems",
    "folders",
    metavar="DIR",
    multiple=True,
    shell_complete=complete_file,
    help="Folder with one hypothesis file per system. Repeatable.",
)
@options.references
@options.metrics
@click.option(
    "--scores",
    metavar="FILE",
    multiple=True,
    shell_complete=complete_file,
    help="Metric scores from any tool: TSV or CSV with columns system, seg (for segment scores) and one per metric (or "
    "metric and score), or one column per system; or an mt-metrics-eval file or folder. FILE:NAME,NAME selects "
    "metrics. Repeatable.",
)
@click.option(
    "--lower-is-better",
    metavar="NAME",
    multiple=True,
    help="Metric in --scores for which lower is better. Repeatable.",
)
@sets_option
@exclude_option
@references_as_systems_option
@by_option
@weights_option
@span_options
@options.kinds
@click.option(
    "--level",
    type=click.Choice(AGREEMENT_LEVELS),
    help="Level of the coefficients: system or segment (default: both).",
)
@click.option(
    "--coefficient",
    "coefficients",
    metavar="NAME",
    multiple=True,
    help="Coefficient, e.g. kendall-b or kendall-b:segment, or `all` (default: the most common coefficients). "
    "Repeatable.",
)
@click.option(
    "--rank-by",
    metavar="NAME",
    help="Coefficient for ranking and comparing metrics (default: pearson at system level, kendall-b:segment at "
    "segment level).",
)
@click.option(
    "--test",
    type=click.Choice(METRIC_TESTS),
    help="Significance test between metrics (default: perm-systems at system level, perm-inputs at segment level, "
    "perm-both for spa, perm-pairs for acc-eq).",
)
@click.option(
    "--clusters",
    type=click.Choice(CLUSTER_RULES),
    default=CLUSTER_RULES[0],
    show_default=True,
    help="Rule for significance clusters of metrics (with --set: wmt). strict: every metric is significantly better "
    "than every metric of the clusters below (two-sided, Holm-corrected). wmt, as in the WMT metrics tasks: a cluster "
    "begins at the first metric that is significantly worse than any metric of the cluster above (one-sided, "
    "uncorrected).",
)
@click.option(
    "--over",
    type=click.Choice(RESAMPLED),
    help="Unit of resampling for confidence intervals (default: segments; systems without segment scores).",
)
@options.samples("Number of resamples.")
@options.seed
@click.option(
    "--confidence",
    metavar="P",
    type=Number(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level.",
)
@options.significance("Significance level alpha, for metric tests and for the permutation baseline.")
@click.option(
    "--judged-only", is_flag=True, help="Score only segments that have human scores (default: all segments)."
)
@click.option(
    "--up-to",
    metavar="N",
    type=Integer(min=1),
    help="Also show agreement by maximum n-gram order or tree depth of each metric, from 1 to N.",
)
@click.option(
    "--learn",
    "method",
    type=click.Choice(LEARNING_METHODS),
    help="Fit a learned combination of the metrics and evaluate it by cross-validation: to human scores (ridge, "
    "lasso), or to human and machine translations (svm, logistic; requires --kind human:NAME).",
)
@click.option(
    "--learn-within",
    is_flag=True,
    help="Fit --learn only to score differences within segments, for combinations that rank systems.",
)
@click.option(
    "--labels",
    metavar="FILE",
    shell_complete=complete_file,
    help="Document labels for --learn and for metrics that use documents: one name per line, or a table with a column "
    "document.",
)
@click.option(
    "--save-model",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the combination fitted by --learn, for use as the metric learned:model=FILE.",
)
@click.option(
    "--plot", "plots", is_flag=True, help="Plot human scores against metric scores in the terminal."
)
@options.tsv_quoting
@options.shorthands()
@options.format
@options.digits(3)
@options.output
@report_option
@figures_option
@options.threads
def trust(
    *,
    systems: tuple[str, ...],
    human: tuple[str, ...],
    measures: tuple[str, ...],
    folders: tuple[str, ...],
    references: tuple[str, ...],
    metrics: tuple[str, ...],
    scores: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    sets: tuple[str, ...],
    exclude: tuple[str, ...],
    references_as_systems: bool,
    by: str | None,
    weights: tuple[str, ...],
    human_spans: str | None,
    spans: tuple[str, ...],
    annotated: str | None,
    severity_credit: float,
    kinds: tuple[str, ...],
    judged_only: bool,
    up_to: int | None,
    method: str | None,
    learn_within: bool,
    labels: str | None,
    save_model: str | None,
    plots: bool,
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    output: str | None,
    report: str | None,
    figures: str | None,
    threads: int | None,
    **plan: Any,
) -> None:
    """Measure the agreement of metrics with human scores.

    SYSTEM is FILE, NAME=FILE or a folder of files. Systems are matched with the human scores by name. Metrics are
    computed (-m), read from files (--scores), or both.

    \b
    Examples:
      understudy trust --human human.tsv --systems outputs/ -r ref.txt -m bleu -m chrf -m ter
      understudy trust --human human.tsv --scores comet.tsv --level segment
      understudy trust a.txt b.txt c.txt --human human.tsv --measure adequacy --measure fluency -r ref.txt --plot
      understudy trust *.txt --human human.tsv -r ref.txt --kind nmt:A,B --kind rule-based:C
      understudy trust *.txt --human human.tsv -r ref.txt -m bleu -m ter --learn ridge --save-model both.json
      understudy trust --human human-scores/en-de.mqm.seg.score --scores metric-scores/en-de --level system
      understudy trust --human human.tsv --systems outputs/ -r ref.txt --report trust.html
      understudy trust --set zh-en=wmt23.zh-en --set en-de=wmt21.en-de --human human.mqm.tsv -r refA.txt -m bleu -m chrf
      understudy trust --set mt-metrics-eval-v2/wmt23 --human mqm -r refA --by domain
      understudy trust --human-spans mqm-errors.tsv --spans xcomet.tsv --spans gemba=gemba.tsv
    """
    if sets_shown(
        sets,
        metrics=metrics,
        choices={
            "human": human,
            "measure": measures,
            "references": references,
            "systems": (*systems, *folders),
            "scores": scores,
            "labels": labels,
            "exclude": exclude,
            "references_as_systems": references_as_systems,
        },
        lower_is_better=lower_is_better,
        by=by,
        weights=weights,
        plan=plan,
        shorthands=shorthands,
        format=format,
        digits=digits,
        output=output,
        threads=threads,
    ):
        return
    if human_spans is not None:
        trust_spans(
            human_spans,
            spans,
            systems_in_folders([*systems, *folders]),
            annotated=annotated,
            severity_credit=severity_credit,
            output=output,
            format=format,
            digits=digits,
            **{name: plan[name] for name in ("samples", "seed", "confidence", "significance")},
        )
        return
    _check_judgments(human)
    texts = systems_in_folders([*systems, *folders])
    if not texts and not scores:
        raise click.UsageError("expected SYSTEM files, --scores, or both.")
    options.refuse_idle(
        [*options.FOR_TEXT, "up_to"], unless=texts, cure="also give SYSTEM files or --systems"
    )
    options.refuse_idle(["lower_is_better"], unless=scores, cure="add --scores")
    options.refuse_idle(["plots"], unless=format == "table", cure="use --format table")
    _check_learning(
        method, learn_within=learn_within, save_model=save_model, measures=max(len(human), len(measures))
    )
    files = [*references, *(entry if isinstance(entry, str) else entry[1] for entry in texts)]
    inputs = [*human, *files, *scores, *([labels] if labels else [])]
    check_targets(output, report, figures, inputs, save_model=save_model)
    chosen = shorthands.metrics(metrics) if texts else []
    documents = _documents(labels, chosen, learning=method is not None)

    from understudy import Corpus, TrustPlan, read_all_judgments, score_systems, trust_by_order
    from understudy import trust as trust_metrics
    from understudy.report.agreements import as_sheets, render
    from understudy.report.trust_charts import trust_figures
    from understudy.report.trust_report import trust_report

    chosen_plan = TrustPlan(**plan)
    judged = read_all_judgments(human, measures)
    if texts:
        options.require_references(references, chosen, systems)
    with (
        shorthands.parsing(chosen),
        progress("scoring", lambda: estimated_segments(files)) as advance,
    ):
        corpus = Corpus.read(texts, references, documents=documents) if texts else ()
        scored = score_systems(
            corpus,
            metrics=chosen,
            scores=scores,
            lower_is_better=lower_is_better,
            threads=threads,
            progress=advance,
        )
    found = []
    with progress(
        "resampling",
        lambda: len(judged) * chosen_plan.steps(len(scored.measures), learning=method is not None),
        unit="steps",
    ) as advance:
        for people in judged:
            found.append(
                trust_metrics(
                    people,
                    scored,
                    judged_only=judged_only,
                    exclude=exclude,
                    documents=documents,
                    kinds=kinds,
                    learn=method,
                    learn_within=learn_within,
                    threads=threads,
                    progress=advance,
                    **plan,
                )
            )
    if save_model is not None and found[0].learning is not None:
        found[0].learning.model.save(save_model)
    lengths = []
    if up_to is not None:
        with shorthands.parsing(chosen):
            lengths = [
                trust_by_order(one.human, corpus, metrics=chosen, up_to=up_to, threads=threads, **plan)
                for one in found
            ]
    write_report_files(
        lambda: trust_report(found, by_length=[one for of_each in lengths for one in of_each], digits=digits),
        lambda: trust_figures(found, by_length=[one for of_each in lengths for one in of_each]),
        report=report,
        figures=figures,
    )
    rendering = functools.partial(render, found, plots=plots, lengths=lengths)
    options.deliver(rendering, output, sheets=lambda: as_sheets(found), format=format, digits=digits)


def _check_judgments(human: Sequence[str]) -> None:
    refuse_span_options()
    if not human:
        raise click.UsageError(
            "missing option '--human'. Give a file of human scores. Without human scores, use `understudy compare "
            "--kind` to compare system types."
        )


def _check_learning(
    method: str | None,
    *,
    learn_within: bool,
    save_model: str | None,
    measures: int,
) -> None:
    for option, is_given in (("--learn-within", learn_within), ("--save-model", save_model)):
        if method is None and is_given:
            raise click.UsageError(f"{option} has no effect: add --learn, or omit {option}.")
    if learn_within and method in LABEL_METHODS:
        raise click.UsageError(
            f"--learn-within needs human scores, which {method} does not use. Use --learn ridge or lasso, or omit "
            "--learn-within."
        )
    if save_model is not None and measures > 1:
        raise click.UsageError(
            f"--save-model writes one combination, but there are {measures} human scores to fit. Select one with "
            "--measure."
        )


def _documents(labels: str | None, metrics: Sequence[Metric], *, learning: bool) -> FileArgument | None:
    if labels is None:
        return None
    if not learning and not any(metric.reads_documents for metric in metrics):
        raise click.UsageError(
            "--labels has no effect: no metric uses documents. Add --learn, or omit --labels."
        )
    return FileArgument(labels)
