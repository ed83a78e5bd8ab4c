"""lighteval: metrics for tasks. `corpus_metric` is a corpus score, `sample_metric` a mean segment score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import batch_metrics, table_metrics
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric


def corpus_metric(metric: str | Metric, *, name: str = "", lang: str | None = None) -> Any:
    """A `CorpusLevelMetric`: the corpus score of all samples, each with all its references."""
    (chosen,) = table_metrics(metric, lang)
    utilities = library("lighteval.metrics.utils.metric_utils")
    preparators = library("lighteval.metrics.sample_preparator")
    return utilities.CorpusLevelMetric(
        sample_level_fn=preparators.GenerativePreparator(),
        corpus_level_fn=_corpus_scores(chosen),
        **_facts(chosen, name, "corpus"),
    )


def sample_metric(metric: str | Metric, *, name: str = "", lang: str | None = None) -> Any:
    """A `SampleLevelMetric`: segment scores, and their mean over samples."""
    (chosen,) = batch_metrics(metric, lang)
    utilities = library("lighteval.metrics.utils.metric_utils")
    return utilities.SampleLevelMetric(
        sample_level_fn=_computations()[1](chosen), corpus_level_fn=_mean, **_facts(chosen, name, "segment")
    )


def _facts(metric: Metric, name: str, level: str) -> dict[str, Any]:
    if metric.higher_is_better is None:
        raise BadParameter(
            f"{metric.spec}: scores are better the closer they are to {metric.target:g}. lighteval knows only "
            "higher or lower."
        )
    return {
        "metric_name": name or "understudy_" + re.sub(r"\W+", "_", metric.spec) + f"_{level}",
        "higher_is_better": metric.higher_is_better,
        "category": library("lighteval.tasks.requests").SamplingMethod.GENERATIVE,
    }


def _mean(scores: Sequence[float]) -> float:
    # lighteval estimates the standard error of functions with "mean" in their names directly.
    import math

    return math.fsum(scores) / len(scores)


def _corpus_scores(metric: Metric) -> Any:
    return _computations()[0](metric)


@cache
def _computations() -> tuple[type, type]:
    """The two classes, made at their first use: their base classes take seconds to import."""
    corpus_level = library("lighteval.metrics.metrics_corpus").CorpusLevelComputation
    sample_level = library("lighteval.metrics.metrics_sample").SampleLevelComputation

    class CorpusScores(corpus_level):  # type: ignore[misc, valid-type]
        def __init__(self, metric: Metric) -> None:
            self.metric = metric

        def __reduce__(self) -> Any:  # lighteval sends it to the processes that compute bootstrap samples
            return _corpus_scores, (self.metric,)

        def compute_corpus(self, items: Sequence[Any]) -> float:
            hypotheses = [item.preds[0] for item in items]
            return self.metric.corpus(hypotheses, [item.golds for item in items]).value

    class SampleScores(sample_level):  # type: ignore[misc, valid-type]
        def __init__(self, metric: Metric) -> None:
            self.metric = metric

        def compute(self, doc: Any, model_response: Any, **_: Any) -> float:
            return self.metric.segment(model_response.final_text[0], doc.get_golds()).value

    return CorpusScores, SampleScores
