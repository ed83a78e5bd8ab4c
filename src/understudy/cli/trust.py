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
from understudy.cli.named_sets import ChosenSet, judged_sets, named_set_options, systems_with
from understudy.cli.number_types import Integer, Number
from understudy.cli.progress import estimated_segments, progress
from understudy.cli.report_files import check_targets, figures_option, report_option, write_report_files
from understudy.cli.trust_features import FOR_FEATURES, chosen_features, feature_options
from understudy.cli.trust_grids import expanded_grids, grid_option
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
    from understudy.trusting.feature_weights.settings import FeatureSettings


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
@named_set_options()
@options.source
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
    help="Fit --learn or --learn-features only to score differences within segments, for metrics that rank systems.",
)
@click.option(
    "--learn-sentinels",
    is_flag=True,
    help="Also fit weights of all that sentinels see: the length and surface of the hypothesis and, with --source, the "
    "length of the source.",
)
@feature_options
@grid_option
@click.option(
    "--labels",
    metavar="FILE",
    shell_complete=complete_file,
    help="Document labels for --learn, --learn-features, --grid, --sentinels and metrics that use documents: one name "
    "per line, or a table with a column document.",
)
@click.option(
    "--save-model",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the combination fitted by --learn, for use as the metric learned:model=FILE, or the weights fitted by "
    "--learn-features, for learned-features:model=FILE.",
)
@click.option(
    "--sentinels",
    is_flag=True,
    help="Also show sentinels, which see only the length of the hypothesis, only its surface, or only the source; name "
    "metrics that are not significantly better.",
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
    chosen_set: ChosenSet,
    source: str | None,
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
    learn_sentinels: bool,
    learn_features: str | None,
    hash_bits: int,
    min_documents: int,
    grids: tuple[str, ...],
    labels: str | None,
    save_model: str | None,
    sentinels: bool,
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
      understudy trust *.txt --human human.tsv -r ref.txt -m bleu --learn-features ngrams --save-model ngrams.json
      understudy trust *.txt --human human.tsv -r ref.txt --grid 'bleu:max_order=1..6,average=geometric|arithmetic'
      understudy trust --human human-scores/en-de.mqm.seg.score --scores metric-scores/en-de --level system
      understudy trust --human human.tsv --systems outputs/ -r ref.txt --report trust.html
      understudy trust --set zh-en=wmt23.zh-en --set en-de=wmt21.en-de --human human.mqm.tsv -r refA.txt -m bleu -m chrf
      understudy trust --set mt-metrics-eval-v2/wmt23 --human mqm -r refA --by domain
      understudy trust -t mtme:wmt23:refA -l en-de --human mqm -m bleu -m chrf
      understudy trust --human-spans mqm-errors.tsv --spans xcomet.tsv --spans gemba=gemba.tsv
    """
    of_name, answers = judged_sets(chosen_set, shorthands.language)
    if sets_shown(
        (*sets, *of_name),
        metrics=metrics,
        choices={
            "human": human,
            "measure": measures,
            "references": (*answers, *references),
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
    test_set = chosen_set.read(shorthands.language)
    texts = systems_in_folders(systems_with(test_set, [*systems, *folders], all_of_them=not scores))
    if not texts and not scores:
        raise click.UsageError("expected SYSTEM files, --scores, or both.")
    options.refuse_idle(
        [*options.FOR_TEXT, "up_to", "grids", "sentinels", "learn_sentinels"],
        unless=texts,
        cure="also give SYSTEM files or --systems",
    )
    options.refuse_idle(["lower_is_better"], unless=scores, cure="add --scores")
    options.refuse_idle(["plots"], unless=format == "table", cure="use --format table")
    learning = method is not None or learn_features is not None
    _check_learning(
        method,
        learning=learning,
        learn_within=learn_within,
        save_model=save_model,
        measures=max(len(human), len(measures)),
    )
    features = chosen_features(
        learn_features, method, within=learn_within, bits=hash_bits, min_documents=min_documents
    )
    options.refuse_idle(FOR_FEATURES, unless=texts, cure="also give SYSTEM files or --systems")
    files = [*references, *(entry if isinstance(entry, str) else entry[1] for entry in texts)]
    inputs = [*human, *files, *scores, *filter(None, (labels, source))]
    check_targets(output, report, figures, inputs, save_model=save_model)
    chosen = _chosen(shorthands, metrics, features) if texts else []
    documents = _documents(labels, chosen, learning=learning or bool(grids) or sentinels)
    expanded = expanded_grids(grids, shorthands)
    computed = [*chosen, *(metric for grid in expanded for metric in grid.metrics)]
    sources = options.sources_for(computed, source, test_set, elsewhere=sentinels or learn_sentinels)

    from understudy import Corpus, TrustPlan, read_all_judgments, score_systems, trust_by_order
    from understudy import trust as trust_metrics
    from understudy.report.agreements import as_sheets, render
    from understudy.report.trust_charts import trust_figures
    from understudy.report.trust_report import trust_report

    chosen_plan = TrustPlan(**plan)
    judged = read_all_judgments(human, measures)
    given = options.all_references(references, computed, systems, test_set=test_set) if texts else []
    with (
        shorthands.computing(computed),
        progress("scoring", lambda: estimated_segments(files)) as advance,
    ):
        corpus = Corpus.read(texts, given, sources=sources, documents=documents) if texts else ()
        scored = score_systems(
            corpus,
            metrics=chosen,
            scores=scores,
            lower_is_better=lower_is_better,
            threads=threads,
            progress=advance,
        )
    found = []
    with (
        shorthands.computing(computed),
        progress(
            "resampling",
            lambda: len(judged) * chosen_plan.steps(len(scored.measures) + 3 * sentinels, learning=learning),
            unit="steps",
        ) as advance,
    ):
        for people in judged:
            found.append(
                trust_metrics(
                    people,
                    scored,
                    judged_only=judged_only,
                    exclude=exclude,
                    documents=documents,
                    kinds=kinds,
                    learn=None if features else method,
                    learn_features=features,
                    learn_within=learn_within,
                    learn_sentinels=learn_sentinels,
                    grid=expanded,
                    sentinels=sentinels,
                    threads=threads,
                    progress=advance,
                    **plan,
                )
            )
    learned = found[0].learning or found[0].feature_learning
    if save_model is not None and learned is not None:
        learned.model.save(save_model)
    lengths = []
    if up_to is not None:
        with shorthands.computing(computed):
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


def _chosen(
    shorthands: options.Shorthands, metrics: Sequence[str], features: FeatureSettings | None
) -> list[Metric]:
    """The metrics; with feature weights also the plain metric, which without -m is the only one."""
    if features is None:
        return shorthands.metrics(metrics)
    specs = metrics if options.given("metrics") else ()
    found = shorthands.metrics(specs) if specs else []
    return found if features.among(found) else shorthands.metrics([*specs, features.plain])


def _check_learning(
    method: str | None,
    *,
    learning: bool,
    learn_within: bool,
    save_model: str | None,
    measures: int,
) -> None:
    for option, is_given in (("--learn-within", learn_within), ("--save-model", save_model)):
        if not learning and is_given:
            raise click.UsageError(
                f"{option} has no effect: add --learn or --learn-features, or omit {option}."
            )
    if options.given("learn_features"):
        options.refuse_beside(["learn_sentinels"], "--learn-features")
    options.refuse_idle(["learn_sentinels"], unless=method, cure="add --learn")
    if learn_within and method in LABEL_METHODS:
        raise click.UsageError(
            f"--learn-within needs human scores, which {method} does not use. Use --learn ridge or lasso, or omit "
            "--learn-within."
        )
    if save_model is not None and measures > 1:
        raise click.UsageError(
            f"--save-model writes one model, but there are {measures} human scores to fit. Select one with "
            "--measure."
        )


def _documents(labels: str | None, metrics: Sequence[Metric], *, learning: bool) -> FileArgument | None:
    if labels is None:
        return None
    if not learning and not any(metric.reads_documents for metric in metrics):
        raise click.UsageError(
            "--labels has no effect: no metric uses documents. Add --learn, --learn-features, --grid or --sentinels, "
            "or omit --labels."
        )
    return FileArgument(labels)
