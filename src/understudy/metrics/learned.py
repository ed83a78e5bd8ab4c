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
from understudy.metrics.base.averages import SCORE_UNIT, average_columns, averaged, mean_of
from understudy.metrics.base.learned_model import LearnedModel
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.model_file_metric import ModelFileMetric
from understudy.metrics.base.statistics import UNPARSED, Statistics


@dataclass(frozen=True, kw_only=True, repr=False)
class Learned(ModelFileMetric[LearnedModel]):
    """A weighted sum of other metrics, with weights from a file. The file is read once, when the metric is created.

    >>> Learned().missing
    'no model file given. Use learned:model=FILE, with the file of a learned combination.'
    """

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
    written_as: ClassVar[str] = "learned:model=FILE"
    file_of: ClassVar[str] = "a learned combination"

    @staticmethod
    def load(path: str) -> LearnedModel:
        return LearnedModel.load(path)

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
            scores.append(part.worth(part.segment_scores(counted)) / SCORE_UNIT)
            if UNPARSED in part.columns:
                unparsed |= counted[UNPARSED]
        rows = averaged(scores)
        return np.column_stack([rows, unparsed]) if UNPARSED in self.columns else rows

    # --- scoring ------------------------------------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return self.known.value(self._means(statistics))  # the mean of values, by linearity

    def _means(self, statistics: Statistics) -> list[Floats]:
        return [SCORE_UNIT * mean_of(statistics, name) for name in self._names]

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
        return {"model": self._model.digest, "method": self._model.method, "parts": self.signed_parts}


@dataclass(frozen=True)
class FittedParts:
    """The components of a combination, fitted on all references of the test set where necessary."""

    parts: tuple[Metric, ...]

    @cached_property
    def fingerprint(self) -> int:
        fits = "|".join(part.fitted_on for part in self.parts)
        return int.from_bytes(hashlib.sha256(fits.encode()).digest()[:8], "big")
