"""TER with sacreBLEU's parameters, attributes and digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import LENGTH_UNITS
from understudy.compat.sacrebleu.metrics.base import Metric, Score, Signature, check_tokenizer
from understudy.compat.sacrebleu.metrics.lib_ter import translation_edit_rate
from understudy.compat.sacrebleu.samples import ROUNDED
from understudy.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from understudy.compat.sacrebleu.utils import sum_of_lists
from understudy.corpus.columns import References
from understudy.metrics import ter
from understudy.metrics.base.error_rate import edit_rate

__all__ = [
    "TER",
    "Metric",
    "Score",
    "Signature",
    "TERScore",
    "TERSignature",
    "TercomTokenizer",
    "sum_of_lists",
    "translation_edit_rate",
]


class TERSignature(Signature):
    """The choices behind TER."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """TER and what it is made of."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """TER with sacreBLEU's parameters; see `understudy.TER` for more of them, and for fewer of its faults.

    >>> metric = TER()
    >>> metric.sentence_score("on the mat The cat sat", ["The cat sat on the mat", "A cat sat"]).num_edits
    1
    >>> metric.get_signature()
    nrefs:2|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self._own_tokenizer = self.tokenizer
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    @property
    def _metric(self) -> ter.TER:
        """As it was constructed: in sacreBLEU, attributes set later show in the signature and change no score."""
        check_tokenizer(self.tokenizer, self._own_tokenizer, "TER(case_sensitive=True)")
        return self.tokenizer.metric

    def _rows(self, counts: NDArray[Any], references: References) -> NDArray[Any]:
        """Edits, and mean reference lengths."""
        present: Any = len(references.columns)
        if any(absent := [column.absent_rows() for column in references.columns]):
            present = np.full(len(counts), present)
            for rows_without in absent:
                present[rows_without] -= 1
        rows = np.empty((len(counts), 2))
        rows[:, 0] = counts[:, 0]
        lengths = (
            counts[:, 1] * present + LENGTH_UNITS // 2
        ) // LENGTH_UNITS  # of all references of a segment
        rows[:, 1] = lengths / present
        return rows

    def _sum(self, rows: NDArray[Any]) -> list[Any]:
        """Lengths are added up as in sacreBLEU: one float after the other."""
        edits, length = rows[0] if len(rows) == 1 else (rows[:, 0].sum(), np.cumsum(rows[:, 1])[-1])
        return [int(edits), float(length)]

    def _score_of(self, row: list[Any]) -> TERScore:
        edits, length = row
        return TERScore(edit_rate(edits, length).item(), edits, length)

    def _score_of_sample(self, sums: NDArray[np.float32]) -> TERScore:
        (score,) = self.scores_of_samples(sums[np.newaxis])
        return TERScore(score, *sums)

    def scores_of_samples(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        edits, lengths = sums.T
        rates: NDArray[Any] = 100 * (edits / np.where(lengths > 0, lengths, np.float32(1))).astype(ROUNDED)
        if lengths.all():
            return rates
        return np.asarray(np.where(lengths > 0, rates, 100.0 * (edits > 0).astype(np.float64)))

    def scores_of_swaps(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return edit_rate(*sums.T)
