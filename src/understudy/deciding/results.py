"""What was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.corpus.nbest import NBest
from understudy.deciding.plan import DecisionPlan
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score
from understudy.metrics.base.statistics import Statistics
from understudy.renderable import Renderable

UTILITY, INDEX = "utility", "index"  # features of a ranked list


@dataclass(frozen=True)
class Totals:
    """The statistics of one metric against the references, summed over segments, of three choices."""

    metric: Metric
    first: Statistics
    chosen: Statistics
    oracle: Statistics  # the best segment score by the metrics of the decision

    @property
    def scores(self) -> dict[str, Score]:
        """Corpus scores."""
        return {
            name: self.metric.corpus_score(total)
            for name, total in (("first", self.first), ("chosen", self.chosen), ("oracle", self.oracle))
        }

    @property
    def signature(self) -> str:
        """Of the corpus scores, unlike that of the utility, which is a segment score."""
        return str(self.metric.corpus_score(self.chosen).signature)

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.metric, self.first + other.first, self.chosen + other.chosen, self.oracle + other.oracle
        )


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Renderable):
    """The chosen candidate of every segment of an n-best list, and the utilities of all."""

    nbest: NBest
    plan: DecisionPlan
    metrics: list[Metric]
    chosen: NDArray[np.int64]  # rows of the list; -1 for a segment without candidates
    utilities: Floats  # of every row, on the scale of `utility_is`
    order: NDArray[np.int64]  # rows of the list, each segment's from best to worst
    scores_computed: int  # by each metric
    pairs: int  # of a candidate and a pseudo-reference; reference or model score for oracle and rerank
    totals: list[Totals] = field(default_factory=list)  # against the references, if there are any
    first_segment: int = 0  # its position, in a part of a longer list

    @property
    def texts(self) -> list[str]:
        """The chosen translations; an empty one for a segment without candidates."""
        return ["" if row < 0 else self.nbest.texts[row] or "" for row in self.chosen.tolist()]

    @property
    def indices(self) -> list[int | None]:
        """The number of the chosen candidate in its list, from 1 on."""
        starts = self.nbest.offsets[:-1].tolist()
        return [
            None if row < 0 else row - start + 1
            for row, start in zip(self.chosen.tolist(), starts, strict=True)
        ]

    @property
    def utility_is(self) -> str:
        """What the utility is, in words."""
        if self.plan.method == "rerank":
            return "weighted sum of features" if self.plan.weights is not None else "model score"
        if len(self.metrics) > 1:
            return f"weighted sum of {', '.join(metric.spec for metric in self.metrics)} (higher is better)"
        (metric,) = self.metrics
        if metric.higher_is_better is None:
            return f"-|{metric.spec} - {metric.target:g}| (higher is better)"
        return metric.spec

    @property
    def changed(self) -> int:
        """The number of choices whose text differs from that of the first candidate."""
        return sum(
            row >= 0 and self.nbest.texts[row] != self.nbest.texts[start]
            for row, start in zip(self.chosen.tolist(), self.nbest.offsets[:-1].tolist(), strict=True)
        )

    def ranked(self) -> NBest:
        """All candidates from best to worst, with their utility and their former place in the list as features."""
        ranked = self.nbest.without_features((UTILITY, INDEX)).rows(self.order, self.nbest.offsets)
        places = np.arange(len(self.order)) - np.repeat(self.nbest.offsets[:-1], self.nbest.counts)
        return ranked.with_features(
            {UTILITY: self.utilities[self.order], INDEX: (places[self.order] + 1).astype(np.float64)}
        )

    def summary(self) -> Summary:
        """Counts and scores of the whole decision."""
        values = self.utilities[self.chosen[self.chosen >= 0]]
        return Summary(
            segments=len(self.chosen),
            empty=int((self.chosen < 0).sum()),
            candidates=len(self.nbest.texts),
            changed=self.changed,
            utility_sum=float(values.sum()),
            scores_computed=self.scores_computed,
            pairs=self.pairs,
            totals=self.totals,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as dictionaries, lists, texts and numbers."""
        rows = zip(self.texts, self.indices, self.chosen.tolist(), strict=True)
        return {
            "method": self.plan.method,
            "utility": self.utility_is,
            "metrics": [
                {"spec": metric.spec, "signature": str(metric.signature(aggregate="segment"))}
                for metric in self.metrics
            ],
            "summary": self.summary().to_dict(),
            "segments": [
                {
                    "segment": number,
                    "text": text,
                    "index": index,
                    "utility": None if row < 0 else float(self.utilities[row]),
                    "utilities": self.utilities[begin:end].tolist(),
                }
                for number, ((text, index, row), begin, end) in enumerate(
                    zip(rows, self.nbest.offsets[:-1].tolist(), self.nbest.offsets[1:].tolist(), strict=True),
                    start=self.first_segment + 1,
                )
            ],
        }


@dataclass(frozen=True)
class Summary:
    """What the parts of a decision add up to."""

    segments: int
    empty: int  # segments without candidates
    candidates: int
    changed: int
    utility_sum: float
    scores_computed: int
    pairs: int
    totals: Sequence[Totals]

    @property
    def mean_utility(self) -> float | None:
        """The mean utility of the chosen candidates."""
        return self.utility_sum / (self.segments - self.empty) if self.segments > self.empty else None

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            segments=self.segments + other.segments,
            empty=self.empty + other.empty,
            candidates=self.candidates + other.candidates,
            changed=self.changed + other.changed,
            utility_sum=self.utility_sum + other.utility_sum,
            scores_computed=self.scores_computed + other.scores_computed,
            pairs=self.pairs + other.pairs,
            totals=[one + another for one, another in zip(self.totals, other.totals, strict=True)],
        )

    def to_dict(self) -> dict[str, Any]:
        """As dictionaries, texts and numbers."""
        return {
            "segments": self.segments,
            "segments without candidates": self.empty,
            "candidates": self.candidates,
            "changed": self.changed,
            "mean utility": self.mean_utility,
            "scores computed": self.scores_computed,
            "pairs": self.pairs,
            "corpus scores": [
                {
                    "metric": each.metric.spec,
                    **{name: score.value for name, score in each.scores.items()},
                    "signature": each.signature,
                }
                for each in self.totals
            ],
        }
