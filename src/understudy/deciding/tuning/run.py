"""`tune`: the weights of a log-linear model that optimize a metric on n-best lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from understudy.arrays import Floats, one_blas_thread
from understudy.deciding.tuning import error_rate_training, pairwise_ranking
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.counted_lists import counted, fingerprint, merged_lists
from understudy.deciding.tuning.held_out import HeldOut, Part, compared, folds_of, part_of, split
from understudy.deciding.tuning.objective import checked_metric_weights
from understudy.deciding.tuning.plan import TunePlan
from understudy.deciding.tuning.restrictions import Restrictions, restrictions
from understudy.deciding.tuning.results import Restart, Tuning
from understudy.deciding.tuning.starting_weights import starting_weights
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import refuse_unknown_keywords

Progress = Callable[[int], None]


def tune(
    nbest: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    sources: Any = None,
    lang: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **plan: Any,
) -> Tuning:
    """Tune the weights of a log-linear model on n-best lists: `NBest` objects or files, several of which are merged.

    Minimum error rate training (`method="mert"`) optimizes the corpus score of the candidates with the highest model
    score, for any metric; several metrics are combined with `metric_weights`. Pairwise ranking (`method="pro"`) learns
    from pairs of candidates. A fifth of the segments is held out and tells whether the gain holds on other text. `plan`
    has the settings of `TunePlan`. `sources` is the source text, for metrics that read it. `progress` is called with
    the number of searches finished since the last call.

    >>> from understudy import NBest
    >>> lists = NBest.of_texts(
    ...     [["a cat sat", "a cat sits"], ["the dogs bark", "the dog barks"]],
    ...     features={"lm": [[0.2, 0.1], [0.3, 0.4]], "length": [[3, 3], [3, 3]]},
    ... )
    >>> found = tune(lists, ["a cat sits", "the dogs bark"], "chrf", held_out=0, restarts=2)
    >>> found.weights["lm"] < 0, found.tuned_on.tuned > found.tuned_on.initial
    (True, True)
    """
    refuse_unknown_keywords(plan, tune, TunePlan)
    chosen_plan = TunePlan(**plan)
    chosen = chosen_metrics(metrics, lang)
    metric_weights = checked_metric_weights(chosen_plan.metric_weights, chosen)
    lists, duplicates = merged_lists(nbest)
    names = lists.feature_names
    initial = starting_weights(chosen_plan.start, names)
    allowed = restrictions(chosen_plan.bounds, chosen_plan.fix, names, initial)
    initial = allowed.clipped(allowed.normalized(initial))
    candidates = counted(
        lists,
        references,
        chosen,
        metric_weights,
        level=chosen_plan.level,
        segment_level=chosen_plan.method == "pro",
        sources=sources,
        threads=threads,
    )
    with one_blas_thread():
        tuned = _Tuned(candidates, initial, allowed, chosen_plan, progress)
    return Tuning(
        weights=_named(names, tuned.weights),
        initial=_named(names, initial),
        method=chosen_plan.method,
        objective=candidates.objective.formula,
        label=candidates.objective.label,
        better=candidates.objective.better,
        point=candidates.objective.point,
        metrics=tuple(metric.spec for metric in chosen),
        labels=tuple(metric.label for metric in chosen),
        metric_weights=metric_weights,
        signatures=candidates.objective.signatures,
        segments=len(lists),
        candidates=len(lists.texts),
        duplicates=duplicates,
        references=max(template.references for template in candidates.objective.templates),
        features=fingerprint(lists),
        restarts=tuple(
            Restart(_named(names, weights), value, held_out) for weights, value, held_out in tuned.restarts
        ),
        tuned_on=tuned.tuned_on,
        held_out=tuned.held_out,
        refitted=chosen_plan.refit,
        normalized=allowed.free_scale,
        constant=tuple(name for name, varies in zip(names, candidates.varies, strict=True) if not varies),
        float_statistics=any(each.dtype != np.int64 for each in candidates.counts),
        seed=chosen_plan.seed,
        samples=chosen_plan.samples,
    )


def _named(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


class _Tuned:
    """The searches on the tuning part, and the check on the other."""

    def __init__(
        self,
        candidates: Candidates,
        initial: Floats,
        allowed: Restrictions,
        plan: TunePlan,
        progress: Progress | None,
    ) -> None:
        self._initial, self._allowed, self._plan, self._progress = initial, allowed, plan, progress
        self.held_out: HeldOut | None = None
        tuning, other = candidates, None
        if plan.folds is not None:
            self.held_out = self._cross_validated(candidates, plan.folds)
        elif plan.share_held_out > 0:
            tuning, other = map(candidates.among, split(len(candidates), plan.share_held_out, plan.seed))
        found = self._searched(tuning)
        best = _best(tuning, found)
        if other is not None:
            self.held_out = self._compared(other, self._chosen(other, found[best]))
            if plan.refit:
                tuning, other = candidates, None
                found = self._searched(tuning)
                best = _best(tuning, found)
        self.weights = found[best]
        self.tuned_on: Part = part_of(
            tuning, self._chosen(tuning, initial), self._chosen(tuning, self.weights)
        )
        self.restarts = [
            (
                weights,
                tuning.value(weights * tuning.scales),
                None if other is None else other.value(weights * other.scales),
            )
            for weights in found
        ]

    def _searched(self, candidates: Candidates) -> list[Floats]:
        """The weights of every run, normalized, for features as they are in the files."""
        scales = candidates.scales
        start, allowed = self._initial * scales, self._allowed.scaled(scales)
        found = []
        for number in range(self._plan.runs):
            if self._plan.method == "mert":
                weights = error_rate_training.trained(
                    candidates,
                    start,
                    allowed,
                    number=number,
                    directions=self._plan.directions,
                    seed=self._plan.seed,
                )
            else:
                weights = pairwise_ranking.ranked(
                    candidates,
                    start,
                    allowed,
                    number=number,
                    interpolation=self._plan.interpolation,
                    seed=self._plan.seed,
                )
            found.append(self._allowed.clipped(self._allowed.normalized(weights / scales)))
            if self._progress:
                self._progress(1)
        return found

    def _cross_validated(self, candidates: Candidates, count: int) -> HeldOut:
        segments = np.arange(len(candidates))
        initial, tuned = self._chosen(candidates, self._initial), np.empty(len(candidates), dtype=np.int64)
        for fold in folds_of(len(candidates), count, self._plan.seed):
            rest = candidates.among(np.setdiff1d(segments, fold))
            found = self._searched(rest)
            tuned[fold] = self._chosen(candidates, found[_best(rest, found)])[fold]
        return self._compared(candidates, tuned, initial, folds=count)

    def _compared(
        self, candidates: Candidates, tuned: Any, initial: Any = None, folds: int | None = None
    ) -> HeldOut:
        return compared(
            candidates,
            self._chosen(candidates, self._initial) if initial is None else initial,
            tuned,
            samples=self._plan.samples,
            seed=self._plan.seed,
            significance=self._plan.significance,
            folds=folds,
        )

    @staticmethod
    def _chosen(candidates: Candidates, weights: Floats) -> Any:
        return candidates.chosen(weights * candidates.scales)


def _best(candidates: Candidates, found: Sequence[Floats]) -> int:
    """The first of the best."""
    return int(np.argmax([candidates.worth(weights * candidates.scales) for weights in found]))
