"""Regressions: systems that are significantly worse than the baseline, for releases and pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from understudy.choices import EVERY_METRIC
from understudy.errors import BadParameter
from understudy.wording import listed

if TYPE_CHECKING:
    from understudy.comparing.results import Comparison, MetricComparison, PairResult


class _RankingMetric(Protocol):
    @property
    def label(self) -> str: ...
    @property
    def spec(self) -> str: ...
    @property
    def higher_is_better(self) -> bool | None: ...


Known = TypeVar("Known", bound=_RankingMetric)


def regressions(
    comparison: Comparison, metrics: Sequence[str] = ()
) -> list[tuple[MetricComparison, PairResult]]:
    """The pairs in which a system is significantly worse than the baseline, by these metrics or by all that have a
    direction. The tests are those of the comparison.
    """
    baseline = comparison.baseline
    if baseline is None:
        raise BadParameter("the comparison has no baseline. Give one with baseline=.")
    return [
        (metric, pair)
        for metric in checked_metrics(metrics, comparison.metrics)
        for pair in metric.pairs
        if pair.better == baseline
    ]


def checked_metrics(names: Sequence[str], known: Sequence[Known]) -> list[Known]:
    """The metrics given by spec, label or name, or all that have a direction, in their order."""
    directed = [metric for metric in known if metric.higher_is_better is not None]
    if not directed:
        raise BadParameter(
            f"{listed([metric.label for metric in known])} cannot show that a system is worse, because neither higher "
            "nor lower values are better. Add a metric of quality, e.g. bleu."
        )
    if not names or EVERY_METRIC in names:
        return directed
    found: list[Known] = []
    for name in names:
        exact = [metric for metric in known if name in (metric.spec, metric.label)]
        chosen = exact or [metric for metric in known if metric.spec.partition(":")[0] == name]
        if not chosen:
            compared = ", ".join(metric.spec for metric in known)
            raise BadParameter(f"'{name}' is not one of the metrics compared: {compared}.")
        for metric in chosen:
            if metric.higher_is_better is None:
                raise BadParameter(
                    f"'{name}' cannot show that a system is worse, because neither higher nor lower values are better. "
                    "Use another metric."
                )
        found += chosen
    return [metric for metric in directed if metric in found]
