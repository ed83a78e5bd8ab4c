"""The file of a learned combination of metrics: readable numbers, no executable content.

The combination is linear in its components, each on its usual scale:

    score = intercept + sum over the parts of weight * (score of the part - mean) / scale

with the component's mean and scale (standard deviation) on the training data.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Protocol

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.files import Path, shown, written_whole
from understudy.errors import BadInput, UnderstudyError
from understudy.metrics.base.json_models import ModelEntries, Unexpected, read_model
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of

_FORMAT = "understudy learned combination"
_VERSION = 1
KINDS = ("scores", "human-or-machine")  # what the weights were learned from

_LEARN_AGAIN = "Train the combination again with `understudy trust --learn`."


class LearnedPart(Protocol):
    """A metric that something was learned from."""

    @property
    def spec(self) -> str: ...
    @property
    def choices(self) -> Mapping[str, str] | None: ...
    @property
    def of_input(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Part:
    """A component of a combination. Its scores are oriented so that higher is better; error rates are negated."""

    spec: str  # or the name of external scores
    mean: float
    scale: float
    weight: float  # change of the score per standard deviation of this component
    choices: Mapping[str, str] | None  # signature of its segment scores; None for external scores
    of_input: Mapping[str, str]  # what the input added to the signature, see Statistics


@dataclass(frozen=True)
class TrainedOn:
    """What the weights were learned from."""

    kind: str  # of KINDS
    measure: str  # name of the human score, or names of the human systems
    systems: int
    segments: int
    translations: int  # with a score by every component and a human score
    documents: int
    by: str  # document; or segment, if documents are unknown
    grouping: str  # segment, if the weights were fitted to differences within segments; or none
    references: tuple[int, int] | None  # minimum and maximum per segment; None if reference-free
    folds: int
    seed: int
    quality: str  # how predictions are evaluated: a coefficient or accuracy
    out_of_fold: float | None  # on held-out documents; None if undefined
    in_sample: float | None  # on the training data


@dataclass(frozen=True)
class LearnedModel:
    """Weights and their training data."""

    method: str
    strength: float  # regularization strength per translation
    parts: tuple[Part, ...]
    intercept: float
    trained_on: TrainedOn

    def value(self, scores: Sequence[Floats]) -> Floats:
        """The scores [...] of translations, given the components' scores [...]."""
        return np.asarray(sum(self.contributions(scores), start=np.float64(self.intercept)))

    def contributions(self, scores: Sequence[Floats]) -> list[Floats]:
        """The contribution of each component to the score."""
        return [
            np.asarray(part.weight * (score - part.mean) / part.scale)
            for part, score in zip(self.parts, scores, strict=True)
        ]

    # --- writing ---------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the file that the metric `learned` reads, without the components that weigh nothing. The file is
        written atomically.
        """
        saved = replace(self, parts=tuple(part for part in self.parts if part.weight != 0) or self.parts)
        for part in saved.parts:
            if part.choices is None:
                raise BadInput(
                    f"cannot save a combination with '{part.spec}', whose scores come from a file. Use only "
                    "metrics that understudy computes."
                )
        with written_whole(path) as file:
            file.write(saved.text().encode())

    def text(self) -> str:
        """The content of the file."""
        content = {"format": _FORMAT, "version": _VERSION, **asdict(self)}
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2) + "\n"

    @property
    def digest(self) -> str:
        """A hash of the content."""
        return hashlib.sha256(self.text().encode()).hexdigest()[:16]

    # --- reading ---------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: Path) -> LearnedModel:
        """Read a file written by `save`."""
        return read_model(path, (_FORMAT, _VERSION), cls._of, what="a learned combination", cure=_LEARN_AGAIN)

    @classmethod
    def _of(cls, content: ModelEntries) -> LearnedModel:
        content.expect("format", "version", "method", "strength", "parts", "intercept", "trained_on")
        parts = tuple(_part(entry) for entry in content.entries("parts"))
        if not parts:
            raise Unexpected("'parts' is empty")
        return cls(
            method=content.text("method"),
            strength=content.number("strength"),
            parts=parts,
            intercept=content.number("intercept"),
            trained_on=trained_on_of(content.entry("trained_on")),
        )


def computed(where: Path, part: LearnedPart) -> Metric:
    """The metric of a component, provided that its signature is still the one the weights were trained with."""
    name = shown(os.fspath(where))
    try:
        found = metric_of(part.spec)
    except UnderstudyError as error:
        raise BadInput(f"{name} has a component '{part.spec}' that cannot be computed: {error}") from None
    learned = part.choices or {}
    now = segment_choices(found)
    compared = sorted({*learned, *now} - found.versions)
    different = [key for key in compared if learned.get(key) != now.get(key)]
    if different:
        key = different[0]
        raise BadInput(
            f"{name} was trained on {part.spec} with {key}:{learned.get(key, 'none')}, but this version computes "
            f"it with {key}:{now.get(key, 'none')}. Train it again with `understudy trust`."
        )
    return found.with_defaults_chosen()  # trained with these defaults, whatever the language


def segment_choices(metric: Metric) -> dict[str, str]:
    """The parameters of a metric's segment scores."""
    return metric.for_segments().choices()


# --- reading a file that may hold anything --------------------------------------------------------------------


def _part(content: ModelEntries) -> Part:
    content.expect(*Part.__dataclass_fields__)
    part = Part(
        spec=content.text("spec"),
        mean=content.number("mean"),
        scale=content.number("scale"),
        weight=content.number("weight"),
        choices=content.texts("choices"),
        of_input=content.texts("of_input"),
    )
    if part.scale <= 0:
        raise Unexpected(f"the scale of {part.spec} is {part.scale:g}, expected a value above 0")
    return part


def trained_on_of(content: ModelEntries) -> TrainedOn:
    content.expect(*TrainedOn.__dataclass_fields__)
    if content.text("kind") not in KINDS:
        raise Unexpected(f"'kind' is '{content.text('kind')}', expected {' or '.join(KINDS)}")
    return TrainedOn(
        kind=content.text("kind"),
        measure=content.text("measure"),
        systems=content.count("systems"),
        segments=content.count("segments"),
        translations=content.count("translations"),
        documents=content.count("documents"),
        by=content.text("by"),
        grouping=content.text("grouping"),
        references=content.range_or_none("references"),
        folds=content.count("folds"),
        seed=content.count("seed"),
        quality=content.text("quality"),
        out_of_fold=content.number_or_none("out_of_fold"),
        in_sample=content.number_or_none("in_sample"),
    )
