"""Options shared by the commands of `understudy track`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from understudy.choices import SIGNIFICANCE, TRACK_FILE
from understudy.cli import options, significance_options
from understudy.cli.arguments import complete_file, complete_metrics
from understudy.cli.number_types import Integer, Number

Command = Callable[..., Any]

track_file = click.option(
    "--track",
    "track",
    metavar="FILE",
    default=TRACK_FILE,
    show_default=True,
    shell_complete=complete_file,
    help="File of the track.",
)
test_set = click.option("--test-set", metavar="NAME", help="Only runs on this test set.")
tags = click.option(
    "--tag", "tags", metavar="TAG", multiple=True, help="Only runs with this tag. Repeatable."
)
known_metrics = click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="SPEC",
    multiple=True,
    shell_complete=complete_metrics,
    help="Metric of the track, by spec, label or name. Repeatable (default: all).",
)
across_versions = click.option(
    "--across-versions",
    is_flag=True,
    help="Also compare runs that different versions of understudy counted. Only valid if the changelog lists no change "
    "of these scores.",
)
_last = click.option(
    "--last",
    metavar="N",
    type=Integer(min=1),
    help="Only the latest N runs of each test set. Fewer runs mean fewer tests to correct for.",
)
source = click.option(
    "--source",
    metavar="FILE",
    shell_complete=complete_file,
    help="Source text, for metrics that read it, and as part of the test set's identity.",
)
labels = click.option(
    "--labels",
    metavar="FILE",
    shell_complete=complete_file,
    help="Document of each segment, for metrics that use documents.",
)
_significance = click.option(
    "--significance",
    "--alpha",
    "significance",
    metavar="P",
    type=Number(0, 1, min_open=True, max_open=True),
    default=SIGNIFICANCE,
    show_default=True,
    help="Significance level alpha. Confidence intervals have level 1 - alpha.",
)


_PLAN = {
    "test": significance_options.test,
    "samples": significance_options.samples,
    "seed": options.seed,
    "correct": significance_options.correct,
    "significance": _significance,
    "interval": significance_options.interval,
}
_HISTORY = {
    "metrics": known_metrics,
    "test_set": test_set,
    "tags": tags,
    "last": _last,
    "across_versions": across_versions,
    **_PLAN,
}


def plan_options(command: Command) -> Command:
    """Gives a command the options of significance tests, as the argument `plan`."""
    return _as_one(command, "plan", _PLAN)


def history_options(command: Command) -> Command:
    """Gives a command the options of a history, as the argument `asked`: the keywords of `Track.show`."""
    return _as_one(command, "asked", _HISTORY)


def _as_one(command: Command, name: str, group: dict[str, Command]) -> Command:
    @functools.wraps(command)
    def with_group(*arguments: Any, **given: Any) -> Any:
        values = {option: given.pop(option) for option in group}
        return command(*arguments, **given, **{name: values})

    found: Command = with_group
    for option in reversed(list(group.values())):
        found = option(found)
    return found
