"""Verification: whether candidates score no lower than the hypothesis, by segment or by corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats
from understudy.metrics.base.metric import Metric
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.variants.attempts import Attempts, Verified

_CORPUS_SCORES = 50  # per variant of the system, to find the candidates that lower its score


def scores_lower(metric: Metric, scores: Floats, originals: Floats) -> NDArray[np.bool_]:
    """Which scores are worse than the original ones, by more than rounding. A score that is not a number is."""
    size = np.maximum(np.maximum(np.abs(scores), np.abs(originals)), abs(metric.target or 0.0))
    return np.asarray(~(metric.worth(scores) >= metric.worth(originals) - ROUNDING * size))


def verify_by_segment(attempts: Sequence[Attempts], system: ProbedSystem, originals: Floats) -> None:
    """Keep the candidates whose segment score by the first metric is no lower."""
    target = replace(system, metrics=system.metrics[:1])
    still_open = list(attempts)
    while still_open:
        tried = [
            (attempt, candidate)
            for attempt in still_open
            for candidate in attempt.next(attempt.wanted - len(attempt.verified))
        ]
        if not tried:
            return
        segments = [attempt.segment for attempt, _ in tried]
        scores = target.scores(segments, [candidate.text for _, candidate in tried])[:, 0]
        lower = scores_lower(target.metrics[0], scores, originals[segments])
        for (attempt, candidate), score, is_lower in zip(tried, scores.tolist(), lower.tolist(), strict=True):
            if not is_lower:
                attempt.verified.append(Verified(*candidate, score, len(attempt.verified)))
        still_open = [attempt for attempt in still_open if attempt.is_open]


def verify_by_corpus(attempts: Sequence[Attempts], system: ProbedSystem, wanted: int) -> list[dict[int, str]]:
    """Keep the candidates with which the corpus score by the first metric is no lower: as many variants of the whole
    system as are wanted, each with one candidate per segment. Returns the texts of each by segment.
    """
    target = replace(system, metrics=system.metrics[:1])
    original = target.corpus_scores(system.hypotheses)
    corpora: list[dict[int, str]] = []
    for _ in range(wanted):
        tried = {
            attempt.segment: (attempt, candidate)
            for attempt in attempts
            if attempt.is_open
            for candidate in attempt.next(1)
        }
        texts = {segment: candidate.text for segment, (_, candidate) in tried.items()}
        kept = _kept(texts, target, original)
        if not kept:
            continue
        segments = sorted(kept)
        scores = target.scores(segments, [texts[segment] for segment in segments])[:, 0]
        for segment, score in zip(segments, scores.tolist(), strict=True):
            attempt, candidate = tried[segment]
            attempt.verified.append(Verified(*candidate, score, len(corpora)))
        corpora.append({segment: texts[segment] for segment in segments})
    return corpora


def _kept(texts: Mapping[int, str], target: ProbedSystem, original: Floats) -> set[int]:
    """The segments in which the texts can replace the hypotheses, all at once, at no lower corpus score. If all of them
    together lower it, each half is tried in turn.
    """
    current = list(target.hypotheses)
    kept: set[int] = set()
    halves = [sorted(texts)] if texts else []
    for _ in range(_CORPUS_SCORES):
        if not halves:
            break
        segments = halves.pop()
        trial = current.copy()
        for segment in segments:
            trial[segment] = texts[segment]
        if not scores_lower(target.metrics[0], target.corpus_scores(trial), original).any():
            current = trial
            kept.update(segments)
        elif len(segments) > 1:
            middle = len(segments) // 2
            halves += [segments[middle:], segments[:middle]]
    return kept
