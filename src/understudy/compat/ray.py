"""Ray Data: segment scores and corpus scores of a data set, computed where its blocks are.

`SegmentScores` is a function for `dataset.map_batches(..., batch_format="pyarrow")`.
"""

from __future__ import annotations

from typing import Any

from understudy.compat.tables import CorpusSums, Names, SegmentScores
from understudy.scoring.run import Metrics

__all__ = ["SegmentScores", "score"]


def score(
    dataset: Any,
    hypothesis: str,
    references: Names,
    *,
    metrics: Metrics = ("bleu",),
    by: Names = (),
    lang: str | None = None,
) -> list[dict[str, Any]]:
    """The corpus scores, one row per metric, and per group of rows with the same labels in the columns `by`. Ray's
    workers sum the statistics of each batch; only sums are sent back.
    """
    sums = CorpusSums(metrics, hypothesis, references, lang, by)
    parts = dataset.map_batches(sums, batch_format="pyarrow")
    return sums.scores(parts.iter_batches(batch_format="pyarrow", batch_size=None))
