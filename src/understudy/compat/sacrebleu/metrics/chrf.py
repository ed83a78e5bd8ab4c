"""chrF as sacreBLEU has it: its parameters, its attributes, its digits."""

# ruff: noqa: PLR0917 (many positional parameters: whose, and in which order, is what is reproduced here)

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from understudy.compat.sacrebleu.metrics.base import Metric, Score
from understudy.metrics import chrf
from understudy.metrics.statistics import Statistics


class CHRFScore(Score):
    """chrF, with the choices that its name tells: chrF2++ has beta 2 and words up to order 2."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}{'+' * word_order}", score)


class CHRF(Metric[CHRFScore]):
    """chrF with sacreBLEU's parameters; see `understudy.CHRF`.

    >>> metric = CHRF(word_order=2)
    >>> metric.sentence_score("The cat sat.", ["The cat sat down.", "A cat was sitting."])
    chrF2++ = 62.81
    >>> metric.get_signature()
    nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SHORT_KEYS: ClassVar[Mapping[str, str]] = {"space": "s"}

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        _ = self._metric  # refuses what it cannot take now rather than later
        super().__init__(references)

    @property
    def _metric(self) -> chrf.CHRF:
        return _metric_of(
            self.char_order,
            self.word_order,
            self.beta,
            bool(self.lowercase),
            bool(self.whitespace),
            bool(self.eps_smoothing),
        )

    def _score_of(self, row: list[Any]) -> CHRFScore:
        metric = self._metric
        statistics = Statistics(np.array(row), metric.columns, metric.spec, segments=1, references=(1, 1))
        return CHRFScore(metric.score(statistics).item(), self.char_order, self.word_order, self.beta)

    def _choices(self) -> dict[str, Any]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.eps_smoothing else "yes",
            "nc": self.char_order,
            "nw": self.word_order,
            "space": "yes" if self.whitespace else "no",
        }


@functools.lru_cache(maxsize=256)
def _metric_of(
    char_order: int, word_order: int, beta: float, lowercase: bool, whitespace: bool, eps_smoothing: bool
) -> chrf.CHRF:
    return chrf.CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        whitespace=whitespace,
        average="eps" if eps_smoothing else "effective",
    )
