"""pandas: scores of the texts in a data frame. `register()` adds the accessor `df.understudy`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from understudy.compat.libraries import library
from understudy.compat.tables import (
    RESULT,
    Names,
    as_record,
    checked_labels,
    corpus_score,
    of_table,
    segment_scores,
    table_metrics,
    texts_of_table,
)
from understudy.scoring.run import Metrics


def score(
    frame: Any,
    hypothesis: str,
    references: Names,
    *,
    metrics: Metrics = ("bleu",),
    by: Names = (),
    lang: str | None = None,
) -> Any:
    """The corpus scores, one row per metric, and per group of rows with the same labels in the columns `by`."""
    pd = library("pandas")
    names = checked_labels(by)
    rows = []
    for labels, group in _groups(frame, names):
        texts = texts_of_table(group, hypothesis, references)
        rows += [
            {**dict(zip(names, labels, strict=True)), **as_record(corpus_score(metric, *texts))}
            for metric in table_metrics(metrics, lang)
        ]
    return pd.DataFrame(rows, columns=[*names, *RESULT])


def segments(
    frame: Any,
    hypothesis: str,
    references: Names,
    *,
    metrics: Metrics = ("bleu",),
    lang: str | None = None,
) -> Any:
    """The segment scores, one column per metric, with the index of the data frame."""
    pd = library("pandas")
    texts = texts_of_table(frame, hypothesis, references)
    scores = {metric.spec: segment_scores(metric, *texts) for metric in table_metrics(metrics, lang)}
    return pd.DataFrame(scores, index=frame.index)


@cache
def register() -> None:
    """Add the accessor: `df.understudy.score("hyp", "ref", metrics=["bleu"], by="system")`, and `.segments`."""
    pd = library("pandas")

    @pd.api.extensions.register_dataframe_accessor("understudy")
    class _Scores:
        def __init__(self, frame: Any) -> None:
            self._frame = frame

        def score(self, hypothesis: str, references: Names, **options: Any) -> Any:
            return score(self._frame, hypothesis, references, **options)

        def segments(self, hypothesis: str, references: Names, **options: Any) -> Any:
            return segments(self._frame, hypothesis, references, **options)


def _groups(frame: Any, names: tuple[str, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    for name in names:
        of_table(frame, name, "by")
    if not names:
        yield (), frame
    else:  # a row without a label is a group, not left out
        yield from frame.groupby([*names], sort=False, dropna=False, observed=True)
