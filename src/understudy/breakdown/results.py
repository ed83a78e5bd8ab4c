"""Breakdown: the results of `break_down`, for all reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from understudy.equality import EqualByValue
from understudy.metrics.base.metric import Metric
from understudy.renderable import Renderable


@dataclass(frozen=True, eq=False)
class Bucket(EqualByValue):
    """Segments (or words) with a common property, and the score of each system on them."""

    label: str  # such as "10 to 19 words"
    segments: int  # or words of the references
    scores: dict[str, float]  # by system; not a number where it has nothing to be scored
    # By system, where that is not the same for all: what its score is a share of, such as its own words for precision;
    # of several runs the mean.
    denominators: dict[str, float] | None = None

    def size(self, system: str) -> float:
        """The denominator of a system's score: an integer, except for means over runs."""
        size = self.segments if self.denominators is None else self.denominators[system]
        return int(size) if size == int(size) else size


@dataclass(frozen=True)
class Bucketing:
    """All segments (or words) in ordered buckets."""

    title: str  # such as "length of the reference"
    unit: str  # what is in the buckets: segments or words
    metric: str  # the label of what is scored, such as BLEU or recall of words
    buckets: list[Bucket]
    counted: str = ""  # which words are in the buckets, where they are words


@dataclass(frozen=True)
class NgramDifference:
    """A reference n-gram that one system matches more often than another."""

    ngram: str
    order: int
    in_references: int
    matches: dict[str, int]  # by system: in how many places it has what a reference has


@dataclass(frozen=True)
class SegmentView:
    """One segment with all texts and segment scores."""

    number: int  # from 1
    references: list[str]
    outputs: dict[str, str]  # by system
    scores: dict[str, dict[str, float]]  # by metric's spec, then by system
    document: str | None = None
    source: str | None = None  # what was translated, where it is given

    @property
    def length(self) -> float:
        """Number of characters of the reference, the mean over several; without references, of a hypothesis; without
        texts, 1, so that all segments have the same weight.
        """
        texts = self.references or list(self.outputs.values())
        return sum(map(len, texts)) / len(texts) if texts else 1.0


@dataclass(frozen=True, eq=False, repr=False)
class Breakdown(Renderable):
    """Where systems differ."""

    bucketings: list[Bucketing]
    ngrams: list[NgramDifference]  # the largest differences first
    segments: list[SegmentView]  # all of them, in the order of the corpus
    language: str | None = None  # of all texts, where it is known: a tag such as de or pt-BR
    metrics: Sequence[Metric] = ()  # of which the first says which segments differ most
    baseline: str | None = None  # the system that the others are compared with; None: every two
