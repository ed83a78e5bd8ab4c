"""Learned feature weights, fitted to the given human scores, as an additional metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from understudy.corpus.judgments import ScoreTable
from understudy.errors import BadInput
from understudy.metrics.learned_features import feature_source
from understudy.trusting.combinations.combining import documents_of_segments
from understudy.trusting.combinations.features import Target
from understudy.trusting.combinations.folds import numbered
from understudy.trusting.feature_weights.learning import FeatureLearning, learn_features
from understudy.trusting.feature_weights.settings import FeatureSettings
from understudy.trusting.feature_weights.training_features import TrainingFeatures
from understudy.trusting.metric_scores import MetricScores, align_with_human, with_learned


def with_learned_features(
    human: ScoreTable,
    scored: MetricScores,
    settings: FeatureSettings,
    *,
    seed: int,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> tuple[MetricScores, FeatureLearning]:
    """The metrics and the learned feature weights, with out-of-fold scores."""
    computed = [
        (measure, measure.evidence.metric)
        for measure in scored.measures
        if measure.evidence is not None and measure.evidence.metric is not None
    ]
    metric = settings.plain_metric([metric for _, metric in computed])
    plain, evidence = next((measure, measure.evidence) for measure, one in computed if one is metric)
    source = feature_source(metric)
    paired = align_with_human(human, replace(scored, measures=(plain,)))
    pairing = paired.pairings[plain.name]
    if source is None or scored.corpus is None or evidence is None or pairing.human is None:
        raise BadInput("learned feature weights need human scores of segments, and the texts of the systems.")
    documents = documents_of_segments(settings.documents, paired.segments)
    settings = replace(settings, documents=documents)
    segments = np.array(paired.segments, dtype=np.intp) - 1
    features = TrainingFeatures.of(
        source,
        scored.corpus,
        paired.systems,
        segments,
        document_of=numbered([str(number) for number in paired.segments] if documents is None else documents),
        settings=settings,
        threads=threads,
    )
    found = learn_features(
        features,
        metric,
        Target.of_scores(paired.systems, pairing.human, human.name),
        settings,
        plain=plain.name,
        of_input=evidence.of_input,
        references=plain.references,
        seed=seed,
        progress=progress,
    )
    return with_learned(scored, found.name, paired, found.predictions), found
