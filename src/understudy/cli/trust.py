"""`understudy trust`: does the metric agree with the people?"""

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
from understudy.cli.output import check_output
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
    help="Human scores: a TSV file with the columns system, seg, score and, if there are several raters, judge; "
    "without seg, system scores. Or a file of mt-metrics-eval, such as human-scores/en-de.mqm.seg.score. Repeat it to "
    "show agreement with several kinds of human scores, one after the other.",
)
@click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    help="Which scores, if a --human file has several, such as adequacy. Repeat it for several.",
)
@click.option(
    "--systems",
    "folders",
    metavar="DIR",
    multiple=True,
    shell_complete=complete_file,
    help="A folder with the output of a system in every file.",
)
@options.references
@options.metrics
@click.option(
    "--scores",
    metavar="FILE",
    multiple=True,
    shell_complete=complete_file,
    help="Scores of other metrics: a TSV or CSV file with the columns system, seg (if of segments), and a column for "
    "each metric, or metric and score; with a column for each system; or a file or folder of mt-metrics-eval. "
    "FILE:NAME,NAME chooses some. Repeat it for several.",
)
@click.option(
    "--lower-is-better",
    metavar="NAME",
    multiple=True,
    help="A metric in a --scores file whose smaller values are better. Repeat it for several.",
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
    help="Only coefficients of systems, or of segments (default: both).",
)
@click.option(
    "--coefficient",
    "coefficients",
    metavar="NAME",
    multiple=True,
    help="Which coefficient, such as kendall-b or kendall-b:segment, or `all` (default: the usual ones). "
    "Repeat it for several.",
)
@click.option(
    "--rank-by",
    metavar="NAME",
    help="The coefficient by which metrics are compared (default: pearson of systems, kendall-b:segment of segments).",
)
@click.option(
    "--test",
    type=click.Choice(METRIC_TESTS),
    help="How it is decided whether one metric is better than another (default: perm-systems for systems, perm-inputs "
    "for segments, perm-both for spa, perm-pairs for acc-eq).",
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
    help="What is resampled for intervals (default: segments, if there are any).",
)
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of resamples.",
)
@options.seed
@click.option(
    "--confidence",
    metavar="P",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals.",
)
@options.significance("Significance level alpha, for metric tests and for the permutation baseline.")
@click.option(
    "--judged-only", is_flag=True, help="Let metrics see only the segments that people judged (default: all)."
)
@click.option(
    "--up-to",
    metavar="N",
    type=click.IntRange(min=1),
    help="Show agreement also by the longest n-gram or the largest depth that a metric counts, from 1 up to N.",
)
@click.option(
    "--learn",
    "method",
    type=click.Choice(LEARNING_METHODS),
    help="Learn a combination of the metrics, and show it beside them: from human scores (ridge, lasso), or from who "
    "translated (svm, logistic; --kind human:NAME says who are people).",
)
@click.option(
    "--learn-within",
    is_flag=True,
    help="Let --learn see only differences between translations of the same segment, as a metric needs that compares "
    "systems.",
)
@click.option(
    "--labels",
    metavar="FILE",
    shell_complete=complete_file,
    help="Which document each segment is of, for --learn and for metrics that look at documents: a name per line, or a "
    "table with a column document.",
)
@click.option(
    "--save-model",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write what --learn learned, to be used as the metric learned:model=FILE.",
)
@click.option("--plot", "plots", is_flag=True, help="Draw human scores over metric scores, in the terminal.")
@options.tsv_quoting
@options.shorthands
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
    predicted: tuple[str, ...],
    annotated: str | None,
    credit: float,
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
    """Say how far metrics agree with human judgments.

    A SYSTEM is a file, NAME=FILE, or a folder of files. Systems are matched with the judgments by name. Metrics are
    computed here, read from files of scores, or both.

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
            predicted,
            systems_in_folders([*systems, *folders]),
            annotated=annotated,
            credit=credit,
            output=output,
            format=format,
            digits=digits,
            **{name: plan[name] for name in ("samples", "seed", "confidence", "significance")},
        )
        return
    _check_judgments(human)
    texts = systems_in_folders([*systems, *folders])
    if not texts and not scores:
        raise click.UsageError("expected systems to score, --scores of metrics, or both.")
    options.refuse_idle([*options.FOR_TEXT, "up_to"], unless=texts, cure="give the systems' outputs, too")
    options.refuse_idle(["lower_is_better"], unless=scores, cure="add --scores")
    options.refuse_idle(["plots"], unless=format == "table", cure="take --format table")
    _check_learning(
        method, learn_within=learn_within, save_model=save_model, measures=max(len(human), len(measures))
    )
    files = [*references, *(entry if isinstance(entry, str) else entry[1] for entry in texts)]
    inputs = [*human, *files, *scores, *([labels] if labels else [])]
    check_targets(output, report, figures, inputs)
    if save_model is not None:
        check_output(save_model, inputs, option="--save-model")
    chosen = shorthands.metrics(metrics) if texts else []
    documents = _documents(labels, chosen, learning=method is not None)

    from understudy import Corpus, TrustPlan, read_all_judgments, score_systems, trust_by_length
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
                trust_by_length(one.human, corpus, metrics=chosen, up_to=up_to, threads=threads, **plan)
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
            "Missing option '--human': which file says what people think? Without judgments, "
            "`understudy compare --kind` says where metrics place kinds of systems."
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
            raise click.UsageError(f"{option} needs --learn. Add it, or leave {option} out.")
    if learn_within and method in LABEL_METHODS:
        raise click.UsageError(
            f"--learn-within compares human scores within a segment, and {method} learns from none. Use --learn ridge "
            "or lasso, or leave out --learn-within."
        )
    if save_model is not None and measures > 1:
        raise click.UsageError(
            f"--save-model writes one combination, and there are {measures} measures to learn from."
        )


def _documents(labels: str | None, metrics: Sequence[Metric], *, learning: bool) -> FileArgument | None:
    if labels is None:
        return None
    if not learning and not any(metric.reads_documents for metric in metrics):
        raise click.UsageError(
            "--labels changes nothing: none of the metrics looks at documents, nor does --learn."
        )
    return FileArgument(labels)
