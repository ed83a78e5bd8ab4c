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
from understudy.corpus.segment_label_files import check_labels
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.learned_model import KINDS, LearnedModel, Part, TrainedOn, segment_choices
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.combinations.cross_validation import OrderedRows, balanced_accuracy
from understudy.trusting.combinations.features import MACHINE, Feature, Target, TrainingTable, table_of
from understudy.trusting.combinations.folds import numbered
from understudy.trusting.combinations.linear_methods import Linear, method_named, require_scikit_learn
from understudy.trusting.paired_scores import PairedScores

FOLDS = 10
BALANCED_ACCURACY = "balanced accuracy"
GROUPINGS = ("none", "segment")  # which differences between translations weights are learned from

# The numbers that are kept: more digits would be those of one computer's way to add up.
_SIGNIFICANT_DIGITS = 12


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
    constant: tuple[str, ...]  # parts that score everything the same, and weigh nothing
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
            f"{name} has the same score for all translations: its weight is 0." for name in self.constant
        ]
        if self.weakened:
            found.append(
                f"In cross-validation, the mean predicts {trained.measure} best, with all weights 0. Regularization "
                f"was reduced to {self.model.strength:g} to keep at least one metric."
            )
        if negative := [part.spec for part in self.model.parts if part.weight < 0]:
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
    if grouping not in GROUPINGS or (target.labels and grouping != "none"):
        expected = "none for human and machine translations" if target.labels else " or ".join(GROUPINGS)
        raise BadParameter(f"grouping '{grouping}' of a learned combination: expected {expected}.")
    if folds < 2:
        raise BadParameter(f"{folds} folds: expected at least 2.")
    table = table_of(features, target)
    segments = target.values.shape[1]
    by = "segment" if documents is None else "document"
    names = [str(number) for number in range(1, segments + 1)] if documents is None else list(documents)
    check_labels("documents", names, segments)
    _refuse_constant(table, target)
    require_scikit_learn()
    rows = OrderedRows.of(table, numbered(names), chosen, grouping)
    if rows.nothing_to_learn:
        raise BadInput(
            f"'{target.measure}' is equal for all translations of a segment, so grouping=segment has nothing to fit."
        )
    found = rows.cross_validated(folds, seed, progress)
    everything = np.ones(len(rows.target), dtype=bool)
    whole = rows.fitted(everything, found.fold_of[rows.document])
    final = _kept(whole.model)
    predictions, in_sample = (
        table.spread(rows.unsorted(values))
        for values in (rows.out_of_fold(found, final), final(rows.features))
    )
    if progress:
        progress(1)
    in_order = sorted(set(names))
    judged = rows.document[rows.judged]
    quality, measured = _quality(target, grouping)
    return Learning(
        model=LearnedModel(
            method=chosen.name,
            strength=whole.strength,
            parts=tuple(
                Part(
                    spec=feature.name,
                    mean=float(final.means[index]),
                    scale=float(final.scales[index]),
                    weight=float(final.weights[index]),
                    choices=None if feature.metric is None else segment_choices(feature.metric),
                    of_input=dict(feature.of_input),
                )
                for index, feature in enumerate(features)
            ),
            intercept=final.intercept,
            trained_on=TrainedOn(
                kind=KINDS[target.labels],
                measure=target.measure,
                systems=len(target.systems),
                segments=segments,
                translations=len(judged),
                documents=len(np.unique(judged)),
                by=by,
                grouping=grouping,
                references=_references(features),
                folds=len(found.fitted),
                seed=seed,
                quality=quality,
                out_of_fold=measured(predictions),
                in_sample=measured(in_sample),
            ),
        ),
        predictions=predictions,
        in_sample=in_sample,
        folds=tuple(
            Fold(
                tuple(name for name, fold in zip(in_order, found.fold_of, strict=True) if fold == number),
                int((found.fold_of[judged] == number).sum()),
                fitted.strength,
                dict(zip(table.names, fitted.model.weights.tolist(), strict=True)),
            )
            for number, fitted in enumerate(found.fitted)
        ),
        lacking=table.lacking,
        constant=tuple(
            name for name, column in zip(table.names, table.features.T, strict=True) if np.ptp(column) == 0
        ),
        systems_left_out=rows.leave_systems_out,
        weakened=whole.weakened,
    )


# --- how good it is --------------------------------------------------------------------------------------------


def _quality(target: Target, grouping: str) -> tuple[str, Callable[[Floats], float | None]]:
    """How predictions are compared with people, and its value for some."""

    def accuracy(values: Floats) -> float | None:
        known = ~np.isnan(values) & ~np.isnan(target.values)
        return _rounded(balanced_accuracy(values[known], target.values[known]))

    def correlation(values: Floats) -> float | None:
        pairing = PairedScores(target.systems, target.values, values)
        found = agreement(pairing, CoefficientSpec("pearson", "segment", grouping)).value
        return None if np.isnan(found) else _rounded(found)

    return (BALANCED_ACCURACY, accuracy) if target.labels else ("pearson", correlation)


def _refuse_constant(table: TrainingTable, target: Target) -> None:
    if not np.ptp(table.features[table.judged], axis=0).any():
        raise BadInput(
            f"{', '.join(table.names)} {'give' if len(table.names) > 1 else 'gives'} all translations with human "
            "scores the same score: expected at least one metric that varies."
        )
    values = table.target[table.judged]
    if np.ptp(values) > 0:
        return
    if target.labels:
        who = "machines" if values[0] == MACHINE else "people"
        raise BadInput(
            f"all translations with scores of every metric are by {who}: expected human and machine "
            "translations."
        )
    raise BadInput(
        f"'{target.measure}' is {values[0]:g} for all {len(values):,} translations, so there is nothing to fit."
    )


def _references(features: Sequence[Feature]) -> tuple[int, int] | None:
    known = [feature.references for feature in features if feature.references is not None]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else None


def _kept(found: Linear) -> Linear:
    """The model as its file has it."""
    return Linear(
        means=_each_rounded(found.means),
        scales=_each_rounded(found.scales),
        weights=_each_rounded(found.weights),
        intercept=_rounded(found.intercept),
    )


def _each_rounded(values: Floats) -> Floats:
    return np.array([_rounded(value) for value in values])


def _rounded(value: float) -> float:
    return float(f"{value:.{_SIGNIFICANT_DIGITS}g}") + 0.0  # no -0.0
