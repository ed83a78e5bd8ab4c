"""Numbers of other programs, and the texts they are of: ../shared/golden, whose README has the versions."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path

from material.shared import SHARED, needs

GOLDEN = SHARED / "golden"

needs_golden = needs(GOLDEN / "numbers" / "corpus_all.tsv.gz")

Place = tuple[str, str, str]  # set, system, letters of the references
Prepare = Callable[[str], str]


@cache
def read(place: Place, text: str, prepare: Prepare = str) -> tuple[list[str], list[list[str]]]:
    """The hypotheses, and each segment's references in the order of the letters of `refs`."""
    corpus, system, refs = place
    folder = GOLDEN / "inputs" / corpus / ("" if text == "raw" else text)

    def lines(path: Path) -> list[str]:
        return [prepare(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]

    columns = [lines(next(folder.glob(f"ref{letter}*.en"))) for letter in refs]
    return lines(folder / f"sys-{system}.en"), [list(group) for group in zip(*columns, strict=True)]


@cache
def table(name: str) -> list[dict[str, str]]:
    with gzip.open(GOLDEN / "numbers" / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def corpus_rows(program: str, options: str, metric_prefix: str = "") -> list[dict[str, str]]:
    return [
        row
        for row in table("corpus_all")
        if (row["program"], row["options"]) == (program, options) and row["metric"].startswith(metric_prefix)
    ]
