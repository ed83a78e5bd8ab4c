"""Candidates and references of one or many segments, as columns for the core: the input of pairwise utilities.

Each segment has a set of candidates and a set of references (pseudo-references in minimum Bayes risk decoding). The
texts of all segments lie in one column each, so that any number of segments takes one call of the core.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats, scaled_weights
from understudy.corpus.columns import as_column, items_of, kind_of
from understudy.corpus.parsed_column import ParsedColumn
from understudy.errors import BadInput, BadParameter, LengthMismatch, NoSegments, WrongType
from understudy.wording import number_of

Starts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CandidateSets:
    """The candidates and references of segments. Those of segment i are the rows from starts[i] to starts[i + 1] of
    the columns.
    """

    candidates: Column
    references: Column
    candidate_starts: Starts
    reference_starts: Starts
    nested: bool  # given as a list per segment
    sources: Column | None = None  # the source text of each segment

    @property
    def themselves(self) -> bool:
        """Whether the candidates are their own references."""
        return self.references is self.candidates

    def __len__(self) -> int:
        return len(self.candidate_starts) - 1

    @property
    def arguments(self) -> tuple[Column, Column | None, Starts, Starts]:
        """The sets as the core takes them."""
        references = None if self.themselves else self.references
        return self.candidates, references, self.candidate_starts, self.reference_starts

    def prepared(self, prepare: Callable[[Column], Column]) -> CandidateSets:
        """The sets with every text prepared for the core."""
        candidates = prepare(self.candidates)
        return replace(
            self,
            candidates=candidates,
            references=candidates if self.themselves else prepare(self.references),
        )

    @cached_property
    def pair_starts(self) -> Starts:
        """Where the pairs of each segment start in the array of all pairs."""
        return _starts(self.candidate_counts * self.reference_counts)

    def pairs(self, begin: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows of candidate and reference of pairs: segment by segment, each candidate with every reference."""
        segment = self._segments_of_pairs(begin, end)
        within = np.arange(begin, end) - self.pair_starts[segment]
        references = self.reference_counts[segment]
        return (
            self.candidate_starts[segment] + within // references,
            self.reference_starts[segment] + within % references,
        )

    def sources_of_pairs(self, begin: int, end: int) -> Column | None:
        """The source texts of pairs, if there are any."""
        return None if self.sources is None else self.sources.taken(self._segments_of_pairs(begin, end))

    def _segments_of_pairs(self, begin: int, end: int) -> NDArray[np.int64]:
        return np.searchsorted(self.pair_starts, np.arange(begin, end), side="right") - 1

    def parts(self, most_pairs: int) -> Iterator[tuple[CandidateSets, int]]:
        """The segments in parts of at most so many pairs, each with the row of its first reference. A larger segment
        is divided by candidates.
        """
        first = 0
        while first < len(self):
            within = int(np.searchsorted(self.pair_starts, self.pair_starts[first] + most_pairs, "right")) - 1
            if within > first:
                yield self._segments(first, within), int(self.reference_starts[first])
                first = within
                continue
            references = int(self.reference_starts[first + 1] - self.reference_starts[first])
            step = max(1, most_pairs // references)
            for start in range(self.candidate_starts[first], self.candidate_starts[first + 1], step):
                end = min(start + step, int(self.candidate_starts[first + 1]))
                yield self._some_candidates(first, start, end), int(self.reference_starts[first])
            first += 1

    def _segments(self, first: int, end: int) -> CandidateSets:
        if (first, end) == (0, len(self)):
            return self
        candidates = self.candidates[self.candidate_starts[first] : self.candidate_starts[end]]
        references = (
            candidates
            if self.themselves
            else self.references[self.reference_starts[first] : self.reference_starts[end]]
        )
        return CandidateSets(
            candidates,
            references,
            self.candidate_starts[first : end + 1] - self.candidate_starts[first],
            self.reference_starts[first : end + 1] - self.reference_starts[first],
            nested=self.nested,
            sources=None if self.sources is None else self.sources[first:end],
        )

    def _some_candidates(self, segment: int, start: int, end: int) -> CandidateSets:
        references = self.references[self.reference_starts[segment] : self.reference_starts[segment + 1]]
        return CandidateSets(
            self.candidates[start:end],
            references,
            np.array([0, end - start]),
            np.array([0, len(references)]),
            nested=self.nested,
            sources=None if self.sources is None else self.sources[segment : segment + 1],
        )

    def by_segment(self, values: Floats, starts: Starts) -> Floats | list[Floats]:
        """Values of which those of segment i start at starts[i], as given: one array, or a list of them."""
        if not self.nested:
            return values
        ends = starts.tolist()
        return [values[begin:end] for begin, end in pairwise(ends)]

    def matrices(self, values: Floats, columns: NDArray[np.int64]) -> Floats | list[Floats]:
        """Values of all pairs as a matrix of each segment, with so many columns."""
        found = self.by_segment(values, _starts(self.candidate_counts * columns))
        widths = columns.tolist()
        if isinstance(found, list):
            return [matrix.reshape(-1, width) for matrix, width in zip(found, widths, strict=True)]
        return found.reshape(-1, widths[0])

    @property
    def candidate_counts(self) -> NDArray[np.int64]:
        """The number of candidates of each segment."""
        return np.diff(self.candidate_starts)

    @property
    def reference_counts(self) -> NDArray[np.int64]:
        """The number of references of each segment."""
        return np.diff(self.reference_starts)

    def per_reference(self, values: Any, what: str, number: type[np.number[Any]]) -> NDArray[Any]:
        """A number for each reference, given as the references are: a list, or a list per segment."""
        given = [values] if not self.nested else items_of(values)
        if given is None:
            raise WrongType(f"{what}: got {kind_of(values)}, expected a list per segment.")
        if len(given) != len(self):
            raise LengthMismatch(
                f"{what}: got {len(given):,} lists, expected {len(self):,}, one per segment."
            )
        flat = self._flat_numbers(given, what)
        converted = flat.astype(number)
        if not (np.isfinite(flat).all() and (converted == flat).all() and (flat >= 0).all()):
            kind = "integers" if issubclass(number, np.integer) else "finite numbers"
            raise BadParameter(f"{what}: expected {kind} of at least 0.")
        return converted

    def _flat_numbers(self, given: Sequence[Any], what: str) -> Floats:
        try:  # all at once, in the usual case
            sizes = np.fromiter(map(len, given), np.int64, len(given))
            if np.array_equal(sizes, self.reference_counts) and str not in map(type, given):
                return np.fromiter(chain.from_iterable(given), np.float64, sizes.sum())
        except (TypeError, ValueError):
            pass
        arrays = []
        for index, (row, count) in enumerate(zip(given, self.reference_counts.tolist(), strict=True)):
            of = f"{what} of segment {index + 1}" if self.nested else what
            try:
                array = np.asarray(row, dtype=np.float64)
            except (TypeError, ValueError):
                array = np.array(math.nan)
            if array.ndim == 0:  # also a string, even of a number
                raise WrongType(f"{of}: expected numbers, one per reference, got {kind_of(row)}.")
            if array.shape != (count,):
                raise LengthMismatch(
                    f"{of}: got {number_of(array.size, 'number')}, expected {count:,}, one per reference."
                )
            arrays.append(array)
        return np.concatenate(arrays)

    def checked_weights(self, weights: Any) -> Floats | None:
        """The weight of each reference; None if those of a segment are all the same."""
        if weights is None:
            return None
        flat: Floats = self.per_reference(weights, "weights", np.float64)
        starts = self.reference_starts[:-1]
        largest = np.maximum.reduceat(flat, starts)
        for segment in np.flatnonzero(largest == 0).tolist():
            of = f" of segment {segment + 1}" if self.nested else ""
            raise BadParameter(f"weights{of}: all are 0, expected at least one above 0.")
        same = largest == np.minimum.reduceat(flat, starts)
        if same.all():
            return None
        # Equal weights count as none, so that utilities are the unweighted ones to the last digit.
        scaled = scaled_weights(flat, np.repeat(largest, self.reference_counts))
        return np.where(np.repeat(same, self.reference_counts), 1.0, scaled)


@dataclass(frozen=True, eq=False)
class ReferenceGroups:
    """Groups of references that are aggregated."""

    numbers: NDArray[np.int64]  # of the group of each reference, from 0 on in every segment
    counts: NDArray[np.int64]  # of the groups of each segment
    weights: Floats | None  # of each reference

    @property
    def arguments(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats | None]:
        """The groups as the core takes them."""
        return self.numbers, self.counts, self.weights


def as_candidate_sets(candidates: Any, references: Any = None, sources: Any = None) -> CandidateSets:
    """The candidates and references of one segment as a list of texts each, or of many segments as a list of such
    lists. Without references, the candidates are their own. `sources` is the source text of the segment, or a list of
    those of all segments.

    >>> sets = as_candidate_sets([["a cat", "the cat"], ["a dog"]], ["one cat", "one dog"])
    >>> len(sets), sets.pair_starts.tolist()
    (2, [0, 2, 3])
    """
    column, counts, nested = _texts(candidates, "candidates")
    starts = _starts(counts)
    source_column = None if sources is None else _sources(sources, len(counts), nested=nested)
    if references is None:
        return CandidateSets(column, column, starts, starts, nested=nested, sources=source_column)
    reference_column, reference_counts, references_nested = _texts(references, "references")
    if nested and not references_nested:  # one per segment
        reference_counts = np.ones(len(reference_column), np.int64)
    elif references_nested and not nested:
        raise BadInput(
            "references: got a list per segment, but candidates are the texts of one segment. Give both as a list "
            "per segment, or both as a list of texts."
        )
    if len(counts) != len(reference_counts):
        raise LengthMismatch(
            f"candidates have {number_of(len(counts), 'segment')}, references have {len(reference_counts):,}. Both "
            "must have one list per segment, in the same order."
        )
    return CandidateSets(
        column, reference_column, starts, _starts(reference_counts), nested=nested, sources=source_column
    )


def _sources(sources: Any, segments: int, *, nested: bool) -> Column:
    column = as_column([sources] if isinstance(sources, str) and not nested else sources, "sources")
    if len(column) != segments:
        raise LengthMismatch(
            f"sources: got {number_of(len(column), 'text')}, expected {segments:,}, the source text of each segment."
        )
    for row in column.absent_rows():
        raise WrongType(f"sources: segment {row + 1} is None, expected a string.")
    return column


def _texts(values: Any, what: str) -> tuple[Column, NDArray[np.int64], bool]:
    """The texts as a column, the number of texts of each segment, and whether they were given as a list per segment."""
    if isinstance(values, Iterator):
        values = list(values)  # it may have to be read twice
    rows: Sequence[Any] | None = values if isinstance(values, (list, tuple)) else None
    if rows is None:
        try:
            column = as_column(values, what, unit="text")
        except WrongType:  # possibly a column of lists
            rows = items_of(values)
            if rows is None or not rows or not all(map(_is_list, rows)):
                raise
    elif not rows:
        raise NoSegments(f"{what}: the list is empty.")
    elif isinstance(rows[0], str) or not _is_list(rows[0]):
        column, rows = as_column(rows, what, unit="text"), None
    if rows is None:
        if len(column) == 0:
            raise NoSegments(f"{what}: there are none.")
        for row in column.absent_rows():
            raise WrongType(f"{what}: text {row + 1} is None, expected a string ('' is an empty text).")
        return column, np.array([len(column)]), False
    return _nested(rows, what)


def _nested(rows: Sequence[Any], what: str) -> tuple[Column, NDArray[np.int64], bool]:
    if not set(map(type, rows)) <= {list, tuple}:
        rows = [_listed(row, what, index) for index, row in enumerate(rows)]
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    for segment in np.flatnonzero(counts == 0).tolist():
        raise BadInput(f"{what}: segment {segment + 1} has none, expected at least one text.")
    if all(isinstance(row, ParsedColumn) for row in rows):
        picks = [(index, row) for index, count in enumerate(counts.tolist()) for row in range(count)]
        return ParsedColumn.picked(rows, picks), counts, True
    texts = list(chain.from_iterable(rows))
    if set(map(type, texts)) != {str}:
        for index, row in enumerate(rows):
            for number, text in enumerate(row):
                if not isinstance(text, str):
                    raise WrongType(
                        f"{what}: text {number + 1} of segment {index + 1} is {kind_of(text)}, expected a string."
                    )
    return as_column(texts, what, unit="text"), counts, True


def _is_list(row: Any) -> bool:
    return isinstance(row, Column) or (not isinstance(row, (str, bytes)) and items_of(row) is not None)


def _listed(row: Any, what: str, index: int) -> Any:
    """The texts of one segment, as something with a length that can be iterated over; a parsed column as it is."""
    if isinstance(row, ParsedColumn):
        return row
    if isinstance(row, Column):
        return [row[i] for i in range(len(row))]
    items = None if isinstance(row, (str, bytes)) else items_of(row)
    if items is None:
        raise WrongType(f"{what}: segment {index + 1} is {kind_of(row)}, expected a list of texts.")
    return items


def _starts(counts: NDArray[np.int64]) -> Starts:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
