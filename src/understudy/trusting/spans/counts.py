"""Characters that two annotations of a translation have in common: the sums for precision, recall and F.

As in the error-span task of WMT25 (Lavie et al. 2025), a character counts once for each span that covers it. A
character that both annotations mark with the same severity is a full match, one with different severities a partial
match.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import SEVERITY_CREDIT
from understudy.corpus.error_spans import Spans

COLUMNS = (
    "human_minor",
    "human_major",
    "predicted_minor",
    "predicted_major",
    "both_minor",
    "both_major",
    "crossed",  # marked by both, with different severities
    "major_found",  # marked as major by people, and with any severity by the prediction
)


# What precision, recall and F are of: the name, and what is shown.
KINDS = {
    "all": "all errors",
    "place": "severity ignored",
    "major": "major",
    "minor": "minor",
    "major-found": "major, found as any",  # the major recall of AutoMQM (Fernandes et al. 2023); it has no precision
}
MEASURES = ("precision", "recall", "f1")


def counts(
    human: Spans, predicted: Spans, humans: NDArray[np.int64], predictions: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Counts of pairs of annotations [pairs, COLUMNS], given by number; -1 is an annotation without spans. Only span
    boundaries are visited, because nothing changes between them.
    """
    sides = [_of_pairs(human, humans), _of_pairs(predicted, predictions)]
    longest = 1 + max((int(spans.end.max(initial=0)) for spans in (human, predicted)), default=0)
    keys, steps = [], []
    for side, (spans, (pair, which)) in enumerate(zip((human, predicted), sides, strict=True)):
        channel = 2 * side + spans.major[which]
        for bounds, step in ((spans.start, 1), (spans.end, -1)):
            keys.append(pair * longest + bounds[which])
            steps.append(np.zeros((len(pair), 4), dtype=np.int64))
            steps[-1][np.arange(len(pair)), channel] = step
    places, which_place = np.unique(np.concatenate(keys), return_inverse=True)
    change = np.concatenate(steps)
    depth = np.stack(
        [np.bincount(which_place, change[:, channel], len(places)) for channel in range(4)], axis=1
    )
    minor, major, predicted_minor, predicted_major = depth.astype(np.int64).cumsum(axis=0).T
    both_minor, both_major = np.minimum(minor, predicted_minor), np.minimum(major, predicted_major)
    anywhere = np.minimum(minor + major, predicted_minor + predicted_major)
    values = (
        minor,
        major,
        predicted_minor,
        predicted_major,
        both_minor,
        both_major,
        anywhere - both_minor - both_major,
        np.minimum(major, predicted_minor + predicted_major),
    )
    # Behind the last boundary of a pair nothing is marked, however far the next pair is.
    lengths = np.diff(places, append=places[-1:])
    found = [np.bincount(places // longest, value * lengths, len(humans)) for value in values]
    return np.stack(found, axis=1).astype(np.int64)


def _of_pairs(spans: Spans, annotations: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The spans of these annotations: of which pair each is, and its number."""
    sizes = np.bincount(
        spans.annotation, minlength=len(spans.annotations) + 1
    )  # the last one, number -1, has none
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    many = sizes[annotations]
    pair = np.repeat(np.arange(len(annotations)), many)
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    return pair, first[annotations][pair] + within


def scores(sums: Floats, credit: float = SEVERITY_CREDIT) -> Floats:
    """Precision, recall and F1 [..., KINDS, MEASURES] of sums [..., COLUMNS]. Who marks nothing has a precision of 1;
    where there is nothing to find, recall is 1 (as in the task).
    """
    of = {name: sums[..., place] for place, name in enumerate(COLUMNS)}
    human, predicted = of["human_minor"] + of["human_major"], of["predicted_minor"] + of["predicted_major"]
    right = of["both_minor"] + of["both_major"]
    by_kind = {
        "all": (right + credit * of["crossed"], predicted, human),
        "place": (right + of["crossed"], predicted, human),
        "major": (of["both_major"], of["predicted_major"], of["human_major"]),
        "minor": (of["both_minor"], of["predicted_minor"], of["human_minor"]),
        "major-found": (of["major_found"], None, of["human_major"]),
    }
    found = np.full((*sums.shape[:-1], len(KINDS), len(MEASURES)), np.nan)
    for place, kind in enumerate(KINDS):
        both, marked, there = by_kind[kind]
        recall = _share(both, there)
        found[..., place, 1] = recall
        if marked is not None:
            precision = _share(both, marked)
            total = precision + recall
            found[..., place, 0] = precision
            found[..., place, 2] = np.where(
                total > 0, 2 * precision * recall / np.where(total > 0, total, 1), 0.0
            )
    return found


def _share(part: Floats, whole: Floats) -> Floats:
    return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1), 1.0))
