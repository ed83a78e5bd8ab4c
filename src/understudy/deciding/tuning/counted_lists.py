"""N-best lists for tuning: merged, checked, and counted against the references."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from understudy._core import Column
from understudy.arrays import LARGEST_SCORE, Floats
from understudy.corpus.nbest import NBest
from understudy.deciding.reference_scores import read_references, read_sources, scored_candidates
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.objective import Objective, segment_columns
from understudy.errors import BadInput, BadParameter, LengthMismatch, WrongType
from understudy.metrics.base.declared_metric import check_sources
from understudy.metrics.base.metric import Metric
from understudy.scoring.text_warnings import warn_of_unreadable
from understudy.wording import number_of


def merged_lists(nbest: Any) -> tuple[NBest, int]:
    """The candidates of one or several n-best lists, segment by segment, each combination of text and features once;
    and the number of duplicates that were removed. Of duplicates, the first is kept.
    """
    lists = [each if isinstance(each, NBest) else NBest.read(each) for each in _listed(nbest)]
    first, *others = lists
    for other in others:
        _check_fits(first, other)
    features = np.concatenate([_in_order(each, first.feature_names) for each in lists])
    features += 0.0  # -0.0 is the same value, with other bytes
    texts = list(chain.from_iterable(map(_strings, (each.texts for each in lists))))
    segments = np.concatenate([np.repeat(np.arange(len(each)), each.counts) for each in lists])
    kept: list[int] = []
    seen: set[tuple[str, bytes]] = set()
    last = -1
    for row in np.argsort(segments, kind="stable").tolist():
        if segments[row] != last:
            seen, last = set(), segments[row]
        key = texts[row], features[row].tobytes()
        if key not in seen:
            seen.add(key)
            kept.append(row)
    rows = np.array(kept, dtype=np.intp)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(segments[rows], minlength=len(first)))])
    merged = NBest(
        texts=Column.from_strings([texts[row] for row in kept]),
        offsets=offsets.astype(np.int64),
        features=features[rows],
        feature_names=first.feature_names,
        origin=first.origin,
    )
    _check_usable(merged)
    return merged, len(texts) - len(kept)


def _listed(nbest: Any) -> list[Any]:
    if isinstance(nbest, (NBest, str, os.PathLike)):
        return [nbest]
    if not isinstance(nbest, Iterable) or isinstance(nbest, bytes):
        raise WrongType(f"nbest: got {type(nbest).__name__}, expected an NBest, a file, or a list of them.")
    lists = list(nbest)
    if not lists:
        raise BadParameter("nbest: the list is empty, expected at least one n-best list.")
    for each in lists:
        if not isinstance(each, (NBest, str, os.PathLike)):
            raise WrongType(f"nbest: got {type(each).__name__}, expected an NBest or the path of a file.")
    return lists


def _in_order(lists: NBest, names: Sequence[str]) -> Floats:
    return lists.features[:, [lists.feature_names.index(name) for name in names]]


def _strings(column: Column) -> list[str]:
    return [column[row] or "" for row in range(len(column))]


def _check_fits(first: NBest, other: NBest) -> None:
    if len(other) != len(first):
        raise LengthMismatch(
            f"{first.origin} has {number_of(len(first), 'segment')}, {other.origin} has {len(other):,}. N-best lists "
            "must have the same segments."
        )
    for one, two in ((first, other), (other, first)):
        for name in one.feature_names:
            if name not in two.feature_names:
                raise BadInput(
                    f"{two.origin} has no feature '{name}', unlike {one.origin}. If it did not occur, add it with the "
                    "value 0."
                )


def _check_usable(lists: NBest) -> None:
    if not lists.feature_names:
        raise BadInput(f"{lists.origin} has no features. Tuning needs feature values for each candidate.")
    for segment in np.flatnonzero(lists.counts == 0)[:1]:
        raise BadInput(f"{lists.origin}: segment {segment + 1} has no candidates.")
    for row, column in np.argwhere(~(np.abs(lists.features) <= LARGEST_SCORE))[:1]:
        segment = int(np.searchsorted(lists.offsets, row, side="right"))
        raise BadInput(
            f"{lists.origin}: segment {segment}: feature '{lists.feature_names[column]}' is "
            f"{lists.features[row, column]:g}, expected a number of at most {LARGEST_SCORE:g}. Use a logarithm."
        )


def counted(
    lists: NBest,
    references: Any,
    metrics: Sequence[Metric],
    metric_weights: tuple[float, ...],
    *,
    level: str,
    segment_level: bool,
    sources: Any = None,
    threads: int | None,
) -> Candidates:
    """The candidates with their statistics. A metric that needs a fit is fitted on the references, once.
    `segment_level`: the objective of each candidate by itself is needed, too.
    """
    for metric in metrics:
        if not metric.reads_references:
            raise BadParameter(
                f"{metric.name} is reference-free, and systems are tuned to the score of candidates against "
                "references. Use a metric that reads references."
            )
    if references is None:
        raise BadParameter("tuning needs references. Add them with references= (-r on the command line).")
    read = read_references(references)
    warn_of_unreadable(metrics, "the reference", read.columns[0])
    texts = None if sources is None else read_sources(sources)
    check_sources(metrics, texts is not None)
    statistics = scored_candidates(lists, read, list(metrics), threads, texts).statistics
    objective = Objective(tuple(metrics), metric_weights, tuple(each[:0] for each in statistics), level)
    counts = tuple(each.array for each in statistics)
    worth = None
    if level == "mean" or segment_level:
        of_segments = tuple(
            segment_columns(metric, each) for metric, each in zip(metrics, statistics, strict=True)
        )
        counts = of_segments if level == "mean" else counts
        worth = replace(objective, level="mean").value_worth(of_segments)
    return Candidates.of(objective, lists.offsets, lists.features, counts, worth)


def fingerprint(lists: NBest) -> str:
    """Identical for identical candidates, features and order."""
    seen = hashlib.sha256()
    for name in lists.feature_names:
        seen.update(name.encode() + b"\n")
    seen.update(lists.offsets.astype("<i8").tobytes())
    seen.update(np.ascontiguousarray(lists.features, dtype="<f8").tobytes())
    for text in _strings(lists.texts):
        seen.update(text.encode() + b"\n")
    return seen.hexdigest()[:16]
