"""Hugging Face `datasets`: corpus scores of a `Dataset` or `IterableDataset`, batch by batch.

`SegmentScores` is a function for `dataset.map(..., batched=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from understudy.compat.tables import CorpusSums, Names, SegmentScores
from understudy.corpus.streamed_tables import tables_of_rows
from understudy.errors import WrongType
from understudy.scoring.run import Metrics

__all__ = ["SegmentScores", "score"]

_BATCH = 8192


def score(
    dataset: Any,
    hypothesis: str,
    references: Names,
    *,
    metrics: Metrics = ("bleu",),
    by: Names = (),
    lang: str | None = None,
) -> list[dict[str, Any]]:
    """The corpus scores, one row per metric, and per group of rows with the same labels in the columns `by`. The data
    set is read once and need not fit in memory.
    """
    if isinstance(dataset, Mapping):
        raise WrongType(
            f"got {type(dataset).__name__}, expected one data set. "
            f"Use one of its splits: {', '.join(dataset)}."
        )
    sums = CorpusSums(metrics, hypothesis, references, lang, by)
    return sums.scores(map(sums, tables_of_rows(dataset, _BATCH)))
