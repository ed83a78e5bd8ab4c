"""chrF with sacreBLEU's parameters, attributes and digits."""

# ruff: noqa: PLR0917 (many positional parameters: whose, and in which order, is what is reproduced here)

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.compat.sacrebleu.metrics.base import Metric, Score, Signature
from understudy.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
from understudy.compat.sacrebleu.samples import ROUNDED
from understudy.compat.sacrebleu.utils import sum_of_lists
from understudy.metrics import chrf

__all__ = [
    "CHRF",
    "CHRFScore",
    "CHRFSignature",
    "Metric",
    "Score",
    "Signature",
    "extract_all_char_ngrams",
    "extract_word_ngrams",
    "sum_of_lists",
]


class CHRFSignature(Signature):
    """The choices behind chrF."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


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
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = CHRFSignature

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
        score = metric.score(metric.statistics_of(np.array(row))).item()
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

    def _score_of_sample(self, sums: NDArray[np.float32]) -> CHRFScore:
        (score,) = self.scores_of_samples(sums[np.newaxis])
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

    def _in_its_order(self, rows: NDArray[Any]) -> NDArray[Any]:
        """By order of n-grams: those of the hypothesis, of the reference, and of both."""
        return rows.reshape(-1, 3, self.order).transpose(0, 2, 1).reshape(rows.shape)

    def _in_our_order(self, row: NDArray[Any]) -> NDArray[Any]:
        return row.reshape(self.order, 3).T.reshape(-1)

    def scores_of_samples(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        hypothesis, reference, matches = np.split(sums, 3, axis=1)
        precisions = np.divide(matches, hypothesis, out=np.zeros_like(matches), where=hypothesis > 0)
        recalls = np.divide(matches, reference, out=np.zeros_like(matches), where=reference > 0)
        if self.eps_smoothing:
            return self._means_of_f(precisions, recalls, hypothesis > 0, reference > 0)
        return self._f_of_means(precisions, recalls, (hypothesis > 0) & (reference > 0))

    def _f_of_means(
        self, precisions: NDArray[Any], recalls: NDArray[Any], effective: NDArray[np.bool_]
    ) -> NDArray[Any]:
        orders = np.maximum(effective.sum(axis=1), 1).astype(ROUNDED)
        precision, recall = (
            np.add.accumulate(np.where(effective, shares, 0).astype(ROUNDED), axis=1)[:, -1] / orders
            for shares in (precisions, recalls)
        )
        factor = self.beta**2
        above, below = (1 + factor) * precision * recall, factor * precision + recall
        scored = precision + recall > 0
        scores: NDArray[Any] = 100 * np.divide(above, below, out=np.zeros_like(above), where=scored)
        return scores if scored.all() else scores.astype(np.float64)  # the zeros are numbers of Python's

    def _means_of_f(
        self,
        precisions: NDArray[Any],
        recalls: NDArray[Any],
        in_hypothesis: NDArray[np.bool_],
        in_reference: NDArray[np.bool_],
    ) -> NDArray[Any]:
        """As sacreBLEU's loop: a sum is rounded from the first term on that is made of counts."""
        factor = self.beta**2
        precisions = np.where(in_hypothesis, precisions.astype(ROUNDED), ROUNDED(chrf.EPSILON))
        recalls = np.where(in_reference, recalls.astype(ROUNDED), ROUNDED(chrf.EPSILON))
        above, below = (1 + factor) * precisions * recalls, factor * precisions + recalls
        counted = (in_hypothesis | in_reference) & (below > 0)
        of_nothing = (1 + factor) * chrf.EPSILON * chrf.EPSILON / (factor * chrf.EPSILON + chrf.EPSILON)
        terms = np.where(below > 0, of_nothing, chrf.EPSILON)
        np.divide(above, below, out=terms, where=counted)
        totals, rounded = np.zeros(len(terms)), np.zeros(len(terms), dtype=bool)
        for order in range(self.order):
            rounded |= counted[:, order]
            sums = totals.astype(ROUNDED) + terms[:, order].astype(ROUNDED)
            totals = np.where(rounded, sums, totals + terms[:, order])
        scores = 100 * totals.astype(ROUNDED) / self.order
        return scores if rounded.all() else np.where(rounded, scores, 100 * totals / self.order)


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
