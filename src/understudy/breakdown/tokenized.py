"""The texts of a corpus as tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.corpus import Corpus
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.words import WordMetric
from understudy.metrics.bleu import BLEU

Words = list[str]


@dataclass(frozen=True, eq=False)
class TokenizedCorpus:
    """All hypotheses and references as the tokens that a metric compares."""

    outputs: dict[str, list[Words]]  # by run: a list for every segment
    references: list[list[Words]]  # by segment: those it has

    @classmethod
    def of(cls, corpus: Corpus, references: References, reader: WordMetric) -> TokenizedCorpus:
        return cls(
            {run: words_of_column(column, reader) for run, column in corpus.systems.items()},
            [[reader.tokens(text) for text in references[row]] for row in range(len(references))],
        )


def word_reader(metrics: Sequence[Metric]) -> WordMetric:
    """The tokenizing metric: the first metric that compares words with references, otherwise BLEU with its defaults.

    >>> from understudy import CHRF, WER
    >>> word_reader([CHRF(), WER(tokenize="intl")]).tokenize, word_reader([CHRF()]).tokenize
    ('intl', '13a')
    """
    found = (
        metric
        for metric in metrics
        if isinstance(metric, WordMetric) and metric.cuts_text and metric.reads_references
    )
    return next(found, BLEU())


def words_of_column(column: Column, reader: WordMetric) -> list[Words]:
    """The words of every text; none where a text is absent."""
    return [reader.tokens(column[row] or "") for row in range(len(column))]
