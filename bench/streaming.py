"""Peak memory and time of `understudy score` and `understudy compare` on files of millions of segments.

python bench/streaming.py             10 million pairs; 1 million in every input format; intervals, tests and blocks of
                                      1 million segments; growth
python bench/streaming.py --quick     the same with a tenth of the segments
python bench/streaming.py --formats   the memory of every input format on a file, and on one four times as long
python bench/streaming.py --trees     syntax-based metrics on tree files of 100,000 and 1 million segments

Memory is the peak of resident memory of the whole process, as the kernel reports it. The texts are system outputs and
references of WMT, or the example data, with the number of the repetition in each line, so that lines differ.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from formats import FORMATS, TREES, write_format
from processes import Cost, run, script
from text import ROOT, WORK, example_pairs, read_lines

_BATCH = 20_000  # lines that are written together


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--write"]:  # in a process of its own: see _written
        print("\n".join(_write(*arguments[1:])))
        return
    if "--formats" in arguments:
        _formats(50_000)
        return
    unit = 100_000 if "--quick" in arguments else 1_000_000
    print(f"{'':<58} {'segments':>10} {'seconds':>8} {'CPU':>8} {'MB':>6}   limit")
    if "--trees" in arguments:
        _trees(unit)
        return
    ten = [_text(name, 10 * unit) for name in ("first", "references")]
    _row("score, BLEU, two .zst files", 10 * unit, _score(ten[0], ten[1]), "300 MB")
    for name in FORMATS:
        system, references = _written(name, str(unit))
        _row(f"score, BLEU, {name}", unit, _score(Path(system), Path(references)), "300 MB")
    _trees(unit)
    one = _texts(unit)
    _row("score --ci, BLEU", unit, _score(one[0], one[2], "--ci"), "500 MB")
    _row(
        "score --ci --interval bca, BLEU", unit, _score(one[0], one[2], "--ci", "--interval", "bca"), "500 MB"
    )
    _row("compare, BLEU, bootstrap", unit, _compare(one), "500 MB")
    _row("compare, BLEU and chrF, bootstrap", unit, _compare(one, "-m", "bleu", "-m", "chrf"), "500 MB")
    blocks = ["--test", "blocks", "--block-size", "25"]
    _row("compare, BLEU, blocks of 25", unit, _compare(one, *blocks), "500 MB")
    _row("compare, BLEU, 20 blocks", unit, _compare(one, "--test", "blocks"), "500 MB")
    _row("compare, BLEU, t-test of segment scores", unit, _compare(one, "--test", "ttest"), "500 MB")
    print()
    _growth("score", [1, 2, 5], unit, lambda files: _score(files[0], files[2]))
    _growth("compare, blocks of 25", [1, 2, 5], unit, lambda files: _compare(files, *blocks))
    _growth(
        "compare, bootstrap",
        [1, 2, 5],
        unit,
        _compare,
    )


def _growth(what: str, factors: list[int], unit: int, measure: Callable[[list[Path]], Cost]) -> None:
    """The time per million segments must not grow."""
    for factor in factors:
        cost = measure(_texts(factor * unit))
        per_million = cost.cpu / (factor * unit / 1_000_000)
        _row(what, factor * unit, cost, f"{per_million:.1f} CPU seconds per million")


def _trees(unit: int) -> None:
    """Syntax-based metrics on a file, and on one ten times as long."""
    for name, metric in TREES.items():
        for segments in (unit // 10, unit):
            system, references = map(Path, _written(name, str(segments)))
            _row(
                f"score, {metric.upper()}, {name}",
                segments,
                _score(system, references, "-m", metric),
                "300 MB",
            )
            if name == "CoNLL-U":
                with_ci = _score(system, references, "-m", metric, "--ci")
                _row(f"score --ci, {metric.upper()}, {name}", segments, with_ci, "500 MB")


def _formats(segments: int) -> None:
    """What a file of a format costs, and one four times as long: the difference is what grows with its length."""
    print(f"{'score, BLEU':<40} {segments:>10,} {4 * segments:>10,}   growth per segment")
    for name in FORMATS:
        memory = []
        for count in (segments, 4 * segments):
            system, references = _written(name, str(count))
            memory.append(run([str(script("understudy")), "score", system, "-r", references, "-q"]).memory)
        grown = (memory[1] - memory[0]) * 2**20 / (3 * segments)
        print(f"{name:<40} {memory[0]:>7.0f} MB {memory[1]:>7.0f} MB   {grown:>8.0f} bytes")


def _row(what: str, segments: int, cost: Cost, limit: str) -> None:
    print(
        f"{what:<58} {segments:>10,} {cost.wall:>8.1f} {cost.cpu:>8.1f} {cost.memory:>6.0f}   {limit}",
        flush=True,
    )


def _score(system: Path, references: Path, *options: str) -> Cost:
    return run([str(script("understudy")), "score", str(system), "-r", str(references), *options])


def _compare(files: list[Path], *options: str) -> Cost:
    first, second, references = map(str, files)
    return run([str(script("understudy")), "compare", first, second, "-r", references, *options])


# --- texts ----------------------------------------------------------------------------------------------------


def _texts(segments: int) -> list[Path]:
    return [_text(name, segments) for name in ("first", "second", "references")]


def _text(name: str, segments: int) -> Path:
    """A compressed file of so many segments, written once."""
    path = WORK / f"{name}-{segments}.zst"
    if not path.exists():
        _written(name, str(segments))
    return path


def _written(*arguments: str) -> list[str]:
    """Texts are written by another process: the peak that the kernel reports of a process includes that of the one it
    was started by.
    """
    command = [sys.executable, __file__, "--write", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def _write(name: str, count: str) -> list[str]:
    segments = int(count)
    if name in FORMATS:
        texts = [_lines(kind, segments) for kind in ("first", "references")]
        return list(write_format(name, WORK / "formats", segments, texts))
    path = WORK / f"{name}-{segments}.zst"
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        with _zstd().open(partial, "wb", level=3) as file:
            lines = _lines(name, segments)
            while batch := list(islice(lines, _BATCH)):
                file.write("".join(f"{line}\n" for line in batch).encode())
        partial.rename(path)
    return [str(path)]


def _zstd():
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _lines(name: str, segments: int) -> Iterator[str]:
    """One side of the triples, repeated; the number of the repetition comes after a word of each line."""
    column = ("first", "second", "references").index(name)
    texts = [triple[column] for triple in _triples()]
    for index in range(segments):
        repetition, row = divmod(index, len(texts))
        first, space, rest = texts[row].partition(" ")
        yield f"{first} {repetition} {rest}" if space else f"{first} {repetition}"


def _triples() -> list[tuple[str, str, str]]:
    """Two systems' translations and the reference."""
    folder = ROOT.parent / "shared" / "data" / "wmt23.zh-en"
    if folder.is_dir():
        first, *others = [read_lines(path) for path in sorted((folder / "systems").iterdir())]
        references = read_lines(folder / "refA.txt")
        return [triple for other in others for triple in zip(other, first, references, strict=True)]
    pairs = list(example_pairs())
    half = len(pairs) // 2
    return [(one[0], other[0], one[1]) for one, other in zip(pairs, pairs[half:], strict=False)]


if __name__ == "__main__":
    main(sys.argv[1:])
