"""ProbedSystem: the text of one system, and the scores of other texts in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References, as_references
from understudy.corpus.corpus import Corpus
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.words import WordMetric
from understudy.text.tokenizers import Tokenizer, tokenizer


@dataclass(frozen=True, eq=False)
class ProbedSystem:
    """The hypotheses of one system with their references, and the metrics that are probed."""

    name: str
    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]  # by segment
    grouped: References  # the same in columns, with document labels if there are any
    metrics: tuple[Metric, ...]  # fitted on these references where they need it
    sources: tuple[str, ...] | None = None
    language: str | None = None
    threads: int | None = None

    @classmethod
    def of(
        cls, corpus: Corpus, metrics: Sequence[Metric], *, language: str | None, threads: int | None
    ) -> ProbedSystem:
        """The only system of a corpus."""
        if len(corpus.systems) > 1:
            raise BadParameter(
                f"got {len(corpus.systems)} systems ({', '.join(corpus.systems)}), expected one."
            )
        if corpus.references is None:
            raise BadParameter("probe needs references.")
        for metric in metrics:
            if not metric.reads_references:
                raise BadParameter(
                    f"{metric.spec} does not compare hypotheses with references. Use another metric."
                )
        ((name, column),) = corpus.systems.items()
        return cls(
            name,
            _texts(column),
            tuple(tuple(corpus.references[row]) for row in range(len(column))),
            corpus.references,
            tuple(metric.fit(corpus.references) for metric in metrics),
            None if corpus.sources is None else _texts(corpus.sources),
            language or corpus.language,
            threads,
        )

    def scores(self, segments: Sequence[int], texts: Sequence[str]) -> Floats:
        """The segment scores of texts [texts, metrics], each against the references of its segment."""
        references = as_references([self.references[segment] for segment in segments])
        column = Column.from_strings(list(texts))
        return np.stack(
            [metric.segments(column, references, threads=self.threads) for metric in self.metrics], axis=1
        )

    def corpus_scores(self, texts: Sequence[str]) -> Floats:
        """The corpus score of each metric, for one text per segment."""
        column = Column.from_strings(list(texts))
        return np.array(
            [metric.corpus(column, self.grouped, threads=self.threads).value for metric in self.metrics]
        )

    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the first metric that compares words, else that of BLEU for the language."""
        for metric in self.metrics:
            if isinstance(metric, WordMetric) and metric.cuts_text:
                return metric.tokenizer()
        return tokenizer("13a")


def _texts(column: Column) -> tuple[str, ...]:
    return tuple(column[row] or "" for row in range(len(column)))
