"""ProbedSystem: the text of one system, and the scores of other texts in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.corpus.corpus import CHUNK_SEGMENTS, Corpus
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric
from understudy.scoring.system_statistics import corpus_statistics
from understudy.text.languages import field_tokenizer, language_of
from understudy.text.tokenizers import Tokenizer, tokenizer


def _silent(segments: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, eq=False)
class ProbedSystem:
    """The hypotheses of one system with their references, and the metrics that are probed."""

    name: str
    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]  # by segment
    grouped: References  # the same in columns, with document labels if there are any
    metrics: tuple[Metric, ...]  # fitted on these references where they need it
    counted: tuple[Statistics, ...]  # of the hypotheses, by metric
    sources: tuple[str, ...] | None = None
    language: str | None = None  # ISO 639 code
    threads: int | None = None
    progress: Callable[[int], None] = _silent  # called with a number of segments that a part has finished

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        metrics: Sequence[Metric],
        *,
        language: str | None,
        threads: int | None,
        progress: Callable[[int], None] = _silent,
    ) -> ProbedSystem:
        """The only system of a corpus."""
        name = _only_system(corpus)
        references = _readable_references(corpus, metrics)
        column = corpus[name]
        counted = corpus_statistics(corpus, metrics, threads=threads)
        spoken = language or corpus.language
        return cls(
            name,
            _texts(column),
            tuple(tuple(references[row]) for row in range(len(column))),
            references,
            # The tokenizers suit the whole text, which was counted above, so they suit every part of it.
            tuple(metric.with_defaults_chosen().fit(references) for metric in metrics),
            tuple(by_run[name] for by_run in counted),
            None if corpus.sources is None else _texts(corpus.sources),
            None if spoken is None else language_of(spoken).code,
            threads,
            progress,
        )

    @cached_property
    def segment_scores(self) -> Floats:
        """The segment scores of the hypotheses [segments, metrics]."""
        return self.scores_of(self.counted)

    def scores(self, segments: Sequence[int], texts: Sequence[str]) -> Floats:
        """The segment scores of texts [texts, metrics], each against the references of its segment."""
        return self.scores_of(self.statistics(segments, texts))

    def scores_of(self, statistics: Sequence[Statistics]) -> Floats:
        """The segment scores [texts, metrics] of what each metric counted."""
        return np.stack(
            [
                metric.segment_scores(counted)
                for metric, counted in zip(self.metrics, statistics, strict=True)
            ],
            axis=1,
        )

    def statistics(
        self, segments: Sequence[int], texts: Sequence[str], left_out: Sequence[str] | None = None
    ) -> list[Statistics]:
        """What each metric counts in texts, each against the references of its segment, or against those of them that
        are not the reference left out beside the text.
        """
        if len(texts) == 0:
            return [counted[:0] for counted in self.counted]
        parts = []
        for start in range(0, len(texts), CHUNK_SEGMENTS):
            part = slice(start, start + CHUNK_SEGMENTS)
            column = Column.from_strings(list(texts[part]))
            references = self._references_of(segments[part], None if left_out is None else left_out[part])
            parts.append(
                [metric.statistics(column, references, threads=self.threads) for metric in self.metrics]
            )
        return [Statistics.concatenate(of_metric) for of_metric in zip(*parts, strict=True)]

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
        fitting = None if self.language is None else field_tokenizer(self.language)
        return tokenizer(fitting or "13a")

    def _references_of(self, segments: Sequence[int], left_out: Sequence[str] | None) -> References:
        """In the same columns: which reference comes first affects ties."""
        columns = []
        for texts in self._reference_texts:
            column: list[str | None] = [texts[segment] for segment in segments]
            if left_out is not None:
                column = [
                    None if text == without else text for text, without in zip(column, left_out, strict=True)
                ]
            columns.append(Column.from_strings(column))
        documents = self._documents
        return References(
            tuple(columns),
            None if documents is None else Column.from_strings([documents[segment] for segment in segments]),
            None
            if self.sources is None
            else Column.from_strings([self.sources[segment] for segment in segments]),
        )

    @cached_property
    def _reference_texts(self) -> list[list[str | None]]:
        """By column."""
        return [[column[row] for row in range(len(column))] for column in self.grouped.columns]

    @cached_property
    def _documents(self) -> list[str | None] | None:
        documents = self.grouped.documents
        return None if documents is None else [documents[row] for row in range(len(documents))]


def _only_system(corpus: Corpus) -> str:
    if len(corpus.runs) > 1:
        raise BadParameter(
            f"probe: got {len(corpus.runs)} systems ({', '.join(corpus.runs)}), expected one. Probe each system alone."
        )
    ((system, runs),) = corpus.runs.items()
    if len(runs) > 1:
        raise BadParameter(
            f"probe: '{system}' has {len(runs)} training runs, expected one. Give the output of one run."
        )
    return runs[0]


def _readable_references(corpus: Corpus, metrics: Sequence[Metric]) -> References:
    """The references, if all metrics can compare changed text with them."""
    for metric in metrics:
        if not metric.reads_references and metric.needs_fit:
            raise BadParameter(
                f"{metric.spec} does not compare hypotheses with references, so probe cannot examine it. Use another "
                "metric."
            )
    if corpus.references is None:
        raise BadParameter(
            "probe needs references, but none are given. Add them with references= (-r on the command line)."
        )
    columns = (*corpus.systems.values(), *corpus.references.columns)
    with_trees = any(isinstance(column, ParsedColumn) for column in columns)
    for metric in metrics:
        if metric.parses and with_trees:
            raise BadParameter(
                f"{metric.spec}: trees are given, but changed hypotheses have none. Give text instead of trees, which "
                "probe then parses."
            )
    return corpus.references


def _texts(column: Column) -> tuple[str, ...]:
    return tuple(column[row] or "" for row in range(len(column)))
