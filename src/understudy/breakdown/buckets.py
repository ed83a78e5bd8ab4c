"""Buckets of segments by length, difficulty, document or another label, and the score of each system on them.

The score of a bucket is computed from the sum of its segments' counts. Nothing is counted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.breakdown.results import Bucket, Bucketing
from understudy.breakdown.tokenized import TokenizedCorpus
from understudy.corpus.segment_label_files import Labeling
from understudy.resampling.evidence import Evidence

_LENGTHS = (10, 20, 30, 40, 50, 60)  # where buckets of lengths begin, in words; the first begins at 0

_DIFFERENCES = (-9.5, -4.5, -1.5, 1.5, 4.5, 9.5)  # between buckets of differences of lengths
_DIFFERENCE_NAMES = (
    "10 or more words shorter",
    "5 to 9 words shorter",
    "2 to 4 words shorter",
    "within 1 word",
    "2 to 4 words longer",
    "5 to 9 words longer",
    "10 or more words longer",
)

_QUARTERS = ("hardest quarter", "second quarter", "third quarter", "easiest quarter")


@dataclass(frozen=True, eq=False)
class Grouping:
    """The bucket of each segment."""

    title: str
    names: Sequence[str]  # of the buckets, in an order that means something
    bucket_of: NDArray[np.intp]  # [segments]

    def scored(self, evidence: Evidence, label: str) -> Bucketing:
        """The score of each system in each nonempty bucket. `label` names the metric."""
        used, numbers, sizes = np.unique(self.bucket_of, return_inverse=True, return_counts=True)
        scores = evidence.over_runs(evidence.score(evidence.sums_of_groups(numbers)))  # [buckets, systems]
        return Bucketing(
            self.title,
            "segments",
            label,
            [
                Bucket(
                    self.names[bucket],
                    int(sizes[row]),
                    dict(zip(evidence.systems, scores[row].tolist(), strict=True)),
                )
                for row, bucket in enumerate(used.tolist())
            ],
        )


def by_length(corpus: TokenizedCorpus) -> Grouping:
    """By the number of words in the reference; the mean of several references."""
    lengths = [np.mean([len(words) for words in references]) for references in corpus.references]
    several = any(len(references) > 1 for references in corpus.references)
    return Grouping(
        "mean reference length" if several else "reference length",
        [f"{name} words" for name in range_names(_LENGTHS)],
        np.digitize(lengths, _LENGTHS),
    )


def by_length_difference(corpus: TokenizedCorpus, system: str, runs: Sequence[str]) -> Grouping:
    """By the length difference of one system's hypothesis to the reference closest in length, as in BLEU. All systems
    are scored on the same segments.
    """
    differences = np.mean([_differences(corpus, run) for run in runs], axis=0)
    return Grouping(
        f"length difference, {system} minus reference",
        _DIFFERENCE_NAMES,
        np.digitize(differences, _DIFFERENCES),
    )


def _differences(corpus: TokenizedCorpus, run: str) -> list[int]:
    found = []
    for words, references in zip(corpus.outputs[run], corpus.references, strict=True):
        # Equal distance: the shorter reference counts (Papineni et al. 2001, section 2.2.2).
        closest = min((len(reference) for reference in references), key=lambda n: (abs(n - len(words)), n))
        found.append(len(words) - closest)
    return found


def by_difficulty(evidence: Evidence, label: str) -> Grouping:
    """By the mean segment score of all systems. The scores of one system alone would bias its own buckets by regression
    to the mean.
    """
    worth: Floats = evidence.worth(evidence.segment_scores).mean(axis=0)
    rank = np.empty(len(worth), dtype=np.intp)
    rank[np.argsort(worth, kind="stable")] = np.arange(len(worth))
    return Grouping(f"difficulty (mean segment {label})", _QUARTERS, rank * len(_QUARTERS) // len(worth))


def by_label(labeling: Labeling) -> Grouping:
    """By label, in order of first occurrence."""
    names = list(dict.fromkeys(labeling.labels))
    numbers = {name: number for number, name in enumerate(names)}
    return Grouping(labeling.title, names, np.array([numbers[label] for label in labeling.labels]))


def range_names(starts: Sequence[int]) -> list[str]:
    """Names of the ranges between these numbers.

    >>> range_names((1, 2, 5))
    ['0', '1', '2 to 4', '5 or more']
    """
    edges = [0, *starts]
    between = [f"{low:,}" if high - low == 1 else f"{low:,} to {high - 1:,}" for low, high in pairwise(edges)]
    return [*between, f"{edges[-1]:,} or more"]
