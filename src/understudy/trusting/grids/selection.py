"""Selection of a setting by cross-validation: for every part of the data, on other documents and other systems.

The data are divided into parts: some documents of some systems. For each part, the setting with the highest coefficient
on the training data is selected: the other documents, of the other systems. The coefficient of the selected setting in
the part, minus that of the plain metric, is the gain. Its mean over all parts is an estimate without the optimism of
selecting and evaluating on the same data.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.errors import BadInput
from understudy.metrics.base.score import Interval
from understudy.resampling.samples import bootstrap_weights
from understudy.resampling.two_way_samples import WHOLE, Draws
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.combinations.cross_fitting import FOLDS
from understudy.trusting.combinations.folds import SYSTEM_GROUPS, Whole, assigned_folds, numbered
from understudy.trusting.intervals import interval_among
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.thread_map import thread_map
from understudy.wording import number_of

# Two systems of a segment have an order; the correlation of two systems is always 1 or -1.
_FEWEST_SYSTEMS = {"segment": 2, "system": 3}  # in a part
_FEWEST_DOCUMENTS = 2
_TIED = 1e-12  # coefficients that differ by rounding


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
class Selected:
    """The settings selected for all parts, and the gain over the plain metric."""

    asked: CoefficientSpec
    parts: list[Part]
    documents: list[tuple[str, ...]]  # of each fold
    by: str  # document or segment: what folds consist of
    settings: list[str | None]  # selected, by part; None: none has a coefficient on the training data
    values: dict[str, Floats]  # by setting: its coefficient in each part
    gain: float
    interval: Interval | None
    systems_left_out: bool

    @property
    def of_selected(self) -> Floats:
        """The coefficients of the selected settings, by part."""
        return np.array(
            [np.nan if name is None else self.values[name][place] for place, name in enumerate(self.settings)]
        )

    def mean(self, values: Floats) -> float:
        """Over the parts, weighted by their translations; those without a value do not count."""
        weights = np.array([[part.weight] for part in self.parts], dtype=np.float64)
        return float(_means(values[:, np.newaxis], weights)[0])


def select(
    pairings: Mapping[str, PairedScores],
    candidates: Sequence[str],
    plain: str,
    asked: CoefficientSpec,
    *,
    documents: Sequence[str] | None,
    over: str,
    plan: TrustPlan,
    threads: int = 1,
) -> Selected:
    """Select one of the candidates for every part. `pairings` has the scores of all of them, and of the plain metric;
    `documents` are those of the segments, each segment by default.
    """
    first = pairings[plain]
    groups = _groups(first, asked)
    folds, names = _folds(first, documents, plan.seed)
    parts = _parts(first, groups, folds)
    if not parts:
        raise BadInput(
            f"a grid needs human scores of segments, or of at least {2 * _FEWEST_SYSTEMS['system']} systems."
        )

    train = functools.partial(_without_folds, groups=groups, folds=folds, asked=asked, seed=plan.seed)
    trained = dict(
        zip(candidates, thread_map(train, [pairings[each] for each in candidates], threads), strict=True)
    )
    last = len(groups) - 1  # with two groups, the training data of one are those of the other
    settings = [
        best_of({name: float(trained[name][last - part.group, part.fold]) for name in candidates}, plain)
        for part in parts
    ]
    judge = functools.partial(_in_parts, parts=parts, asked=asked, seed=plan.seed)
    values = dict(zip(pairings, thread_map(judge, pairings.values(), threads), strict=True))
    by = "segment" if documents is None else "document"
    chosen = Selected(asked, parts, names, by, settings, values, np.nan, None, len(groups) > 1)
    gain = chosen.mean(chosen.of_selected - values[plain])
    drawn = _sampled_gains(pairings, chosen, plain, asked, over=over, plan=plan, threads=threads)
    interval = interval_among(drawn, gain, over=over, confidence=plan.confidence, bounds=(-2.0, 2.0))
    return replace(chosen, gain=gain, interval=interval)


def best_of(values: Mapping[str, float], plain: str) -> str | None:
    """The setting with the highest value: if several have it, the plain metric, or else the first. None: no value is
    defined.
    """
    known = {name: value for name, value in values.items() if not np.isnan(value)}
    if not known:
        return None
    highest = max(known.values()) - _TIED
    tied = [name for name, value in known.items() if value >= highest]
    return plain if plain in tied else tied[0]


# --- parts of the data -----------------------------------------------------------------------------------------


def _groups(pairing: PairedScores, asked: CoefficientSpec) -> list[Whole]:
    """The numbers of the systems in each group: one group if there are too few systems for two."""
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


def _without_folds(
    pairing: PairedScores,
    groups: Sequence[Whole],
    folds: NDArray[np.bool_],
    asked: CoefficientSpec,
    seed: int,
) -> Floats:
    """The coefficient of each group of systems without each fold [groups, folds]; without folds, of all segments."""
    everything = np.arange(pairing.shape[1])
    draws = Draws(segments=(~folds).astype(np.float64)) if len(folds) else WHOLE
    return np.array(
        [estimate(pairing.part(rows, everything), asked, seed=seed).values(draws) for rows in groups]
    )


def _in_parts(pairing: PairedScores, parts: Sequence[Part], asked: CoefficientSpec, seed: int) -> Floats:
    """The coefficient in each part [parts]."""
    return np.array(
        [estimate(pairing.part(part.systems, part.segments), asked, seed=seed).value for part in parts]
    )


# --- the gain in samples ---------------------------------------------------------------------------------------


def _sampled_gains(
    pairings: Mapping[str, PairedScores],
    chosen: Selected,
    plain: str,
    asked: CoefficientSpec,
    *,
    over: str,
    plan: TrustPlan,
    threads: int,
) -> Floats:
    """The gain in resamples of the segments or systems of every part [samples], by the same settings."""
    gains = np.empty(plan.samples)
    estimators = [
        [
            estimate(pairings[name].part(part.systems, part.segments), asked, seed=plan.seed)
            for name in (selected, plain)
        ]
        if selected is not None and selected != plain
        else None
        for part, selected in zip(chosen.parts, chosen.settings, strict=True)
    ]
    start = 0
    for draws in _draws(pairings[plain], chosen, over=over, samples=plan.samples, seed=plan.seed):

        def differences(place: int, draws: Sequence[Draws] = draws) -> Floats:
            of_part, count = estimators[place], draws[0].samples
            if of_part is None:
                return np.full(count, np.nan if chosen.settings[place] is None else 0.0)
            selected, other = (estimator.values(draws[place]) for estimator in of_part)
            return selected - other

        found = np.array(thread_map(differences, range(len(chosen.parts)), threads))
        count = found.shape[1]
        weights = [
            np.broadcast_to(part.sampled_weights(drawn), count)
            for part, drawn in zip(chosen.parts, draws, strict=True)
        ]
        gains[start : start + count] = _means(found, np.array(weights))
        start += count
    return gains


def _draws(
    pairing: PairedScores, chosen: Selected, *, over: str, samples: int, seed: int
) -> Iterator[list[Draws]]:
    """Some samples of every part: the same segments for all groups of systems, and the same systems in all folds."""
    rows = {part.group: part.systems for part in chosen.parts}
    segments = pairing.shape[1]
    # As many parts of samples as those of whole test sets, and other seeds for the systems.
    of_segments = bootstrap_weights(segments, samples, seed, beside=len(pairing.systems))
    of_systems = zip(
        *(
            bootstrap_weights(len(systems), samples, seed + 1 + group, beside=segments)
            for group, systems in rows.items()
        ),
        strict=True,
    )
    for segment_weights, system_weights in zip(of_segments, of_systems, strict=True):
        by_group = dict(zip(rows, system_weights, strict=True))
        yield [
            Draws(
                None if over == "segments" else by_group[part.group],
                None if over == "systems" else segment_weights[:, part.segments],
            )
            for part in chosen.parts
        ]


def _means(values: Floats, weights: Floats) -> Floats:
    """Of values [parts, samples] that weigh so much; those that are undefined do not count."""
    known = weights * ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((known * np.nan_to_num(values)).sum(axis=0) / known.sum(axis=0))
