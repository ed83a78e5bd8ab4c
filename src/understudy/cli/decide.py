"""`understudy decide`: choose among candidate translations with a metric."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import (
    BOOTSTRAP_SAMPLES,
    DECIDE_METHODS,
    DECIDE_METRICS,
    DECISION_FORMATS,
    GAPS,
    ORACLE_LEVELS,
    POSTERIORS,
    PRUNING_ALPHA,
    REFERENCE_CLUSTERS,
)
from understudy.cli import options, sacrebleu_flags, say
from understudy.cli.arguments import FileArgument, complete_file, complete_metrics
from understudy.cli.named_sets import ChosenSet, named_set_options, references_with
from understudy.cli.number_types import Integer, Number
from understudy.cli.output import delivered_in_parts
from understudy.cli.progress import estimated_segments, progress
from understudy.cli.report_files import check_targets, figures_option, report_option
from understudy.errors import BadParameter

if TYPE_CHECKING:
    from understudy.corpus.nbest import NBest
    from understudy.deciding.results import Decision, Summary


@click.command(cls=sacrebleu_flags.Command, short_help="Choose among candidate translations.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file)
@options.references_for("Reference translation, for the oracle and for corpus scores. Repeatable.")
@named_set_options(selection=False)
@options.source
@click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="SPEC",
    multiple=True,
    default=DECIDE_METRICS,
    show_default=True,
    shell_complete=complete_metrics,
    help="Utility: the spec of a metric that compares with references, or of a reference-free metric for --method qe. "
    "Several are added, see --metric-weight.",
)
@click.option(
    "--metric-weight",
    "metric_weights",
    metavar="W",
    multiple=True,
    type=Number(0, min_open=True),
    help="Weight of a metric in the utility, once per -m and in the same order (default: 1 each).",
)
@click.option(
    "--method",
    type=click.Choice(DECIDE_METHODS),
    default="mbr",
    show_default=True,
    help="Minimum Bayes risk decoding: mbr (exact), aggregated (one aggregated reference), pruned (confidence-based "
    "pruning) or centroid (one aggregated reference per cluster). qe: the best by reference-free metrics. oracle: the "
    "best against the references. rerank: the best by --weights, or by model score.",
)
@click.option(
    "--samples-from",
    metavar="FILE",
    shell_complete=complete_file,
    help="N-best list of pseudo-references (default: the candidates).",
)
@click.option(
    "--posterior",
    type=click.Choice(POSTERIORS),
    help="Weights of pseudo-references: uniform, score (softmax of model scores) or weight (as in the list). Default: "
    "weight if the list has weights, otherwise uniform.",
)
@click.option(
    "--temperature",
    metavar="T",
    type=Number(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Divisor of model scores, for --posterior score.",
)
@click.option(
    "--alpha",
    metavar="P",
    type=Number(0, 1, min_open=True, max_open=True),
    default=PRUNING_ALPHA,
    show_default=True,
    help="Confidence at which --method pruned drops a candidate.",
)
@click.option(
    "--samples",
    metavar="N",
    type=Integer(min=1),
    default=BOOTSTRAP_SAMPLES,
    show_default=True,
    help="Number of bootstrap samples for --method pruned.",
)
@click.option(
    "--clusters",
    metavar="N",
    type=Integer(min=1),
    default=REFERENCE_CLUSTERS,
    show_default=True,
    help="Number of clusters for --method centroid.",
)
@click.option(
    "--level",
    type=click.Choice(ORACLE_LEVELS),
    default="segment",
    show_default=True,
    help="Oracle by segment scores, or by the corpus score (hill climbing).",
)
@click.option(
    "--weights",
    metavar="FILE|NAME=W,...",
    help="Feature weights for --method rerank: a JSON file, or e.g. LM=0.5,TM=0.3.",
)
@click.option(
    "--matrix",
    metavar="FILE",
    shell_complete=complete_file,
    help="Read utilities of all pairs from FILE.npz.",
)
@click.option(
    "--save-matrix",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write utilities of all pairs to FILE.npz (atomically), for --method mbr.",
)
@click.option(
    "--candidates-per-segment",
    metavar="K",
    type=Integer(min=1),
    help="Read plain text with K candidates per segment, one per line.",
)
@click.option(
    "--gaps",
    type=click.Choice(GAPS),
    default="error",
    show_default=True,
    help="Segments without candidates: an error, or an empty line.",
)
@options.tsv_quoting
@options.shorthands(several_parsers=False)
@click.option(
    "-f",
    "--format",
    type=click.Choice(DECISION_FORMATS),
    default="text",
    show_default=True,
    help="Output format: text (chosen translations, one per line), tsv (with number and utility of the choice), nbest "
    "and jsonl (all candidates from best to worst, with utilities), json (everything).",
)
@options.output
@report_option
@figures_option
@click.option("-q", "--quiet", is_flag=True, help="Omit the summary on standard error.")
@options.threads
@options.seed
def decide(
    *,
    files: tuple[str, ...],
    references: tuple[str, ...],
    chosen_set: ChosenSet,
    source: str | None,
    metrics: tuple[str, ...],
    shorthands: options.Shorthands,
    samples_from: str | None,
    weights: str | None,
    matrix: str | None,
    save_matrix: str | None,
    format: str,
    output: str | None,
    report: str | None,
    figures: str | None,
    quiet: bool,
    threads: int | None,
    **settings: Any,
) -> None:
    """Choose one translation per segment from n-best lists.

    FILE is an n-best list in Moses' format, TSV, CSV or JSON lines, plain or compressed; - is standard input. Several
    FILEs are systems, one segment per line: their outputs are the candidates.

    The first of several equally good candidates wins. Each candidate is among its own pseudo-references.

    \b
    Examples:
      understudy decide list.nbest > chosen.txt
      understudy decide list.nbest -m bleu --method pruned -r ref.txt -o chosen.txt
      understudy decide samples.txt --candidates-per-segment 256 --method aggregated
      understudy decide list.nbest --method rerank --weights weights.json
      understudy decide list.nbest --method qe -m comet:model=FOLDER --source source.txt
      understudy decide list.nbest --method oracle -r ref.txt | understudy score - -r ref.txt -m all
      understudy decide system-*.txt -m chrf -m bleu -f tsv
      understudy decide list.nbest -r ref.txt -o chosen.txt --report report.html
    """
    method = settings["method"]
    mbr = ("mbr", "aggregated", "pruned", "centroid")
    options.refuse_idle(
        ["posterior", "samples_from"], unless=method in mbr, cure="they are for minimum Bayes risk decoding"
    )
    options.refuse_idle(
        ["temperature"], unless=settings["posterior"] == "score", cure="add --posterior score"
    )
    options.refuse_idle(["alpha", "samples"], unless=method == "pruned", cure="use --method pruned")
    options.refuse_idle(["clusters"], unless=method == "centroid", cure="use --method centroid")
    options.refuse_idle(["level"], unless=method == "oracle", cure="use --method oracle")
    options.refuse_idle(["weights"], unless=method == "rerank", cure="use --method rerank")
    options.refuse_idle(
        ["seed"], unless=method in ("pruned", "centroid"), cure="use --method pruned or centroid"
    )
    options.refuse_idle(["matrix", "save_matrix"], unless=method == "mbr", cure="use --method mbr")
    feature_weights = None if weights is None else _feature_weights(weights)
    of_weights = weights if isinstance(feature_weights, FileArgument) else None
    inputs = [*files, *references, *filter(None, (samples_from, matrix, source, of_weights))]
    if inputs.count("-") > 1:
        raise BadParameter(
            "standard input ('-') is given twice, but can be read only once. Save it to a file first."
        )
    check_targets(output, report, figures, inputs, save_matrix=save_matrix)
    if len(files) > 1:
        options.refuse_beside(["candidates_per_segment", "gaps"], "several FILEs")
    settings["metric_weights"] = settings["metric_weights"] or None
    chosen = shorthands.metrics(metrics)
    test_set = chosen_set.read(shorthands.language)

    from understudy import decide as decide_list
    from understudy import decide_in_parts

    everything: dict[str, Any] = {
        **settings,
        "sources": options.sources_for(chosen, source, test_set, given=True),
        "samples_from": samples_from,
        "weights": feature_weights,
        "matrix": matrix,
        "save_matrix": save_matrix,
        "threads": threads,
    }
    with (
        shorthands.computing(chosen, wanted=not quiet, other_texts=True),
        progress(
            "deciding", lambda: estimated_segments(references) if references else None, wanted=not quiet
        ) as advance,
    ):
        known = references_with(test_set, references) or None
        decisions: Iterable[Decision]
        if len(files) > 1 or format == "json" or report or figures:
            decisions = [whole := decide_list(_candidates(files), known, chosen, **everything)]
            if report is not None:
                whole.report(report)
            if figures is not None:
                whole.figures(figures)
        else:
            decisions = decide_in_parts(files[0], known, chosen, **everything, progress=advance)
        summary, utility = _delivered(decisions, format, output)
    if not quiet:
        from understudy.report.decisions import summary_lines

        for line in summary_lines(summary, utility, method):
            say(line)


def _candidates(files: tuple[str, ...]) -> NBest | str:
    if len(files) == 1:
        return files[0]
    from understudy import Corpus, NBest

    return NBest.of_systems(Corpus.read([FileArgument(file) for file in files]))


def _feature_weights(text: str) -> Any:
    """NAME=W,..., or a file. A name may have commas: it ends with the last = before a number."""
    found: dict[str, float] = {}
    begun = ""  # of a name, up to a comma
    for part in text.split(","):
        name, _, value = (begun + part).rpartition("=")
        try:
            weight = float(value)
        except ValueError:
            begun += f"{part},"
            continue
        if not name:
            break
        if name in found:
            raise BadParameter(
                f"--weights: feature '{name}' has two weights, {found[name]:g} and {weight:g}."
            )
        found[name], begun = weight, ""
    else:
        if not begun:
            return found
    return FileArgument(text)


def _delivered(decisions: Iterable[Decision], format: str, output: str | None) -> tuple[Summary, str]:
    """Write all parts; return what they add up to, and what the utility is."""
    from understudy.report.decisions import decision_lines

    summary, utility = None, ""
    with delivered_in_parts(output) as deliver:
        for decision in decisions:
            deliver("\n".join(decision_lines(decision, format)))
            part = decision.summary()
            summary, utility = part if summary is None else summary + part, decision.utility_is
    assert summary is not None, "a list has at least one part"
    return summary, utility
