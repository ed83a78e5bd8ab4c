"""How many segments a second the metrics of syntax score, given trees, and how long parsing takes beside that.

    python bench/trees.py        also part of bench.py

One thread, CPU time, the best of several runs. Each sentence is compared with the next one of its length. The trees are
those of the treebank in ../shared where it is there; else the example texts, parsed. Two threads of the parser are
compared with one by the clock, which needs a machine without other work, and by the CPU time of all processes.
"""

from __future__ import annotations

import math
import os
import tarfile
import time
from collections.abc import Callable

from text import ROOT
from understudy import Corpus, ParsedColumn, References, metric, parse
from understudy.metrics.base.registry import metrics
from understudy.metrics.base.tree_metric import TreeMetric
from understudy.syntax.english import EnglishParser
from understudy.syntax.head_rules import dependencies
from understudy.syntax.trees import ConstituentTree, written

TREEBANK = ROOT.parent / "shared" / "treebank" / "gum-by-sa.tar.xz"
WORDS = range(20, 31)
SENTENCES = 2_000
PARSED = 250  # in each run
TARGETS = {"stm": 20_000, "hwcm": 20_000, "dstm": 20_000, "tkm": 2_000, "dtkm": 2_000}
PARSING_TARGET = 450
TWO_THREADS_TARGET = 1.6


def main() -> None:
    if TREEBANK.is_file():
        trees = treebank_trees()
        kinds = ParsedColumn.from_brackets(map(str, trees))
        made = ParsedColumn(
            kinds,
            constituents=kinds.constituents,
            dependencies=ParsedColumn.from_conllu(
                [written([dependencies(tree)]) for tree in trees]
            ).dependencies,
        )
        origin = f"{len(trees):,} trees of {sum(len(tree.leaves) for tree in trees) / len(trees):.0f} words"
    else:
        examples = Corpus.read(sorted((ROOT / "examples").glob("system-*.en")))
        made = parse([text for column in examples.systems.values() for text in column])
        origin = f"{len(made):,} example texts (no ../shared/treebank here)"
    print(f"{f'syntax: {origin}':<58} {'segments/s':>12}  target")
    following = References((made[1:],))
    slowest = math.inf
    for name, metric_class in metrics().items():
        if issubclass(metric_class, TreeMetric):
            seconds = best(lambda name=name: metric(name).statistics(made[:-1], following, threads=1))
            rate = (len(made) - 1) / seconds
            slowest = min(slowest, rate)
            print(f"{metric_class.title + ', given trees':<58} {rate:>12,.0f}  >= {TARGETS[name]:,}")
    parser = EnglishParser()
    parser.parse([made[0] or ""])  # so that the model is loaded
    texts = [made[row] or "" for row in range(len(made))]
    # Other texts in every run: words that the parser has seen before are quicker to cut.
    parts = [texts[start : start + PARSED] for start in range(0, max(1, len(texts) - PARSED + 1), PARSED)]
    rate = max(
        len(part) / best(lambda part=part: parser.parse(part, threads=1), runs=1) for part in parts if part
    )
    print(f"{'parsing them with the English model, both kinds':<58} {rate:>12,.0f}  >= {PARSING_TARGET:,}")
    print(f"{'parsing takes so many times as long as the slowest metric':<58} {slowest / rate:>12,.0f}")
    runs = [
        [elapsed(lambda threads=threads: parser.parse(texts, threads=threads)) for threads in (1, 2)]
        for _ in range(3)
    ]
    (one, one_cpu), (two, two_cpu) = (
        tuple(map(min, zip(*some, strict=True))) for some in zip(*runs, strict=True)
    )
    print(
        f"{'parsing with two threads, times as fast as with one':<58} {one / two:>12.2f}  >= {TWO_THREADS_TARGET}"
    )
    print(f"{'CPU time of both, times that of one':<58} {two_cpu / one_cpu:>12.2f}")


def treebank_trees() -> list[ConstituentTree]:
    with tarfile.open(TREEBANK) as archive:
        files = [member for member in archive.getmembers() if member.name.endswith(".ptb")]
        texts = [archive.extractfile(member).read().decode("utf-8") for member in files]  # type: ignore[union-attr]
    found = [tree for text in texts for tree in ConstituentTree.read(text) if len(tree.leaves) in WORDS]
    return found[:SENTENCES]


def best(work: Callable[[], object], runs: int = 3) -> float:
    """Seconds of CPU."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def elapsed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of CPU with all processes that were started and have ended."""
    start, before = time.perf_counter(), os.times()
    work()
    return time.perf_counter() - start, sum(os.times()[:4]) - sum(before[:4])


if __name__ == "__main__":
    main()
