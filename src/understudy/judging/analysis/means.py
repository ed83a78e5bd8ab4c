"""The mean of each system, with Student's t interval over segments.

A segment counts once, with the mean over its judges, however many they are. The interval is about other segments and
these judges: segments are taken to be independent draws, or whole documents where they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.choices import CONFIDENCE
from understudy.judging.analysis.clustered import clustered_error
from understudy.judging.analysis.own_means import OwnMeans
from understudy.judging.estimates import Estimate
from understudy.judging.judgments import Places, Ratings, combined
from understudy.resampling.intervals import check_confidence, student_intervals

NO_JUDGMENTS = "no judgments"
ONE_SYSTEM = "only one system was judged"
ALL_EQUAL = "all segments have the same mean: variance across segments cannot be estimated"
ONE_SEGMENT = "judgments of one segment only: variance across segments cannot be estimated"


@dataclass(frozen=True)
class SystemMean:
    """The mean of one system."""

    system: str
    judgments: int  # of each judge and segment once
    segments: int
    mean: Estimate


def system_means(
    ratings: Ratings,
    systems: Sequence[str],
    *,
    documents: Sequence[str] | None = None,
    confidence: float = CONFIDENCE,
) -> tuple[SystemMean, ...]:
    """In the order of the systems. `documents` names the document of each segment: then these are independent, and
    segments of one document need not be.

    >>> ratings = Ratings.of(judge=[0, 1, 0], system=[0, 0, 0], segment=[0, 0, 1], value=[1.0, 3.0, 4.0])
    >>> (found,) = system_means(ratings, ["A"])
    >>> found.mean.value, found.judgments, found.segments
    (3.0, 3, 2)
    """
    check_confidence(confidence)
    own = OwnMeans.of(ratings)
    segments = int(own.segment.max(initial=-1)) + 1
    by_segment = own.segment_means(len(systems), segments)
    judgments = np.bincount(own.system, minlength=len(systems))
    cluster = np.arange(segments) if documents is None else combined(np.array(documents))[:segments]
    return tuple(
        _of_system(name, int(judgments[place]), by_segment[place], cluster, confidence)
        for place, name in enumerate(systems)
    )


def _of_system(
    name: str, judgments: int, of_segments: np.ndarray, cluster: Places, confidence: float
) -> SystemMean:
    known = ~np.isnan(of_segments)
    values = of_segments[known]
    if not len(values):
        return SystemMean(name, 0, 0, Estimate.absent(NO_JUDGMENTS))
    mean = float(values.mean())
    error = clustered_error(values, cluster[known])
    if error is None or error[0] == 0:
        reason = ONE_SEGMENT if error is None else ALL_EQUAL
        return SystemMean(name, judgments, len(values), Estimate(mean, no_interval=reason))
    (interval,) = student_intervals(
        np.array([mean]), np.array([error[0]]), np.array([float(error[1])]), confidence
    )
    return SystemMean(name, judgments, len(values), Estimate(mean, interval))
