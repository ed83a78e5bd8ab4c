"""Nested cross-validation: every translation is predicted by weights fitted without its document and its system."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.errors import BadInput
from understudy.trusting.combinations.features import HUMAN, MACHINE, TrainingTable
from understudy.trusting.combinations.folds import SYSTEM_GROUPS, Whole, assigned_folds
from understudy.trusting.combinations.linear_methods import STRENGTHS, Linear, Method
from understudy.trusting.combinations.score_rows import Rows, centered, column_means, sort_keys
from understudy.wording import number_of

_FEWEST_DOCUMENTS = 3  # one to predict, and two between which the strength is chosen


@dataclass(frozen=True, eq=False)
class Fitted:
    """What some rows ask for."""

    model: Linear
    strength: float
    weakened: bool  # from the best strength, which gives all parts the weight 0


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """The model of each fold, fitted without it."""

    fold_of: Whole  # [documents]
    group_of: Whole  # [rows]: of its system; all 0 if systems are not left out
    fitted: list[Fitted]  # by fold

    @property
    def systems_left_out(self) -> bool:
        """Whether systems are predicted from other systems."""
        return bool(self.group_of.any())


@dataclass(frozen=True, eq=False)
class OrderedRows:
    """The table's rows in an order that is the same for any order of systems and segments: sums, in their last digits,
    depend on it.
    """

    method: Method
    features: Rows  # [rows, parts]
    target: Floats  # [rows]
    within_segments: bool  # weights are learned from differences to the mean of the segment's translations
    system: Whole  # [rows]
    segment: Whole  # [rows]
    document: Whole  # [rows]
    documents: int
    order: Whole  # where the rows stand in the table

    @classmethod
    def of(cls, table: TrainingTable, document_of: Whole, method: Method, grouping: str) -> OrderedRows:
        document = document_of[table.segment]
        order = np.lexsort((table.system, table.segment, document, table.target, *sort_keys(table.features)))
        return cls(
            method,
            table.features[order],
            table.target[order],
            grouping == "segment",
            table.system[order],
            table.segment[order],
            document[order],
            int(document_of.max()) + 1,
            order,
        )

    @property
    def judged(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.target)

    @property
    def nothing_to_learn(self) -> bool:
        """Whether all judged rows have the same target, as far as weights are learned from it."""
        return bool(np.ptp(self._learned(self.judged)[1]) == 0)

    def unsorted(self, values: Floats) -> Floats:
        """Values of the rows as the table has them."""
        found = np.empty_like(values)
        found[self.order] = values
        return found

    def cross_validated(
        self, folds: int, seed: int, progress: Callable[[int], None] | None
    ) -> CrossValidated:
        """For every fold of documents, weights that saw no row of it."""
        weights = np.bincount(self.document[self.judged], minlength=self.documents)
        usable = int((weights > 0).sum())
        if usable < _FEWEST_DOCUMENTS:
            raise BadInput(
                f"the scores to learn from cover {number_of(usable, 'document')}, expected at least "
                f"{_FEWEST_DOCUMENTS} for cross-validation by document. Without document labels, each segment counts "
                "as a document."
            )
        fold_of = assigned_folds(weights, min(folds, usable), [seed])
        group_of = self._groups_of_systems(fold_of[self.document])
        fitted = []
        for fold in range(min(folds, usable)):
            seen = fold_of != fold
            inner_weights = np.where(seen, weights, 0)
            inner_folds = min(self.method.inner_folds, int((inner_weights > 0).sum()))
            inner = assigned_folds(inner_weights, inner_folds, [seed, fold + 1])
            fitted.append(self.fitted(seen[self.document], inner[self.document]))
            if progress:
                progress(1)
        return CrossValidated(fold_of, group_of, fitted)

    def _groups_of_systems(self, fold_of: Whole) -> Whole:
        """The group [rows] of every row's system, to be predicted from the other groups and folds. All 0 if that leaves
        nothing to learn from: labels are those of whole systems, and within segments, two systems are needed for a
        difference. So three are predicted one by one there.
        """
        together = np.zeros_like(self.system)
        systems = np.unique(self.system[self.judged])
        fewest = 2 if self.within_segments else 1
        if self.method.of_labels or len(systems) <= fewest:
            return together
        groups = SYSTEM_GROUPS if len(systems) >= fewest * SYSTEM_GROUPS else len(systems)
        group_of = np.searchsorted(systems, self.system) % groups
        for fold, group in itertools.product(np.unique(fold_of), range(groups)):
            seen = (fold_of != fold) & (group_of != group) & self.judged
            if not seen.any() or np.ptp(self._learned(seen)[1]) == 0:
                return together
        return group_of

    def out_of_fold(self, found: CrossValidated, whole: Linear) -> Floats:
        """Every row predicted by weights that saw no row of its document and, of scores, none of its system, all on the
        scale of what was learned from the whole.

        Metrics favor systems: weights that saw the human scores of a system in other documents would know how good
        the system is. The scales of the folds would bias coefficients of all rows downward. A fold of low scores
        leaves a high mean, and so a high intercept, to its prediction; and where chance makes a part useful in one
        fold, the others find it less so. With the intercept and the spread of the whole, which are the same for all
        rows and so move no coefficient, scores that are independent of the parts have a correlation of 0 on average.

        Labels keep the thresholds that their folds chose: a prediction is of a person if it is above 0.
        """
        fold_of, group_of = found.fold_of[self.document], found.group_of
        values = np.empty(len(self.target))
        for fold, fitted in enumerate(found.fitted):
            for group in np.unique(group_of):
                rows = (fold_of == fold) & (group_of == group)
                model = fitted.model
                if found.systems_left_out:
                    model, _ = self._weighing((fold_of != fold) & (group_of != group), fitted.strength)
                factor = self._spread(whole) / (self._spread(model) or 1.0)
                scaled = replace(model, weights=model.weights * factor, intercept=model.intercept * factor)
                if not self.method.of_labels:
                    scaled = replace(scaled, means=whole.means, intercept=whole.intercept)
                values[rows] = scaled(self.features[rows])
        return values

    def _spread(self, model: Linear) -> float:
        """The standard deviation of its values for what can be learned from."""
        features, _ = self._learned(self.judged)
        # Without the intercept, where nothing weighs, this is 0 and not almost so.
        return float(replace(model, intercept=0.0)(features).std())

    def fitted(self, seen: NDArray[np.bool_], fold_of: Whole) -> Fitted:
        """The weights that the judged ones of these rows ask for, as strongly regularised as is best between these
        folds of theirs.
        """
        best = self._best_strength(seen, fold_of)
        found, strength = self._weighing(seen, best)
        rows = seen & self.judged
        features, target = self._learned(rows)
        # What the rows lost when they were compared within segments: a translation like their mean scores their mean.
        means = column_means(self.features[rows]) - column_means(features)
        middle = self.target[rows].mean() - target.mean()
        model = replace(found, means=found.means + means, intercept=float(found.intercept + middle))
        return Fitted(model, strength, weakened=strength != best and bool(found.weights.any()))

    def _weighing(self, seen: NDArray[np.bool_], strength: float) -> tuple[Linear, float]:
        """What these rows ask for, and how strongly it is regularised: if that leaves no weight but 0, it is weakened
        until a part weighs. To predict some folds and not others would bias coefficients: those without a prediction
        are the ones that, left out, leave nothing to be learned.
        """
        for weaker in STRENGTHS[STRENGTHS.index(strength) :]:
            (found,) = self._solved(seen, [weaker])
            if found.weights.any():
                break
        return found, weaker

    def _best_strength(self, seen: NDArray[np.bool_], fold_of: Whole) -> float:
        """Which strength predicts the rows of each fold best from those of the others, as far as they may be seen."""
        rows = seen & self.judged
        _, target = self._learned(rows)
        values = np.empty((len(STRENGTHS), len(self.target)))
        for fold in np.unique(fold_of[rows]):
            held_out = rows & (fold_of == fold)
            features, _ = self._learned(held_out)
            values[:, held_out] = [found(features) for found in self._solved(rows & ~held_out, STRENGTHS)]
        losses = [_loss(found[rows], target, of_labels=self.method.of_labels) for found in values]
        return STRENGTHS[int(np.argmin(losses))]

    def _solved(self, seen: NDArray[np.bool_], strengths: Sequence[float]) -> list[Linear]:
        features, target = self._learned(seen & self.judged)
        if self.method.of_labels and np.ptp(target) == 0:
            who = "machines" if target[0] == MACHINE else "people"
            raise BadInput(
                f"without the documents of one fold, all translations with scores are by {who}: expected human and "
                "machine translations in several documents."
            )
        return self.method.fit(features, target, strengths)

    def _learned(self, rows: NDArray[np.bool_]) -> tuple[Rows, Floats]:
        """Features and target of these judged rows, as weights are learned from them."""
        features, target = self.features[rows], self.target[rows]
        if not self.within_segments:
            return features, target
        segment = self.segment[rows]
        return centered(features, segment), centered(target[:, np.newaxis], segment)[:, 0]


def _loss(values: Floats, target: Floats, *, of_labels: bool) -> float:
    return -balanced_accuracy(values, target) if of_labels else float(((values - target) ** 2).mean())


def balanced_accuracy(values: Floats, labels: Floats) -> float:
    """Balanced accuracy: the mean of the shares of human and of machine translations that are classified correctly.
    Random guesses have 0.5.

    >>> balanced_accuracy(np.array([0.5, -2.0, -0.1]), np.array([HUMAN, HUMAN, MACHINE]))
    0.75
    """
    shares = [float(((values[labels == label] > 0) == (label > 0)).mean()) for label in (HUMAN, MACHINE)]
    return sum(shares) / 2
