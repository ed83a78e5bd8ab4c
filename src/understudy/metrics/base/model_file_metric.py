"""ModelFileMetric: a metric whose weights are in a file, made of other metrics."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, TypeVar

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.learned_model import LearnedPart, computed
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import param


class _ModelFile(Protocol):
    """The content of a file."""

    @property
    def parts(self) -> Sequence[LearnedPart]:
        """The metrics that it was learned from."""


F = TypeVar("F", bound=_ModelFile)


@dataclass(frozen=True, kw_only=True, repr=False)
class ModelFileMetric(Metric, Generic[F]):
    """A metric learned from others. The file is read once, when the metric is created."""

    model: str = param("", "model file of a learned combination, see `understudy trust --learn`")

    percent: ClassVar[bool] = False
    below_zero: ClassVar[bool] = True
    file_of: ClassVar[str]  # what its files hold

    # The content of the file. Not fields, because the spec holds only the file name.
    _model: ClassVar[F | None] = None
    _parts: ClassVar[tuple[Metric, ...]] = ()

    @staticmethod
    @abstractmethod
    def load(path: str) -> F:
        """The content of a file."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.model:
            return
        model = self.load(self.model)
        parts = tuple(computed(self.model, part) for part in model.parts)
        found = {
            "_model": model,
            "_parts": parts,
            "needs_fit": any(part.needs_fit for part in parts),
            "reads_references": any(part.reads_references for part in parts),
            "reads_sources": any(part.reads_sources for part in parts),
            "follows_instructions": any(part.follows_instructions for part in parts),
            "prepares": any(part.prepares for part in parts),
            "best_reference": any(part.best_reference for part in parts),
            "pools_references": any(part.pools_references for part in parts),
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def known(self) -> F:
        """The content of the model file."""
        if self._model is None:
            raise BadParameter(f"{self.name}: {self.missing}")
        return self._model

    @property
    def missing(self) -> str:
        if self._model is None:
            return f"no model file given. Use {self.written_as}, with the file of {self.file_of}."
        return next((part.missing for part in self._parts if part.missing), "")

    @property
    def reads_documents(self) -> bool:
        return any(part.reads_documents for part in self._parts)

    @property
    def parses(self) -> bool:
        return any(part.parses for part in self._parts)

    @property
    def uses_models(self) -> bool:
        return any(part.uses_models for part in self._parts)

    @property
    def sees_no(self) -> frozenset[str]:
        return frozenset.intersection(*(part.sees_no for part in self._parts)) if self._parts else frozenset()

    @property
    def full_marks(self) -> bool:
        return False  # the score of a copy of the reference depends on the weights

    def prepare(self, texts: Iterable[tuple[Column, References]]) -> None:
        preparing = [part for part in self._parts if part.prepares]
        whole = texts if len(preparing) == 1 else list(texts)  # an iterator can be read only once
        for part in preparing:
            part.prepare(part.read(*each) for each in whole)

    def of_input(self, hypotheses: Column, references: References) -> dict[str, str]:
        found: dict[str, list[str]] = {}
        for part, learned in zip(self._parts, self.known.parts, strict=True):
            of_part = part.of_input(hypotheses, references)
            self._refuse_other_input(part, learned.of_input, of_part)
            for name, value in of_part.items():
                found.setdefault(name, []).append(value)
        return {name: "+".join(dict.fromkeys(values)) for name, values in found.items()}

    def _refuse_other_input(self, part: Metric, learned: Mapping[str, str], found: Mapping[str, str]) -> None:
        for name in sorted({*learned, *found}):
            before, now = learned.get(name, "none"), found.get(name, "none")
            if before != now:
                raise BadInput(
                    f"'{self.model}' was trained on {part.spec} with {name}:{before}, but this text has "
                    f"{name}:{now}. Train {self.file_of} on text with {name}:{now}."
                )

    @property
    def signed_parts(self) -> str:
        """The metrics that it was learned from, with their choices, for the signature."""
        parts = []
        for part in self.known.parts:
            choices = ";".join(f"{name}={value}" for name, value in (part.choices or {}).items())
            parts.append(f"{part.spec}({choices})")
        return "+".join(parts)
