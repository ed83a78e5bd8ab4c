"""Statistics: a metric's counts, one row of named columns per segment.

Everything downstream uses sums of these rows: a corpus is the sum of all rows, a document the sum of some, a
bootstrap sample a sum with repetitions. Text is never tokenized or counted twice.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.corpus.files import written_whole
from understudy.equality import EqualByValue
from understudy.errors import BadInput, BadMetric, BadParameter, MissingFile, did_you_mean
from understudy.wording import number_of

UNPARSED = "unparsed"  # the column with the number of segments that have text but no tree


@dataclass(frozen=True, eq=False)
class Statistics(EqualByValue):
    """Counts [..., K] with names for the K columns: rows of segments, or sums of such rows.

    >>> from understudy import BLEU
    >>> statistics = BLEU().statistics(["a b c", "d e"], ["a b d", "d e"])
    >>> statistics["match_1"]
    array([2, 2])
    >>> int(statistics.sum()["match_1"])
    4
    >>> len(statistics[:1])
    1
    """

    array: NDArray[Any]
    columns: tuple[str, ...]
    spec: str  # the metric that counted them
    segments: int  # number of segments covered by the array
    references: tuple[int, int]  # minimum and maximum per segment
    fitted_on: str = ""  # the references the metric was fitted on, if any (`Metric.fitted_on`)
    # What the input adds to the signature: whether it names documents, and its parser.
    of_input: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.array) if self.array.ndim > 1 else 1

    def __getitem__(self, key: str | int | slice | NDArray[Any]) -> Any:
        """A column by its name, or rows by a number, a slice, a mask or an array of indices."""
        if isinstance(key, str):
            if key not in self.columns:
                raise BadParameter(f"unknown column '{key}'. {did_you_mean(key, self.columns)}")
            return self.array[..., self.columns.index(key)]
        rows = self.array[key]
        return replace(self, array=rows, segments=len(rows) if rows.ndim > 1 else 1)

    def block(self, prefix: str) -> NDArray[np.float64]:
        """The columns prefix_1 ... prefix_N as floats [..., N]."""
        return self.array[..., _block(self.columns, prefix)].astype(np.float64)

    @property
    def unparsed(self) -> int:
        """Number of segments without a tree, if the metric uses trees."""
        return int(self[UNPARSED].sum()) if UNPARSED in self.columns else 0

    def sum(self) -> Statistics:
        """The sum of all rows: the statistics of the corpus."""
        return self if self.array.ndim == 1 else replace(self, array=self.array.sum(axis=0))

    def __add__(self, other: Statistics) -> Statistics:
        """The sums of two parts of a corpus, as one."""
        self._check_fits(other)
        return replace(
            self,
            array=self.sum().array + other.sum().array,
            segments=self.segments + other.segments,
            references=_widest([self, other]),
        )

    @staticmethod
    def concatenate(parts: Sequence[Statistics]) -> Statistics:
        """The rows of several parts of a corpus, concatenated."""
        for part in parts:
            parts[0]._check_fits(part)
        return replace(
            parts[0],
            array=np.concatenate([part.array for part in parts]),
            segments=sum(part.segments for part in parts),
            references=_widest(parts),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a .npz file that `load` reads. The file is written atomically."""
        import json

        with written_whole(path) as file:
            np.savez_compressed(
                file,
                array=self.array,
                columns=np.array(self.columns),
                spec=np.array(self.spec),
                segments=np.array(self.segments),
                references=np.array(self.references),
                fitted_on=np.array(self.fitted_on),
                of_input=np.array(json.dumps(dict(self.of_input))),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read a file written by `save`."""
        import json
        import struct
        import zipfile
        import zlib

        try:
            with open(path, "rb") as opened:  # numpy would leave a damaged file open
                file = np.load(opened, allow_pickle=False)
                if isinstance(file, np.ndarray):
                    raise ValueError("it is a single array")
                return cls(
                    array=file["array"],
                    columns=tuple(str(name) for name in file["columns"]),
                    spec=str(file["spec"]),
                    segments=int(file["segments"]),
                    references=(int(file["references"][0]), int(file["references"][1])),
                    fitted_on=str(file["fitted_on"]),
                    of_input=json.loads(str(file["of_input"])),
                )
        except FileNotFoundError:
            raise MissingFile(f"no such file: '{os.fspath(path)}'.") from None
        except (  # raised by numpy and zipfile for truncated, damaged or other files
            *(
                KeyError,
                ValueError,
                IndexError,
                TypeError,
                EOFError,
                OSError,
                NotImplementedError,
                RuntimeError,
            ),
            *(zipfile.BadZipFile, zlib.error, struct.error),
        ) as error:
            reason = f"{error}".rstrip(".")
            raise BadInput(
                f"'{os.fspath(path)}' does not contain statistics ({reason}); expected a file written by "
                "Statistics.save."
            ) from None

    def _check_fits(self, other: Statistics) -> None:
        if (self.columns, self.spec) != (other.columns, other.spec):
            raise BadInput(f"cannot add statistics of {self.spec} and {other.spec}.")
        if self.fitted_on != other.fitted_on:
            raise BadInput(
                f"cannot add statistics of {self.spec} fitted on different references. Fit the metric once, on "
                "all references of the test set: metric.fit(references)."
            )
        for name in sorted({*self.of_input, *other.of_input}):
            ours, theirs = self.of_input.get(name, "none"), other.of_input.get(name, "none")
            if ours != theirs:
                raise BadInput(
                    f"cannot add statistics of {self.spec} with {name}:{ours} and {name}:{theirs}."
                )

    def __repr__(self) -> str:
        segments = number_of(self.segments, "segment")
        rows = number_of(len(self), "row") if self.array.ndim > 1 else f"sum of {segments}"
        return f"<Statistics of {self.spec}: {rows} x {', '.join(self.columns)}>"


def checked_counts(counts: Any, spec: str, segments: int, columns: int) -> NDArray[Any]:
    """What a metric counted, if it has the shape and the type that sums of it are right with: another shape may score
    without an error, and narrower numbers overflow or are rounded.
    """
    if type(counts) is np.ndarray and counts.shape == (segments, columns) and counts.dtype in _COUNTS:
        return counts
    got = type(counts).__name__
    if type(counts) is np.ndarray:
        got = f"an array of {counts.dtype} with shape {counts.shape}"
    raise BadMetric(
        f"{spec}: count returned {got}, expected an array of int64 or float64 with shape {(segments, columns)}: "
        "a row per segment, a column per name in columns."
    )


_COUNTS = (np.dtype(np.int64), np.dtype(np.float64))


@functools.cache
def _block(columns: tuple[str, ...], prefix: str) -> slice:
    """The positions of prefix_1 ... prefix_N, which are consecutive."""
    which = [i for i, name in enumerate(columns) if name.rpartition("_")[0] == prefix]
    return slice(which[0], which[-1] + 1)


def _widest(parts: Sequence[Statistics]) -> tuple[int, int]:
    return min(part.references[0] for part in parts), max(part.references[1] for part in parts)
