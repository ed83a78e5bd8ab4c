"""A perturbation, applied to every segment of a system and scored by every metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.cer import CER
from understudy.probing.perturbations.grading import GradedChange
from understudy.probing.perturbations.perturbation import Change, Perturbation, Segment
from understudy.probing.perturbations.results import PerturbationFacts
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.resampling.randomness import generator

NONE = -1  # the text of a segment to which a perturbation does not apply


@dataclass(frozen=True, eq=False)
class AppliedPerturbation:
    """The changed texts at every strength, each scored once however many strengths give it."""

    facts: PerturbationFacts
    strengths: tuple[float | None, ...]
    segments: NDArray[np.intp]  # by changed text
    texts: tuple[str, ...]
    text_of: NDArray[np.intp]  # [strengths, segments]: the number of the changed text, or NONE
    left_out: tuple[str, ...] | None  # by changed text: the reference it was not scored against, if it is one
    statistics: tuple[Statistics, ...]  # of the changed texts, by metric
    originals: tuple[Statistics, ...]  # of the hypotheses of all segments, against the same references
    system: ProbedSystem

    @cached_property
    def scores(self) -> Floats:
        """The segment scores of the changed texts [texts, metrics]."""
        return self.system.scores_of(self.statistics)

    @cached_property
    def worths(self) -> Floats:
        """The same on a scale where higher is better."""
        return _worths(self.system, self.scores)

    @cached_property
    def original_scores(self) -> Floats:
        """The segment scores of the hypotheses [segments, metrics], against the same references."""
        if self.originals is self.system.counted:
            return self.system.segment_scores
        return self.system.scores_of(self.originals)

    @cached_property
    def original_worths(self) -> Floats:
        return _worths(self.system, self.original_scores)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """By changed text: the character edits it is away from the hypothesis."""
        if not self.texts:
            return np.zeros(0, np.int64)
        before = Column.from_strings([self.system.hypotheses[segment] for segment in self.segments])
        counted = CER().statistics(Column.from_strings(self.texts), before, threads=self.system.threads)
        return np.asarray(counted["edits"])

    def against_references_of(self, other: AppliedPerturbation) -> AppliedPerturbation:
        """The same texts, scored against the references that another perturbation was scored against, in the segments
        to which both apply.
        """
        if other.left_out is None:
            return self
        left_out = dict(zip(other.segments.tolist(), other.left_out, strict=True))
        kept = [number for number, segment in enumerate(self.segments.tolist()) if segment in left_out]
        numbers = np.full(len(self.texts) + 1, NONE)  # the last is for NONE itself
        numbers[kept] = np.arange(len(kept))
        segments = self.segments[kept]
        texts = tuple(self.texts[number] for number in kept)
        without = tuple(left_out[segment] for segment in segments.tolist())
        return replace(
            self,
            segments=segments,
            texts=texts,
            text_of=numbers[self.text_of],
            left_out=without,
            statistics=tuple(self.system.statistics(segments.tolist(), texts, without)),
            originals=other.originals,
        )


def _worths(system: ProbedSystem, scores: Floats) -> Floats:
    """Scores [..., metrics] on a scale where higher is better."""
    return np.stack(
        [metric.worth(scores[..., number]) for number, metric in enumerate(system.metrics)], axis=-1
    )


def perturbable_segments(system: ProbedSystem, seed: int) -> list[Segment]:
    """The segments, each with all that a perturbation may use."""
    return [
        Segment(
            text,
            system.references[number],
            None if system.sources is None else system.sources[number],
            _other(system.hypotheses, number, seed),
        )
        for number, text in enumerate(system.hypotheses)
    ]


def apply_perturbation(
    perturbation: Perturbation, segments: Sequence[Segment], system: ProbedSystem, plan: ProbePlan
) -> AppliedPerturbation:
    """Apply a perturbation at every strength, and score the texts that it changes. The random numbers of a segment are
    the same at every strength: a stronger change is a weaker one with more.
    """
    facts = perturbation.facts
    strengths: tuple[float | None, ...] = plan.strengths if facts.graded else (None,)
    numbers: dict[tuple[int, str], int] = {}
    text_of = np.full((len(strengths), len(segments)), NONE)
    held_out = perturbation.held_out
    for number, segment in enumerate(segments):
        if held_out is not None and set(segment.references) <= {*segment.references[held_out : held_out + 1]}:
            continue  # no other reference to score it against
        random = generator(plan.seed, facts.name, number)
        changes = _at_strengths(
            perturbation.apply, segment, plan.strengths if facts.graded else (1.0,), random
        )
        for place, text in enumerate(changes):
            if text is not None and text != segment.text:
                text_of[place, number] = numbers.setdefault((number, text), len(numbers))
    changed = np.array([segment for segment, _ in numbers], dtype=np.intp)
    texts = tuple(text for _, text in numbers)
    left_out = None
    if held_out is not None:
        left_out = tuple(segments[segment].references[held_out] for segment in changed.tolist())
    return AppliedPerturbation(
        facts,
        strengths,
        changed,
        texts,
        text_of,
        left_out,
        tuple(system.statistics(changed.tolist(), texts, left_out)),
        system.counted if left_out is None else _originals(system, changed, left_out),
        system,
    )


def _at_strengths(
    change: Change, segment: Segment, strengths: Sequence[float], random: np.random.Generator
) -> list[str | None]:
    """The changed texts by strength, each with the same random numbers."""
    if isinstance(change, GradedChange):
        return change.at_strengths(segment, strengths, random)
    state = random.bit_generator.state
    found = []
    for strength in strengths:
        random.bit_generator.state = state
        found.append(change(segment, strength, random))
    return found


def _originals(
    system: ProbedSystem, segments: NDArray[np.intp], left_out: Sequence[str]
) -> tuple[Statistics, ...]:
    """The hypotheses, in these segments against the references that are not left out."""
    hypotheses = [system.hypotheses[segment] for segment in segments]
    counted = system.statistics(segments.tolist(), hypotheses, left_out)
    return tuple(
        replaced_rows(of_all, segments, of_these)
        for of_all, of_these in zip(system.counted, counted, strict=True)
    )


def replaced_rows(statistics: Statistics, segments: NDArray[np.intp], rows: Statistics) -> Statistics:
    """The statistics of all segments, with other rows in some of them."""
    array = statistics.array.copy()
    array[segments] = rows.array
    return replace(statistics, array=array)


def _other(hypotheses: Sequence[str], number: int, seed: int) -> str | None:
    """The hypothesis of another segment, chosen at random; None if all are the same."""
    random = generator(seed, "another segment", number)
    chosen: int
    for chosen in random.integers(len(hypotheses), size=_TRIES).tolist():
        if hypotheses[chosen] != hypotheses[number]:
            return hypotheses[chosen]
    return next((other for other in hypotheses if other != hypotheses[number]), None)


_TRIES = 16  # before others are looked for in their order
