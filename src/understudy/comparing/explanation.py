"""Why two specs of one metric differ: parameters changed one at a time, with the contribution of each.

>>> found = explain(["The cat sat on the mat"], ["the cat sat on a mat"], against="bleu:lowercase=true")
>>> print(found)
bleu:lowercase=true scores 19.40 higher than bleu: 53.73 instead of 34.33.
lowercase=true instead of false: +19.40
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import ROUNDING
from understudy.breakdown.matched_spans import Ngram, most_in_a_reference, ngrams
from understudy.choices import DIFFERING_SEGMENTS
from understudy.corpus.columns import References
from understudy.corpus.corpus import as_corpus
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Parameter
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.registry import other_spec
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.words import WordMetric
from understudy.renderable import Renderable
from understudy.scoring.system_statistics import corpus_statistics
from understudy.settings import check_whole

# What text becomes before anything is counted. All other choices are made in the order of their declaration.
_FIRST = ("lowercase", "tokenize")


@dataclass(frozen=True)
class Step:
    """One changed parameter; several if one alone does not give a valid metric."""

    changes: dict[str, tuple[str, str]]  # by parameter: what it was, and what it became
    spec: str  # with all changes so far
    score: float
    contribution: float  # to the difference between the two specs
    changed: dict[str, tuple[Any, Any]]  # what the score is made of, before and after, where that differs


@dataclass(frozen=True)
class ProcessedSegment:
    """A segment as processed with one of the two specs."""

    score: float
    tokens: list[str]  # empty where the metric has no words
    references: list[list[str]]
    only_here: list[str]  # n-grams that match here, and not or less often on the other side


@dataclass(frozen=True)
class DifferingSegment:
    """A segment in which the two specs differ."""

    number: int  # from 1
    hypothesis: str
    first: ProcessedSegment
    second: ProcessedSegment


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Renderable):
    """The difference between two specs, step by step."""

    label: str
    first: str  # spec
    second: str
    first_score: float
    second_score: float
    signatures: tuple[str, str]
    steps: list[Step]
    segments: int
    references: tuple[int, int]
    parted: int  # how many segments the two see or score differently
    partings: list[DifferingSegment]  # the first of them
    test_set: NamedSet | None = None

    @property
    def difference(self) -> float:
        return self.second_score - self.first_score

    def __str__(self) -> str:
        return "\n".join(
            [self.in_words(), *(f"{_told(step)}: {step.contribution:+.2f}" for step in self.steps)]
        )

    def in_words(self, digits: int = 2) -> str:
        """The difference in one sentence."""
        if not self.steps:
            same = "" if self.first != self.second else f" ({self.first})"
            return f"Both specs set the same parameters{same}: there is no difference to explain."
        if abs(self.difference) <= ROUNDING:
            return f"{self.first} and {self.second} have the same score, {self.first_score:.{digits}f}."
        way = "higher" if self.difference > 0 else "lower"
        return (
            f"{self.second} scores {abs(self.difference):.{digits}f} {way} than {self.first}: "
            f"{self.second_score:.{digits}f} instead of {self.first_score:.{digits}f}."
        )


def explain(
    system: Any,
    references: Any = None,
    metric: str | Metric = "bleu",
    *,
    against: str | Metric,
    lang: str | None = None,
    sources: Any = None,
    segments: int = DIFFERING_SEGMENTS,
    threads: int | None = None,
) -> Explanation:
    """Explain the score difference between `metric` and `against`, a spec or a preset of the same metric. Parameters
    are changed one at a time: first letter case and tokenization, then the others in the metric's order. The
    contribution of a step depends on the steps before it; all contributions add up to the difference. `lang` is the
    target language, as in `understudy.score`. `sources` is the source text, for metrics that read it. `segments` is the
    number of differing segments in the result. The system
    is a `Corpus` with one system, or anything a corpus can be made of: a file, or texts in memory.
    """
    check_whole("segments", segments, least=0)
    first = metric_of(metric)
    second = other_spec(first, against)
    if lang is not None:
        first, second = first.for_language(lang), second.for_language(lang)
    if getattr(first, "tokenize", None) != getattr(second, "tokenize", None):
        # What the tokenizers make of the text is what is asked, also of one that was not named.
        first, second = first.with_defaults_chosen("tokenize"), second.with_defaults_chosen("tokenize")
    corpus = as_corpus(system, references, sources=sources)
    if len(corpus.systems) > 1:
        raise BadParameter(f"got {len(corpus.systems)} systems ({', '.join(corpus.systems)}), expected one.")
    ((run, column),) = corpus.systems.items()

    def statistics_of(chosen: Metric) -> Statistics:
        (by_run,) = corpus_statistics(corpus, [chosen], threads=threads)
        return by_run[run]

    answers = corpus.references if first.reads_references or second.reads_references else None
    statistics = first_statistics = statistics_of(first)
    score = first_score = first.corpus_score(statistics).value
    detail = _flat(first.detail_of(statistics.sum()))
    steps = []
    reached = first
    for changes, changed_metric in _path(first, second):
        statistics = statistics_of(changed_metric)
        after = changed_metric.corpus_score(statistics).value
        after_detail = _flat(changed_metric.detail_of(statistics.sum()))
        steps.append(
            Step(
                changes={
                    name: (
                        Parameter.format(getattr(reached, name)),
                        Parameter.format(getattr(changed_metric, name)),
                    )
                    for name in changes
                },
                spec=changed_metric.spec,
                score=after,
                contribution=after - score,
                changed=_differences(detail, after_detail),
            )
        )
        reached, score, detail = changed_metric, after, after_detail
    parted = _parted(first, first_statistics, second, statistics)
    return Explanation(
        label=first.label,
        first=first.spec,
        second=second.spec,
        first_score=first_score,
        second_score=score,
        signatures=(
            str(first.signature(first_statistics.references, of_input=first_statistics.of_input)),
            str(second.signature(statistics.references, of_input=statistics.of_input)),
        ),
        steps=steps,
        segments=len(column),
        references=first_statistics.references,
        parted=len(parted),
        test_set=corpus.test_set,
        partings=[
            _parting(int(row), column, answers, (first, first_statistics), (second, statistics))
            for row in parted[:segments]
        ],
    )


# --- the steps ---------------------------------------------------------------------------------------------


def _path(first: Metric, second: Metric) -> Iterator[tuple[tuple[str, ...], Metric]]:
    """The parameters changed in each step, and the metric after it."""
    left = sorted(
        (name for name in first.parameters() if getattr(first, name) != getattr(second, name)),
        key=lambda name: name not in _FIRST,  # which leaves the order of declaration otherwise
    )
    reached = first
    while left:
        changes, reached = _next_step(reached, second, left)
        left = [name for name in left if name not in changes]
        yield changes, reached


def _next_step(reached: Metric, goal: Metric, left: Sequence[str]) -> tuple[tuple[str, ...], Metric]:
    """The next parameter, with as few others as necessary for a valid metric: some values need their method, for
    example.
    """
    for companions in range(len(left)):
        for others in combinations(left[1:], companions):
            changes = (left[0], *others)
            try:
                return changes, replace(reached, **{name: getattr(goal, name) for name in changes})
            except BadParameter:
                continue
    raise AssertionError("all changes together make the goal")


def _flat(detail: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Numbers by name: lists become matches_1, matches_2, ..."""
    found: dict[str, Any] = {}
    for name, value in detail.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{name}_")
        elif isinstance(value, (list, tuple)):
            found |= {f"{prefix}{name}_{order}": item for order, item in enumerate(value, start=1)}
        else:
            found[f"{prefix}{name}"] = value
    return found


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {
        name: (before.get(name), after.get(name))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    }


def _told(step: Step) -> str:
    return ", ".join(f"{name}={after} instead of {before}" for name, (before, after) in step.changes.items())


# --- the segments ------------------------------------------------------------------------------------------


def _parted(
    first: Metric, first_statistics: Statistics, second: Metric, second_statistics: Statistics
) -> NDArray[np.intp]:
    """The segments whose scores or counts differ."""
    ours, theirs = first.segment_scores(first_statistics), second.segment_scores(second_statistics)
    parted = np.abs(ours - theirs) > ROUNDING * np.maximum(1.0, np.abs(ours))
    if first_statistics.columns == second_statistics.columns:
        parted |= (first_statistics.array != second_statistics.array).any(axis=1)
    return np.flatnonzero(parted)


def _parting(
    row: int,
    hypotheses: Column,
    references: References | None,
    first: tuple[Metric, Statistics],
    second: tuple[Metric, Statistics],
) -> DifferingSegment:
    hypothesis = hypotheses[row] or ""
    answers = [hypothesis] if references is None else references[row]
    matches = [_matches(metric, hypothesis, answers) for metric, _ in (first, second)]
    sides = [
        ProcessedSegment(
            score=float(metric.segment_scores(statistics[row : row + 1])[0]),
            tokens=_tokens(metric, hypothesis),
            references=[_tokens(metric, answer) for answer in answers],
            only_here=_surplus(here, there),
        )
        for (metric, statistics), here, there in (
            (first, matches[0], matches[1]),
            (second, matches[1], matches[0]),
        )
    ]
    return DifferingSegment(row + 1, hypothesis, *sides)


def _tokens(metric: Metric, text: str) -> list[str]:
    return metric.tokens(text) if isinstance(metric, WordMetric) else []


def _matches(metric: Metric, hypothesis: str, references: Iterable[str]) -> Counter[Ngram]:
    """The clipped n-gram matches of the hypothesis, up to the metric's maximum order, or unigrams only."""
    words = _tokens(metric, hypothesis)
    of_references = [_tokens(metric, reference) for reference in references]
    found: Counter[Ngram] = Counter()
    for order in range(1, getattr(metric, "max_order", 1) + 1):
        found += Counter(ngrams(words, order)) & most_in_a_reference(of_references, order)
    return found


def _surplus(here: Counter[Ngram], there: Counter[Ngram]) -> list[str]:
    """The n-grams that are here but not there, or less often there. "Cat" here and "cat" there are one n-gram that
    matches in both.
    """
    left = Counter(tuple(map(str.lower, ngram)) for ngram in there.elements())
    found = []
    for ngram in here.elements():
        folded = tuple(map(str.lower, ngram))
        if left[folded] > 0:
            left[folded] -= 1
        else:
            found.append(" ".join(ngram))
    return found
