"""Error rates: edits per word of the reference. What WER, PER and CDER have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.columns import References
from understudy.metrics.base import Metric
from understudy.metrics.parameters import param
from understudy.metrics.statistics import Statistics
from understudy.text.tokenizers import tokenizer


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorRate(Metric):
    """Edits that turn the translation into a reference, per word of that reference."""

    tokenize: str = param("13a", "the tokenizer, see `understudy tokenizers`")
    lowercase: bool | Literal["ascii"] = param(
        False,
        "fold case first: Unicode's, or only A to Z as the Perl scripts do",
        choices=(False, True, "ascii"),
    )
    ref_length: str = param(
        "chosen",
        "what edits are divided by: the length of the reference they were counted against, or the mean of all",
        choices=("chosen", "average"),
    )

    edits: ClassVar[str]  # the core's name for what is counted
    higher_is_better: ClassVar[bool | None] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        tokenizer(self.tokenize)  # fails now rather than in the middle of a file

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "ref_length", "hits", "substitutions", "deletions", "insertions")

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        chosen = tokenizer(self.tokenize)
        letter_case = {False: "keep", True: "lower", "ascii": "lower-ascii"}[self.lowercase]
        prepared, case_left = chosen.prepare(hypotheses, letter_case)
        rows = np.empty((len(hypotheses), len(self.columns)), np.int64)
        _core.count_edits(
            prepared,
            [chosen.prepare(column, letter_case)[0] for column in references.columns],
            rows,
            kind=self.edits,
            length=self.ref_length,
            tokenizer=chosen.native,
            letter_case=case_left,
            threads=threads,
        )
        return rows

    def score(self, statistics: Statistics) -> NDArray[np.float64]:
        edits, length = self.total_edits(statistics), self.total_length(statistics)
        # Without a word in the reference there is nothing to divide by: 0 if there was nothing to do, else
        # 100, as sacreBLEU has it for TER.
        rate = np.where(length > 0, edits / np.where(length > 0, length, 1.0), np.minimum(edits, 1))
        return np.asarray(100.0 * rate, dtype=np.float64)

    def total_edits(self, statistics: Statistics) -> NDArray[Any]:
        """The edits that the statistics add up to."""
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
        edits, words = (_shown(detail[name]) for name in ("edits", "ref_length"))
        parts = ", ".join(f"{name} {detail[name]}" for name in self.columns[2:])
        return f"({edits} edits / {words} words{': ' if parts else ''}{parts})"

    def choices(self) -> dict[str, str]:
        needs_unicode_tables = self.lowercase is True or self.tokenize == "intl"
        return {
            "case": {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase],
            "tok": tokenizer(self.tokenize).signature,
            "reflen": self.ref_length,
            **({"unicode": _core.UNICODE_VERSION} if needs_unicode_tables else {}),
        }

    @property
    def _units(self) -> int:
        return _core.LENGTH_UNITS if self.ref_length == "average" else 1


def _shown(count: float) -> str:
    return f"{count:.1f}" if isinstance(count, float) else str(count)
