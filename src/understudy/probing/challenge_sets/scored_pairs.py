"""ScoredPairs: the scores of good and incorrect translations, under metrics computed here and scores of other tools."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import ROUNDING, Floats
from understudy.corpus.challenge_sets import ChallengeSet, TranslationPair
from understudy.corpus.columns import as_references
from understudy.corpus.pair_scores import read_pair_scores
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.wording import number_of

_NO_REFERENCE = "without a reference"  # why a pair is left out


@dataclass(frozen=True)
class PairMetric:
    """A metric that compares the translations."""

    label: str  # in tables
    spec: str  # of scores of another tool: its name
    higher_is_better: bool | None
    computed: Metric | None = None  # None: scores of another tool

    def worth(self, scores: Floats) -> Floats:
        """On a scale where higher is better."""
        if self.computed is not None:
            return np.asarray(self.computed.worth(scores))
        return scores if self.higher_is_better else -scores


@dataclass(frozen=True, eq=False)
class ScoredPairs:
    """The pairs that all metrics score."""

    metrics: tuple[PairMetric, ...]
    pairs: tuple[TranslationPair, ...]
    scores: Floats  # [metrics, pairs, 2]: of the good and of the incorrect translations
    left_out: Mapping[str, int]  # pairs, by reason

    @cached_property
    def costs(self) -> Floats:
        """What the error costs [metrics, pairs]: good minus incorrect, higher being better. Rounding is no cost."""
        worths = np.stack([metric.worth(of) for metric, of in zip(self.metrics, self.scores, strict=True)])
        costs = worths[..., 0] - worths[..., 1]
        sizes = np.abs(self.scores).max(axis=-1)
        return np.where(np.abs(costs) <= ROUNDING * sizes, 0.0, costs)

    @cached_property
    def right(self) -> NDArray[np.bool_]:
        """Whether the good translation scores higher [metrics, pairs]."""
        return self.costs > 0

    @cached_property
    def phenomena(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pair.phenomenon for pair in self.pairs))

    @cached_property
    def phenomenon_of(self) -> NDArray[np.intp]:
        """The phenomenon of each pair, by its position."""
        return _positions(pair.phenomenon for pair in self.pairs)

    @cached_property
    def segment_of(self) -> NDArray[np.intp]:
        """The segment of each pair, by its position."""
        return _positions(pair.segment for pair in self.pairs)


def score_pairs(
    challenge: ChallengeSet,
    metrics: Sequence[Metric],
    scores: Any,
    *,
    lower_is_better: Sequence[str],
    by_language: bool,
    threads: int | None,
) -> ScoredPairs:
    """Score all pairs that have what the metrics need. With `by_language`, metrics use the language of each pair."""
    for metric in metrics:
        if not metric.reads_references and metric.needs_fit:
            raise BadParameter(
                f"{metric.spec} compares texts with each other, not pairs of translations. Use another metric."
            )
    others = _of_other_tools(challenge, scores)
    _check_lower_is_better(lower_is_better, list(others))
    if not metrics and not others:
        raise BadParameter("nothing to compare. Give metrics, or files of scores.")
    kept, left_out = _complete(challenge, metrics, others)
    pairs = tuple(challenge.pairs[place] for place in kept)
    computed = _computed(pairs, metrics, by_language=by_language, threads=threads)
    labels = [*(metric.label for metric in metrics), *others]
    return ScoredPairs(
        (
            *(
                PairMetric(
                    metric.label if labels.count(metric.label) == 1 else metric.spec,
                    metric.spec,
                    metric.higher_is_better,
                    metric,
                )
                for metric in metrics
            ),
            *(PairMetric(name, name, name not in lower_is_better) for name in others),
        ),
        pairs,
        np.concatenate([computed, *(of_tool[np.newaxis, kept] for of_tool in others.values())]),
        {**challenge.left_out, **left_out},
    )


# --- scores of other tools -----------------------------------------------------------------------------------


def _of_other_tools(challenge: ChallengeSet, scores: Any) -> dict[str, Floats]:
    """Scores beside the translations, and those in other files or tables."""
    found = dict(challenge.scores)
    for given in _listed(scores):
        for name, read in read_pair_scores(given, challenge).items():
            if name in found:
                raise BadParameter(
                    f"metric '{name}' is in two files of scores. Rename or remove one of them."
                )
            found[name] = read
    return found


def _listed(scores: Any) -> Sequence[Any]:
    if scores is None:
        return ()
    return (
        scores
        if isinstance(scores, (list, tuple)) and not isinstance(scores, (str, os.PathLike))
        else [scores]
    )


def _check_lower_is_better(names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise BadParameter(f"unknown metric '{name}' in the scores. {did_you_mean(name, known)}")


def _complete(
    challenge: ChallengeSet, metrics: Sequence[Metric], others: Mapping[str, Floats]
) -> tuple[NDArray[np.intp], dict[str, int]]:
    """The positions of pairs that all metrics can score, and the number of others by reason."""
    reasons: Counter[str] = Counter()
    reading = [metric for metric in metrics if metric.reads_references]
    lacking: dict[str, list[bool]] = {
        name: np.isnan(of_tool.sum(axis=1)).tolist() for name, of_tool in others.items()
    }
    kept = []
    for place, pair in enumerate(challenge.pairs):
        unscored = next((name for name in lacking if lacking[name][place]), None)
        if reading and not pair.references:
            reasons[_NO_REFERENCE] += 1
        elif unscored is not None:
            reasons[f"without a score of {unscored}"] += 1
        else:
            kept.append(place)
    if not kept:
        if reasons[_NO_REFERENCE] == len(challenge.pairs):
            raise BadInput(
                f"'{challenge.name}' has no references, which {reading[0].spec} needs. Add a column 'reference', or "
                "give scores of a reference-free metric and no other metrics."
            )
        reason = ", ".join(f"{count:,} {name}" for name, count in reasons.items())
        raise BadInput(f"'{challenge.name}': no pair can be scored by all metrics: {reason}.")
    return np.array(kept, dtype=np.intp), dict(reasons)


# --- metrics computed here -----------------------------------------------------------------------------------


def _computed(
    pairs: Sequence[TranslationPair], metrics: Sequence[Metric], *, by_language: bool, threads: int | None
) -> Floats:
    """The scores [metrics, pairs, 2]. Pairs of the same language are scored together, and equal texts once."""
    found = np.empty((len(metrics), len(pairs), 2))
    groups: dict[str | None, list[int]] = {}
    for place, pair in enumerate(pairs):
        groups.setdefault(pair.language if by_language else None, []).append(place)
    for language, places in groups.items():
        texts: dict[tuple[str, tuple[str, ...]], int] = {}
        rows = [
            [
                texts.setdefault((text, pairs[place].references), len(texts))
                for text in (pairs[place].good, pairs[place].incorrect)
            ]
            for place in places
        ]
        for number, metric in enumerate(metrics):
            scores = _scores(
                metric if language is None else metric.for_language(language), list(texts), threads
            )
            if not np.isfinite(scores).all():
                raise BadInput(
                    f"{metric.spec}: no score for {number_of(int((~np.isfinite(scores)).sum()), 'translation')}."
                )
            found[number, places] = scores[np.array(rows)]
    return found


def _scores(metric: Metric, texts: Sequence[tuple[str, tuple[str, ...]]], threads: int | None) -> Floats:
    hypotheses = Column.from_strings([text for text, _ in texts])
    if not metric.reads_references:
        return metric.segments(hypotheses, threads=threads)
    references = [list(of_text) for _, of_text in texts]
    # Once for each segment, however many errors it has.
    fitted = metric.fit(list(map(list, dict.fromkeys(of_text for _, of_text in texts))))
    return fitted.segments(hypotheses, as_references(references), threads=threads)


def _positions(names: Iterable[str]) -> NDArray[np.intp]:
    known: dict[str, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)
