"""Self-BLEU: mean BLEU of each text against all others in the set (Zhu et al. 2018)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column, ReferenceNgrams
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadInput
from understudy.metrics.base.averages import average_columns, averaged, mean_of
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.bleu import BLEU


@dataclass(frozen=True, kw_only=True, repr=False)
class SelfBLEU(BLEU):
    """Self-BLEU of a set of texts; reference-free. The parameters are BLEU's.

    >>> texts = ["the cat sat on the mat", "a cat sat on the mat", "it rained all day long"]
    >>> print(f"{SelfBLEU().corpus(texts).value:.2f}")
    50.66
    >>> SelfBLEU().segments(texts).round(2).tolist()
    [75.98, 75.98, 0.0]
    """

    name: ClassVar[str] = "self-bleu"
    title: ClassVar[str] = "Self-BLEU"
    summary: ClassVar[str] = "Mean BLEU of each text against all others in the set; lower is more diverse."
    formula: ClassVar[str] = (
        r"\text{Self-BLEU}(T) = \frac{1}{|T|} \sum_{t \in T} \mathrm{BLEU}(t, T \setminus \{t\})"
    )
    citation: ClassVar[str] = (
        "Yaoming Zhu, Sidi Lu, Lei Zheng, Jiaxian Guo, Weinan Zhang, Jun Wang, Yong Yu: Texygen: A Benchmarking "
        "Platform for Text Generation Models. SIGIR 2018."
    )
    not_for: ClassVar[str] = (
        "Translation quality: it measures diversity only. Comparing sets of different sizes: each additional text "
        "is an additional reference, which can only raise the scores."
    )
    higher_is_better: ClassVar[bool | None] = False
    reads_references: ClassVar[bool] = False
    needs_fit: ClassVar[bool] = True
    panel: ClassVar[tuple[int, str] | None] = None
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        # Texygen: NLTK's sentence BLEU on tokens; an order without a match counts as 0.1 matches.
        "texygen": {**BLEU.presets["nltk"], "smooth": "chen-cherry-1"},
    }
    preset_notes: ClassVar[Mapping[str, str]] = {
        "texygen": "Texygen, which uses NLTK's sentence_bleu",
    }

    @property
    def columns(self) -> tuple[str, ...]:
        return (*super().columns, *average_columns("score"))

    def learn(self, parts: Iterable[References]) -> ReferenceNgrams:
        texts = ReferenceNgrams(**self.reading, max_order=self.counted_orders, by_text=True)
        for part in parts:
            texts.add(self.prepared_references(part))
        if texts.texts < 2:
            raise BadInput(
                f"{self.name} compares the texts of a set with each other: expected at least 2, got "
                f"{texts.texts}."
            )
        texts.finish()
        return texts

    def count_ngrams(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:  # noqa: ARG002
        texts = self._learned
        assert isinstance(texts, ReferenceNgrams), "`statistics` fits the metric first"
        rows = np.empty((len(hypotheses), len(super().columns)), np.int64)
        stranger = _core.count_self_ngrams(
            self.prepared_text(hypotheses),
            texts,
            rows,
            **self.reading,
            reference_length=self.brevity,
            threads=threads,
        )
        if stranger is not None:
            raise BadInput(
                f"hypotheses: segment {stranger + 1} is not in the set that {self.name} was fitted on. Fit it on "
                "the whole set."
            )
        return rows

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        rows = super().count(hypotheses, references, threads)
        counted = Statistics(rows, super().columns, self.spec, len(rows), (0, 0))
        scores = BLEU.score(self._of_one_text, counted) / 100
        return np.hstack([rows, averaged([scores])])

    def score(self, statistics: Statistics) -> Floats:
        return 100 * mean_of(statistics, "score")

    def for_segments(self) -> SelfBLEU:
        return self  # the corpus score is already a mean of segment scores

    def choices(self) -> dict[str, str]:
        return {**self._of_one_text._bleu_choices(), "refs": "others"}

    def _bleu_choices(self) -> dict[str, str]:
        return super().choices()

    @property
    def _of_one_text(self) -> SelfBLEU:
        return replace(self, effective_order=True) if self.effective_order is None else self
