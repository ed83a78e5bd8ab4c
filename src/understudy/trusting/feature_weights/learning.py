"""Learned feature weights: fitted to human scores, and evaluated out of fold as learned combinations are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadInput
from understudy.metrics.base.feature_model import (
    LARGEST_WEIGHT,
    FeatureMetric,
    FeatureModel,
    NamedWeight,
)
from understudy.metrics.base.learned_model import segment_choices
from understudy.metrics.base.match_features import FEATURE_KINDS
from understudy.metrics.base.metric import Metric
from understudy.trusting.combinations.cross_fitting import (
    FOLDS,
    check_grouping,
    cross_fitted,
    each_rounded,
    fitted_without,
    refuse_constant_target,
    rounded_to,
)
from understudy.trusting.combinations.features import Target
from understudy.trusting.combinations.linear_methods import require_scikit_learn
from understudy.trusting.feature_weights.settings import FeatureSettings
from understudy.trusting.feature_weights.sparse_methods import sparse_method
from understudy.trusting.feature_weights.training_features import TrainingFeatures

FEATURE_TITLES = {"ngrams": "n-grams", "chains": "headword chains", "subtrees": "subtrees"}
_LARGEST_KEPT = 50  # positive and negative weights whose parts are named in the file
_SIGNIFICANT_DIGITS = 6  # of weights: fewer than the tolerance of the solver leaves


@dataclass(frozen=True, eq=False)
class FeatureLearning:
    """Learned feature weights, and their out-of-fold scores."""

    model: FeatureModel  # learned from everything
    plain: str  # the name of the plain metric in tables
    predictions: Floats  # [systems, segments], each by weights that had not seen it
    in_sample: Floats  # [systems, segments], by the model, which has seen them
    folds: tuple[tuple[str, ...], ...]  # the documents of each
    strengths: tuple[float, ...]  # of each fold, chosen in the others
    systems_left_out: bool  # predictions are by weights that had seen neither the document nor the system
    weakened: bool  # the strength that predicts best gives everything the weight 0, and was not taken

    @property
    def name(self) -> str:
        """Its name in tables."""
        return f"learned ({self.model.features})"

    @property
    def remarks(self) -> list[str]:
        """Notes for reports."""
        trained, fitted = self.model.trained_on, self.model.fitted
        found = [
            f"Learned weights of {FEATURE_TITLES[self.model.features]} ({self.model.method}): {fitted.non_zero:,} "
            f"non-zero weights of {fitted.buckets:,} buckets, and {self.model.orders_fitted} of whole orders, fitted "
            f"to {trained.translations:,} translations in {trained.documents:,} {trained.by}s. "
            f"{fitted_without(trained, systems_left_out=self.systems_left_out)} CIs do not include the variance of "
            "learning.",
            f"{fitted.features:,} distinct features occur; {fitted.in_buckets:,} are in the buckets with at least "
            f"{fitted.min_documents} {trained.by}s, of 2^{self.model.bits} buckets. {fitted.sharing:,} of these share "
            "their bucket, and so their weight, with another feature.",
        ]
        if trained.grouping == "none":
            found.append(
                "Weights fitted to all differences also predict which segments are difficult, for example from their "
                "length. --learn-within fits only differences between translations of the same segment."
            )
        if trained.by == "segment":
            found.append(
                "Without document labels, folds consist of segments: neighboring segments are similar, so out-of-fold "
                "scores may be better than scores of new text."
            )
        if self.weakened:
            found.append(
                f"In cross-validation, the mean predicts {trained.measure} best, with all weights 0. Regularization "
                f"was reduced to {self.model.strength:g} to keep at least one feature."
            )
        return found


def learn_features(
    features: TrainingFeatures,
    metric: Metric,
    target: Target,
    settings: FeatureSettings,
    *,
    plain: str = "",
    of_input: Mapping[str, str] | None = None,
    references: tuple[int, int] | None = None,
    folds: int = FOLDS,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> FeatureLearning:
    """Fit the weights of a metric's features to human scores, with the documents and the method of the settings."""
    method = sparse_method(settings.method)
    require_scikit_learn("learned feature weights")
    table = features.table(target)
    check_grouping(settings.grouping, table, target)
    refuse_constant_target(table, target)
    found = cross_fitted(
        table,
        target,
        settings.documents,
        method=method,
        grouping=settings.grouping,
        folds=folds,
        seed=seed,
        progress=progress,
        digits=_SIGNIFICANT_DIGITS,
    )
    spread = rounded_to(float(np.nanstd(target.values)))
    orders = features.shares.shape[1]
    whole = found.whole.model
    weights = each_rounded(whole.weights / spread, _SIGNIFICANT_DIGITS)
    if np.abs(weights).max() > LARGEST_WEIGHT:
        raise BadInput(
            f"a weight is {np.abs(weights).max():g} standard deviations of '{target.measure}', expected at most "
            f"{LARGEST_WEIGHT:g}: the translations hardly differ in their {FEATURE_TITLES[settings.features]}. Use "
            "more text."
        )
    single = weights[orders:]
    used = np.flatnonzero(single)
    return FeatureLearning(
        model=FeatureModel(
            features=settings.features,
            metric=FeatureMetric(metric.spec, segment_choices(metric), dict(of_input or {})),
            method=method.name,
            strength=found.whole.strength,
            bits=features.bits,
            center=rounded_to(whole.intercept - spread * float(whole.means @ weights)),
            scale=spread,
            orders=tuple(map(tuple, weights[:orders].reshape(-1, len(FEATURE_KINDS)).tolist())),
            buckets=features.buckets[used].astype(np.int64),
            weights=single[used],
            largest=_largest(features, spread * single),
            fitted=features.fitted(single),
            trained_on=found.trained_on(references),
        ),
        plain=plain,
        predictions=found.predictions,
        in_sample=found.in_sample,
        folds=tuple(map(found.documents_of, range(len(found.validated.fitted)))),
        strengths=tuple(each.strength for each in found.validated.fitted),
        systems_left_out=found.validated.systems_left_out,
        weakened=found.whole.weakened,
    )


def _largest(features: TrainingFeatures, weights: Floats) -> tuple[NamedWeight, ...]:
    """The features that change the scores of translations most, from the most positive to the most negative."""
    effects = features.effects(weights)
    order = np.lexsort((features.buckets, -effects))
    positive, negative = order[effects[order] > 0], order[effects[order] < 0]
    places = np.concatenate([positive[:_LARGEST_KEPT], negative[max(len(negative) - _LARGEST_KEPT, 0) :]])
    return tuple(
        NamedWeight(name.text, name.kind, name.order, rounded_to(float(effects[place]), 6), documents, shared)
        for place, (name, documents, shared) in zip(places, features.described(places), strict=True)
    )
