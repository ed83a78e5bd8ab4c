"""BERTScore with all-MiniLM-L6-v2: sentences encoded per second of CPU time, all pairs of candidates, and the cache.

    python bench/encoding.py        also part of bench.py

One thread, the best of three runs in this process, loading the model excluded.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from text import head, text_paths, write_text
from understudy import BERTScore
from understudy.neural import bert_score
from understudy.neural.model_files import find_model
from understudy.neural.numpy_encoder import NumpyEncoder
from understudy.neural.score_cache import ScoreCache
from understudy.neural.text_pieces import PieceReader

MODEL = "all-MiniLM-L6-v2"
SENTENCES = 300
CANDIDATES = 256


def main() -> None:
    if lack := BERTScore(model=MODEL).missing:
        print(f"BERTScore: left out. {lack}")
        return
    write_text(SENTENCES)
    hypotheses, references = (
        Path(head(path, SENTENCES)).read_text(encoding="utf-8").splitlines() for path in text_paths(SENTENCES)
    )
    encoding_rows(references)
    pairs_row(references)
    cache_row(hypotheses, references)


def encoding_rows(texts: list[str]) -> None:
    found = find_model(MODEL)
    reader = PieceReader(found)
    pieces = [reader.pieces(text) for text in texts]
    length = sum(len(text.numbers) for text in pieces) / len(pieces)
    for layers, target in ((6, ">= 60"), (4, "")):
        encoder = NumpyEncoder(found, layers)
        encoder.vectors(pieces[:1], batch_size=1, threads=1)
        seconds = best(lambda encoder=encoder: encoder.vectors(pieces, batch_size=16, threads=1))
        rate = len(texts) / seconds
        print(
            f"MiniLM in numpy, {layers} layers, {length:.0f} pieces: {rate:>6.0f} sentences per CPU second  {target}"
        )


def pairs_row(texts: list[str]) -> None:
    """The candidates of one segment, each against all others."""
    metric = BERTScore(model=MODEL)

    def every_pair() -> None:
        bert_score._loaded.cache_clear()
        metric.pairwise(texts[:CANDIDATES], threads=1)

    seconds = best(every_pair, runs=2)
    print(f"BERTScore of {CANDIDATES} x {CANDIDATES} candidates: {seconds:.2f} CPU seconds, loading included")


def cache_row(hypotheses: list[str], references: list[str]) -> None:
    metric = BERTScore(model=MODEL)
    with tempfile.TemporaryDirectory() as folder:
        ScoreCache.default = ScoreCache(Path(folder, "scores.sqlite3"))
        bert_score._loaded.cache_clear()
        first, second = (
            best(lambda: metric.segments(hypotheses, references, threads=1), runs=1) for _ in "12"
        )
        ScoreCache.default = None
    print(
        f"BERTScore of {len(hypotheses)} pairs: {first:.2f} s, from the cache {second:.4f} s: "
        f"{first / second:.0f} x  >= 50"
    )


def best(work: Callable[[], object], runs: int = 3) -> float:
    taken = []
    for _ in range(runs):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


if __name__ == "__main__":
    main()
