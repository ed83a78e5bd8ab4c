"""A Markdown summary of a comparison for pipelines: the result of the check, and the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.comparisons import render
from understudy.report.grid import printable
from understudy.report.markdown import escaped

if TYPE_CHECKING:
    from understudy.comparing.results import Comparison, MetricComparison, PairResult
    from understudy.metrics.base.metric import Metric


def summary(
    comparison: Comparison,
    failures: Sequence[tuple[MetricComparison, PairResult]] | None = None,
    *,
    digits: int = 2,
) -> str:
    """The table under a heading. `failures` are the pairs that a check did not let pass; None: nothing was checked."""
    against = "" if comparison.baseline is None else f" against {escaped(printable(comparison.baseline))}"
    verdict = "" if failures is None else ": failed" if failures else ": passed"
    lines = [f"## Comparison{against}{verdict}", ""]
    if failures == []:
        lines += ["No system is significantly worse than the baseline.", ""]
    for metric, pair in failures or ():
        lines.append(f"- {escaped(in_short(metric, pair))}")
    return "\n".join([*lines, *([""] if failures else []), render(comparison, "markdown", digits=digits)])


def check_metrics(names: Sequence[str], metrics: Sequence[Metric]) -> None:
    """Raises an error if a check by these names could not be made of a comparison by these metrics."""
    from understudy.comparing.regressions import checked_metrics

    checked_metrics(names, metrics)


def in_short(metric: MetricComparison, pair: PairResult) -> str:
    """The sentence of a system that is worse than the baseline, from its side."""
    from understudy.comparing.results import p_in_words
    from understudy.wording import digits_for

    bounds = sorted((pair.interval.low, pair.interval.high))
    sign = 1
    if pair.better == pair.first:  # all pairs are tested one way round
        sign, bounds = -1, sorted(-bound for bound in bounds)
    places = digits_for(abs(pair.difference))
    low, high = (f"{bound:+.{places}f}" for bound in bounds)
    return printable(
        f"{pair.worse} is significantly worse than {pair.better}: {sign * pair.difference:+.{places}f} "
        f"{metric.quantity} ({pair.interval.confidence:.0%} CI {low} to {high}, {p_in_words(pair)})"
    )
