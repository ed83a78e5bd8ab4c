"""A learned combination of metrics, used as a metric (Kulesza & Shieber 2004)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.averages import average_columns, averaged, mean_of
from understudy.metrics.base.learned_model import LearnedModel, computed
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import UNPARSED, Statistics

# Scores are divided by this before summation. A power of two keeps the sums exact and as far from overflow as
# fractions.
_UNIT = 128.0


@dataclass(frozen=True, kw_only=True, repr=False)
class Learned(Metric):
    """A weighted sum of other metrics, with weights from a file. The file is read once, when the metric is created.

    >>> Learned().missing
    'no model file given. Use learned:model=FILE, with the file of a learned combination.'
    """

    model: str = param("", "model file of a learned combination, see `understudy trust --learn`")

    name: ClassVar[str] = "learned"
    title: ClassVar[str] = "Learned"
    summary: ClassVar[str] = "Weighted sum of metric scores, fitted to human scores or human/machine labels."
    formula: ClassVar[str] = (
        r"\frac{1}{S} \sum_s \left(b + \sum_i w_i \cdot \frac{m_i(s) - \mu_i}{\sigma_i}\right)"
    )
    citation: ClassVar[str] = (
        "Alex Kulesza, Stuart M. Shieber: A Learning Approach to Improving Sentence-Level MT Evaluation. TMI "
        "2004. Syntactic features as components: Ding Liu, Daniel Gildea: Syntactic Features for Evaluation of "
        "Machine Translation. ACL workshop 2005."
    )
    not_for: ClassVar[str] = (
        "Languages, domains, numbers of references or system types other than those of the training data. Error "
        "analysis: use the component metrics."
    )
    percent: ClassVar[bool] = False
    written_as: ClassVar[str] = "learned:model=FILE"
    below_zero: ClassVar[bool] = True

    # The content of the file. Not fields, because the spec holds only the file name.
    _model: ClassVar[LearnedModel | None] = None
    _parts: ClassVar[tuple[Metric, ...]] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.model:
            return
        model = LearnedModel.load(self.model)
        parts = tuple(computed(self.model, part) for part in model.parts)
        found = {
            "_model": model,
            "_parts": parts,
            "needs_fit": any(part.needs_fit for part in parts),
            "best_reference": any(part.best_reference for part in parts),
            "pools_references": any(part.pools_references for part in parts),
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def known(self) -> LearnedModel:
        """The content of the model file."""
        if self._model is None:
            raise BadParameter(f"{self.name}: {self.missing}")
        return self._model

    @property
    def missing(self) -> str:
        if self._model is None:
            return f"no model file given. Use {self.written_as}, with the file of a learned combination."
        return next((part.missing for part in self._parts if part.missing), "")

    @property
    def reads_documents(self) -> bool:
        return any(part.reads_documents for part in self._parts)

    @property
    def parses(self) -> bool:
        return any(part.parses for part in self._parts)

    @property
    def sees_no(self) -> frozenset[str]:
        return frozenset.intersection(*(part.sees_no for part in self._parts)) if self._parts else frozenset()

    @property
    def full_marks(self) -> bool:
        return False  # the score of a copy of the reference depends on the weights

    # --- counting: the segment scores of all parts --------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        unparsed = (UNPARSED,) if any(UNPARSED in part.columns for part in self._parts) else ()
        return (*average_columns(*self._names), *unparsed)

    @property
    def _names(self) -> list[str]:
        """The names of the columns with the components' scores, oriented so that higher is better."""
        return [f"part_{number}" for number in range(1, len(self._parts) + 1)]

    def learn(self, parts: Iterable[References]) -> FittedParts:
        fitting = [part for part in self._parts if part.needs_fit]
        whole = parts if len(fitting) == 1 else list(parts)  # an iterator can be read only once
        fitted = {part.spec: part.fit_parts(whole) for part in fitting}
        return FittedParts(tuple(fitted.get(part.spec, part) for part in self._parts))

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        parts = self._learned.parts if isinstance(self._learned, FittedParts) else self._parts
        scores = []
        unparsed = np.zeros(len(hypotheses), dtype=np.int64)
        for part in parts:
            counted = part.statistics(hypotheses, references, threads=threads)
            scores.append(part.worth(part.segment_scores(counted)) / _UNIT)
            if UNPARSED in part.columns:
                unparsed |= counted[UNPARSED]
        rows = averaged(scores)
        return np.column_stack([rows, unparsed]) if UNPARSED in self.columns else rows

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
                    f"{name}:{now}. Train the combination on text with {name}:{now}."
                )

    # --- scoring ------------------------------------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return self.known.value(self._means(statistics))  # the mean of values, by linearity

    def _means(self, statistics: Statistics) -> list[Floats]:
        return [_UNIT * mean_of(statistics, name) for name in self._names]

    # --- explaining ---------------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        means = self._means(totals)
        specs = [part.spec for part in self.known.parts]
        contributions = [found.item() for found in self.known.contributions(means)]
        return {
            "parts": dict(zip(specs, (mean.item() for mean in means), strict=True)),
            "contributions": dict(zip(specs, contributions, strict=True)),
            "intercept": self.known.intercept,
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        added = " ".join(f"{spec} {value:+.3f}" for spec, value in detail["contributions"].items())
        return f"({detail['intercept']:.3f} {added})"

    def choices(self) -> dict[str, str]:
        if self._model is None:
            return {"model": "none"}
        parts = []
        for part in self._model.parts:
            choices = ";".join(f"{name}={value}" for name, value in (part.choices or {}).items())
            parts.append(f"{part.spec}({choices})")
        return {"model": self._model.digest, "method": self._model.method, "parts": "+".join(parts)}


@dataclass(frozen=True)
class FittedParts:
    """The components of a combination, fitted on all references of the test set where necessary."""

    parts: tuple[Metric, ...]

    @cached_property
    def fingerprint(self) -> int:
        fits = "|".join(part.fitted_on for part in self.parts)
        return int.from_bytes(hashlib.sha256(fits.encode()).digest()[:8], "big")
