"""TreeOverlap: clipped precision of subtrees or headword chains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.parameters import DEPTHS, moved_last, param, without
from understudy.metrics.base.statistics import UNPARSED, Statistics
from understudy.metrics.base.tree_metric import TreeMetric

# The range of the formulas' sums, to append to them.
DEPTHS_REACHED = (
    r", \quad R = \{n \le D : \text{the translation or a reference has any of depth } n\}; \quad "
    r"\text{in the paper, and with strict=true, } R = \{1, \ldots, D\}"
)


@dataclass(frozen=True, kw_only=True, repr=False)
class TreeOverlap(TreeMetric):
    """The mean clipped precision over depths 1 to D (Liu and Gildea 2005).

    A depth that occurs neither in the hypothesis nor in a reference is excluded from the mean. A depth that occurs
    only in references counts as 0.
    """

    max_depth: int = param(4, "maximum depth, D", between=DEPTHS, key="depth")
    strict: bool = param(
        False, "always divide by D, as in the paper, even if some depths do not occur", choices=(False, True)
    )
    zero: float = param(0.0, "value that replaces a precision of 0")
    segment_zero: float = param(0.0, "the same at segment level")

    part: ClassVar[str]
    # The formulas as the paper prints them, which divide by D.
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"paper": {"strict": True}}

    @property
    def full_marks(self) -> bool:
        return not self.strict

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("zero", "segment_zero"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise BadParameter(f"{name}={value:g}: expected a number from 0 to 1.")

    # --- counting: trees to numbers, in C++ --------------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        depths = range(1, self.max_depth + 1)
        return (
            *(f"match_{n}" for n in depths),
            *(f"total_{n}" for n in depths),
            *(f"reference_{n}" for n in depths),  # the maximum over references
            UNPARSED,
        )

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        trees, reference_trees, unparsed = self.trees(hypotheses, references, threads)
        rows = np.empty((len(hypotheses), 3 * self.max_depth), np.int64)
        bad = _core.count_tree_matches(
            trees,
            reference_trees,
            rows,
            reading=self.reading,
            part=self.part,
            max_depth=self.max_depth,
            threads=threads,
        )
        self.refuse_bad(bad)
        return np.column_stack([rows, unparsed])

    # --- scoring: numbers to a number --------------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        reached = (statistics.block("total") > 0) | (statistics.block("reference") > 0)
        depths = np.maximum(reached.sum(axis=-1), 1)
        divisor = self.max_depth if self.strict else depths
        return np.asarray(100 * self.precisions(statistics).sum(axis=-1) / divisor)

    def precisions(self, statistics: Statistics) -> Floats:
        """The precisions at depths 1 ... D; 0 if a depth does not occur in the hypothesis."""
        matches, totals = statistics.block("match"), statistics.block("total")
        return np.where((matches == 0) & (totals > 0), self.zero, matches / np.maximum(totals, 1))

    def for_segments(self) -> TreeOverlap:
        return replace(self, zero=self.segment_zero)

    # --- explaining --------------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {
            "precisions": (100 * self.precisions(totals)).tolist(),
            "matches": totals.block("match").astype(int).tolist(),
            "totals": totals.block("total").astype(int).tolist(),
            "reference_totals": totals.block("reference").astype(int).tolist(),
            UNPARSED: totals[UNPARSED].item(),
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        deepest = max(
            (
                n
                for n in range(1, self.max_depth + 1)
                if detail["totals"][n - 1] or detail["reference_totals"][n - 1]
            ),
            default=0,
        )
        shown = "/".join(f"{precision:.1f}" for precision in detail["precisions"][:deepest])
        unparsed = f"(no tree for {detail[UNPARSED]:,})" if detail[UNPARSED] else ""
        return " ".join(filter(None, [shown, unparsed]))

    def choices(self) -> dict[str, str]:
        own = without(super().choices(), "segment_zero")  # `for_segments` makes it the zero
        return {"depth": own.pop("depth"), **moved_last(own, "zero", "strict")}
