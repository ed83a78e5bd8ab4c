"""Laws of statistics: a metric is a table of sums."""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.testing.expectations import expect, expect_close, expect_same, expect_same_rows
from understudy.testing.texts import PROSE, REFERENCES, SYSTEM, Corpus, given, long_corpus, split


def ready(metric: Metric, corpus: Corpus) -> Metric:
    """The metric as it can count: one that needs to know the whole set of what it reads has been told."""
    hypotheses, references = split(corpus)
    return metric.fit(references if metric.reads_references else hypotheses)


def enough(metric: Metric, corpus: Corpus) -> bool:
    """Whether there is what the metric compares: at least two texts if it compares texts with one another."""
    return metric.reads_references or len(corpus) > 1


def additive(metric: Metric, corpus: Corpus) -> None:
    """The statistics of two parts of a corpus are those of the whole, and the score of their sum is its score."""
    if len(corpus) < 2:
        return
    metric = ready(metric, corpus)
    middle = len(corpus) // 2
    parts = [metric.statistics(**given(metric, *split(part))) for part in (corpus[:middle], corpus[middle:])]
    whole = metric.statistics(**given(metric, *split(corpus)))
    expect_same_rows("rows of the parts", Statistics.concatenate(parts), whole, corpus)
    added = parts[0] + parts[1]
    expect_close("sum of the parts", added.array, whole.sum().array)
    expect_close(
        "score of the sum", metric.score(added), metric.corpus(**given(metric, *split(corpus))).value
    )
    expect_same("segments of the sum", added.segments, whole.segments)
    expect_same("references of the sum", added.references, whole.references)


def any_order_of_segments(metric: Metric, corpus: Corpus) -> None:
    """The order of the segments makes no difference."""
    if not enough(metric, corpus):
        return
    metric = ready(metric, corpus)
    straight = metric.statistics(**given(metric, *split(corpus)))
    for order in _orders(len(corpus)):
        reordered = [corpus[i] for i in order]
        turned = metric.statistics(**given(metric, *split(reordered)))
        expect_same_rows(f"rows in the order {order}", turned, straight[np.array(order)], reordered)
        expect_close(
            f"score in the order {order}",
            metric.corpus_score(turned).value,
            metric.corpus_score(straight).value,
        )


def any_order_of_references(metric: Metric, corpus: Corpus) -> None:
    """The order of a segment's references makes no difference, unless best_reference or pools_references is set."""
    if not enough(metric, corpus) or metric.pools_references:
        return  # among equally long matches it is a place in all references together that decides
    metric = ready(metric, corpus)
    turned = [(hypothesis, references[::-1]) for hypothesis, references in corpus]
    expect_close(
        "segment scores",
        metric.segments(**given(metric, *split(turned))),
        metric.segments(**given(metric, *split(corpus))),
    )
    if metric.best_reference and any(_has_equals(metric, *segment) for segment in corpus):
        return  # whichever of the equally good references comes first is the one that counts
    expect_close(
        "score",
        metric.corpus(**given(metric, *split(turned))).value,
        metric.corpus(**given(metric, *split(corpus))).value,
    )


def a_batch_is_its_segments(metric: Metric, corpus: Corpus) -> None:
    """The score of a segment does not depend on the other segments."""
    if not enough(metric, corpus):
        return
    metric = ready(metric, corpus)
    alone = [float(metric.segments(**given(metric, *split([segment])))[0]) for segment in corpus]
    expect_same("segment scores", metric.segments(**given(metric, *split(corpus))).tolist(), alone)


def any_number_of_threads(metric: Metric) -> None:
    """The number of threads makes no difference."""
    corpus = long_corpus(500)
    metric = ready(metric, corpus)
    alone = metric.statistics(**given(metric, *split(corpus)), threads=1)
    for threads in (2, 3, 7, None):
        together = metric.statistics(**given(metric, *split(corpus)), threads=threads)
        expect_same_rows(f"rows with threads={threads}", together, alone, corpus)


def any_chunks(metric: Metric) -> None:
    """A corpus counted in chunks of any size has the same statistics and the same score."""
    corpus = long_corpus(200)
    metric = ready(metric, corpus)
    whole = metric.statistics(**given(metric, *split(corpus)))
    for size in (1, 7, 64, 65, 199):
        chunks = [
            metric.statistics(**given(metric, *split(corpus[i : i + size])))
            for i in range(0, len(corpus), size)
        ]
        expect_same_rows(f"rows in chunks of {size}", Statistics.concatenate(chunks), whole, corpus)
        total = chunks[0]
        for chunk in chunks[1:]:
            total = total + chunk
        expect_close(
            f"score in chunks of {size}", metric.corpus_score(total).value, metric.corpus_score(whole).value
        )


def slices_add_up(metric: Metric) -> None:
    """Selected rows and the rest of them add up to the whole."""
    statistics = ready(metric, PROSE).statistics(**given(metric, SYSTEM, REFERENCES))
    odd = np.arange(len(statistics)) % 2 == 1
    for one, other in (
        (statistics[:2], statistics[2:]),
        (statistics[odd], statistics[~odd]),
        (statistics[np.array([5, 0])], statistics[np.array([1, 2, 3, 4])]),
    ):
        expect_same("segments", one.segments + other.segments, len(statistics))
        expect_close("sum", (one + other).array, statistics.sum().array)


def columns_have_names(metric: Metric) -> None:
    """The statistics have a row per segment and a column, of int64 or float64, for each of the names, all different."""
    metric = ready(metric, PROSE)
    statistics = metric.statistics(**given(metric, SYSTEM, REFERENCES))
    expect_same("columns", statistics.columns, metric.columns)
    expect_same("different columns", len(set(metric.columns)), len(metric.columns))
    expect_same("shape", statistics.array.shape, (len(SYSTEM), len(metric.columns)))
    expect(statistics.array.dtype in (np.int64, np.float64), f"type: got {statistics.array.dtype}")
    for index, name in enumerate(metric.columns):
        expect_same(f"column {name}", statistics[name], statistics.array[:, index])


def statistics_survive_a_file(metric: Metric) -> None:
    """Statistics that are saved and loaded are what they were."""
    metric = ready(metric, PROSE)
    statistics = metric.statistics(**given(metric, SYSTEM, REFERENCES))
    with tempfile.TemporaryDirectory() as folder:
        for kept in (statistics, statistics.sum()):
            kept.save(Path(folder) / "kept.npz")
            loaded = Statistics.load(Path(folder) / "kept.npz")
            expect_same("type", loaded.array.dtype, kept.array.dtype)
            expect_same("numbers", loaded.array.tobytes(), kept.array.tobytes())
            expect_same("the rest", vars(replace(loaded, array=kept.array)), vars(kept))
            expect_same("score", metric.corpus_score(loaded), metric.corpus_score(kept))
        expect_same("files", [path.name for path in Path(folder).iterdir()], ["kept.npz"])


def the_mean_is_that_of_segments(metric: Metric) -> None:
    """The mean score is the mean of the segment scores."""
    metric = ready(metric, PROSE)
    scores = metric.segments(**given(metric, SYSTEM, REFERENCES))
    mean = metric.mean(**given(metric, SYSTEM, REFERENCES))
    expect_same("mean", mean.value, math.fsum(scores) / len(scores))
    expect_same("aggregate", mean.aggregate, "mean")
    expect_same("segments", mean.segments, len(SYSTEM))
    expect_same("references", mean.references, (2, 2) if metric.reads_references else (0, 0))


def _orders(size: int) -> Iterator[list[int]]:
    order = list(range(size))
    yield order[::-1]
    random.Random(size).shuffle(order)
    yield order


def _has_equals(metric: Metric, hypothesis: str, references: list[str]) -> bool:
    """Whether different references are equally good for a segment."""
    different = sorted(set(references))
    return len(
        set(metric.segments(**given(metric, [hypothesis] * len(different), different)).tolist())
    ) < len(different)
