"""Matrix products for thinc, spaCy's neural network library, in which no row depends on the others.

With numpy, the last bits of a row depend on the number of rows multiplied at once and on the row's position. In rare
cases, the tree of a text would then depend on the other texts in the batch. BLIS, thinc's solution, takes three times
as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from understudy._core import row_maxima, row_products


@contextmanager
def row_wise_products() -> Iterator[None]:
    """Networks created or loaded in this context multiply row by row from then on."""
    from thinc.api import get_current_ops, set_current_ops

    before = get_current_ops()
    set_current_ops(_operations())
    try:
        yield
    finally:
        set_current_ops(before)


@cache
def _operations() -> Any:
    from thinc.api import NumpyOps

    class RowWiseOps(NumpyOps):  # type: ignore[misc]  # thinc's types say Any
        """numpy's operations, with the most expensive ones replaced; for inference only."""

        def gemm(self, x: Any, y: Any, *, out: Any = None, trans1: bool = False, trans2: bool = False) -> Any:
            if trans1 or not trans2 or not x.dtype == y.dtype == np.float32:  # e.g. in training
                return super().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
            if out is None:
                out = np.empty((x.shape[0], y.shape[0]), dtype=np.float32)
            row_products(self.as_contig(x), self.as_contig(y), out)
            return out

        def maxout(self, X: Any) -> tuple[Any, None]:  # noqa: N803  # as thinc calls it
            """The maximum piece of every output. Its index is needed only in training."""
            return row_maxima(self.as_contig(X).reshape(-1, X.shape[2])).reshape(X.shape[:2]), None

    return RowWiseOps()
