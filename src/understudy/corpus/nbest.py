"""N-best lists: the candidate translations of every segment, with model scores and feature values.

>>> lists = NBest.of_texts([["a cat", "one cat"], ["a dog"]], scores=[[-1.5, -2.0], [-0.5]])
>>> lists
<NBest: 2 segments, 3 candidates, 0 features>
>>> lists.segment(0)
['a cat', 'one cat']
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.choices import GAPS
from understudy.corpus.columns import as_column, listed
from understudy.errors import BadInput, BadParameter, LengthMismatch, NoSegments, WrongType, did_you_mean
from understudy.settings import check_choice, check_whole
from understudy.wording import number_of

Path = str | os.PathLike[str]


@dataclass(frozen=True, eq=False, repr=False)
class NBest:
    """Columns with one row per candidate, ordered by segment: rows `offsets[i]` to `offsets[i + 1]` are the
    candidates of segment i. A segment may have none if the reader was told so.
    """

    texts: Column
    offsets: NDArray[np.int64]
    features: Floats  # one column per name; 0 where a line does not have the feature
    feature_names: tuple[str, ...] = ()
    scores: Floats | None = None  # the model's total score
    weights: Floats | None = None  # how much a candidate counts as a pseudo-reference
    alignments: Column | None = None  # further columns of Moses' format, as written
    origin: str = "the n-best list"  # as named in messages

    def __post_init__(self) -> None:
        rows = len(self.texts)
        offsets = self.offsets
        if not (len(offsets) and offsets[0] == 0 and offsets[-1] == rows and (np.diff(offsets) >= 0).all()):
            raise BadInput(f"{self.origin}: offsets must rise from 0 to the number of candidates, {rows:,}.")
        if self.features.shape != (rows, len(self.feature_names)):
            raise LengthMismatch(
                f"{self.origin}: features have the shape {self.features.shape}, expected "
                f"({rows}, {len(self.feature_names)}): candidates by names."
            )
        if len(set(self.feature_names)) < len(self.feature_names):
            raise BadInput(f"{self.origin}: two features have the same name.")
        for column in (self.scores, self.weights, self.alignments):
            if column is not None and len(column) != rows:
                raise LengthMismatch(
                    f"{self.origin}: a column has {len(column):,} entries, expected {rows:,} candidates."
                )

    # --- making -----------------------------------------------------------------------------------

    @classmethod
    def of_texts(
        cls,
        candidates: Any,
        *,
        scores: Any = None,
        weights: Any = None,
        features: Mapping[str, Any] | None = None,
    ) -> NBest:
        """`candidates[i]` are the candidates of segment i. Scores, weights and each feature have the same shape."""
        groups = [
            as_column(group, f"candidates of segment {i + 1}")
            for i, group in enumerate(listed(candidates, "candidates"))
        ]
        if not groups:
            raise NoSegments("candidates: the list is empty.")
        texts = Column.from_strings([group[row] for group in groups for row in range(len(group))])
        for row in texts.absent_rows():
            raise WrongType(f"candidates: candidate {row + 1} is None, expected a string.")
        offsets = np.concatenate([[0], np.cumsum([len(group) for group in groups])]).astype(np.int64)
        columns = [_numbers(values, name, offsets) for name, values in (features or {}).items()]
        return cls(
            texts=texts,
            offsets=offsets,
            features=np.column_stack(columns) if columns else np.zeros((len(texts), 0)),
            feature_names=tuple(features or ()),
            scores=None if scores is None else _numbers(scores, "scores", offsets),
            weights=None if weights is None else _checked_weights(_numbers(weights, "weights", offsets)),
        )

    @classmethod
    def of_systems(cls, systems: Any) -> NBest:
        """The outputs of several systems as candidates: a Corpus, or files, one system each."""
        from understudy.corpus.corpus import Corpus

        corpus = systems if isinstance(systems, Corpus) else Corpus(systems)
        columns = list(corpus.systems.values())
        rows, count = len(columns[0]), len(columns)
        return cls(
            texts=Column.from_strings([column[row] for row in range(rows) for column in columns]),
            offsets=np.arange(0, rows * count + 1, count, dtype=np.int64),
            features=np.zeros((rows * count, 0)),
        )

    @classmethod
    def read(cls, path: Path, *, gaps: str = "error", candidates_per_segment: int | None = None) -> NBest:
        """A file in Moses' format, TSV, CSV, JSON lines, or plain text with a fixed number of candidates per
        segment; plain or compressed. A segment without candidates is an error, or an empty list.
        """
        (whole,) = cls._parts(path, None, gaps, candidates_per_segment)
        return whole

    @classmethod
    def read_in_parts(
        cls,
        path: Path,
        *,
        candidates: int,
        gaps: str = "error",
        candidates_per_segment: int | None = None,
    ) -> Iterator[NBest]:
        """The same in parts of whole segments, each with at least so many candidates. The names of features are
        those of the part.
        """
        check_whole("candidates", candidates)
        return cls._parts(path, candidates, gaps, candidates_per_segment)

    @classmethod
    def _parts(
        cls, path: Path, candidates: int | None, gaps: str, candidates_per_segment: int | None
    ) -> Iterator[NBest]:
        from understudy.corpus.nbest_files import nbest_parts  # which imports this module

        check_choice("gaps", gaps, GAPS)
        if candidates_per_segment is not None:
            check_whole("candidates_per_segment", candidates_per_segment)
        return nbest_parts(
            os.fspath(path),
            candidates=candidates,
            may_be_empty=gaps == "empty",
            per_segment=candidates_per_segment,
        )

    def write(self, path: Path, *, format: str | None = None) -> None:
        """Write it atomically, by default in the format of the suffix: TSV, JSON lines, otherwise Moses'."""
        from understudy.corpus.nbest_writing import write_nbest

        write_nbest(self, os.fspath(path), format)

    # --- reading ----------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of segments."""
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        counts = number_of(len(self), "segment"), number_of(len(self.texts), "candidate")
        return f"<NBest: {', '.join(counts)}, {number_of(len(self.feature_names), 'feature')}>"

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of candidates of every segment."""
        return np.diff(self.offsets)

    def segment(self, index: int) -> list[str]:
        """The candidates of one segment."""
        rows = range(len(self))[index]
        return [self.texts[row] or "" for row in range(self.offsets[rows], self.offsets[rows + 1])]

    def columns(self) -> list[Column]:
        """The candidates of every segment, as a column each, without copying."""
        bounds = self.offsets.tolist()
        return [self.texts[start:end] for start, end in itertools.pairwise(bounds)]

    def feature(self, name: str) -> Floats:
        """The values of one feature."""
        if name not in self.feature_names:
            raise BadParameter(
                f"{self.origin} has no feature '{name}'. {did_you_mean(name, self.feature_names)}"
            )
        return self.features[:, self.feature_names.index(name)]

    def rows(self, chosen: NDArray[np.int64], offsets: NDArray[np.int64]) -> NBest:
        """The candidates in these rows, in this order, as the candidates of segments with these offsets."""
        return replace(
            self,
            texts=self.texts.taken(chosen),
            offsets=offsets,
            features=self.features[chosen],
            scores=None if self.scores is None else self.scores[chosen],
            weights=None if self.weights is None else self.weights[chosen],
            alignments=None if self.alignments is None else self.alignments.taken(chosen),
        )

    def with_features(self, columns: Mapping[str, Floats]) -> NBest:
        """With further features, one value per candidate each."""
        taken = [name for name in columns if name in self.feature_names]
        if taken:
            raise BadParameter(f"{self.origin} already has a feature named '{taken[0]}'.")
        return replace(
            self,
            features=np.column_stack([self.features, *columns.values()]),
            feature_names=(*self.feature_names, *columns),
        )

    def without_features(self, names: Sequence[str]) -> NBest:
        """Without these features, where it has them."""
        kept = [k for k, name in enumerate(self.feature_names) if name not in names]
        return replace(
            self, features=self.features[:, kept], feature_names=tuple(self.feature_names[k] for k in kept)
        )


def _checked_weights(weights: Floats) -> Floats:
    """Weights of pseudo-references must not be negative."""
    if len(weights) and weights.min() < 0:
        raise BadInput(f"weights: got {weights.min():g}, expected at least 0.")
    return weights


def _numbers(values: Any, what: str, offsets: NDArray[np.int64]) -> Floats:
    """A list of numbers per segment, as one column."""
    groups: Sequence[Any] = listed(values, what)
    counts = np.diff(offsets)
    if len(groups) != len(counts):
        raise LengthMismatch(
            f"{what}: {number_of(len(groups), 'list')}, expected {len(counts):,}, one per segment."
        )
    for index, (group, count) in enumerate(zip(groups, counts.tolist(), strict=True)):
        if len(group) != count:
            raise LengthMismatch(
                f"{what}: segment {index + 1} has {number_of(len(group), 'value')}, but "
                f"{number_of(count, 'candidate')}."
            )
    try:
        column = np.concatenate([np.zeros(0), *(np.asarray(group, dtype=np.float64) for group in groups)])
    except (TypeError, ValueError):
        raise WrongType(f"{what}: expected numbers.") from None
    if not np.isfinite(column).all():
        row = int(np.flatnonzero(~np.isfinite(column))[0])
        segment = int(np.searchsorted(offsets, row, side="right"))
        raise BadInput(f"{what}: segment {segment} has the value {column[row]}, expected a finite number.")
    return column
