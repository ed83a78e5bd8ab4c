"""Scores with confidence intervals, as shown by `understudy score --ci`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from understudy.arrays import one_blas_thread
from understudy.choices import CONFIDENCE, INTERVAL_METHODS, SEED
from understudy.errors import BadParameter
from understudy.metrics.base.score import Score, Signature
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import Bootstrap, check_method
from understudy.resampling.samples import bootstrap_scores
from understudy.scoring.counted_systems import count_systems
from understudy.scoring.run import Metrics, Scores, SystemScores, chosen_metrics
from understudy.settings import check_between, check_whole

_SAMPLES = 1000


@one_blas_thread()
def score_with_intervals(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    level: str = "corpus",
    lang: str | None = None,
    interval: str = INTERVAL_METHODS[0],
    samples: int = _SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    sources: Any = None,
    documents: Any = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Scores:
    """Like `understudy.score`, with a bootstrap confidence interval for every score. `interval` is the method,
    percentile or bca; see `understudy.resampling.intervals`.

    >>> found = score_with_intervals(["examples/system-weak.en"], ["examples/reference-1.en"])
    >>> interval = found.systems[0].scores[0].interval
    >>> print(f"{interval.low:.1f} to {interval.high:.1f}")
    7.3 to 12.6
    """
    if level not in ("corpus", "mean"):
        raise BadParameter(f"level '{level}': confidence intervals need level corpus or mean.")
    check_method(interval)
    check_whole("samples", samples)
    check_whole("seed", seed, least=0)
    check_between("confidence", confidence)
    chosen = chosen_metrics(metrics, lang)
    counted = count_systems(
        systems,
        references,
        chosen,
        level=level,
        sources=sources,
        documents=documents,
        threads=threads,
        progress=progress,
    )
    totals: dict[str, list[Statistics]] = {}
    scores: dict[str, list[Score]] = {}
    by_metric = counted.rows
    evidence = [
        Evidence.of_rows(metric, list(by_run.items()), level)  # training runs are scored as systems
        for metric, by_run in zip(chosen, by_metric, strict=True)
    ]
    drawn = bootstrap_scores(evidence, samples, seed)
    for metric, by_run, each, of_metric in zip(chosen, by_metric, evidence, drawn, strict=True):
        bounds = Bootstrap(each, of_metric, method=interval, confidence=confidence).of_scores()
        for index, (name, rows) in enumerate(by_run.items()):
            total = rows.sum()
            score = (
                metric.corpus_score(total)
                if level == "corpus"
                else metric.mean_of(each.segment_scores[index], total)
            )
            choices = {**score.signature.choices, "ci": f"{interval}-{samples}-{seed}"}
            with_interval = replace(score, interval=bounds[index], signature=Signature(choices))
            scores.setdefault(name, []).append(with_interval)
            totals.setdefault(name, []).append(total)
    of_first = next(iter(totals.values()))
    return Scores(
        level=level,
        metrics=chosen,
        systems=[
            SystemScores(name, of_system, segments=[], unparsed=[total.unparsed for total in totals[name]])
            for name, of_system in scores.items()
        ],
        segments=counted.segments,
        references=max(total.references for total in of_first),
        of_input=[total.of_input for total in of_first],
        test_set=counted.test_set,
    )
