"""`understudy trust --set`: metrics in several judged test sets, in one table."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Sequence
from typing import Any

import click

from understudy.cli import options
from understudy.cli.arguments import complete_file
from understudy.cli.output import check_output
from understudy.cli.progress import progress
from understudy.cli.trust_features import FOR_FEATURES
from understudy.cli.trust_spans import FOR_SPANS

# What is for one set of human scores, by the names of parameters.
_FOR_ONE_SET = (
    "kinds",
    "rank_by",
    "over",
    "confidence",
    "judged_only",
    "up_to",
    "method",
    "learn_within",
    "learn_sentinels",
    *FOR_FEATURES,
    "grids",
    "sentinels",
    "save_model",
    "plots",
    "report",
    "figures",
    *FOR_SPANS,
)
_FOR_SETS = ("by", "references_as_systems", "weights")

sets_option = click.option(
    "--set",
    "sets",
    metavar="[NAME=]FOLDER",
    multiple=True,
    shell_complete=complete_file,
    help="Test set with human scores: a folder with human*.tsv, systems/, docs.tsv and references such as refA.txt; or "
    "an mt-metrics-eval folder, e.g. zh-en=mt-metrics-eval-v2/wmt23 (default: all its language pairs). Repeatable; one "
    "table shows all sets and their average. Other options then name files in each FOLDER, or in one set: SET:FILE.",
)
exclude_option = click.option(
    "--exclude",
    metavar="SYSTEM",
    multiple=True,
    help="System to exclude; with --set, SET:SYSTEM excludes it from one set. Repeatable.",
)
by_option = click.option(
    "--by",
    metavar="LABEL",
    help="With --set: also show one column per domain, or per value of another label in docs.tsv.",
)
references_as_systems_option = click.option(
    "--references-as-systems",
    is_flag=True,
    help="With --set: treat references that have human scores as systems, except the references of the metrics.",
)
weights_option = click.option(
    "--weight",
    "weights",
    metavar="SET=W",
    multiple=True,
    help="With --set: weight of a set in the average, or of one of its levels (SET:system=W). Repeatable (default: 1).",
)


def sets_shown(
    sets: Sequence[str],
    *,
    metrics: Sequence[str],
    choices: dict[str, Any],
    lower_is_better: Sequence[str],
    by: str | None,
    weights: Sequence[str],
    plan: dict[str, Any],
    shorthands: options.Shorthands,
    format: str,
    digits: int,
    output: str | None,
    threads: int | None,
) -> bool:
    """Whether there are sets. If so, their table is computed and printed."""
    options.refuse_idle(_FOR_SETS, unless=sets, cure="add --set")
    if not sets:
        return False
    options.refuse_beside(_FOR_ONE_SET, "--set")
    if output is not None:
        check_output(output, _files_in(sets), option="--output")
    given = options.given("metrics")
    chosen = shorthands.metrics(metrics) if given else []

    from understudy import TrustPlan, score_sets, trust_sets
    from understudy.report.task_tables import as_sheets, render

    # The metrics tasks have a rule of their own, unless another is asked for.
    plan = {name: value for name, value in plan.items() if name != "clusters" or options.given(name)}
    chosen_plan = TrustPlan.for_sets(**plan)
    weighed = dict(map(_weight, weights))
    if len(weighed) < len(weights):
        raise click.UsageError("--weight: two weights for the same set. Omit one of them.")
    options.refuse_idle(
        [name for name in options.FOR_TEXT if name not in ("references", "metrics")],
        unless=given or not choices["scores"],
        cure="add metrics to compute (-m)",
    )
    with shorthands.computing(chosen), progress("scoring", lambda: None) as advance:
        scored = score_sets(
            sets,
            chosen,
            lower_is_better=lower_is_better,
            lang=shorthands.language,
            threads=threads,
            progress=advance,
            **choices,
        )
    with progress(
        "permuting", lambda: sum(each.steps(chosen_plan, by) for each in scored), unit="coefficients"
    ) as advance:
        found = trust_sets(scored, by=by, weights=weighed, threads=threads, progress=advance, **plan)
    options.deliver(
        functools.partial(render, found),
        output,
        sheets=lambda: as_sheets(found),
        format=format,
        digits=digits,
    )
    return True


def _files_in(sets: Sequence[str]) -> Iterator[str]:
    for text in sets:
        folder = text if os.path.isdir(text) else text.partition("=")[2]
        for home, _, files in os.walk(folder):
            yield from (os.path.join(home, file) for file in files)


def _weight(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise click.UsageError(
            f"--weight {text}: expected SET=WEIGHT, such as zh-en=2 or zh-en:system=0.5."
        ) from None
