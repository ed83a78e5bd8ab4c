"""How fast `understudy tune` is on one core: minimum error rate training on made-up n-best lists.

python bench/tuning.py            1,000 segments with 100 candidates and 8 features
python bench/tuning.py --quick    a tenth of the segments

CPU time of the whole command, start-up, reading and counting included, with its default of 20 restarts: the best of
two runs. The line search is timed by itself, the best of 20.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from processes import best_of
from understudy import BLEU, NBest
from understudy.deciding.tuning.counted_lists import counted
from understudy.deciding.tuning.line_search import intervals_along

SEGMENTS, CANDIDATES, FEATURES = 1_000, 100, 8


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--quick", action="store_true", help="a tenth of the segments")
    segments = SEGMENTS // 10 if arguments.parse_args().quick else SEGMENTS
    lists, references = made_up(segments)
    with tempfile.TemporaryDirectory() as folder:
        nbest, reference = Path(folder) / "lists.nbest", Path(folder) / "reference.txt"
        lists.write(nbest)
        reference.write_text("\n".join(references) + "\n", encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "understudy",
            "tune",
            str(nbest),
            "-r",
            str(reference),
            "--threads",
            "1",
        ]
        (cost,) = best_of(2, command)
    print(
        f"tune, {segments:,} segments x {CANDIDATES} candidates x {FEATURES} features, 20 restarts: {cost.cpu:.1f} s "
        "(target: 10 s)"
    )
    candidates = counted(lists, references, [BLEU()], (1.0,), level="corpus", segment_level=False, threads=1)
    times = []
    for number in range(20):
        start = time.process_time()
        found = intervals_along(candidates, np.ones(FEATURES), np.eye(FEATURES)[number % FEATURES])
        times.append(time.process_time() - start)
    print(f"one exact line search, {len(found.values):,} intervals scored: {min(times) * 1000:.1f} ms")


def made_up(segments: int) -> tuple[NBest, list[str]]:
    """References of random words; candidates that keep a part of them, which half of the features estimate."""
    random = np.random.default_rng(1)
    vocabulary = np.array([f"w{number}" for number in range(3000)])
    references, texts, kept = [], [], []
    for _ in range(segments):
        words = random.choice(vocabulary, int(random.integers(10, 40)))
        references.append(" ".join(words))
        shares = 0.2 + 0.6 * random.random(CANDIDATES)
        others = random.choice(vocabulary, (CANDIDATES, len(words)))
        replaced = random.random((CANDIDATES, len(words))) > shares[:, np.newaxis]
        texts.append([" ".join(row) for row in np.where(replaced, others, words)])
        kept.append(shares)
    features = {
        f"f{number}": 2 * max(4 - number, 0) * np.array(kept) + random.normal(size=(segments, CANDIDATES))
        for number in range(FEATURES)
    }
    return NBest.of_texts(texts, features=features), references


if __name__ == "__main__":
    main()
