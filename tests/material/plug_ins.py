"""Packages that bring a metric, as pip would have installed them."""

from __future__ import annotations

from pathlib import Path

METRIC = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy import Metric, param


@dataclass(frozen=True, kw_only=True, repr=False)
class Same(Metric):
    """Segments that are equal to one of their references."""

    reference: int = param(1, "number of the reference")

    name: ClassVar[str] = "same"
    title: ClassVar[str] = "Same"
    summary: ClassVar[str] = "Percentage of segments equal to one of their references."
    formula: ClassVar[str] = "100 m / n"
    citation: ClassVar[str] = "None needed."
    not_for: ClassVar[str] = "Anything."
    columns: ClassVar[tuple[str, ...]] = ("matches", "segments")

    def count(self, hypotheses, references, threads):
        rows = [(hypotheses[i] == references[i][self.reference - 1], 1) for i in range(len(hypotheses))]
        return np.array(rows, dtype=np.int64)

    def score(self, statistics):
        return 100 * statistics["matches"] / statistics["segments"]
'''


def install(folder: Path, module: str, source: str, entry_point: str) -> None:
    """Puts a package of one module, and of that name, into a folder that is searched for packages."""
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    information = folder / f"{module}-1.2.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.2\n")
    (information / "entry_points.txt").write_text(f"[understudy.metrics]\nsame = {entry_point}\n")
