"""Learned combinations: the weighted sum of metrics that best predicts human scores, and its out-of-fold quality.

A combination can only be evaluated on text that it was not fitted on. Documents are therefore divided into folds, and
every translation is predicted by weights fitted without its document and its system. The strength of the regularization
is chosen in the same way among the documents for fitting. The final weights are fitted on all data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.choices import SEED
from understudy.errors import BadInput
from understudy.metrics.base.learned_model import LearnedModel, Part, segment_choices
from understudy.metrics.sentinel import Sentinel
from understudy.trusting.combinations.cross_fitting import (
    FOLDS,
    check_grouping,
    cross_fitted,
    refuse_constant_target,
)
from understudy.trusting.combinations.features import Feature, Target, TrainingTable, table_of
from understudy.trusting.combinations.linear_methods import method_named, require_scikit_learn
from understudy.trusting.combinations.score_rows import centered


@dataclass(frozen=True)
class Fold:
    """Out-of-fold predictions. Only the direction of the weights differs between folds: all have the intercept and the
    spread of the model.
    """

    documents: tuple[str, ...]
    translations: int  # that people judged
    strength: float  # chosen in the other folds
    weights: dict[str, float]  # learned in the other folds


@dataclass(frozen=True, eq=False)
class Learning:
    """A learned combination of metrics, and its out-of-fold scores."""

    model: LearnedModel  # learned from everything
    predictions: Floats  # [systems, segments], each by weights that had not seen it; NaN: a part is missing
    in_sample: Floats  # [systems, segments], by the model, which has seen them
    folds: tuple[Fold, ...]
    lacking: dict[str, int]  # by part, and by the measure of people: how many translations have no score
    constant: tuple[str, ...]  # parts that do not vary where weights are fitted, and weigh nothing
    systems_left_out: bool  # predictions are by weights that had seen neither the document nor the system
    weakened: bool  # the strength that predicts best gives all parts the weight 0, and was not taken

    @property
    def weights(self) -> dict[str, float]:
        """The change of the score per standard deviation of each metric."""
        return {part.spec: part.weight for part in self.model.parts}

    @property
    def remarks(self) -> list[str]:
        """Notes for reports."""
        trained = self.model.trained_on
        found = []
        if trained.by == "segment":
            found.append(
                "Without document labels, folds consist of segments: neighboring segments are similar, so out-of-fold "
                "scores may be better than scores of new text."
            )
        left_out = self.predictions.size - int((~np.isnan(self.predictions)).sum())
        if left_out:
            found.append(
                f"{left_out:,} translations lack a score of one of the metrics and have no learned score."
            )
        found += [
            f"{name} has the same score for all translations"
            f"{' of a segment' if trained.grouping == 'segment' else ''}: its weight is 0."
            for name in self.constant
        ]
        if self.weakened:
            found.append(
                f"In cross-validation, the mean predicts {trained.measure} best, with all weights 0. Regularization "
                f"was reduced to {self.model.strength:g} to keep at least one metric."
            )
        if negative := [part.spec for part in self.model.parts if part.weight < 0 and not _is_sentinel(part)]:
            few = len(negative) == 1
            found.append(
                f"The {'weight' if few else 'weights'} of {' and '.join(negative)} {'is' if few else 'are'} negative: "
                f"given the other metrics, {'a better score by it counts' if few else 'better scores by them count'} "
                "against a translation."
            )
        return found


def learn(
    features: Sequence[Feature],
    target: Target,
    documents: Sequence[str] | None = None,
    *,
    method: str | None = None,
    grouping: str = "none",
    folds: int = FOLDS,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Learning:
    """Fit the weights of metrics to human scores.

    `documents[i]` is the document of segment i; without documents, each segment counts as one. The method is `ridge` or
    `lasso` for human scores, `svm` or `logistic` for human/machine labels; the first of each by default. `progress` is
    called with 1 for every predicted fold, and once more for the model. With `grouping="segment"`, weights are fitted
    only to differences between translations of the same segment, for combinations that compare systems. The difficulty
    of segments then has no effect.

    >>> generator = np.random.default_rng(1)
    >>> first, second = generator.normal(size=(2, 4, 50))
    >>> target = Target.of_scores(["a", "b", "c", "d"], 2 * first - second)
    >>> found = learn([Feature("first", first), Feature("second", second)], target)
    >>> [round(part.weight / part.scale, 2) for part in found.model.parts]
    [2.0, -1.0]
    """
    chosen = method_named(method, of_labels=target.labels)
    table = table_of(features, target)
    check_grouping(grouping, table, target)
    varying = centered(table.features, table.segment) if grouping == "segment" else table.features
    _refuse_constant(table, varying, target, grouping)
    require_scikit_learn()
    found = cross_fitted(
        table, target, documents, method=chosen, grouping=grouping, folds=folds, seed=seed, progress=progress
    )
    return Learning(
        model=LearnedModel(
            method=chosen.name,
            strength=found.whole.strength,
            parts=tuple(
                Part(
                    spec=feature.name,
                    mean=float(found.final.means[index]),
                    scale=float(found.final.scales[index]),
                    weight=float(found.final.weights[index]),
                    choices=None if feature.metric is None else segment_choices(feature.metric),
                    of_input=dict(feature.of_input),
                )
                for index, feature in enumerate(features)
            ),
            intercept=found.final.intercept,
            trained_on=found.trained_on(references=_references(features)),
        ),
        predictions=found.predictions,
        in_sample=found.in_sample,
        folds=tuple(
            Fold(
                found.documents_of(number),
                found.translations_of(number),
                fitted.strength,
                dict(zip(table.names, fitted.model.weights.tolist(), strict=True)),
            )
            for number, fitted in enumerate(found.validated.fitted)
        ),
        lacking=table.lacking,
        constant=tuple(
            name for name, column in zip(table.names, varying.T, strict=True) if np.ptp(column) == 0
        ),
        systems_left_out=found.validated.systems_left_out,
        weakened=found.whole.weakened,
    )


def _refuse_constant(table: TrainingTable, varying: Floats, target: Target, grouping: str) -> None:
    if not np.ptp(varying[table.judged], axis=0).any():
        which = (
            "all translations of a segment" if grouping == "segment" else "all translations with human scores"
        )
        raise BadInput(
            f"{', '.join(table.names)} {'give' if len(table.names) > 1 else 'gives'} {which} the same score: expected "
            "at least one metric that varies."
        )
    refuse_constant_target(table, target)


def _is_sentinel(part: Part) -> bool:
    """Whether it sees only one text: neither sign of its weight is a surprise."""
    return part.spec.partition(":")[0] == Sentinel.name


def _references(features: Sequence[Feature]) -> tuple[int, int] | None:
    """Of the parts that read references."""
    known = [
        feature.references
        for feature in features
        if feature.references is not None and (feature.metric is None or feature.metric.reads_references)
    ]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else None
