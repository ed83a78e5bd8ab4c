"""The texts that utilities are computed of: the different candidates and pseudo-references of every segment.

A text that occurs several times in a list is compared once; as a pseudo-reference, it has the weight of all its
occurrences. A candidate is among its own pseudo-references, as in Eikema & Aziz (2020).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats, scaled_weights
from understudy.corpus.nbest import NBest
from understudy.errors import BadInput, LengthMismatch
from understudy.wording import number_of


@dataclass(frozen=True, eq=False)
class CandidatePool:
    """Lists with one entry per segment that has candidates."""

    segments: NDArray[np.int64]  # positions in the n-best list
    candidates: list[list[str]]
    references: list[list[str]]  # pseudo-references
    weights: list[Floats]  # of pseudo-references
    distinct: NDArray[np.int64]  # for each row of the n-best list, its place among all different candidates
    sources: list[str] | None = None  # source texts, for metrics that read them

    @property
    def pairs(self) -> int:
        """The number of all pairs of the text of a candidate and that of a pseudo-reference."""
        return sum(
            len(texts) * len(set(others))
            for texts, others in zip(self.candidates, self.references, strict=True)
        )

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the candidates of each entry start among all different candidates."""
        return np.concatenate([[0], np.cumsum([len(texts) for texts in self.candidates])]).astype(np.int64)

    def fingerprint(self) -> str:
        """Identifies all texts, in their order."""
        digest = hashlib.sha256()
        for texts, others in zip(self.candidates, self.references, strict=True):
            digest.update(f"{len(texts)} {len(others)}\n".encode())
            for text in (*texts, *others):
                data = text.encode()
                digest.update(f"{len(data)}\n".encode() + data)
        for source in self.sources or ():
            data = source.encode()
            digest.update(f"source {len(data)}\n".encode() + data)
        return digest.hexdigest()


def candidate_pool(
    nbest: NBest,
    samples: NBest | None,
    posterior: str | None,
    temperature: float,
    *,
    sources: Column | None = None,
    merged: bool = True,
) -> CandidatePool:
    """The pool of a list, whose pseudo-references are its candidates or those of another list. `sources` has the source
    text of each segment. `merged`: pseudo-references with the same text are one.
    """
    source = nbest if samples is None else samples
    if len(source) != len(nbest):
        raise LengthMismatch(
            f"{nbest.origin} has {number_of(len(nbest), 'segment')}, {source.origin} has {len(source):,}. Both must "
            "have the same segments."
        )
    filled = np.flatnonzero(nbest.counts)
    for segment in filled[source.counts[filled] == 0][:1].tolist():
        raise BadInput(f"{source.origin}: segment {segment + 1} has no pseudo-references.")
    masses = _posteriors(source, posterior, temperature)
    candidates, references, weights = [], [], []
    distinct = np.empty(len(nbest.texts), dtype=np.int64)
    taken = 0
    for segment in filled.tolist():
        rows = slice(*nbest.offsets[segment : segment + 2].tolist())
        places: dict[str, int] = {}
        distinct[rows] = [taken + places.setdefault(text, len(places)) for text in nbest.segment(segment)]
        candidates.append(list(places))
        taken += len(places)
        others = slice(*source.offsets[segment : segment + 2].tolist())
        texts, mass = source.segment(segment), masses[others]
        if merged:
            known: dict[str, int] = {}
            which = np.array([known.setdefault(text, len(known)) for text in texts])
            texts, mass = list(known), np.bincount(which, mass).astype(np.float64)
        references.append(texts)
        weights.append(mass)
    of_segments = None if sources is None else [sources[segment] or "" for segment in filled.tolist()]
    return CandidatePool(filled, candidates, references, weights, distinct, of_segments)


def _posteriors(source: NBest, posterior: str | None, temperature: float) -> Floats:
    """The weight of every pseudo-reference."""
    if posterior == "uniform" or (posterior is None and source.weights is None):
        return np.ones(len(source.texts))
    if posterior == "score":
        if source.scores is None:
            raise BadInput(
                f"{source.origin} has no model scores for the posterior. Use posterior='uniform'.",
                f"{source.origin} has no model scores for the posterior. Use --posterior uniform.",
            )
        masses = np.empty(len(source.texts))
        for begin, end in pairwise(source.offsets.tolist()):
            if end > begin:
                of_segment = source.scores[begin:end]
                with np.errstate(over="ignore"):  # infinitely far below the best score: a weight of 0
                    masses[begin:end] = np.exp((of_segment - of_segment.max()) / temperature)
        return masses
    if source.weights is None:
        raise BadInput(
            f"{source.origin} has no weights for the posterior. Use posterior='uniform'.",
            f"{source.origin} has no weights for the posterior. Use --posterior uniform.",
        )
    masses = np.empty(len(source.texts))
    for segment, (begin, end) in enumerate(pairwise(source.offsets.tolist())):
        of_segment = source.weights[begin:end]
        if end > begin and not of_segment.any():
            raise BadInput(
                f"{source.origin}: all weights of segment {segment + 1} are 0, expected at least one above 0."
            )
        masses[begin:end] = scaled_weights(of_segment, of_segment.max(initial=0.0))
    return masses
