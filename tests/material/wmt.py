"""Real translations, references and published scores: ../shared/data, which is not part of the repository."""

from __future__ import annotations

import csv
import functools
import gzip
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from material.shared import SHARED, needs

DATA = SHARED / "data"

REFERENCES = {
    "wmt21.en-de": ("refA.txt", "refC.txt", "refD.txt"),
    "wmt23.zh-en": ("refA.txt", "synthetic_ref.txt"),
    "wmt21.de-en": ("refA.txt", "refB.txt"),
    "wmt19.en-de.multiref": ("ref.wmt.txt.gz", "ref.ar.txt.gz", "ref.wmtp.txt.gz", "ref.arp.txt.gz"),
    "wmt14.en-de.11refs": tuple(f"ref{number:02}.txt.gz" for number in range(11)),
    "wmt12.cs-en.sgml-ranks": ("ref.en.sgm.gz",),
    "ted.ar-en.adequacy-fluency": ("ref.txt.gz", "ref.tok.txt.gz"),
    "ted.fa-en.adequacy-fluency": ("ref.txt.gz", "ref.tok.txt.gz"),
}
Sample = Callable[..., slice]  # the fixture `sample` of tests/parity

needs_data = needs(DATA)


@functools.cache
def lines(path: Path) -> list[str]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = raw.decode("utf-8")
    if ".sgm" in path.name:
        return re.findall(r"<seg[^>]*>(.*?)</seg>", text, flags=re.IGNORECASE | re.DOTALL)
    return text.removesuffix("\n").split("\n")


def systems(folder: str) -> dict[str, list[str]]:
    return {name: lines(path) for name, path in _files(folder).items()}


@functools.cache
def _files(folder: str) -> dict[str, Path]:
    return {
        re.sub(r"(\.tok)?\.(txt|sgm)\.gz$", "", path.name): path
        for path in sorted((DATA / folder / "systems").iterdir())
    }


def references_of(folder: str) -> list[list[str]]:
    return [lines(DATA / folder / name) for name in REFERENCES[folder]]


@dataclass(frozen=True)
class System:
    """One system's translation of one test set."""

    folder: str
    name: str
    number: int  # among the systems of the set, so that samples need not all be of the same segments

    def __str__(self) -> str:
        return f"{self.folder}/{self.name}"

    @property
    def into_english(self) -> bool:
        return self.folder.split(".")[1].endswith("-en")

    def segments(self, part: slice, references: int | None = None) -> tuple[list[str], list[list[str]]]:
        """The translations in that part of the set, and the references of each: all of them, or the first few."""
        columns = [column[part] for column in references_of(self.folder)[:references]]
        return lines(_files(self.folder)[self.name])[part], [
            list(group) for group in zip(*columns, strict=True)
        ]


SYSTEMS = [
    System(folder, name, number)
    for folder in (REFERENCES if DATA.is_dir() else ())
    for number, name in enumerate(_files(folder))
]


def _parametrized(chosen: Iterable[System]) -> pytest.MarkDecorator:
    none = pytest.param(None, marks=needs_data, id="no data")
    return pytest.mark.parametrize("system", [*chosen] or [none], ids=str)


every_system = _parametrized(SYSTEMS)
every_system_into_english = _parametrized(system for system in SYSTEMS if system.into_english)


def table(path: Path) -> list[dict[str, str]]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return list(csv.DictReader(raw.decode("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def half_a_digit(published: str) -> float:
    """How far a number may be from its published, rounded form."""
    return 0.5 * 10 ** -len(published.partition(".")[2]) + 1e-12
