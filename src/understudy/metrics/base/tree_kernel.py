"""TreeKernel: cosine of the tree fragment counts of two sentences."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.averages import average_columns, mean_of
from understudy.metrics.base.parameters import moved_last, param
from understudy.metrics.base.statistics import UNPARSED, Statistics
from understudy.metrics.base.tree_metric import TreeMetric


@dataclass(frozen=True, kw_only=True, repr=False)
class TreeKernel(TreeMetric):
    """The cosine of two trees under the Collins and Duffy kernel; the maximum over the references.

    A fragment consists of complete productions. The corpus score is the mean segment score.
    """

    # A cosine does not change if all counts double.
    blind_to: ClassVar[frozenset[str]] = frozenset({"repetition"})

    decay: float = param(1.0, "decay factor: weight of a fragment per production it contains")
    single_nodes: bool = param(False, "count single nodes as fragments", choices=(False, True), key="nodes")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.decay <= 1:
            raise BadParameter(f"decay={self.decay:g}: expected a number above 0 and at most 1.")

    # --- counting: trees to numbers, in C++ --------------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return (*average_columns("cosine"), UNPARSED)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        trees, reference_trees, unparsed = self.trees(hypotheses, references, threads)
        rows = np.empty((len(hypotheses), 2), np.int64)
        bad = _core.count_tree_kernels(
            trees,
            reference_trees,
            rows,
            reading=self.reading,
            decay=self.decay,
            single_nodes=self.single_nodes,
            threads=threads,
        )
        self.refuse_bad(bad)
        return np.column_stack([rows, np.ones_like(unparsed), unparsed])

    def kernel(self, first: str, second: str) -> float:
        """The kernel value of two trees in bracket notation: the number of pairs of equal fragments, to 53 bits. It
        is a Python integer if it is too large for a float.
        """
        mantissa, exponent = _core.tree_kernel(
            first, second, reading=self.reading, decay=self.decay, single_nodes=self.single_nodes
        )
        if exponent <= sys.float_info.max_exp:
            return math.ldexp(mantissa, exponent)
        return int(math.ldexp(mantissa, sys.float_info.mant_dig)) << (exponent - sys.float_info.mant_dig)

    # --- scoring: numbers to a number --------------------------------------------------------------------------

    def score(self, statistics: Statistics) -> Floats:
        return 100 * mean_of(statistics, "cosine")

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {"cosine": mean_of(totals, "cosine").item(), UNPARSED: totals[UNPARSED].item()}

    def explain(self, detail: Mapping[str, Any]) -> str:
        return f"(no tree for {detail[UNPARSED]:,})" if detail[UNPARSED] else ""

    def choices(self) -> dict[str, str]:
        return moved_last(super().choices(), "decay", "nodes")
