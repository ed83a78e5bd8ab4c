"""Agreement by how long the n-grams or how deep the trees are that a metric sees (Liu & Gildea 2005, tables 1-6)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ByLength:
    """One coefficient of one metric at several lengths."""

    metric: str
    parameter: str  # of the metric: what was varied, such as max_order
    coefficient: str  # its title
    lengths: tuple[int, ...]
    values: tuple[float, ...]  # NaN: not defined
    lows: tuple[float, ...]  # of the intervals; NaN: none
    highs: tuple[float, ...]
