"""torchmetrics: `CorpusScore`, a `torchmetrics.Metric` of any metric.

Its state is the sums of the metric's statistics, reduced by summation over processes. Counts are int64, so that the
score does not depend on the number of processes or on the batches.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import batch_metrics, batch_statistics, score_of_sums
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score


def __getattr__(name: str) -> Any:
    if name != "CorpusScore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _corpus_score()


@cache
def _corpus_score() -> type:
    """The class, made at its first use: its base class takes seconds to import."""
    torch = library("torch")
    torchmetrics = library("torchmetrics")

    class CorpusScore(torchmetrics.Metric):  # type: ignore[misc, name-defined]
        """The corpus score of all batches since the last `reset`. `update` takes the hypotheses of a batch and, for
        each of them, a reference or a list of references. Other options are those of `torchmetrics.Metric`.
        """

        is_differentiable = False
        full_state_update = False  # a batch adds to the sums, whatever they are

        def __init__(self, metric: str | Metric = "bleu", *, lang: str | None = None, **options: Any) -> None:
            super().__init__(**options)
            (self.metric,) = batch_metrics(metric, lang)
            whole = batch_statistics(self.metric, ["a"], [["a"]]).array.dtype.kind == "i"
            zeros = torch.zeros(len(self.metric.columns), dtype=torch.int64 if whole else torch.float64)
            # A MetricCollection shares one state among metrics whose states have the same names and, after the first
            # batch, the same values. So the name has all that makes one metric another.
            self._sums = "sums_" + re.sub(r"\W", "_", self.metric.spec) + self.metric.fitted_on
            self.add_state(self._sums, zeros, dist_reduce_fx="sum")
            self.add_state("segments", torch.tensor(0), dist_reduce_fx="sum")
            self.add_state(
                "fewest_references", torch.tensor(torch.iinfo(torch.int64).max), dist_reduce_fx="min"
            )
            self.add_state("most_references", torch.tensor(0), dist_reduce_fx="max")

        @property
        def sums(self) -> Any:
            """The sums of the statistics, in the order of `metric.columns`."""
            return getattr(self, self._sums)

        @property
        def higher_is_better(self) -> bool | None:
            return self.metric.higher_is_better

        def set_dtype(self, dst_type: Any) -> Any:  # noqa: ARG002
            """The metric as it is: sums keep their type, because another one would round them or overflow."""
            return self

        def update(self, preds: Any, target: Any) -> None:
            counted = batch_statistics(self.metric, preds, [target])
            if not counted.segments:
                return
            fewest, most = counted.references
            of_batch = torch.from_numpy(counted.array.sum(axis=0)).to(self.sums.device)
            setattr(self, self._sums, self.sums + of_batch)
            self.segments += counted.segments
            self.fewest_references: Any = self.fewest_references.clamp(max=fewest)
            self.most_references: Any = self.most_references.clamp(min=most)

        def compute(self) -> Any:
            return torch.tensor(self.score().value, dtype=torch.float64, device=self.sums.device)

        def score(self) -> Score:
            """The score of this process's state, with its signature and components."""
            references = (int(self.fewest_references), int(self.most_references))
            return score_of_sums(self.metric, self.sums.cpu().numpy(), int(self.segments), references)

    CorpusScore.__qualname__ = "CorpusScore"  # as pickle looks it up
    return CorpusScore
