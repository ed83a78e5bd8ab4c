"""References study: whether the ranking of systems is the same with fewer references.

The BLEU report selected one of its four references at random for each of 40 stories, and found the same ranking as with
all four (Papineni et al. 2001, section 3). This study does so for every number of references, several times. Random
selection mixes the references and hides differences between them, so each reference is also used alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats, one_blas_thread
from understudy.choices import REFERENCE_DRAWS, SEED
from understudy.corpus.columns import References
from understudy.corpus.corpus import Corpus, as_corpus
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.resampling.rankings import kendall_tau, same_ranking
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.scoring.system_statistics import partial_references, statistics_with_each_reference
from understudy.settings import check_choice, check_whole
from understudy.studies.single_references import OneReference, best, disagree, in_words
from understudy.wording import listed


@dataclass(frozen=True)
class FewerReferences:
    """System scores with a number of references, over all draws."""

    references: int
    draws: int
    scores: dict[str, float]  # by system: the mean
    deviations: dict[str, float]  # by system: the standard deviation over the draws
    tau: float  # the mean of Kendall's tau, between the ranking of a draw and the one with all references
    same_ranking: float  # the share of draws with the very same ranking


@dataclass(frozen=True)
class ReferencesStudy:
    """One metric with 1, 2, ... and all references."""

    metric: str  # its label
    spec: str
    higher_is_better: bool | None
    unit: str  # what references are drawn for: document or segment
    seed: int
    steps: list[FewerReferences]  # the last has all references
    first: tuple[str, ...] = ()  # the best system with all references; several if they tie
    # Each whole reference, if there are at least two, and the metric reads references and ranks systems.
    alone: list[OneReference] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # the names of references that some segment lacks

    def __str__(self) -> str:
        """The answer in words."""
        holds, of_draws = self._drawn()
        if all(alone.same_ranking for alone in self.alone):
            return of_draws
        if disagree(self.alone):
            said = f"Single references rank different systems first by {self.metric}: {in_words(self.alone)}."
        else:
            others = [alone.reference for alone in self.alone if not alone.same_ranking]
            said = (
                f"The ranking by {self.metric} with {listed(others)} alone differs from the ranking with all "
                "references."
            )
        taus = [f"{end(alone.tau for alone in self.alone):.2f}" for end in (min, max)]
        said += f" Kendall's tau with the ranking by all references: {' to '.join(dict.fromkeys(taus))}."
        if not holds:
            return f"{of_draws} {said}"
        return f"{said} Random selection of references per segment hides this: {of_draws[0].lower()}{of_draws[1:]}"

    def _drawn(self) -> tuple[bool, str]:
        """Whether the ranking holds with fewer references that are drawn at random, and how far."""
        every = self.steps[-1].references
        for step in self.steps[:-1]:
            if all(later.same_ranking == 1 for later in self.steps if later.references >= step.references):
                return True, (
                    f"With {step.references} of {every} references, the ranking by {self.metric} is the same as with "
                    f"all references in all {step.draws} draws."
                )
        first = self.steps[0]
        return False, (
            f"With fewer than {every} references, the ranking by {self.metric} may change: with 1 reference, it is the "
            f"same in {first.same_ranking:.0%} of {first.draws} draws (Kendall's tau {first.tau:.2f})."
        )


@one_blas_thread()
def study_references(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    lang: str | None = None,
    documents: Any = None,
    level: str = "corpus",
    draws: int = REFERENCE_DRAWS,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[ReferencesStudy]:
    """Score all systems of a corpus, or of anything a corpus can be made of, with every number of references, selected
    at random several times, and with each reference alone. References are selected per document if documents are known,
    which keeps the style consistent; otherwise per segment. Segments with fewer references keep all of them.

    `progress` is called with the number of segments done since the last call.

    >>> study, = study_references({"weak": "examples/system-weak.en", "strong": "examples/system-strong.en"},
    ...                           ["examples/reference-1.en", "examples/reference-2.en"])
    >>> print(study)
    With 1 of 2 references, the ranking by BLEU is the same as with all references in all 20 draws.
    """
    check_whole("draws", draws)
    check_whole("seed", seed, least=0)
    check_choice("level", level, ("corpus", "mean"))
    corpus = as_corpus(systems, references, documents=documents)
    available = 0 if corpus.references is None else corpus.references.counts[1]
    if corpus.references is None or available < 2:
        raise BadParameter(
            f"the references study needs at least two references, got {available or 'none'}. Add a reference, or omit "
            "the study."
        )
    every = corpus.references.counts[1]
    known = corpus.documents
    chosen = chosen_metrics(metrics, lang)
    scoring = _Scoring(corpus, level, threads)
    scores: list[list[list[Floats]]] = [
        [[] for _ in range(every)] for _ in chosen
    ]  # [metrics][references][draws]
    generator = np.random.default_rng(seed)
    for count in range(1, every + 1):
        for _ in range(draws if count < every else 1):
            drawn = draw_references(corpus.references, count, known, generator)
            for metric, of_metric in zip(chosen, scores, strict=True):
                of_metric[count - 1].append(scoring.scores(metric, drawn))
            if progress:
                progress(len(corpus))
    ranking = [metric for metric in chosen if metric.higher_is_better is not None]
    counts = statistics_with_each_reference(corpus, ranking, threads=threads)
    alone = {
        metric: {name: scoring.of_counts(metric, by_run) for name, by_run in by_reference.items()}
        for metric, by_reference in zip(ranking, counts, strict=True)
    }
    unit = "segment" if known is None else "document"
    left_out = partial_references(corpus)
    systems = list(corpus.runs)
    studies = []
    for metric, of_metric in zip(chosen, scores, strict=True):
        with_all = np.asarray(metric.worth(of_metric[-1][0]))
        studies.append(
            ReferencesStudy(
                metric.label,
                metric.spec,
                metric.higher_is_better,
                unit,
                seed,
                _steps(metric, systems, of_metric, with_all),
                best(systems, with_all),
                [
                    OneReference.of(name, systems, found, np.asarray(metric.worth(found)), with_all)
                    for name, found in alone.get(metric, {}).items()
                ],
                left_out,
            )
        )
    return studies


def draw_references(
    references: References, count: int, documents: Sequence[str] | None, generator: np.random.Generator
) -> References:
    """So many references of every segment, without replacement; of all that there are the same ones for a document."""
    units = range(len(references)) if documents is None else documents
    order_of: dict[object, NDArray[np.intp]] = {}
    absent = [set(column.absent_rows()) for column in references.columns]
    rows: list[list[tuple[int, int] | None]] = []  # of every segment, which references of which columns
    for row, unit in enumerate(units):
        if unit not in order_of:
            order_of[unit] = generator.permutation(len(references.columns))
        there = [(int(number), row) for number in order_of[unit] if row not in absent[number]][:count]
        rows.append([*there, *[None] * (count - len(there))])
    names = None if documents is None else Column.from_strings(documents)
    columns = tuple(_picked(references.columns, picks) for picks in zip(*rows, strict=True))
    return References(columns, names, references.sources)


def _picked(columns: Sequence[Column], picks: Sequence[tuple[int, int] | None]) -> Column:
    """With their trees, if all have them."""
    parsed = [column for column in columns if isinstance(column, ParsedColumn)]
    if len(parsed) == len(columns):
        return ParsedColumn.picked(parsed, picks)
    return Column.from_strings(None if pick is None else columns[pick[0]][pick[1]] for pick in picks)


@dataclass(frozen=True)
class _Scoring:
    """What is scored, and how, whatever the references."""

    corpus: Corpus
    level: str
    threads: int | None

    def scores(self, metric: Metric, references: References) -> Floats:
        """By system: the mean over its runs."""
        fitted = metric.fit(references) if metric.reads_references and not metric.fitted_on else metric
        return self.of_counts(
            fitted,
            {
                run: fitted.statistics(column, references, sources=self.corpus.sources, threads=self.threads)
                for run, column in self.corpus.systems.items()
            },
        )

    def of_counts(self, metric: Metric, by_run: Mapping[str, Statistics]) -> Floats:
        """The same of what was counted."""
        score = metric.mean_score if self.level == "mean" else metric.corpus_score
        return np.array(
            [np.mean([score(by_run[run]).value for run in runs]) for runs in self.corpus.runs.values()]
        )


def _steps(
    metric: Metric, systems: Sequence[str], scores: Sequence[Sequence[Floats]], with_all: Floats
) -> list[FewerReferences]:
    steps = []
    for count, of_draws in enumerate(scores, start=1):
        drawn = np.array(of_draws)  # [draws, systems]
        worths = np.asarray(metric.worth(drawn))
        deviations = drawn.std(axis=0, ddof=1) if len(drawn) > 1 else np.zeros(len(systems))
        steps.append(
            FewerReferences(
                references=count,
                draws=len(drawn),
                scores=dict(zip(systems, drawn.mean(axis=0).tolist(), strict=True)),
                deviations=dict(zip(systems, deviations.tolist(), strict=True)),
                tau=float(np.mean([kendall_tau(worth, with_all) for worth in worths])),
                same_ranking=float(np.mean([same_ranking(worth, with_all) for worth in worths])),
            )
        )
    return steps
