"""Length ratio: hypothesis length as a percentage of reference length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric


@dataclass(frozen=True, kw_only=True, repr=False)
class LengthRatio(WordMetric):
    """Hypothesis length as a percentage of reference length.

    >>> print(f"{LengthRatio().corpus(['the cat sat'], ['the cat sat down']).value:.0f}")
    75
    """

    brevity: str = param(
        "closest",
        "effective reference length, as in BLEU's brevity penalty",
        choices=("closest", "shortest", "average"),
    )

    name: ClassVar[str] = "length-ratio"
    title: ClassVar[str] = "length ratio"
    summary: ClassVar[str] = "Hypothesis length as a percentage of reference length, in words."
    formula: ClassVar[str] = r"c / r"
    citation: ClassVar[str] = (
        "Reported with BLEU by mteval, multi-bleu and sacreBLEU. r is the effective reference length of Kishore "
        "Papineni, Salim Roukos, Todd Ward, Wei-Jing Zhu: BLEU: a Method for Automatic Evaluation of Machine "
        "Translation. ACL 2002."
    )
    not_for: ClassVar[str] = (
        "Translation quality: it ignores the words. It detects truncated or repeated output."
    )
    higher_is_better: ClassVar[bool | None] = None
    target: ClassVar[float | None] = 100.0
    blind_to: ClassVar[frozenset[str]] = frozenset({"order", "words"})
    panel: ClassVar[tuple[int, str] | None] = (4, "length-ratio")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("hyp_length", "ref_length")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(hypotheses), 4), np.int64)
        _core.count_ngrams(  # the lengths are the first columns of BLEU's statistics
            *self.prepared(hypotheses, references),
            rows,
            **self.reading,
            reference_length=self.brevity,
            max_order=1,
            threads=threads,
        )
        return rows[:, :2].copy()

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        have = statistics["hyp_length"].astype(np.float64)
        want = statistics["ref_length"] / self._units
        # Two empty texts have equal length; with an empty reference, every word is surplus.
        return np.asarray(100 * np.where(want > 0, have / np.where(want > 0, want, 1.0), 1 + have))

    def detail(self, totals: Statistics) -> dict[str, Any]:
        length = totals["ref_length"].item() / self._units
        return {**super().detail(totals), "ref_length": length if self.brevity == "average" else int(length)}

    def explain(self, detail: Mapping[str, Any]) -> str:
        length = detail["ref_length"]
        return f"({detail['hyp_length']} / {f'{length:.1f}' if isinstance(length, float) else length} words)"

    @property
    def _units(self) -> int:
        return _core.LENGTH_UNITS if self.brevity == "average" else 1
