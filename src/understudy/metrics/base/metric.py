"""Metric: the two functions that each metric defines, and everything derived from them.

A metric defines `count` (text to one row of numbers per segment) and `score` (any sum of such rows to a score).
Corpus scores, segment scores, mean segment scores and signatures are derived from them here, once for all metrics; repr
and spec are derived from the parameters, in `parameterized`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column, TooLong
from understudy.arrays import Floats
from understudy.corpus.columns import References, as_hypotheses, as_references, as_segment
from understudy.errors import BadInput, BadMetric, NoSegments
from understudy.metrics.base.candidate_sets import CandidateSets, ReferenceGroups
from understudy.metrics.base.declared_metric import DeclaredMetric, Fitted, check_sources
from understudy.metrics.base.length_limit import too_long
from understudy.metrics.base.metric_names import full_name, register
from understudy.metrics.base.other_packages import called, checked_scores, is_of_another_package
from understudy.metrics.base.reward_scale import as_rewards, check_rewarding
from understudy.metrics.base.score import Score, Signature
from understudy.metrics.base.statistics import Statistics, checked_counts
from understudy.metrics.base.threads import checked_threads
from understudy.metrics.base.unsplit_text import refuse_unsplit
from understudy.metrics.base.utilities import counted_pairs, expected_utilities, pair_scores
from understudy.version import __version__

M = TypeVar("M", bound="Metric")

_FACTS = ("name", "title", "summary", "formula", "citation", "not_for")  # texts that every metric has


@dataclass(frozen=True, kw_only=True, repr=False)
class Metric(DeclaredMetric):
    """A metric with all its parameters. Immutable, hashable, and readable as code: `repr` gives Python, `spec` the
    command line's form, and both give the metric back (see `Parameterized`).
    """

    # --- what a metric knows of a whole set of references ------------------------------------------------

    # Not a field, because it is not part of the metric's identity: metrics with the same parameters are equal whatever
    # they have learned. `dataclasses.replace` returns an unfitted metric, since a fit is wrong for other parameters.
    _learned: ClassVar[Fitted | None] = None

    def fit(self: M, references: Any, *, documents: Any = None) -> M:
        """The metric fitted on these references, e.g. on their word frequencies; the metric itself if it needs no
        fit. To score parts of a test set consistently, fit once on all of its references.
        """
        return self.fit_parts([as_references(references, documents=documents)]) if self.needs_fit else self

    def fit_parts(self: M, parts: Iterable[References]) -> M:
        """As `fit`, for references that arrive in parts, such as a file that is not held in memory."""
        if not self.needs_fit:
            return self
        fitted = copy.copy(self)
        object.__setattr__(fitted, "_learned", called(self, "learn", parts))
        return fitted

    @property
    def fitted_on(self) -> str:
        """Identifies the references it was fitted on; empty if it was not fitted."""
        return "" if self._learned is None else f"{self._learned.fingerprint:016x}"

    # --- what every metric can do ------------------------------------------------------------------------

    def corpus(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        threads: int | None = None,
    ) -> Score:
        """The corpus score: the statistics of all segments are summed, then scored once."""
        counted = self.statistics(
            hypotheses, references, sources=sources, documents=documents, threads=threads
        )
        return self.corpus_score(counted)

    def segments(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """The segment scores."""
        counted = self.statistics(
            hypotheses, references, sources=sources, documents=documents, threads=threads
        )
        return self.segment_scores(counted)

    def rewards(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        threads: int | None = None,
    ) -> NDArray[np.float32]:
        """The segment scores as rewards from 0 to 1, in the order of `segments`; higher is better for every metric.

        A score s in percent becomes s/100, or 1 - s/100 if lower is better, or 1 - |s - t|/100 if the target t is best,
        clipped to the range from 0 to 1. A metric that is not a fraction, such as NIST, has no rewards. A metric that
        needs a fit must be fitted first, so that a reward does not depend on the batch.

        >>> from understudy import TER
        >>> TER().rewards(["a b c d", "a x c d", "u v w x y z"], ["a b c d"] * 3)
        array([1.  , 0.75, 0.  ], dtype=float32)
        """
        check_rewarding(self)
        scores = self.segments(hypotheses, references, sources=sources, documents=documents, threads=threads)
        return as_rewards(self, scores)

    def segment(
        self,
        hypothesis: str,
        references: str | Sequence[str] | None = None,
        source: str | None = None,
    ) -> Score:
        """The score of one segment against its reference, or several in a list: as `segments` gives it, with all that
        it is made of. `source` is its source text, for metrics that read it.

        >>> from understudy import CHRF
        >>> score = CHRF().segment("the cat sat on the mat", ["a cat sat on the mat", "the cat lay on the mat"])
        >>> f"{score.value:.2f} {score.explanation}"
        '88.96 (P = 79.0 R = 91.8)'
        """
        column, grouped = as_segment(hypothesis, references if self.reads_references else hypothesis)
        if source is not None:
            grouped = as_references(grouped, sources=[source])
        counted = self._count_checked(column, grouped, threads=1)
        metric = self.for_segments()
        value: float = metric.scores_of(counted).item()

        def explained() -> Score:
            return metric._result(value, "segment", counted, metric.detail_of(counted.sum()))

        return Score.made_when_asked(value, explained)

    def mean(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        threads: int | None = None,
    ) -> Score:
        """The mean segment score, which is not the corpus score."""
        counted = self.statistics(
            hypotheses, references, sources=sources, documents=documents, threads=threads
        )
        return self.mean_score(counted)

    def statistics(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        threads: int | None = None,
    ) -> Statistics:
        """The statistics of every segment. `references[i]` is a string or the list of segment i's references;
        `sources[i]` is its source text, for metrics that read it; `documents[i]` is the name of its document, for
        metrics that use documents.

        A metric that needs a fit and has none is fitted on these references first; a reference-free metric is fitted
        on the hypotheses.
        """
        column, grouped = self.read(hypotheses, references, sources=sources, documents=documents)
        return self._count_checked(column, grouped, threads)

    def read(
        self, hypotheses: Any, references: Any = None, *, sources: Any = None, documents: Any = None
    ) -> tuple[Column, References]:
        """The texts in columns, as `count` gets them. A reference-free metric gets the hypotheses as references."""
        column = as_hypotheses(hypotheses)
        if not self.reads_references:
            beside = references.sources if isinstance(references, References) else None
            references = References((column,), sources=beside)
        return column, as_references(references, len(column), documents, sources)

    def pairwise(
        self, candidates: Any, references: Any = None, *, sources: Any = None, threads: int | None = None
    ) -> Any:
        """The segment score of every candidate against every single reference: a matrix [candidates, references] with
        the scores of `segments`. Without references, the candidates are their own.

        For many segments at once, give a list of texts per segment, and get a list of matrices. A metric that needs a
        fit and has none is fitted on all references first. `sources` has the source text of each segment, or is the
        source text of the only one, for metrics that read it.

        >>> from understudy import CHRF
        >>> CHRF().pairwise(["the cat sat", "a cat sat", "it rained"]).round(1).tolist()
        [[100.0, 67.2, 6.1], [53.6, 100.0, 4.3], [5.7, 4.6, 100.0]]
        >>> [matrix.shape for matrix in CHRF().pairwise([["a", "b"], ["c"]], [["a", "c", "e"], ["c", "d"]])]
        [(2, 3), (1, 2)]
        """
        return pair_scores(self, candidates, references, sources=sources, threads=threads)

    def expected_utility(
        self,
        candidates: Any,
        references: Any = None,
        *,
        weights: Any = None,
        aggregated: bool = False,
        sources: Any = None,
        threads: int | None = None,
    ) -> Any:
        """The mean score of each candidate over the references, which may have weights. Minimum Bayes risk decoding
        selects the best. Without references, the candidates are their own; many segments at once are lists of lists,
        as for `pairwise`.

        With `aggregated`, the score against one aggregated reference instead, whose n-gram counts and length are the
        (weighted) means over all references. It takes linear time, and approximates the mean score.

        >>> from understudy import CHRF
        >>> CHRF().expected_utility(["the cat sat", "a cat sat", "it rained"]).round(1).tolist()
        [57.8, 52.6, 36.8]
        """
        return expected_utilities(
            self,
            candidates,
            references,
            weights=weights,
            aggregated=aggregated,
            sources=sources,
            threads=threads,
        )

    def scores_of_pairs(self, sets: CandidateSets, threads: int) -> Floats:
        """The scores of all pairs of candidate sets, one segment after another. A metric may have a faster way to the
        same scores.
        """
        return counted_pairs(self, sets, threads)

    def scores_of_groups(self, sets: CandidateSets, groups: ReferenceGroups, threads: int) -> Floats:
        """The scores of all candidates against each group of references, aggregated, one segment after another."""
        raise NotImplementedError(f"{type(self).__name__} does not aggregate references")

    def fit_pairs(self: M, sets: CandidateSets) -> M:
        """The metric as it counts these candidates: fitted on all references, if it needs a fit and has none."""
        references = References((sets.references,))
        self._refuse_unsplit(references)
        return self if self.fitted_on else self.fit(references)

    def _count_checked(self, column: Column, grouped: References, threads: int | None) -> Statistics:
        check_sources([self], grouped.sources is not None)
        self._refuse_unsplit(grouped)
        metric = self if self.fitted_on else self.fit(grouped)
        return metric.count_fitted(column, grouped, checked_threads(threads))

    def _refuse_unsplit(self, grouped: References) -> None:
        if self.undecided:
            role = "references" if self.reads_references else "hypotheses"
            refuse_unsplit([self], [(role, text) for text in grouped.columns])

    def count_fitted(self, column: Column, grouped: References, threads: int) -> Statistics:
        """The statistics of every segment by a metric that has the fit it needs."""
        # First, to reject unsuitable input before any work is done.
        of_input = called(self, "of_input", column, grouped)
        try:
            array = called(self, "count", column, grouped, threads)
        except TooLong as error:
            raise too_long(self.spec, self.if_too_long, column, error.args) from None
        return Statistics(
            array=checked_counts(array, self.spec, len(column), len(self._columns)),
            columns=self._columns,
            spec=self.spec,
            segments=len(column),
            references=grouped.counts if self.reads_references else (0, 0),
            fitted_on=self.fitted_on,
            of_input=of_input,
        )

    def statistics_of(self, counts: NDArray[Any]) -> Statistics:
        """Counts that were added up elsewhere, with the names of their columns."""
        return Statistics(counts, self._columns, self.spec, segments=1, references=(1, 1))

    def corpus_score(self, statistics: Statistics) -> Score:
        """The corpus score from statistics that this metric counted. `score` accepts any statistics with the same
        columns, and returns no signature.
        """
        self._refuse_others(statistics)
        totals = statistics.sum()
        return self._result(float(self.scores_of(totals)), "corpus", totals, self.detail_of(totals))

    def segment_scores(self, statistics: Statistics) -> NDArray[np.float64]:
        """The segment scores from statistics that this metric counted."""
        self._refuse_others(statistics)
        return self.for_segments().scores_of(statistics)

    def scores_of(self, statistics: Statistics) -> NDArray[np.float64]:
        """What `score` returns. For a metric of another package, everything else than an array of the right shape is an
        error that names the metric.
        """
        scores: NDArray[np.float64] = called(self, "score", statistics)
        if not self.of_another_package:
            return scores
        return checked_scores(scores, self.spec, statistics.array.shape[:-1])

    def detail_of(self, totals: Statistics) -> dict[str, Any]:
        """What `detail` returns, likewise."""
        detail: dict[str, Any] = called(self, "detail", totals)
        return detail

    def mean_score(self, statistics: Statistics) -> Score:
        """The mean segment score from statistics that this metric counted."""
        return self.mean_of(self.segment_scores(statistics), statistics)

    def mean_of(self, scores: NDArray[np.float64], statistics: Statistics) -> Score:
        """The mean of these segment scores; the statistics give the numbers of segments and references."""
        if len(scores) == 0:
            raise NoSegments("there are no segments to average.")
        # fsum is exact, so the mean does not depend on how the corpus was split.
        return self.mean_of_total(math.fsum(scores), len(scores), statistics)

    def mean_of_total(self, total: float, count: int, statistics: Statistics) -> Score:
        """As `mean_of`, for so many segment scores that were added up elsewhere."""
        return self.for_segments()._result(total / count, "mean", statistics, {})

    def worth(self, value: Any) -> Any:
        """The score, or an array of scores, on a scale where higher is better, whatever the metric's direction."""
        if self.higher_is_better is None:
            return -abs(value - self.target)
        return value if self.higher_is_better else -value

    @classmethod
    def better(cls) -> str:
        """Which scores are better, in words: higher, lower, or closer to 100."""
        if cls.higher_is_better is None:
            return f"closer to {cls.target:g}"
        return "higher" if cls.higher_is_better else "lower"

    def signature(
        self,
        references: tuple[int, int] | None = None,
        aggregate: str = "corpus",
        *,
        of_input: Mapping[str, str] | None = None,
    ) -> Signature:
        """All parameters of a score by this metric, including the number of references and what `of_input` returned."""
        if references is not None and not self.reads_references:
            references = (0, 0)
        count = {} if references is None else {"nrefs": _reference_count(references)}
        metric = self if aggregate == "corpus" else self.for_segments()
        choices = {**metric._choices, **(of_input or {})}
        return Signature({**count, **choices, "agg": aggregate, "version": f"understudy-{__version__}"})

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        return self.columns

    @cached_property
    def _choices(self) -> dict[str, str]:
        """Worded once: every score of every segment is signed."""
        return self.choices()

    def _refuse_others(self, statistics: Statistics) -> None:
        """Statistics of another metric would get this metric's signature."""
        if statistics.spec != self.spec:
            raise BadInput(
                f"expected statistics of {self.spec}, got statistics of {statistics.spec}. Use the same metric to "
                "count and to score. If both count the same statistics, score(statistics) returns scores without "
                "a signature."
            )

    def _result(self, value: float, aggregate: str, counted: Statistics, detail: dict[str, Any]) -> Score:
        return Score(
            metric=self.label,
            spec=self.spec,
            value=value,
            fraction=value / 100 if self.percent else None,
            aggregate=aggregate,
            segments=counted.segments,
            references=counted.references,
            detail=detail,
            signature=self.signature(counted.references, aggregate, of_input=counted.of_input),
            explanation=called(self, "explain", detail) if detail else "",
        )

    def __init_subclass__(cls, **options: Any) -> None:
        """Register each subclass that defines a name."""
        super().__init_subclass__(**options)
        cls.of_another_package = is_of_another_package(cls)
        if {"count", "score"} & vars(cls).keys() and "scores_of_pairs" not in vars(cls):
            # Shortcuts of the class above lead to its scores, not to those of a class that counts differently.
            cls.scores_of_pairs = Metric.scores_of_pairs  # type: ignore[method-assign]
            cls.aggregates = False
        if {"count", "columns"} & vars(cls).keys() and "for_counting" not in vars(cls):
            cls.for_counting = Metric.for_counting  # type: ignore[method-assign]  # likewise
        if "aliases" not in vars(cls):
            cls.aliases = {}  # inherited aliases belong to another metric
        if "name" in vars(cls):
            register(cls)

    @classmethod
    def unfinished(cls) -> str:
        """What the class lacks to be used as a metric, in one line; empty if nothing."""
        lacking = [fact for fact in _FACTS if not isinstance(getattr(cls, fact, None), str)]
        lacking += sorted(getattr(cls, "__abstractmethods__", ()))
        if lacking:
            return f"{full_name(cls)} does not define {', '.join(lacking)}."
        try:
            cls.parameters()
        except BadMetric as error:
            return str(error)
        return ""


def _reference_count(references: tuple[int, int]) -> str:
    fewest, most = references
    return str(most) if fewest == most else f"{fewest}-{most}"
