"""The verb `score`: score every system with every metric, from files of any length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.choices import SCORE_LEVELS
from understudy.corpus.corpus import Corpus, as_corpus
from understudy.corpus.corpus_input import corpus_input
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.equality import EqualByValue
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.registry import with_panel
from understudy.metrics.base.score import Score
from understudy.metrics.base.statistics import Statistics
from understudy.renderable import Renderable
from understudy.scoring.system_statistics import corpus_statistics, statistics_in_parts
from understudy.settings import check_choice
from understudy.text.languages import language_of
from understudy.wording import number_of

Metrics = (
    str | Metric | type[Metric] | Iterable[str | Metric | type[Metric]]
)  # specs, metrics, or classes of them


@dataclass(frozen=True, eq=False)
class SystemScores(EqualByValue):
    """The scores of one system: one entry per metric."""

    name: str
    scores: list[Score]  # at the levels corpus and mean
    segments: list[NDArray[np.float64]]  # at the level segment
    unparsed: list[int]  # number of segments with text but no tree; 0 if the metric needs no trees


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Renderable):
    """The scores of several systems on the same segments."""

    level: str
    metrics: list[Metric]
    systems: list[SystemScores]
    segments: int
    references: tuple[int, int]
    of_input: list[Mapping[str, str]]  # of each metric, see Statistics
    test_set: NamedSet | None = None

    def __str__(self) -> str:
        return "\n".join(
            f"{system.name}: {of_metric}" for system in self.systems for of_metric in self._in_words(system)
        )

    def _in_words(self, system: SystemScores) -> list[str]:
        if self.level != "segment":
            return list(map(str, system.scores))
        return [
            f"{metric.label} of {number_of(len(scores), 'segment')}, {scores.min():.2f} to {scores.max():.2f}"
            for metric, scores in zip(self.metrics, system.segments, strict=True)
        ]

    def __getitem__(self, system: str) -> SystemScores:
        for entry in self.systems:
            if entry.name == system:
                return entry
        raise BadParameter(
            f"unknown system '{system}'. {did_you_mean(system, [entry.name for entry in self.systems])}"
        )


def score(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    level: str = "corpus",
    lang: str | None = None,
    sources: Any = None,
    documents: Any = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Scores:
    """Score systems against references: a `Corpus`, or anything a corpus can be made of, files or texts in memory.
    Systems are named after their files; use a mapping for other names, and for texts. The metric `all` is the default
    panel. References can be omitted if all metrics are reference-free.

    `lang` is the target language, such as zh, or a language pair, such as en-zh. It selects the tokenizer of metrics
    that do not set one, and the parser. Without it, text that such metrics cannot tokenize raises an error.

    Level `corpus` sums the statistics and scores once, `segment` scores each segment, and `mean` averages the segment
    scores. `sources` is the source text, for metrics that read it. `documents` gives the document of each segment, if a
    metric uses documents and the files do not name them. Files are read in parts, so memory does not grow with their
    length, with two exceptions. The levels segment and mean need 8 bytes per segment and metric. A metric that must see
    the whole test set keeps what it needs and reads the references twice. A corpus is in memory, and keeps the
    statistics for other verbs. `progress` is called with
    the number of segments processed since the last call.

    >>> result = score(["examples/system-weak.en"], ["examples/reference-1.en"], ["bleu"])
    >>> print(f"{result.systems[0].scores[0].value:.1f}")
    10.1
    >>> result = score({"nmt": ["The cat sat on a mat."]}, ["The cat sat on the mat."], ["bleu"])
    >>> print(f"{result['nmt'].scores[0].value:.1f}")
    48.9
    """
    check_choice("level", level, SCORE_LEVELS)
    chosen = chosen_metrics(metrics, lang)
    tallies: dict[str, list[_Tally]] = {}
    parts: Iterable[tuple[str, Sequence[Statistics]]]
    if isinstance(systems, Corpus):
        corpus = as_corpus(systems, references, sources=sources, documents=documents)
        test_set = corpus.test_set
        kept = corpus_statistics(corpus, chosen, threads=threads, progress=progress)
        parts = [(run, [of_metric[run] for of_metric in kept]) for run in corpus.systems]
    else:
        texts = corpus_input(systems, references, sources=sources, documents=documents)
        test_set = texts.test_set
        parts = statistics_in_parts(texts, chosen, threads=threads, progress=progress)
    for name, of_part in parts:
        of_system = tallies.setdefault(name, [_Tally(metric, level) for metric in chosen])
        for tally, statistics in zip(of_system, of_part, strict=True):
            tally.add(statistics)
    totals = [tally.total for tally in next(iter(tallies.values()))]
    return Scores(
        level=level,
        metrics=chosen,
        systems=[
            SystemScores(
                name,
                scores=[tally.score() for tally in system] if level != "segment" else [],
                segments=[tally.segment_scores() for tally in system] if level == "segment" else [],
                unparsed=[tally.total.unparsed for tally in system],
            )
            for name, system in tallies.items()
        ],
        segments=totals[0].segments,
        references=max(total.references for total in totals),  # reference-free metrics have 0
        of_input=[total.of_input for total in totals],
        test_set=test_set,
    )


def chosen_metrics(metrics: Metrics, lang: str | None = None) -> list[Metric]:
    """The requested metrics, with `all` replaced by the default panel. A class stands for the metric with its
    defaults. The target language sets what has not been set explicitly.

    >>> chosen_metrics(["bleu", "chrf++"], "en-zh")
    [BLEU(tokenize='zh'), CHRF(word_order=2)]
    """
    if isinstance(metrics, (str, Metric, type)) or not isinstance(metrics, Iterable):
        metrics = [metrics]
    specs: list[Any] = [metrics] if _is_scalar(metrics) else list(metrics)
    if not specs:
        raise BadParameter("metrics: the list is empty, expected at least one metric, such as 'bleu'.")
    chosen = [metric_of(spec) for spec in with_panel(specs)]
    if lang is None:
        return chosen
    language_of(lang)  # raises an error for an invalid code even if no metric uses it
    return [metric.for_language(lang) for metric in chosen]


def _is_scalar(values: Any) -> bool:
    """An array without dimensions, which says that it can be iterated over and cannot."""
    return getattr(values, "shape", None) == ()


@dataclass
class _Tally:
    """The running total of one metric for one system."""

    metric: Metric
    level: str
    _total: Statistics | None = None
    _parts: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, part: Statistics) -> None:
        self._total = part.sum() if self._total is None else self._total + part
        if self.level != "corpus":
            self._parts.append(self.metric.segment_scores(part))

    @property
    def total(self) -> Statistics:
        assert self._total is not None, "a stream has at least one part"
        return self._total

    def score(self) -> Score:
        if self.level == "mean":
            return self.metric.mean_of(self.segment_scores(), self.total)
        return self.metric.corpus_score(self.total)

    def segment_scores(self) -> NDArray[np.float64]:
        return np.concatenate(self._parts)
