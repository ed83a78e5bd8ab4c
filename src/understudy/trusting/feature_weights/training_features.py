"""The training data of feature weights: a sparse matrix of all translations, with one column per bucket of hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.corpus.corpus import Corpus
from understudy.errors import BadInput
from understudy.metrics.base.feature_model import FittedFeatures
from understudy.metrics.base.match_features import FeatureName, FeatureSource, Ids, buckets_of
from understudy.trusting.combinations.features import Target, TrainingTable
from understudy.trusting.feature_weights.settings import FeatureSettings

Whole = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class TrainingFeatures:
    """The features of all translations, system by system. The first columns are shares of all parts of an order."""

    source: FeatureSource
    corpus: Corpus
    systems: tuple[str, ...]
    bits: int
    min_documents: int
    shares: Floats  # [rows, orders * kinds]
    row: Whole  # [entries]: translations, in the order of systems and segments
    hashes: Ids  # of all features, ascending
    feature: Whole  # [entries]: the place of its hash
    values: Floats  # [entries]
    document: Whole  # [rows]
    segments: int

    @classmethod
    def of(
        cls,
        source: FeatureSource,
        corpus: Corpus,
        systems: Sequence[str],
        segments: Whole,
        *,
        document_of: Whole,
        settings: FeatureSettings,
        threads: int = 1,
    ) -> TrainingFeatures:
        """Of these systems and segments, whose documents are numbered."""
        assert corpus.references is not None
        shares, rows, ids, values = [], [], [], []
        for number, system in enumerate(systems):
            found = source.features(_only_run(corpus, system), corpus.references, threads)
            place = np.full(len(corpus), -1)
            place[segments] = np.arange(len(segments))
            of_segment = place[found.segment]
            kept = of_segment >= 0
            shares.append(found.shares[segments].reshape(len(segments), -1))
            rows.append(number * len(segments) + of_segment[kept])
            ids.append(found.ids[kept])
            values.append(found.values[kept])
        hashes, feature = np.unique(np.concatenate(ids), return_inverse=True)
        return cls(
            source,
            corpus,
            tuple(systems),
            settings.bits,
            settings.min_documents,
            np.concatenate(shares),
            np.concatenate(rows),
            hashes,
            feature.reshape(-1),
            np.concatenate(values),
            np.tile(document_of, len(systems)),
            len(segments),
        )

    @cached_property
    def buckets(self) -> Whole:
        """The buckets that occur in enough documents, ascending."""
        occurring, number = np.unique(buckets_of(self.hashes, self.bits), return_inverse=True)
        documents = _partners(number.reshape(-1)[self.feature], self.document[self.row], len(occurring))
        return occurring[documents >= self.min_documents]

    @cached_property
    def places(self) -> Whole:
        """The place of every feature's bucket among those that occur in enough documents; -1: not among them."""
        wanted = buckets_of(self.hashes, self.bits)
        if not len(self.buckets):
            return np.full(len(wanted), -1)
        found = np.minimum(np.searchsorted(self.buckets, wanted), len(self.buckets) - 1)
        return np.where(self.buckets[found] == wanted, found, -1)

    @cached_property
    def matrix(self) -> Any:
        """The features [rows, shares and buckets]."""
        from scipy.sparse import csr_matrix, hstack

        places = self.places[self.feature]
        kept = places >= 0
        single = csr_matrix(
            (self.values[kept], (self.row[kept], places[kept])), shape=(len(self.shares), len(self.buckets))
        )
        found = csr_matrix(hstack([csr_matrix(self.shares), single]))
        found.sort_indices()
        return found

    def table(self, target: Target) -> TrainingTable:
        """The rows to learn from: all translations."""
        places = np.argsort(np.argsort(np.array(target.systems)))
        cells = np.ones(target.values.shape, dtype=bool)
        row, segment = np.nonzero(cells)
        lacking = {target.measure: int(np.isnan(target.values).sum())}
        if lacking[target.measure] == cells.size:
            raise BadInput(
                "no translation has a human score. Use human scores of these systems and segments."
            )
        return TrainingTable(
            (), cells, self.matrix, target.values.reshape(-1), places[row], segment.astype(np.intp), lacking
        )

    def fitted(self, weights: Floats) -> FittedFeatures:
        """How much was fitted, given the weights of the buckets."""
        used = self.places[self.places >= 0]
        members = np.bincount(used, minlength=len(self.buckets))
        return FittedFeatures(
            features=len(self.hashes),
            min_documents=self.min_documents,
            buckets=len(self.buckets),
            in_buckets=len(used),
            sharing=int(members[members > 1].sum()),
            non_zero=int(np.count_nonzero(weights)),
        )

    def effects(self, weights: Floats) -> Floats:
        """The mean contribution of each bucket to the translations in which it occurs."""
        single = self.matrix[:, self.shares.shape[1] :]
        counts = np.bincount(single.indices, minlength=len(weights))
        sums = np.asarray(single.sum(axis=0)).reshape(-1)
        return np.asarray(weights * sums / np.maximum(counts, 1))

    def described(self, places: Whole) -> list[tuple[FeatureName, int, bool]]:
        """Of each of these buckets: the part that occurs in most documents, in how many, and whether it has others."""
        members = np.flatnonzero(np.isin(self.places, places))
        entries = np.isin(self.feature, members)
        number = np.searchsorted(members, self.feature[entries])
        documents = _partners(number, self.document[self.row[entries]], len(members))
        names = self._names(self.hashes[members])
        of_bucket: dict[int, list[tuple[int, FeatureName]]] = {}
        for member, count in zip(members.tolist(), documents.tolist(), strict=True):
            name = names[int(self.hashes[member])]
            of_bucket.setdefault(int(self.places[member]), []).append((-count, name))
        # Of those in equally many documents the first by name: hashes are no order for people.
        best = {place: min(several) for place, several in of_bucket.items()}
        return [(best[place][1], -best[place][0], len(of_bucket[place]) > 1) for place in places.tolist()]

    def _names(self, ids: Ids) -> dict[int, FeatureName]:
        assert self.corpus.references is not None
        names: dict[int, FeatureName] = {}
        for system in self.systems:
            left = np.array([each for each in ids.tolist() if each not in names], dtype=np.uint64)
            if not len(left):
                break
            names |= self.source.names(_only_run(self.corpus, system), self.corpus.references, left)
        return names


def _only_run(corpus: Corpus, system: str) -> Any:
    runs = corpus.runs[system]
    if len(runs) > 1:
        raise BadInput(
            f"'{system}' has {len(runs)} training runs, but feature weights are learned from one text per system. Give "
            "one file per system."
        )
    return corpus[runs[0]]


def _partners(first: Whole, second: Whole, size: int) -> Whole:
    """With how many different values of the second each value of the first, below `size`, occurs."""
    if not len(first):
        return np.zeros(size, dtype=np.intp)
    width = int(second.max()) + 1
    return np.bincount(np.unique(first * width + second) // width, minlength=size)
