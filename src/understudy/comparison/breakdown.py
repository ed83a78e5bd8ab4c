"""Breakdown: where systems differ, as data that every report can show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bucket:
    """Segments that have something in common, and what each system scores on them."""

    label: str  # such as "10 to 19 words"
    segments: int
    scores: dict[str, float]  # by system


@dataclass(frozen=True)
class Bucketing:
    """All segments (or all words) in buckets, in an order that means something."""

    title: str  # such as "length of the reference"
    unit: str  # what is in the buckets: segments or words
    metric: str  # the label of what is scored, such as BLEU or recall of words
    buckets: list[Bucket]


@dataclass(frozen=True)
class NgramDifference:
    """An n-gram of the references that one system gets more often than another."""

    ngram: str
    order: int
    in_references: int
    matches: dict[str, int]  # by system: in how many places it has what a reference has


@dataclass(frozen=True)
class SegmentView:
    """One segment as a reader sees it: all texts side by side, and what the metrics say."""

    number: int  # from 1
    references: list[str]
    outputs: dict[str, str]  # by system
    scores: dict[str, dict[str, float]]  # by metric's spec, then by system
    document: str | None = None

    @property
    def length(self) -> float:
        """How many characters a reference has, the mean of several; without references an output; without texts 1, so
        that all segments weigh the same.
        """
        texts = self.references or list(self.outputs.values())
        return sum(map(len, texts)) / len(texts) if texts else 1.0


@dataclass(frozen=True)
class Breakdown:
    """Where systems differ."""

    bucketings: list[Bucketing]
    ngrams: list[NgramDifference]  # the largest differences first
    segments: list[SegmentView]  # all of them, in the order of the corpus
    language: str | None = None  # of all texts, where it is known: a tag such as de or pt-BR
