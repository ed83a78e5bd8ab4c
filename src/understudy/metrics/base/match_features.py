"""Matched, extra and missed n-grams, headword chains or subtrees of a translation, as features of a linear model.

A part of a translation is matched (its clipped count, as in BLEU, HWCM and STM), extra (in the hypothesis, but not
matched) or missed (in a reference, but not in the hypothesis). The value of a feature is a share of all parts of the
same order: of those of the hypothesis for matched and extra parts, and of those of the reference for missed parts, as a
mean over the references. Long and short segments thus have values of the same size, and the values of all matched parts
of an order sum to its clipped precision: with equal weights, the model is the plain metric, HWCM or STM, or BLEU with
an arithmetic mean and without brevity penalty.

Each part has a hash of 64 bits as its name, which is the same on every machine (core/features/part_numbers.h).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.metrics.base.tree_overlap import TreeOverlap
from understudy.metrics.base.words import WordMetric

FEATURE_KINDS = ("matched", "extra", "missed")  # in the order of the core

Ids = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class MatchFeatures:
    """The features of all segments: those of segment i are offsets[i] to offsets[i + 1]."""

    offsets: NDArray[np.int64]
    ids: Ids  # hashes, ascending within a segment
    values: Floats
    shares: Floats  # [segments, orders, kinds]: of all parts of an order together
    unparsed: NDArray[np.int64]  # [segments]: 1 for text without a tree

    @property
    def segment(self) -> NDArray[np.intp]:
        """The segment of every feature."""
        return np.repeat(np.arange(len(self.shares)), np.diff(self.offsets))


def buckets_of(ids: Ids, bits: int) -> NDArray[np.intp]:
    """The buckets of hashes, each one of 2^bits: their last bits."""
    return (ids & np.uint64((1 << bits) - 1)).astype(np.intp)


class FeatureName(NamedTuple):
    """What a hash stands for."""

    kind: str
    order: int  # words of an n-gram or a chain, levels of a subtree
    text: str


class FeatureSource(Protocol):
    """A metric of which features can be made."""

    def features(self, hypotheses: Column, references: References, threads: int) -> MatchFeatures:
        """The features of every segment."""

    def names(self, hypotheses: Column, references: References, ids: Ids) -> dict[int, FeatureName]:
        """What these hashes stand for, as far as these texts have it."""

    @property
    def orders(self) -> int:
        """The maximum order."""


@dataclass(frozen=True)
class NgramSource:
    """The n-grams of a word-based metric."""

    metric: WordMetric
    orders: int

    def features(self, hypotheses: Column, references: References, threads: int) -> MatchFeatures:
        shares = _no_shares(hypotheses, self.orders)
        arrays = _core.ngram_features(
            *self.metric.prepared(hypotheses, references),
            shares,
            **self.metric.reading,
            max_order=self.orders,
            threads=threads,
        )
        return MatchFeatures(*arrays, shares, np.zeros(len(hypotheses), dtype=np.int64))

    def names(self, hypotheses: Column, references: References, ids: Ids) -> dict[int, FeatureName]:
        return _named(
            _core.ngram_feature_names(
                *self.metric.prepared(hypotheses, references),
                ids,
                **self.metric.reading,
                max_order=self.orders,
            )
        )


@dataclass(frozen=True)
class TreeSource:
    """The headword chains or subtrees of a syntax-based metric."""

    metric: TreeOverlap

    @property
    def orders(self) -> int:
        return self.metric.max_depth

    def features(self, hypotheses: Column, references: References, threads: int) -> MatchFeatures:
        trees, reference_trees, unparsed = self.metric.trees(hypotheses, references, threads)
        shares = _no_shares(hypotheses, self.orders)
        bad, arrays = _core.tree_features(
            trees,
            reference_trees,
            shares,
            reading=self.metric.reading,
            part=self.metric.part,
            max_depth=self.orders,
            threads=threads,
        )
        self.metric.refuse_bad(bad)
        return MatchFeatures(*arrays, shares, unparsed)

    def names(self, hypotheses: Column, references: References, ids: Ids) -> dict[int, FeatureName]:
        trees, reference_trees, _ = self.metric.trees(hypotheses, references, threads=1)
        return _named(
            _core.tree_feature_names(
                trees,
                reference_trees,
                ids,
                reading=self.metric.reading,
                part=self.metric.part,
                max_depth=self.orders,
            )
        )


def _no_shares(hypotheses: Column, orders: int) -> Floats:
    return np.zeros((len(hypotheses), orders, len(FEATURE_KINDS)))


def _named(found: Mapping[int, tuple[int, int, str]]) -> dict[int, FeatureName]:
    return {
        name: FeatureName(FEATURE_KINDS[kind], order, text) for name, (kind, order, text) in found.items()
    }
