"""Weights fitted to all data, and out-of-fold predictions of every translation: what learned combinations and learned
feature weights share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.segment_label_files import check_labels
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.learned_model import KINDS, TrainedOn
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement
from understudy.trusting.combinations.cross_validation import (
    CrossValidated,
    Fitted,
    OrderedRows,
    balanced_accuracy,
)
from understudy.trusting.combinations.features import MACHINE, Target, TrainingTable
from understudy.trusting.combinations.folds import numbered
from understudy.trusting.combinations.linear_methods import Linear, Method
from understudy.trusting.paired_scores import PairedScores

FOLDS = 10
BALANCED_ACCURACY = "balanced accuracy"
GROUPINGS = ("none", "segment")  # which differences between translations weights are learned from

# The numbers that are kept: more digits would be those of one computer's way to add up.
_SIGNIFICANT_DIGITS = 12


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """Weights of all data, and of every fold."""

    target: Target
    rows: OrderedRows
    validated: CrossValidated
    whole: Fitted
    final: Linear  # the weights of all data, as the file has them
    predictions: Floats  # [systems, segments], each by weights that had not seen it; NaN: no row
    in_sample: Floats  # [systems, segments], by the final weights
    names: list[str]  # of the documents; without documents, of the segments
    by: str  # document or segment
    grouping: str
    seed: int

    def documents_of(self, fold: int) -> tuple[str, ...]:
        return tuple(
            name
            for name, its_fold in zip(sorted(set(self.names)), self.validated.fold_of, strict=True)
            if its_fold == fold
        )

    def translations_of(self, fold: int) -> int:
        """With human scores."""
        return int((self.validated.fold_of[self._judged] == fold).sum())

    def trained_on(self, references: tuple[int, int] | None) -> TrainedOn:
        """The training data, for the file."""
        quality, measured = _quality(self.target, self.grouping)
        return TrainedOn(
            kind=KINDS[self.target.labels],
            measure=self.target.measure,
            systems=len(self.target.systems),
            segments=self.target.values.shape[1],
            translations=len(self._judged),
            documents=len(np.unique(self._judged)),
            by=self.by,
            grouping=self.grouping,
            references=references,
            folds=len(self.validated.fitted),
            seed=self.seed,
            quality=quality,
            out_of_fold=measured(self.predictions),
            in_sample=measured(self.in_sample),
        )

    @property
    def _judged(self) -> np.ndarray:
        return self.rows.document[self.rows.judged]


def cross_fitted(
    table: TrainingTable,
    target: Target,
    documents: Sequence[str] | None,
    *,
    method: Method,
    grouping: str,
    folds: int,
    seed: int,
    progress: Callable[[int], None] | None,
    digits: int = _SIGNIFICANT_DIGITS,
) -> CrossFitted:
    """Fit to all rows, and to those of the other folds and systems of each row. Weights are rounded to as many
    significant digits as their file has.
    """
    if folds < 2:
        raise BadParameter(f"{folds} folds: expected at least 2.")
    segments = target.values.shape[1]
    by = "segment" if documents is None else "document"
    names = [str(number) for number in range(1, segments + 1)] if documents is None else list(documents)
    check_labels("documents", names, segments)
    rows = OrderedRows.of(table, numbered(names), method, grouping)
    if rows.nothing_to_learn:
        raise BadInput(
            f"'{target.measure}' is equal for all translations of a segment, so grouping=segment has nothing to fit."
        )
    found = rows.cross_validated(folds, seed, progress)
    everything = np.ones(len(rows.target), dtype=bool)
    whole = rows.fitted(everything, found.fold_of[rows.document])
    final = _kept(whole.model, digits)
    predictions, in_sample = (
        table.spread(rows.unsorted(values))
        for values in (rows.out_of_fold(found, final), final(rows.features))
    )
    if progress:
        progress(1)
    return CrossFitted(target, rows, found, whole, final, predictions, in_sample, names, by, grouping, seed)


def check_grouping(grouping: str, table: TrainingTable, target: Target) -> None:
    """Fails unless these differences can be learned from."""
    if grouping not in GROUPINGS or (target.labels and grouping != "none"):
        expected = "none for human and machine translations" if target.labels else " or ".join(GROUPINGS)
        raise BadParameter(f"grouping '{grouping}' of a learned combination: expected {expected}.")
    if grouping == "segment" and len(np.unique(table.system)) == 1:
        raise BadInput(
            "weights within segments are fitted to differences between systems, but only one system has scores. Give "
            "several systems, or fit to all differences.",
        )


def fitted_without(trained: TrainedOn, *, systems_left_out: bool) -> str:
    """What the weights for a translation were fitted on, in a sentence."""
    systems = "and none of the same system" if systems_left_out else "but others of the same systems"
    if not systems_left_out and trained.kind == KINDS[0] and trained.systems > 1:
        systems += (
            ", too few of which have human scores: coefficients are too high, even if nothing was learned"
        )
    return f"Scores are out-of-fold: the weights were fitted on no translation of the same {trained.by}, {systems}."


def refuse_constant_target(table: TrainingTable, target: Target) -> None:
    """Scores that are all the same have nothing to fit."""
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


def _quality(target: Target, grouping: str) -> tuple[str, Callable[[Floats], float | None]]:
    """How predictions are compared with people, and its value for some."""

    def accuracy(values: Floats) -> float | None:
        known = ~np.isnan(values) & ~np.isnan(target.values)
        return rounded_to(balanced_accuracy(values[known], target.values[known]))

    def correlation(values: Floats) -> float | None:
        pairing = PairedScores(target.systems, target.values, values)
        found = agreement(pairing, CoefficientSpec("pearson", "segment", grouping)).value
        return None if np.isnan(found) else rounded_to(found)

    return (BALANCED_ACCURACY, accuracy) if target.labels else ("pearson", correlation)


def _kept(found: Linear, digits: int) -> Linear:
    """The model as its file has it."""
    return Linear(
        means=each_rounded(found.means, digits),
        scales=each_rounded(found.scales, digits),
        weights=each_rounded(found.weights, digits),
        intercept=rounded_to(found.intercept, digits),
    )


def each_rounded(values: Floats, digits: int) -> Floats:
    return np.array([rounded_to(value, digits) for value in values])


def rounded_to(value: float, digits: int = _SIGNIFICANT_DIGITS) -> float:
    """To so many significant digits."""
    return float(f"{value:.{digits}g}") + 0.0  # no -0.0
