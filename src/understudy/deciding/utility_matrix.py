"""Utilities of all pairs, which can be saved: the score of every candidate against every pseudo-reference."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.files import Path, not_found, shown, written_whole
from understudy.deciding.candidate_pool import CandidatePool
from understudy.errors import BadInput, MissingFile
from understudy.metrics.base.metric import Metric

_CONTENT = "understudy utility matrix 1"


@dataclass(frozen=True, eq=False)
class UtilityMatrix:
    """For each metric, a matrix [candidates, pseudo-references] per segment with candidates."""

    signatures: tuple[str, ...]  # of the metrics
    fingerprint: str  # of the texts
    matrices: tuple[tuple[Floats, ...], ...]
    origin: str = "the matrix"

    @classmethod
    def of(cls, pool: CandidatePool, metrics: list[Metric], threads: int | None) -> UtilityMatrix:
        """Computed."""
        return cls(
            _signatures(metrics),
            pool.fingerprint(),
            tuple(
                tuple(
                    metric.pairwise(pool.candidates, pool.references, sources=pool.sources, threads=threads)
                )
                for metric in metrics
            ),
        )

    def save(self, path: Path) -> None:
        """Write a .npz file that `read` reads, atomically."""
        shapes = np.array([matrix.shape for matrix in self.matrices[0]], dtype=np.int64).reshape(-1, 2)
        with written_whole(path) as file:
            np.savez_compressed(
                file,
                content=np.array(_CONTENT),
                signatures=np.array(self.signatures),
                fingerprint=np.array(self.fingerprint),
                shapes=shapes,
                scores=np.array([np.concatenate([m.ravel() for m in each]) for each in self.matrices]),
            )

    @classmethod
    def read(cls, path: Path) -> UtilityMatrix:
        """A saved file."""
        name = os.fspath(path)
        try:
            with open(path, "rb") as opened:
                file = np.load(opened, allow_pickle=False)
                if isinstance(file, np.ndarray) or str(file["content"]) != _CONTENT:
                    raise ValueError
                shapes, scores = file["shapes"], file["scores"]
                signatures = tuple(map(str, file["signatures"]))
                sizes = shapes.prod(axis=1)
                if scores.shape != (len(signatures), sizes.sum()) or scores.dtype != np.float64:
                    raise ValueError
                fingerprint = str(file["fingerprint"])
        except FileNotFoundError:
            raise MissingFile(not_found(name)) from None
        except OSError as error:
            raise MissingFile(f"'{name}' cannot be read: {error.strerror or error}.") from None
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, struct.error):
            raise BadInput(f"'{name}' is not a utility matrix written by understudy.") from None
        ends = np.cumsum(sizes)[:-1]
        matrices = tuple(
            tuple(part.reshape(shape) for part, shape in zip(np.split(row, ends), shapes, strict=True))
            for row in scores
        )
        return cls(signatures, fingerprint, matrices, shown(name))

    def check(self, pool: CandidatePool, metrics: list[Metric]) -> None:
        """Raise an error unless it is the matrix of these texts by these metrics."""
        wanted = _signatures(metrics)
        if self.signatures != wanted:
            raise BadInput(
                f"{self.origin} was computed with other metrics: {', '.join(self.signatures)}; expected "
                f"{', '.join(wanted)}. Use these metrics, or compute the matrix again."
            )
        if self.fingerprint != pool.fingerprint():
            raise BadInput(
                f"{self.origin} was computed for other texts, other pseudo-references or another order of them. "
                "Compute it again."
            )


def _signatures(metrics: list[Metric]) -> tuple[str, ...]:
    """A fit depends on how often a text occurs, which the fingerprint of the texts does not."""
    return tuple(
        f"{metric.spec} ({metric.signature((1, 1), 'segment')})"
        + (f" fitted on {metric.fitted_on}" if metric.fitted_on else "")
        for metric in metrics
    )
