"""Hugging Face `evaluate`: `load` gives an `evaluate.Metric` for any spec.

It is a subclass with the library's own storage, so that `add`, `add_batch`, `combine` and several processes work as
with any other module of the library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from inspect import signature
from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import corpus_score, table_metrics
from understudy.errors import NoSegments, UnknownParameter, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score


def load(metric: str | Metric, *, lang: str | None = None, **options: Any) -> Any:
    """The metric as a module of `evaluate`; the options are those of its modules, such as `num_process`."""
    (chosen,) = table_metrics(metric, lang)
    module: Any = _module()
    _refuse_unknown(options, [*signature(module.__base__).parameters][:-1])  # without **kwargs
    return module(chosen, **options)


def _refuse_unknown(options: dict[str, Any], known: Sequence[str]) -> None:
    """The library itself ignores unknown options, and a score with the wrong parameters would look right."""
    for name in options:
        if name not in known:
            raise UnknownParameter(
                f"unknown option {name!r}. {did_you_mean(name, known)} Parameters of the metric are part of its spec, "
                "such as 'bleu:lowercase=true'."
            )


# What the library's own modules call the components of a score: sacrebleu, ter.
_KEYS = {
    "bleu": {
        "counts": "matches",
        "totals": "totals",
        "precisions": "precisions",
        "bp": "brevity_penalty",
        "sys_len": "hyp_length",
        "ref_len": "ref_length",
    },
    "ter": {"num_edits": "edits", "ref_length": "ref_length"},
}


def _result(metric: Metric, score: Score) -> dict[str, Any]:
    detail = dict(score.detail)
    if keys := _KEYS.get(metric.name):
        detail = {key: detail[name] for key, name in keys.items()}
    elif metric.name == "chrf":
        detail = {name: getattr(metric, name) for name in ("char_order", "word_order", "beta")}
    return {"score": score.value, **detail, "signature": str(score.signature)}


_TEXTS = ("predictions", "references")


def _is_empty(texts: Any) -> bool:
    """Whether a list, an array or a column has no entries; None is not given."""
    return texts is not None and len(texts) == 0


@cache
def _module() -> type:
    """The class, made at its first use: its base class takes seconds to import."""
    evaluate = library("evaluate")
    datasets = library("datasets")

    class UnderstudyMetric(evaluate.Metric):  # type: ignore[misc, name-defined]
        def __init__(self, metric: Metric, **options: Any) -> None:
            self._metric = metric
            super().__init__(**options)

        @property
        def name(self) -> str:
            """The spec: names the cache files, and the results of `evaluate.combine`."""
            return re.sub(r"[^\w.=+-]", "_", self._metric.spec)

        def _info(self) -> Any:
            text = datasets.Value("string")
            references = [datasets.Sequence(text), text]
            return evaluate.MetricInfo(
                description=self._metric.summary,
                citation=self._metric.citation,
                inputs_description="predictions: hypotheses. references: one per hypothesis, or a list of them.",
                features=[
                    datasets.Features({"predictions": text, "references": feature}) for feature in references
                ],
            )

        def compute(self, **inputs: Any) -> Any:
            """The corpus score of these hypotheses, or of those added."""
            if self.writer is None and any(_is_empty(inputs.get(each)) for each in _TEXTS):
                raise NoSegments("predictions: the list is empty, expected at least one hypothesis.")
            return super().compute(**inputs)

        def add_batch(self, **inputs: Any) -> None:
            """An empty batch adds nothing; the library would look at its first entry."""
            if all(_is_empty(inputs.get(each)) for each in _TEXTS) and self.num_process == 1:
                return
            super().add_batch(**inputs)

        def _compute(
            self, predictions: Sequence[str], references: Sequence[Any], **options: Any
        ) -> dict[str, Any]:
            _refuse_unknown(options, ())
            score = corpus_score(self._metric, [*predictions], [[*references]])
            return _result(self._metric, score)

    return UnderstudyMetric
