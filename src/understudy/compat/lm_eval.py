"""lm-evaluation-harness: metrics for the `metric_list` of a task.

`register("ter")` registers the metric `understudy_ter`, with its aggregation and direction. The result is the corpus
score of all documents, not a mean over documents. The harness estimates standard errors only for its own functions, so
`understudy_ter_bootstrap_se` is a second metric: the standard error of the first, over bootstrap samples of documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from understudy.choices import SEED
from understudy.compat.libraries import library
from understudy.compat.tables import table_metrics
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.evidence import Evidence
from understudy.resampling.samples import bootstrap_scores

_SAMPLES = 1000
_STANDARD_ERROR = "_bootstrap_se"


def register(metric: str | Metric, *, name: str = "", lang: str | None = None) -> str:
    """Register a metric and its standard error, and return the metric's name in tasks: `understudy_` and its spec,
    with `_` for other characters than letters and digits, and `_plus` for `+`: `understudy_chrf_plus_plus`.
    """
    (chosen,) = table_metrics(metric, lang)
    spec = chosen.spec.replace("+", "_plus")
    return _registered(chosen, chosen.fitted_on, name or "understudy_" + re.sub(r"\W+", "_", spec))


@cache  # a second time, there is nothing to do; metrics are equal also if they were fitted on other references
def _registered(chosen: Metric, _fitted_on: str, name: str) -> str:
    def corpus_score(items: Sequence[Any]) -> float:
        return chosen.corpus_score(_counted(chosen, name, items)).value

    def standard_error(items: Sequence[Any]) -> float:
        evidence = Evidence.of_statistics(chosen, [(name, _counted(chosen, name, items))], "corpus")
        (scores,) = bootstrap_scores([evidence], _SAMPLES, SEED)
        return float(scores.std(ddof=1))

    _add(name, corpus_score, chosen.higher_is_better)
    _add(name + _STANDARD_ERROR, standard_error, False)
    return name


def _add(name: str, aggregation: Any, higher_is_better: bool | None) -> None:
    registry = library("lm_eval.api.registry", "lm-eval")
    library("lm_eval.api.metrics")  # registers the harness's own metrics, so that none of them is replaced
    aggregation.__name__ = name
    try:
        registry.register_aggregation(name)(aggregation)
    except ValueError:
        raise BadParameter(f"the harness has another metric named {name!r}. Use name=.") from None
    registry.register_metric(metric=name, higher_is_better=higher_is_better, aggregation=name)(_pair)


def _pair(references: Sequence[Any], predictions: Sequence[str]) -> tuple[Any, str]:
    """What a document adds to the items of an aggregation."""
    return references[0], predictions[0]


def _counted(metric: Metric, name: str, items: Sequence[Any]) -> Statistics:
    for item in items:
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise BadInput(
                f"{name}: got {item!r} for a document, expected (references, hypothesis). For several references per "
                f"document, return them from the task's process_results: {{{name!r}: (references, results[0])}}."
            )
    references, hypotheses = zip(*items, strict=True) if items else ((), ())
    return metric.statistics(hypotheses, references)
