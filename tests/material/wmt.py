"""Real translations, references and published scores: ../shared/data, which is not part of the repository."""

from __future__ import annotations

import csv
import functools
import gzip
import re
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"

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
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real data in {DATA}")


@functools.cache
def lines(path: Path) -> list[str]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = raw.decode("utf-8")
    if ".sgm" in path.name:
        return re.findall(r"<seg[^>]*>(.*?)</seg>", text, flags=re.IGNORECASE | re.DOTALL)
    return text.removesuffix("\n").split("\n")


def systems(folder: str) -> dict[str, list[str]]:
    return {
        re.sub(r"(\.tok)?\.(txt|sgm)\.gz$", "", path.name): lines(path)
        for path in sorted((DATA / folder / "systems").iterdir())
    }


def references_of(folder: str) -> list[list[str]]:
    return [lines(DATA / folder / name) for name in REFERENCES[folder]]


def table(path: Path) -> list[dict[str, str]]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return list(csv.DictReader(raw.decode("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def half_a_digit(published: str) -> float:
    """How far a number may be from its published, rounded form."""
    return 0.5 * 10 ** -len(published.partition(".")[2]) + 1e-12
