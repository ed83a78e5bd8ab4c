"""Baselines for rescaling BERTScore: its mean values on unrelated pairs of texts, by layer."""

from __future__ import annotations

import csv
import hashlib
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.numbers import as_number
from understudy.errors import BadInput, MissingFile

_HEADER = ["LAYER", "P", "R", "F"]


@dataclass(frozen=True)
class Baseline:
    """The values of unrelated pairs, and a digest of the file that they are from."""

    values: tuple[float, float, float]  # precision, recall, F1
    digest: str

    def rescaled(self, values: Floats) -> Floats:
        """Values [..., 3] on a scale where the baseline is 0 and 1 is still 1; each by its own baseline."""
        unrelated = np.array(self.values)
        return np.asarray((values - unrelated) / (1 - unrelated))


def read_baseline(path: str, layer: int) -> Baseline:
    """The baseline of a layer in a file with the columns LAYER,P,R,F, as bert-score has them."""
    file = Path(path).expanduser()
    try:
        state = file.stat()
    except OSError:
        raise MissingFile(
            f"baseline file '{path}' does not exist. Without it, scores cannot be rescaled."
        ) from None
    rows, digest = _rows(file, state.st_size, state.st_mtime_ns)
    if layer not in rows:
        raise BadInput(
            f"baseline file '{path}' has no row for layer {layer}; it has {', '.join(map(str, sorted(rows)))}. Use "
            "the file of the model that scores, or layer=."
        )
    return Baseline(rows[layer], digest)


@lru_cache(maxsize=32)
def _rows(file: Path, _size: int, _changed: int) -> tuple[dict[int, tuple[float, float, float]], str]:
    try:
        content = file.read_bytes()
        header, *lines = list(csv.reader(content.decode("utf-8-sig").splitlines()))
    except (OSError, ValueError):
        raise BadInput(
            f"baseline file '{file}' cannot be read. Expected the header {','.join(_HEADER)}."
        ) from None
    if [name.strip() for name in header] != _HEADER:
        raise BadInput(
            f"baseline file '{file}': expected the header {','.join(_HEADER)}, got {','.join(header)}."
        )
    rows = {}
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        try:
            layer, precision, recall, f1 = int(line[0]), *map(as_number, line[1:])
        except ValueError:
            raise BadInput(
                f"baseline file '{file}', line {number}: expected a layer and three numbers, got {','.join(line)}."
            ) from None
        if not all(math.isfinite(value) and value < 1 for value in (precision, recall, f1)):
            raise BadInput(
                f"baseline file '{file}', line {number}: expected numbers below 1, got {','.join(line)}."
            )
        if layer in rows:
            raise BadInput(f"baseline file '{file}', line {number}: layer {layer} has two rows. Remove one.")
        rows[layer] = (precision, recall, f1)
    return rows, hashlib.sha256(content).hexdigest()[:8]
