"""CharacTER: character edits after word shifts, per hypothesis character (Wang et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base.averages import average_columns, mean_of
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.error_rate import edit_rate
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric


@dataclass(frozen=True, kw_only=True, repr=False)
class CharacTER(WordMetric):
    """CharacTER, as computed by the authors' CharacTER.py: the corpus score is the mean segment score.

    >>> score = CharacTER().corpus(["on the mat the cat sat"], ["the cat sat on the mat"])
    >>> print(f"{score.value:.2f} {score.explanation}")
    25.76 (0 edits of 22 characters; 1 shifts cost 5.7)
    """

    average: str = param(
        "segments",
        "corpus score: mean of the segment rates, or total edits per hypothesis character of the corpus",
        choices=("segments", "characters"),
        key="avg",
    )
    capped: bool = param(True, "cap segment rates at 100 before taking their mean", choices=(True, False))

    name: ClassVar[str] = "character"
    title: ClassVar[str] = "CharacTER"
    summary: ClassVar[str] = "Character edits after word shifts, plus shift costs, per hypothesis character."
    formula: ClassVar[str] = (
        r"\mathrm{CharacTER} = \frac{1}{S} \sum_s \min\left(1, \frac{\mathrm{shifts}_s + \mathrm{edits}_s}"
        r"{|\mathrm{translation}_s|}\right)"
    )
    citation: ClassVar[str] = (
        "Weiyue Wang, Jan-Thorsten Peter, Hendrik Rosendahl, Hermann Ney: CharacTer: Translation Edit Rate on "
        "Character Level. WMT 2016. As computed by CharacTER.py."
    )
    not_for: ClassVar[str] = (
        "Scripts without word boundaries, unless `tokenize` segments the text: shifts move whole words. Corpora "
        "with very long segments: all shifts are tried."
    )
    higher_is_better: ClassVar[bool | None] = False
    best_reference: ClassVar[bool] = True
    counts_single_references: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # The program splits at whitespace only and preserves case.
        "character.py": {"tokenize": "none"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "character.py": "CharacTER.py, which fails on an empty reference; understudy scores it 100",
    }

    # --- counting: text to numbers, in C++ -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        # The cost of shifts is in units of 1 / LENGTH_UNITS of a character.
        return (*average_columns("rate"), "edits", "shift_cost", "hyp_characters", "shifts")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = np.empty((len(references.columns), len(hypotheses), len(self.columns)), np.int64)
        _core.count_character(
            *self.prepared(hypotheses, references),
            rows,
            **self.reading,
            capped=self.capped,
            threads=threads,
        )
        return of_best_reference(self, rows, references)

    # --- scoring: numbers to a number ----------------------------------------------------------------------

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        if self.average == "segments":
            return 100 * mean_of(statistics, "rate")
        return edit_rate(statistics["edits"] + self._shift_cost(statistics), statistics["hyp_characters"])

    # --- explaining ----------------------------------------------------------------------------------------

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {
            "edits": totals["edits"].item(),
            "shift_cost": self._shift_cost(totals).item(),
            "shifts": totals["shifts"].item(),
            "hyp_characters": totals["hyp_characters"].item(),
        }

    def explain(self, detail: Mapping[str, Any]) -> str:
        return (
            f"({detail['edits']} edits of {detail['hyp_characters']} characters; "
            f"{detail['shifts']} shifts cost {detail['shift_cost']:.1f})"
        )

    @staticmethod
    def _shift_cost(statistics: Statistics) -> NDArray[np.float64]:
        return np.asarray(statistics["shift_cost"] / _core.LENGTH_UNITS, dtype=np.float64)
