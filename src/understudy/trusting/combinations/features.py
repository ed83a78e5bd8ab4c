"""The training data of a learned combination: segment scores of the metrics, and human scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.errors import BadInput, BadParameter, LengthMismatch, did_you_mean
from understudy.metrics.base.json_models import LARGEST
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.model_file_metric import ModelFileMetric
from understudy.resampling.evidence import Evidence

HUMAN, MACHINE = 1.0, -1.0  # labels of translations


@dataclass(frozen=True, eq=False)
class Feature:
    """The segment scores of one metric; higher is better."""

    name: str  # the spec, if they are computed here
    scores: Floats  # [systems, segments]; NaN: no score
    metric: Metric | None = None  # that computed them; None: another program did
    references: tuple[int, int] | None = None  # the fewest and the most of a segment
    of_input: Mapping[str, str] = field(default_factory=dict)  # see Statistics

    def __post_init__(self) -> None:
        if self.metric is None:
            return
        if not self.metric.reads_references and self.metric.needs_fit:
            raise BadParameter(
                f"{self.name} measures a set of texts, not the quality of a translation, and cannot be part of a "
                "learned combination. Omit it."
            )
        if isinstance(self.metric, ModelFileMetric):
            raise BadParameter(
                f"{self.name} is learned and cannot be part of another learned metric. Use its parts instead."
            )

    @classmethod
    def of_evidence(cls, evidence: Evidence, references: tuple[int, int] | None = None) -> Feature:
        """Of what a metric counted, as `count_systems` has it."""
        if evidence.metric is None:
            raise BadParameter("scores without a metric have no name. Use a Feature with a name.")
        return cls(
            evidence.metric.spec,
            evidence.worth(evidence.segment_scores),
            evidence.metric,
            references,
            evidence.of_input,
        )


@dataclass(frozen=True, eq=False)
class Target:
    """The target of a learned combination: human scores, or labels of human translations."""

    systems: tuple[str, ...]
    values: Floats  # [systems, segments]: scores, NaN: none; or HUMAN and MACHINE
    measure: str  # the name of the scores, or those of the people
    labels: bool = False

    @classmethod
    def of_scores(cls, systems: Sequence[str], scores: Floats, measure: str = "human score") -> Target:
        """Human scores [systems, segments]; NaN where there is none."""
        return cls(tuple(systems), np.asarray(scores, dtype=np.float64), measure)

    @classmethod
    def human_or_machine(cls, systems: Sequence[str], people: Collection[str], segments: int) -> Target:
        """Labels of human and machine systems. Human translations must be scored against other references.

        >>> Target.human_or_machine(["nmt", "refB"], ["refB"], 2).values.tolist()
        [[-1.0, -1.0], [1.0, 1.0]]
        """
        for name in people:
            if name not in systems:
                raise BadParameter(
                    f"unknown system '{name}' among the human translations. {did_you_mean(name, systems)}"
                )
        if not people:
            raise BadParameter("no system is human. Name at least one human translation.")
        if len(set(people)) == len(set(systems)):
            raise BadParameter("all systems are human, expected at least one machine translation.")
        labels = [HUMAN if system in people else MACHINE for system in systems]
        values = np.repeat(np.array(labels)[:, np.newaxis], segments, axis=1)
        return cls(tuple(systems), values, ", ".join(system for system in systems if system in people), True)


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """Translations as rows: those that have a score of every part."""

    names: tuple[str, ...]  # of the parts
    cells: NDArray[np.bool_]  # [systems, segments]: which translations are rows, system by system
    features: Floats  # [rows, parts]
    target: Floats  # [rows]; NaN: not judged
    system: NDArray[np.intp]  # [rows]: its place in the order of the systems' names
    segment: NDArray[np.intp]  # [rows]
    lacking: dict[str, int]  # by part, and by the measure of people: how many translations have no score

    @property
    def judged(self) -> NDArray[np.bool_]:
        """The rows that can be learned from."""
        return ~np.isnan(self.target)

    def spread(self, values: Floats) -> Floats:
        """Values of the rows, back in their places [systems, segments]."""
        found = np.full(self.cells.shape, np.nan)
        found[self.cells] = values
        return found


def table_of(features: Sequence[Feature], target: Target) -> TrainingTable:
    """All translations that have a score of every part."""
    names = tuple(feature.name for feature in features)
    if not names:
        raise BadParameter("a combination without metrics. Give at least one.")
    for name in names:
        if names.count(name) > 1:
            raise BadParameter(f"'{name}' is twice in the combination. Omit one.")
    shape = target.values.shape
    if len(shape) != 2 or shape[0] != len(target.systems):
        raise LengthMismatch(
            f"'{target.measure}' has scores of shape {shape}, expected [systems, segments] with {len(target.systems)} "
            "systems."
        )
    for feature in features:
        if feature.scores.shape != shape:
            raise LengthMismatch(
                f"{feature.name} has scores of shape {feature.scores.shape}, '{target.measure}' of shape {shape}: "
                "expected the same systems and segments."
            )
        _refuse_large(f"a segment score of {feature.name}", feature.scores)
    _refuse_large(f"a score of '{target.measure}'", target.values)
    stacked = np.stack([feature.scores for feature in features], axis=-1).astype(np.float64)
    cells = np.asarray(~np.isnan(stacked).any(axis=-1))
    lacking = {feature.name: int(np.isnan(feature.scores).sum()) for feature in features}
    lacking[target.measure] = int(np.isnan(target.values).sum())
    if not (cells & ~np.isnan(target.values)).any():
        counts = ", ".join(f"{name} {count:,}" for name, count in lacking.items())
        raise BadInput(
            f"no translation has all scores. Missing of {cells.size:,}: {counts}. Use the same systems and segments."
        )
    places = np.argsort(np.argsort(np.array(target.systems)))
    row, segment = np.nonzero(cells)
    return TrainingTable(names, cells, stacked[cells], target.values[cells], places[row], segment, lacking)


def _refuse_large(what: str, scores: Floats) -> None:
    """Infinite scores, and those whose squares a float does not hold."""
    large = np.abs(scores) > LARGEST
    if large.any():
        raise BadInput(f"{what} is {scores[large][0]:g}, expected between {-LARGEST:g} and {LARGEST:g}.")
