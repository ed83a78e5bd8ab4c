"""The text that is scored: real translations where ../shared/data is, else the examples, repeated.

python bench/text.py PAIRS       writes so many pairs, and says where they are from
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "bench"


def text_paths(pairs: int) -> tuple[Path, Path]:
    return WORK / f"hypotheses-{pairs}.txt", WORK / f"references-{pairs}.txt"


def write_text(pairs: int) -> str:
    """Two files of real translations and references, repeated until there are enough; says where from."""
    data = ROOT.parent / "shared" / "data"
    found = list(real_pairs(data)) if data.is_dir() else []
    origin = "WMT outputs" if found else "the example data (no ../shared/data here)"
    found = found or list(example_pairs())
    WORK.mkdir(parents=True, exist_ok=True)
    repeated = [found[index % len(found)] for index in range(pairs)]
    for side, path in enumerate(text_paths(pairs)):
        path.write_text("".join(pair[side] + "\n" for pair in repeated), encoding="utf-8", newline="\n")
    return origin


def real_pairs(data: Path) -> Iterator[tuple[str, str]]:
    for folder, reference in [
        ("wmt23.zh-en", "refA.txt"),
        ("wmt21.en-de", "refA.txt"),
        ("wmt21.de-en", "refA.txt"),
        ("wmt19.en-de.multiref", "ref.wmt.txt.gz"),
    ]:
        for system in sorted((data / folder / "systems").iterdir()):
            yield from zip(read_lines(system), read_lines(data / folder / reference), strict=True)


def example_pairs() -> Iterator[tuple[str, str]]:
    for system in sorted((ROOT / "examples").glob("system-*.en")):
        yield from zip(read_lines(system), read_lines(ROOT / "examples" / "reference-1.en"), strict=True)


def read_lines(path: Path) -> list[str]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8").split("\n")[:-1]


def head(path: Path, count: int) -> Path:
    target = path.with_name(f"{path.stem}-{count}.txt")
    with path.open("rb") as source, target.open("wb") as copy:
        for _, line in zip(range(count), source, strict=False):
            copy.write(line)
    return target


if __name__ == "__main__":
    print(write_text(int(sys.argv[1])))
