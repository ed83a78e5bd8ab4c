"""Error rates: edits per reference word. The base of WER, PER and CDER."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorRate(WordMetric):
    """Edits that turn the hypothesis into a reference, per word of that reference."""

    ref_length: str = param(
        "chosen",
        "denominator: the length of the reference used for the edits, or the mean length of all references",
        choices=("chosen", "average"),
        key="reflen",
    )

    edits: ClassVar[str]  # the core's name for what is counted
    unit: ClassVar[str] = "words"  # what is edited
    higher_is_better: ClassVar[bool | None] = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "ref_length", "hits", "substitutions", "deletions", "insertions")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(hypotheses), len(self.columns)), np.int64)
        _core.count_edits(
            *self.prepared(hypotheses, references),
            rows,
            kind=self.edits,
            length=self.ref_length,
            each_insertion=self.counts_each_insertion,
            **self.reading,
            threads=threads,
        )
        return rows

    @property
    def counts_each_insertion(self) -> bool:
        """Whether each word, rather than the whole hypothesis, costs 100 against an empty reference."""
        return False

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        edits, length = self.total_edits(statistics), self.total_length(statistics)
        if self.counts_each_insertion:
            length = np.where(length > 0, length, 1.0)
        return edit_rate(edits, length)

    def total_edits(self, statistics: Statistics) -> NDArray[Any]:
        """The total number of edits in the statistics."""
        return np.asarray(statistics["edits"])

    def total_length(self, statistics: Statistics) -> NDArray[np.float64]:
        """The words of the references."""
        return np.asarray(statistics["ref_length"] / self._units, dtype=np.float64)

    def detail(self, totals: Statistics) -> dict[str, Any]:
        length = self.total_length(totals).item()
        return {
            **super().detail(totals),
            "edits": self.total_edits(totals).item(),
            "ref_length": length if self.ref_length == "average" else int(length),
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        edits, length = (_shown(detail[name]) for name in ("edits", "ref_length"))
        parts = ", ".join(f"{name} {detail[name]}" for name in self.columns[2:])
        return f"({edits} edits / {length} {self.unit}{': ' if parts else ''}{parts})"

    @property
    def _units(self) -> int:
        return _core.LENGTH_UNITS if self.ref_length == "average" else 1


def edit_rate(edits: ArrayLike, reference_length: ArrayLike) -> NDArray[np.float64]:
    """In percent. With an empty reference, any number of edits is 100, none is 0."""
    return _core.edit_rates(np.asarray(edits, np.float64), np.asarray(reference_length, np.float64))


def _shown(count: float) -> str:
    return f"{count:.1f}" if isinstance(count, float) else str(count)
