"""Segments with their hypotheses, references and segment scores."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.breakdown.results import SegmentView
from understudy.corpus.columns import References
from understudy.corpus.score_files import SegmentScores
from understudy.errors import LengthMismatch
from understudy.metrics.base.metric import Metric
from understudy.scoring.counted_systems import CountedSystems


def segment_views(
    counted: CountedSystems, references: References, documents: Sequence[str] | None
) -> list[SegmentView]:
    """All segments. For a system with several runs, the text is from the first run, and the score is the mean of all
    runs.
    """
    corpus = counted.corpus
    shown = {system: corpus[runs[0]] for system, runs in corpus.runs.items()}
    scores = {
        evidence.metric.spec: (evidence.systems, evidence.segment_scores.T.tolist())
        for evidence in counted.evidence
        if evidence.metric is not None
    }
    return [
        SegmentView(
            row + 1,
            references[row],
            {system: column[row] or "" for system, column in shown.items()},
            {
                spec: dict(zip(systems, by_segment[row], strict=True))
                for spec, (systems, by_segment) in scores.items()
            },
            None if documents is None else documents[row],
            None if corpus.sources is None else corpus.sources[row] or "",
        )
        for row in range(len(references))
    ]


def views_of_scores(scores: SegmentScores) -> list[SegmentView]:
    """The segments of a score file, without texts. All metrics must have the same segments."""
    lengths = {metric: len(next(iter(systems.values()))) for metric, systems in scores.items()}
    first = next(iter(lengths))
    for metric, length in lengths.items():
        if length != lengths[first]:
            raise LengthMismatch(
                f"'{metric}' has {length:,} segments, '{first}' has {lengths[first]:,}. A report needs the same "
                "segments for all metrics. Use one score file per test set."
            )
    return [
        SegmentView(
            row + 1,
            [],
            {},
            {
                metric: {system: float(values[row]) for system, values in systems.items()}
                for metric, systems in scores.items()
            },
        )
        for row in range(lengths[first])
    ]


def most_different(
    segments: Sequence[SegmentView], metric: Metric, *, baseline: str | None = None, limit: int | None = None
) -> list[SegmentView]:
    """The segments in order of the largest score difference, between any two systems or to the baseline. Differences
    are weighted by segment length, because very short segments hardly affect the corpus score.
    """

    def difference(segment: SegmentView) -> float:
        worths = {system: float(metric.worth(score)) for system, score in segment.scores[metric.spec].items()}
        if baseline is None:
            apart = max(worths.values()) - min(worths.values())
        else:
            apart = max(abs(worth - worths[baseline]) for worth in worths.values())
        return apart * segment.length

    return sorted(segments, key=lambda segment: -difference(segment))[:limit]
