"""Parts of the data for cross-validation: some documents of some systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.errors import BadInput
from understudy.resampling.two_way_samples import Draws
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.combinations.cross_fitting import FOLDS
from understudy.trusting.combinations.folds import SYSTEM_GROUPS, Whole, assigned_folds, numbered
from understudy.trusting.paired_scores import PairedScores
from understudy.wording import number_of

# Two systems of a segment have an order; the correlation of two systems is always 1 or -1.
_FEWEST_SYSTEMS = {"segment": 2, "system": 3}  # in a part
_FEWEST_DOCUMENTS = 2


@dataclass(frozen=True, eq=False)
class Part:
    """Some documents of some systems."""

    fold: int
    group: int  # of systems
    systems: Whole  # their numbers
    segments: Whole  # likewise
    judged: Floats  # [systems, segments]: 1 where there is a human score; [systems, 1] if human scores are of systems

    @property
    def weight(self) -> int:
        """The number of translations with human scores; without any, of systems."""
        return int(self.judged.sum())

    def sampled_weights(self, draws: Draws) -> Floats:
        """The same in samples [samples or 1]."""
        of_segments = draws.segments if self.judged.shape[1] == len(self.segments) else None
        return Draws(draws.systems, of_segments).sums(self.judged, "none")[:, 0]


@dataclass(frozen=True, eq=False)
class Division:
    """All parts, and what they are made of."""

    groups: list[
        Whole
    ]  # the numbers of the systems in each group: one group if there are too few systems for two
    folds: NDArray[
        np.bool_
    ]  # [folds, segments]: the segments in each; without human scores of segments there are none
    documents: list[tuple[str, ...]]  # of each fold
    parts: list[Part]

    @classmethod
    def of(
        cls, pairing: PairedScores, asked: CoefficientSpec, documents: Sequence[str] | None, seed: int
    ) -> Division:
        """The parts for a coefficient. `documents` are those of the segments, each segment by default."""
        groups = _groups(pairing, asked)
        folds, names = _folds(pairing, documents, seed)
        parts = _parts(pairing, groups, folds)
        if not parts:
            raise BadInput(
                f"a grid needs human scores of segments, or of at least {2 * _FEWEST_SYSTEMS['system']} systems."
            )
        return cls(groups, folds, names, parts)

    def training_group(self, part: Part) -> int:
        """The systems that the setting of a part is selected on: of two groups, the other one."""
        return len(self.groups) - 1 - part.group


@dataclass(frozen=True, eq=False)
class PartSamples:
    """Samples of all parts: of the same segments for all groups of systems, and the same systems in all folds. What was
    not resampled is None.
    """

    systems: list[Floats] | None = None  # by group [samples, systems]
    segments: Floats | None = None  # [samples, segments]

    def in_part(self, part: Part) -> Draws:
        return Draws(
            None if self.systems is None else self.systems[part.group],
            None if self.segments is None else self.segments[:, part.segments],
        )

    def without_folds(self, division: Division, group: int) -> list[Draws]:
        """Of the systems of a group, without each fold; without folds, all segments."""
        of_systems = None if self.systems is None else self.systems[group]
        if not len(division.folds):
            return [Draws(of_systems, self.segments)]
        count = 1 if of_systems is None else len(of_systems)
        segments = np.ones((count, division.folds.shape[1])) if self.segments is None else self.segments
        return [Draws(of_systems, segments * ~fold) for fold in division.folds]


def mean_over_parts(values: Floats, weights: Floats) -> Floats:
    """Of values [parts, samples] that weigh so much; those that are undefined do not count."""
    known = weights * ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((known * np.nan_to_num(values)).sum(axis=0) / known.sum(axis=0))


def _groups(pairing: PairedScores, asked: CoefficientSpec) -> list[Whole]:
    systems = np.arange(len(pairing.systems))  # in the order of their names
    if len(systems) < SYSTEM_GROUPS * _FEWEST_SYSTEMS[asked.level]:
        return [systems]
    return [systems[systems % SYSTEM_GROUPS == group] for group in range(SYSTEM_GROUPS)]


def _folds(
    pairing: PairedScores, documents: Sequence[str] | None, seed: int
) -> tuple[NDArray[np.bool_], list[tuple[str, ...]]]:
    """Which segments are in each fold [folds, segments], and the names of its documents. Without human scores of
    segments there are no folds.
    """
    segments = pairing.shape[1]
    if pairing.human is None:
        return np.zeros((0, segments), dtype=bool), []
    names = [str(number) for number in range(1, segments + 1)] if documents is None else list(documents)
    document_of = numbered(names)
    judged = np.bincount(document_of, (~np.isnan(pairing.human)).sum(axis=0)).astype(np.intp)
    usable = int((judged > 0).sum())
    if usable < _FEWEST_DOCUMENTS:
        raise BadInput(
            f"human scores cover {number_of(usable, 'document')}, expected at least {_FEWEST_DOCUMENTS} for "
            "cross-validation by document. Without document labels, each segment counts as a document."
        )
    count = min(FOLDS, usable)
    fold_of = assigned_folds(judged, count, [seed])
    in_order = sorted(set(map(str, names)))
    of_folds = [
        tuple(name for name, fold in zip(in_order, fold_of, strict=True) if fold == number)
        for number in range(count)
    ]
    return np.array([fold_of[document_of] == number for number in range(count)]), of_folds


def _parts(pairing: PairedScores, groups: Sequence[Whole], folds: NDArray[np.bool_]) -> list[Part]:
    """Every fold of documents of every group of systems in which there are human scores. Without folds, every group of
    systems, if there are several.
    """
    if pairing.human is None:
        segments = np.arange(pairing.shape[1])
        several = groups if len(groups) > 1 else []
        return [Part(0, group, rows, segments, np.ones((len(rows), 1))) for group, rows in enumerate(several)]
    judged = (
        ~np.isnan(pairing.human) if pairing.compared is None else ~np.isnan(pairing.human) & pairing.compared
    )
    found = [
        Part(fold, group, rows, columns, judged[np.ix_(rows, columns)].astype(np.float64))
        for fold, columns in enumerate(map(np.flatnonzero, folds))
        for group, rows in enumerate(groups)
    ]
    return [part for part in found if part.weight]
