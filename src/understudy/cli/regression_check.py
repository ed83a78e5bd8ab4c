"""`--fail-if-worse` and `--summary` of `understudy compare`: a check for releases and pipelines."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from understudy.choices import EVERY_METRIC
from understudy.cli import say
from understudy.cli.arguments import complete_file
from understudy.cli.output import write_file
from understudy.errors import BadParameter

if TYPE_CHECKING:
    from understudy.comparing.results import Comparison


_OPTIONS = [
    click.option(
        "--fail-if-worse",
        "gated",
        metavar="[METRIC]",
        is_flag=False,
        flag_value=EVERY_METRIC,
        multiple=True,
        help="Exit with code 1 if a system is significantly worse than the baseline by METRIC. Repeatable; without "
        "METRIC, by any metric.",
    ),
    click.option(
        "--summary",
        metavar="FILE",
        shell_complete=complete_file,
        help="Write the table and the result of --fail-if-worse as Markdown, e.g. for the summary page of a pipeline.",
    ),
]


@dataclass(frozen=True)
class RegressionCheck:
    """The values of the two options."""

    gated: tuple[str, ...]
    summary: str | None

    def check(self, metrics: Sequence[Any], plan: dict[str, Any]) -> None:
        """Rejects a check that is not possible, before anything is computed."""
        if not self.gated:
            return
        if plan["all_pairs"] and plan["baseline"] is None:
            raise click.UsageError("--fail-if-worse needs a baseline: add --baseline NAME.")
        if plan["test"] == "blocks" and plan["baseline"] is None:
            raise click.UsageError(
                "--fail-if-worse needs a baseline, but --test blocks compares with the preceding system: add "
                "--baseline NAME."
            )
        from understudy.report.regression_summary import check_metrics

        try:
            if metrics:  # the metrics of score files are known only after reading
                check_metrics(self.gated, metrics)
        except BadParameter as error:
            hint = " To check all metrics, use --fail-if-worse all, or put --fail-if-worse last."
            raise click.UsageError(
                f"--fail-if-worse: {error}{hint if EVERY_METRIC not in self.gated else ''}"
            ) from None

    def closed(self, found: Comparison, digits: int) -> bool:
        """Whether a system is worse than the baseline. Prints its name and writes the summary."""
        failures = None
        if self.gated:
            from understudy.report.regression_summary import in_short

            failures = found.regressions(self.gated)
            for metric, pair in failures:
                say(in_short(metric, pair))
        if self.summary is not None:
            from understudy.report.regression_summary import summary

            write_file(summary(found, failures, digits=digits), self.summary)
        return bool(failures)


def regression_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command these options, as one argument `gate`."""

    @functools.wraps(command)
    def with_gate(*arguments: Any, **options: Any) -> None:
        gate = RegressionCheck(**{name: options.pop(name) for name in RegressionCheck.__dataclass_fields__})
        command(*arguments, **options, gate=gate)

    for option in reversed(_OPTIONS):
        with_gate = option(with_gate)
    return with_gate
