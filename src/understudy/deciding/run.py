"""Choose among candidate translations: minimum Bayes risk decoding, oracles and reranking."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import ROUNDING, Floats
from understudy.choices import DECIDE_METRICS, GAPS
from understudy.corpus.columns import References
from understudy.corpus.files import Path
from understudy.corpus.nbest import NBest
from understudy.deciding.candidate_pool import candidate_pool
from understudy.deciding.plan import DecisionPlan
from understudy.deciding.reference_scores import (
    corpus_oracle,
    other_length,
    part_of,
    read_references,
    read_sources,
    scored_candidates,
    too_short,
)
from understudy.deciding.reranking import feature_sums
from understudy.deciding.results import Decision, Totals
from understudy.deciding.utilities import (
    Utilities,
    aggregated_utilities,
    centroid_utilities,
    exact_utilities,
    fitted_metrics,
    pruned_utilities,
)
from understudy.deciding.utility_matrix import UtilityMatrix
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.declared_metric import check_sources
from understudy.metrics.base.metric import Metric
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_choice, refuse_unknown_keywords

_CANDIDATES_AT_ONCE = 1 << 16  # of a file that is read in parts


def decide(
    nbest: Any,
    references: Any = None,
    metrics: Metrics = DECIDE_METRICS,
    *,
    sources: Any = None,
    samples_from: Any = None,
    matrix: Any = None,
    save_matrix: Path | None = None,
    gaps: str = "error",
    candidates_per_segment: int | None = None,
    lang: str | None = None,
    threads: int | None = None,
    **settings: Any,
) -> Decision:
    """Choose one candidate per segment: an `NBest`, a file, or a list of candidates per segment.

    Methods: `mbr` (exact minimum Bayes risk decoding), `aggregated`, `pruned`, `centroid` (approximations of it),
    `qe` (the best by reference-free metrics), `oracle` (the best against the references) and `rerank` (by weights of
    features, or by model score). `sources` is the source text, for metrics that read it. The
    pseudo-references are the candidates themselves, each also its own, or those of `samples_from`. The first of
    several equally good candidates wins. With references, the result has corpus scores of the first candidates, the
    choices and the oracle. The other settings are those of `DecisionPlan`.

    >>> found = decide([["a cat sat", "the cat sat", "the cat sat down"]], metrics="chrf")
    >>> found.texts
    ['the cat sat down']
    """
    refuse_unknown_keywords(settings, decide, DecisionPlan)
    decider = _Decider(
        plan=DecisionPlan(**settings),
        references=references,
        metrics=metrics,
        sources=sources,
        samples_from=samples_from,
        matrix=matrix,
        save_matrix=save_matrix,
        lang=lang,
        threads=threads,
    )
    whole = _as_nbest(nbest, gaps, candidates_per_segment)
    samples = None if samples_from is None else _as_nbest(samples_from, gaps, candidates_per_segment)
    return decider.decision(whole, samples, decider.references, decider.sources)


def decide_in_parts(
    path: Path,
    references: Any = None,
    metrics: Metrics = DECIDE_METRICS,
    *,
    sources: Any = None,
    samples_from: Any = None,
    matrix: Any = None,
    save_matrix: Path | None = None,
    gaps: str = "error",
    candidates_per_segment: int | None = None,
    lang: str | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **settings: Any,
) -> Iterator[Decision]:
    """The same for a file, as decisions on consecutive parts of it, in bounded memory. What must see the whole list is
    one part: reranking, an oracle at corpus level, other pseudo-references, a matrix, a metric that needs a fit.
    """
    refuse_unknown_keywords(settings, decide_in_parts, DecisionPlan)
    decider = _Decider(
        plan=DecisionPlan(**settings),
        references=references,
        metrics=metrics,
        sources=sources,
        samples_from=samples_from,
        matrix=matrix,
        save_matrix=save_matrix,
        lang=lang,
        threads=threads,
    )
    if not decider.can_divide:
        samples = None if samples_from is None else _as_nbest(samples_from, gaps, candidates_per_segment)
        whole = _as_nbest(path, gaps, candidates_per_segment)
        yield decider.decision(whole, samples, decider.references, decider.sources)
        return
    first = 0
    parts = NBest.read_in_parts(
        path, candidates=_CANDIDATES_AT_ONCE, gaps=gaps, candidates_per_segment=candidates_per_segment
    )
    known = decider.references
    for part in parts:
        theirs = None if known is None else part_of(known, first, first + len(part), part.origin)
        yield decider.decision(part, None, theirs, decider.sources_of(first, part), first)
        first += len(part)
        if progress is not None:
            progress(len(part))
    if known is not None and first != len(known):
        raise too_short(known, first, f"'{os.fspath(path)}'")
    decider.check_sources_end(first, path)


def _as_nbest(values: Any, gaps: str, candidates_per_segment: int | None) -> NBest:
    if isinstance(values, NBest):
        return values
    if isinstance(values, (str, os.PathLike)):
        return NBest.read(values, gaps=gaps, candidates_per_segment=candidates_per_segment)
    made = NBest.of_texts(values)
    empty = np.flatnonzero(made.counts == 0)
    check_choice("gaps", gaps, GAPS)
    if len(empty) and gaps == "error":
        raise BadInput(
            f"segment {empty[0] + 1} has no candidates. Use gaps='empty' for an empty translation of such segments."
        )
    return made


class _Decider:
    """What is the same for all parts of a list."""

    def __init__(
        self,
        *,
        plan: DecisionPlan,
        references: Any,
        metrics: Metrics,
        sources: Any,
        samples_from: Any,
        matrix: Any,
        save_matrix: Path | None,
        lang: str | None,
        threads: int | None,
    ) -> None:
        self.plan = plan
        self.metrics = _checked_metrics(metrics, lang, plan)
        self.threads = threads
        given = None if references is None or _is_nothing(references) else references
        if plan.method == "oracle" and given is None:
            raise BadParameter(
                "method='oracle' needs references.", on_command_line="--method oracle needs -r FILE."
            )
        if (matrix is not None or save_matrix is not None) and plan.method != "mbr":
            raise BadParameter(
                f"a matrix of utilities is for method='mbr', not '{plan.method}'.",
                on_command_line=f"--matrix and --save-matrix need --method mbr, not {plan.method}.",
            )
        if plan.method == "qe" and given is not None:
            raise BadParameter(
                "method='qe' reads no references. Omit them; score the choices afterwards.",
                on_command_line="--method qe reads no references. Omit -r; score the choices afterwards.",
            )
        self.references = None if given is None else read_references(given)
        self.sources = None if sources is None else read_sources(sources)
        check_sources(self.metrics, self.sources is not None)
        self.matrix = (
            matrix if matrix is None or isinstance(matrix, UtilityMatrix) else UtilityMatrix.read(matrix)
        )
        self.save_matrix = save_matrix
        self.can_divide = not (
            plan.needs_everything
            or samples_from is not None
            or matrix is not None
            or save_matrix is not None
            or any(metric.needs_fit for metric in self.metrics)
        )

    def sources_of(self, first: int, part: NBest) -> Column | None:
        """The source texts of a part whose first segment is at this position."""
        if self.sources is None:
            return None
        end = first + len(part)
        if end > len(self.sources):
            raise other_length(self.sources, end, part.origin, or_more=True)
        return self.sources[first:end]

    def check_sources_end(self, segments: int, path: Path) -> None:
        """Raise an error if the source text has more segments than the list."""
        if self.sources is not None and len(self.sources) != segments:
            raise other_length(self.sources, segments, f"'{os.fspath(path)}'")

    def decision(
        self,
        nbest: NBest,
        samples: NBest | None,
        references: References | None,
        sources: Column | None,
        first: int = 0,
    ) -> Decision:
        """The decision on a part whose first segment is at this position."""
        if sources is not None and len(sources) != len(nbest):
            raise other_length(sources, len(nbest), nbest.origin)
        method, candidates = self.plan.method, len(nbest.texts)
        weights = self._metric_weights
        unit = min(1.0, max(weights))
        scored = None
        if references is not None or method == "qe":
            scored = scored_candidates(nbest, references, self.metrics, self.threads, sources)
        against = None if scored is None else scored.utilities(weights, candidates)
        oracle = None if against is None else _best_rows(nbest, against, unit=unit)
        compared = sizes = None
        if method == "rerank":
            worths, sizes = feature_sums(nbest, self.plan.weights)
            computed = pairs = 0
        elif method in ("oracle", "qe"):
            assert against is not None
            worths, computed, pairs = against, candidates, candidates
        else:
            pool = candidate_pool(
                nbest,
                samples,
                self.plan.posterior,
                self.plan.temperature,
                sources=sources,
                merged=method != "pruned",
            )
            metrics = fitted_metrics(self.metrics, nbest if samples is None else samples, pool.segments)
            found = self._utilities(pool, metrics, first)
            worths, computed, pairs = found.values[pool.distinct], found.scores, pool.pairs
            compared = found.compared[pool.distinct]
        chosen = _best_rows(nbest, worths, compared, sizes, unit)
        if method == "oracle" and self.plan.level == "corpus":
            assert scored is not None
            chosen = corpus_oracle(scored, nbest, chosen, [weight / unit for weight in weights])
        totals = []
        if scored is not None and oracle is not None and method != "qe":
            firsts = np.where(nbest.counts > 0, nbest.offsets[:-1], -1)
            totals = [
                Totals(metric, *(scored.total(index, rows) for rows in (firsts, chosen, oracle)))
                for index, metric in enumerate(scored.metrics)
            ]
        return Decision(
            nbest=nbest,
            plan=self.plan,
            metrics=self.metrics,
            chosen=chosen,
            utilities=self._on_own_scale(worths),
            order=_ranking(nbest, worths, chosen, compared),
            scores_computed=computed,
            pairs=pairs,
            totals=totals,
            first_segment=first,
        )

    def _utilities(self, pool: Any, metrics: list[Metric], first: int) -> Utilities:
        if self.plan.method == "pruned":
            return pruned_utilities(pool, metrics, self.plan, first, self.threads)
        if self.plan.method == "centroid":
            return centroid_utilities(pool, metrics, self.plan, first, self.threads)
        if self.plan.method == "aggregated":
            return aggregated_utilities(pool, metrics, self.plan, self.threads)
        matrix = self.matrix
        if matrix is not None:
            matrix.check(pool, metrics)
        elif self.save_matrix is not None:
            matrix = UtilityMatrix.of(pool, metrics, self.threads)
        found = exact_utilities(pool, metrics, self.plan, matrix, self.threads)
        if self.save_matrix is not None and matrix is not None:
            matrix.save(self.save_matrix)
        return found if self.matrix is None else replace(found, scores=0)

    @property
    def _metric_weights(self) -> tuple[float, ...]:
        """The utility by a single metric is its score, whatever its weight."""
        return (1.0,) if len(self.metrics) == 1 else self.plan.metric_weights or (1.0,) * len(self.metrics)

    def _on_own_scale(self, worths: Floats) -> Floats:
        """The utility by a single metric is its score, even if lower is better."""
        single = len(self.metrics) == 1 and self.plan.method != "rerank"
        return -worths if single and self.metrics[0].higher_is_better is False else worths


def _is_nothing(references: Any) -> bool:
    return isinstance(references, (list, tuple)) and not references


def _checked_metrics(metrics: Metrics, lang: str | None, plan: DecisionPlan) -> list[Metric]:
    chosen = chosen_metrics(metrics, lang)
    for metric in chosen:
        if metric.uses_models and metric.missing:  # a model that is not there does not say what it reads
            raise BadParameter(f"{metric.spec}: {metric.missing}")
        if plan.method == "qe" and metric.reads_references:
            compares = f"{metric.spec} compares with references, expected a reference-free metric for"
            such_as = "or a metric such as comet with a referenceless model."
            raise BadParameter(
                f"{compares} method='qe'. Use method='mbr', {such_as}",
                on_command_line=f"{compares} --method qe. Use --method mbr, {such_as}",
            )
        if plan.method == "qe" and metric.needs_fit:
            raise BadParameter(
                f"{metric.spec} scores a set of texts as a whole, so it cannot choose among candidates. Use a metric "
                "such as comet with a referenceless model."
            )
        if plan.method != "qe" and not metric.reads_references:
            raise BadParameter(
                f"{metric.spec} reads no references, so candidates have no utility by it. Use method='qe', or a metric "
                "such as chrf.",
                on_command_line=f"{metric.spec} reads no references, so candidates have no utility by it. Use --method "
                "qe, or a metric such as chrf.",
            )
    if plan.metric_weights is not None and len(plan.metric_weights) != len(chosen):
        raise BadParameter(
            f"metric_weights has {len(plan.metric_weights)} entries, expected {len(chosen)}, one per metric.",
            on_command_line=f"--metric-weight is given {len(plan.metric_weights)} times, expected {len(chosen)}: once "
            "per metric.",
        )
    return chosen


def _best_rows(
    nbest: NBest,
    worths: Floats,
    compared: NDArray[np.int64] | None = None,
    sizes: Floats | None = None,
    unit: float = 1.0,
) -> NDArray[np.int64]:
    """The row of the best candidate of each segment, the first of those that differ by rounding only; -1 if there are
    none. Only those that were compared most can be the best. `sizes` are those of the numbers that were added up, for
    worths in any unit; `unit` is the weight of one point of a metric.
    """
    chosen = np.full(len(nbest), -1, dtype=np.int64)
    filled = np.flatnonzero(nbest.counts)
    if not len(filled):
        return chosen
    starts, counts = nbest.offsets[filled], nbest.counts[filled]
    if compared is not None:
        most = np.maximum.reduceat(compared, starts)
        worths = np.where(compared < np.repeat(most, counts), -np.inf, worths)
    best = np.maximum.reduceat(worths, starts)
    size = np.maximum(unit, np.abs(best)) if sizes is None else np.maximum.reduceat(sizes, starts)
    tolerance = ROUNDING * size
    rows = np.flatnonzero(worths >= np.repeat(best - tolerance, counts))
    segments = np.searchsorted(nbest.offsets, rows, side="right") - 1
    found, first = np.unique(segments, return_index=True)
    chosen[found] = rows[first]
    return chosen


def _ranking(
    nbest: NBest, worths: Floats, chosen: NDArray[np.int64], compared: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """All rows, those of each segment from best to worst: the choice, then by comparisons survived and utility."""
    rows = np.arange(len(worths))
    segments = np.repeat(np.arange(len(nbest)), nbest.counts)
    others = np.ones(len(worths))
    others[chosen[chosen >= 0]] = 0
    survived = np.zeros(len(worths)) if compared is None else -compared
    return np.lexsort((rows, -worths, survived, others, segments))
