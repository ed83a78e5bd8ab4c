"""Many settings of a metric, counted once where they count the same.

BLEU with another average or brevity penalty has the same counts, and BLEU with a lower maximum order has some of them.
A grid of a hundred settings is therefore counted as fast as the one with the highest order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from understudy.corpus.corpus import Corpus
from understudy.metrics.base.metric import Metric
from understudy.resampling.evidence import Evidence
from understudy.scoring.counted_systems import count_systems


def count_settings(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Evidence]:
    """The evidence of each metric, as `count_systems` has it."""
    counters = _counters(
        metrics, one_reference=corpus.references is None or len(corpus.references.columns) == 1
    )
    wanted = list(dict.fromkeys(counters))
    counted = count_systems(corpus, metrics=wanted, threads=threads, progress=progress)
    evidence = dict(zip(wanted, counted.evidence, strict=True))
    return [_of_setting(metric, evidence[counter]) for metric, counter in zip(metrics, counters, strict=True)]


def _counters(metrics: Sequence[Metric], *, one_reference: bool) -> list[Metric]:
    """For each metric, one that counts at least its columns: of those that differ only in maximum orders, the one with
    the highest. If the score of a segment decides against which of several references it is counted, counts are those
    of one setting alone.
    """
    alike: dict[Hashable, list[Metric]] = {}
    keys: list[Hashable] = []
    for metric in metrics:
        shared = metric if metric.best_reference and not one_reference else metric.for_counting()
        orders = () if shared is metric else shared.maximum_orders
        others = tuple((name, getattr(shared, name)) for name in shared.parameters() if name not in orders)
        keys.append((type(shared), others, orders, shared.fitted_on))
        alike.setdefault(keys[-1], []).append(shared)
    widest = {
        key: replace(
            several[0],
            **{name: max(getattr(each, name) for each in several) for name in several[0].maximum_orders},
        )
        if len(set(several)) > 1
        else several[0]
        for key, several in alike.items()
    }
    return [widest[key] for key in keys]


def _of_setting(metric: Metric, evidence: Evidence) -> Evidence:
    """What the metric itself would have counted: its columns, in its order."""
    if evidence.metric == metric:
        return evidence
    assert evidence.template is not None, "counts of corpus scores have columns"
    known = evidence.template.columns
    columns = [known.index(name) for name in metric.columns]
    template = replace(
        evidence.template,
        array=evidence.template.array[..., columns],
        columns=metric.columns,
        spec=metric.spec,
    )
    return replace(
        evidence,
        counts=evidence.counts[..., columns],
        metric=metric,
        template=template,
        higher_is_better=metric.higher_is_better,
    )
