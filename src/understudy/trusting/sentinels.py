"""Sentinels: scores beside the metrics that see only the length or the surface of a hypothesis, or only the source.

A metric that is not significantly better than a sentinel may owe its agreement to what the sentinel sees. Human scores
depend on the length and the difficulty of segments, so that coefficients across segments reward both (Perrella et al.
2024, "Guardians of the Machine Translation Meta-Evaluation: Sentinel Metrics Fall In!").
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.corpus import Corpus
from understudy.corpus.judgments import ScoreTable, means_over_segments
from understudy.errors import BadInput, MissingExtra
from understudy.trusting.alignment import some
from understudy.trusting.combinations.combining import documents_of_segments
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.learning import learn
from understudy.trusting.metric_scores import SENTINEL, Measure, MetricScores, align_with_human
from understudy.trusting.metric_tests.metric_ranking import MetricRanking

LENGTH, SOURCE, CANDIDATE = "length only", "source only", "candidate only"


def with_sentinels(
    human: ScoreTable, scored: MetricScores, documents: Sequence[str] | None, *, seed: int
) -> tuple[MetricScores, list[str]]:
    """The metrics and the sentinels of their texts, and notes on sentinels that cannot be had."""
    corpus = scored.corpus
    if corpus is None:
        raise BadInput("sentinels need texts. Give systems.")
    found = [_measure(LENGTH, corpus, _of_hypotheses(corpus, _shortness))]
    notes = []
    if corpus.sources is None:
        notes.append(f"Without source texts, there is no sentinel '{SOURCE}'.")
    else:
        shared = np.array([_shortness(corpus.sources[row] or "") for row in range(len(corpus))])
        found.append(_measure(SOURCE, corpus, np.tile(shared, (len(corpus.runs), 1))))
    try:
        found.append(_candidate_only(human, found[0], corpus, documents, seed))
    except (BadInput, MissingExtra) as error:
        notes.append(f"There is no sentinel '{CANDIDATE}': {error}")
    return replace(scored, measures=(*scored.measures, *found)), notes


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


def _shortness(text: str) -> float:
    """−ln(1 + characters)."""
    return -float(np.log1p(len(text)))


def _words(text: str) -> float:
    return float(np.log1p(len(text.split())))


def _word_length(text: str) -> float:
    words = text.split()
    return sum(map(len, words)) / len(words) if words else 0.0


def _share(kind: Callable[[str], bool]) -> Callable[[str], float]:
    return lambda text: sum(map(kind, text)) / len(text) if text else 0.0


def _repetition(text: str) -> float:
    """Share of words that occurred before."""
    words = text.casefold().split()
    return 1 - len(set(words)) / len(words) if words else 0.0


_SURFACE: dict[str, Callable[[str], float]] = {
    "characters": _shortness,
    "words": _words,
    "word length": _word_length,
    "digits": _share(str.isdigit),
    "capitals": _share(str.isupper),
    "punctuation": _share(lambda character: unicodedata.category(character).startswith("P")),
    "repetition": _repetition,
}


def _candidate_only(
    human: ScoreTable, length: Measure, corpus: Corpus, documents: Sequence[str] | None, seed: int
) -> Measure:
    """Out-of-fold ridge regression of the human scores on the surface of the hypothesis."""
    if not human.segments:
        raise BadInput("it is fitted to human scores of segments.")
    paired = align_with_human(human, MetricScores((length,), corpus))
    first = paired.pairings[length.name]
    assert first.human is not None
    rows = np.array([list(corpus.runs).index(system) for system in paired.systems])
    columns = np.array(paired.segments) - 1
    features = [
        Feature(name, _of_hypotheses(corpus, feature)[np.ix_(rows, columns)])
        for name, feature in _SURFACE.items()
    ]
    learned = learn(
        features,
        Target.of_scores(paired.systems, first.human, human.name),
        documents_of_segments(documents, paired.segments),
        method="ridge",
        seed=seed,
    )
    scores = learned.predictions
    table = ScoreTable(CANDIDATE, paired.systems, paired.segments, scores, means_over_segments(scores))
    return Measure(CANDIDATE, CANDIDATE, "", SENTINEL, table)


def _of_hypotheses(corpus: Corpus, feature: Callable[[str], float]) -> Floats:
    """A feature of every hypothesis [systems, segments]; of several training runs, the mean."""
    return np.array(
        [
            np.mean([_of_text(corpus.systems[run], feature) for run in runs], axis=0)
            for runs in corpus.runs.values()
        ]
    )


def _of_text(text: Column, feature: Callable[[str], float]) -> Floats:
    return np.array([feature(text[row] or "") for row in range(len(text))])


def _measure(name: str, corpus: Corpus, scores: Floats) -> Measure:
    segments = tuple(range(1, len(corpus) + 1))
    table = ScoreTable(name, tuple(corpus.runs), segments, scores, means_over_segments(scores))
    return Measure(name, name, "", SENTINEL, table)
