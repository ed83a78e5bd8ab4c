"""Sentinels: scores beside the metrics that see only the length or the surface of a hypothesis, or only the source.

A metric that is not significantly better than a sentinel may owe its agreement to what the sentinel sees. Human scores
depend on the length and the difficulty of segments, so that coefficients across segments reward both (Perrella et al.
2024, "Guardians of the Machine Translation Meta-Evaluation: Sentinel Metrics Fall In!").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from understudy.corpus.corpus import Corpus
from understudy.corpus.judgments import ScoreTable, means_over_segments
from understudy.errors import BadInput, MissingExtra
from understudy.metrics.sentinel import FEATURES, SOURCE, Sentinel
from understudy.trusting.alignment import some
from understudy.trusting.combinations.combining import documents_of_segments, features_of
from understudy.trusting.combinations.features import Target
from understudy.trusting.combinations.learning import learn
from understudy.trusting.metric_scores import (
    SENTINEL,
    Measure,
    MetricScores,
    align_with_human,
    computed_measures,
)
from understudy.trusting.metric_tests.metric_ranking import MetricRanking

_LENGTH, _SOURCE = Sentinel(), Sentinel(sees=SOURCE)
_ALONE = {_LENGTH.spec: "length only", _SOURCE.spec: "source only"}
_CANDIDATE_ONLY = "candidate only"  # learned from all features of the surface
_SURFACE = tuple(Sentinel(feature=feature) for feature in FEATURES)


def with_sentinels(
    human: ScoreTable,
    scored: MetricScores,
    documents: Sequence[str] | None,
    *,
    seed: int,
    threads: int | None = None,
) -> tuple[MetricScores, list[str]]:
    """The metrics and the sentinels of their texts, and notes on sentinels that cannot be had."""
    corpus = _texts(scored)
    seen = _seen(corpus, threads)
    notes = []
    if corpus.sources is None:
        notes.append(f"Without source texts, there is no sentinel '{_ALONE[_SOURCE.spec]}'.")
    found = [
        replace(measure, name=_ALONE[measure.spec], source=SENTINEL)
        for measure in seen
        if measure.spec in _ALONE
    ]
    try:
        surface = [measure for measure in seen if measure.spec != _SOURCE.spec]
        found.append(_candidate_only(human, surface, corpus, documents, seed))
        if documents is None:
            notes.append(f"Without document labels, the folds of '{_CANDIDATE_ONLY}' consist of segments.")
    except (BadInput, MissingExtra) as error:
        notes.append(f"There is no sentinel '{_CANDIDATE_ONLY}': {error}")
    # The same score may be among the metrics: it is shown once.
    metrics = [one for one in scored.measures if not (one.is_computed and one.spec in _ALONE)]
    return replace(scored, measures=(*metrics, *found)), notes


def sentinel_features(scored: MetricScores, threads: int | None = None) -> tuple[list[Measure], list[str]]:
    """All that sentinels see of the texts, as features of a learned combination, and notes on what they cannot see."""
    corpus = _texts(scored)
    absent = ["Without source texts, the learned combination does not use the length of the source."]
    return _seen(corpus, threads), absent if corpus.sources is None else []


def no_better_than_sentinels(rankings: Sequence[MetricRanking], sentinels: Sequence[str]) -> list[str]:
    """Metrics that are not significantly better than a sentinel, by the test that ranks them."""
    found = []
    for ranking in rankings:
        asked = ranking.asked
        spec = asked.coefficient if asked.level == "system" else f"{asked.coefficient}:{asked.grouping}"
        for sentinel in sentinels:
            weak = [
                pair.first if pair.second == sentinel else pair.second
                for pair in ranking.pairs
                if sentinel in (pair.first, pair.second)
                and not {pair.first, pair.second} <= {*sentinels}
                and not math.isnan(pair.p_value)  # a sentinel may have no coefficient within segments
                and not (pair.significant and (pair.difference > 0) == (pair.second == sentinel))
            ]
            if weak:
                found.append(
                    f"Not significantly better than the sentinel '{sentinel}' at {asked.level} level, by {spec} and "
                    f"{ranking.test}: {some(weak)}."
                )
    return found


# --- the scores of sentinels ------------------------------------------------------------------------------------


def _texts(scored: MetricScores) -> Corpus:
    if scored.corpus is None:
        raise BadInput("sentinels need texts. Give systems.")
    return scored.corpus


def _seen(corpus: Corpus, threads: int | None) -> list[Measure]:
    """The features of the hypotheses, and the length of the source, if that is known."""
    metrics = [*_SURFACE, *([] if corpus.sources is None else [_SOURCE])]
    return computed_measures(corpus, metrics, threads)


def _candidate_only(
    human: ScoreTable,
    surface: Sequence[Measure],
    corpus: Corpus,
    documents: Sequence[str] | None,
    seed: int,
) -> Measure:
    """Out-of-fold ridge regression of the human scores on the surface of the hypothesis."""
    if not human.segments:
        raise BadInput("it is fitted to human scores of segments.")
    paired = align_with_human(human, MetricScores(tuple(surface), corpus))
    judged = paired.pairings[surface[0].name].human
    assert judged is not None
    learned = learn(
        features_of(surface, paired),
        Target.of_scores(paired.systems, judged, human.name),
        documents_of_segments(documents, paired.segments),
        method="ridge",
        seed=seed,
    )
    scores = learned.predictions
    table = ScoreTable(_CANDIDATE_ONLY, paired.systems, paired.segments, scores, means_over_segments(scores))
    return Measure(_CANDIDATE_ONLY, _CANDIDATE_ONLY, "", SENTINEL, table)
