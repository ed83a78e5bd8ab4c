"""Scores with confidence intervals, as shown by `understudy score --ci`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from understudy.arrays import one_blas_thread
from understudy.choices import CONFIDENCE, INTERVAL_METHODS, SEED
from understudy.corpus.corpus import as_corpus
from understudy.errors import BadParameter
from understudy.metrics.base.score import Score, Signature
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import Bootstrap, check_method
from understudy.resampling.samples import bootstrap_scores
from understudy.scoring.run import Metrics, Scores, SystemScores, chosen_metrics
from understudy.scoring.system_statistics import corpus_statistics
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
    corpus = as_corpus(systems, references, documents=documents)
    counts = corpus_statistics(corpus, chosen, threads=threads, progress=progress)
    rows = {run: [of_metric[run] for of_metric in counts] for run in corpus.systems}
    scores: dict[str, list[Score]] = {name: [] for name in rows}
    evidence = [
        Evidence.of_statistics(
            metric, [(name, of_metrics[index]) for name, of_metrics in rows.items()], level
        )
        for index, metric in enumerate(chosen)
    ]
    for index, (metric, each, drawn) in enumerate(
        zip(chosen, evidence, bootstrap_scores(evidence, samples, seed), strict=True)
    ):
        bounds = Bootstrap(each, drawn, method=interval, confidence=confidence).of_scores()
        for (name, of_metrics), of_score in zip(rows.items(), bounds, strict=True):
            statistics = of_metrics[index]
            score = metric.corpus_score(statistics) if level == "corpus" else metric.mean_score(statistics)
            choices = {**score.signature.choices, "ci": f"{interval}-{samples}-{seed}"}
            scores[name].append(replace(score, interval=of_score, signature=Signature(choices)))
    counted_rows = next(iter(rows.values()))
    return Scores(
        level=level,
        metrics=chosen,
        systems=[
            SystemScores(name, of_system, segments=[], unparsed=[counted.unparsed for counted in rows[name]])
            for name, of_system in scores.items()
        ],
        segments=counted_rows[0].segments,
        references=max(statistics.references for statistics in counted_rows),
        of_input=[statistics.of_input for statistics in counted_rows],
    )
