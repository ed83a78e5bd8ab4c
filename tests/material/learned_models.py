"""Learned combinations with weights that are easy to check by hand, as files beside this one.

PYTHONPATH=tests python tests/material/learned_models.py     writes them, after the choices behind a part have changed
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reference.match_features import feature_hash, hash_of_path
from understudy.metrics.base.feature_model import FeatureMetric, FeatureModel, FittedFeatures, NamedWeight
from understudy.metrics.base.learned_model import LearnedModel, Part, TrainedOn, segment_choices
from understudy.metrics.base.registry import metric

FOLDER = Path(__file__).parent

TRAINED_ON = TrainedOn(
    kind="scores",
    measure="made up",
    systems=3,
    segments=40,
    translations=120,
    documents=8,
    by="document",
    grouping="none",
    references=(1, 1),
    folds=8,
    seed=1,
    quality="pearson",
    out_of_fold=0.5,
    in_sample=None,
)


def part(spec: str, mean: float, scale: float, weight: float, of_input: dict[str, str] | None = None) -> Part:
    return Part(spec, mean, scale, weight, segment_choices(metric(spec)), of_input or {})


MODELS = {
    "learned.json": LearnedModel(
        method="ridge",
        strength=0.01,
        parts=(
            part("bleu", 25.0, 10.0, 0.5),
            part("chrf", 50.0, 20.0, 1.0),
            part("ter", -60.0, 30.0, 0.25),
        ),
        intercept=-2.0,
        trained_on=TRAINED_ON,
    ),
    # Parts that must know all references before they count.
    "learned-fitted.json": LearnedModel(
        method="ridge",
        strength=0.01,
        parts=(
            part("nist", 3.0, 2.0, 0.5),
            part("nist:max_order=2", 3.0, 1.5, 0.25),
            part("per", -50.0, 25.0, 1.0),
        ),
        intercept=0.0,
        trained_on=TRAINED_ON,
    ),
}

PLAIN, FITTED = (str(FOLDER / name) for name in MODELS)

# The weights of single features, by kind and n-gram, in standard deviations of the human score.
WEIGHTS = {
    ("matched", "the"): 0.5,
    ("extra", "cat"): -2.0,
    ("missed", "cat sat"): -1.0,
    ("matched", "a b"): 3.0,
}
ORDERS = ((1.0, -0.25, -0.5), (0.5, 0.0, -0.25))
BITS = 28


def feature_model(spec: str = "bleu:max_order=2", features: str = "ngrams") -> FeatureModel:
    """Weights of a few n-grams or chains, and of all of each order."""
    found: dict[int, float] = {}
    for (kind, text), weight in WEIGHTS.items():
        found[feature_hash(hash_of_path(text.split()), kind) % 2**BITS] = weight
    return FeatureModel(
        features=features,
        metric=FeatureMetric(spec, segment_choices(metric(spec)), {}),
        method="ridge",
        strength=0.01,
        bits=BITS,
        center=50.0,
        scale=10.0,
        orders=ORDERS,
        buckets=np.array(sorted(found), dtype=np.int64),
        weights=np.array([found[bucket] for bucket in sorted(found)]),
        largest=(NamedWeight("the", "matched", 1, 0.25, 8, False),),
        fitted=FittedFeatures(100, 3, 4, 5, 2, 4),
        trained_on=TRAINED_ON,
    )


FEATURES = str(FOLDER / "learned-features.json")

if __name__ == "__main__":
    for name, model in MODELS.items():
        model.save(FOLDER / name)
    feature_model().save(FEATURES)
