"""A track of many runs: time to add them, to show their history and to check one, and the size of the file.

    python bench/tracking.py [RUNS [SEGMENTS]]

CPU seconds of one thread; by default 200 runs on 2,000 segments, by BLEU and chrF.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from understudy import Track

WORDS = np.array([f"word{number}" for number in range(2000)])


def timed(what: str, call: Callable[[], Any]) -> None:
    started = time.process_time()
    call()
    print(f"{what:<24}{time.process_time() - started:8.2f} s", flush=True)


def main() -> None:
    runs, segments = (int(given) for given in (sys.argv[1:] + ["200", "2000"][len(sys.argv) - 1 :]))
    generator = np.random.default_rng(1)
    reference = [WORDS[generator.integers(2000, size=generator.integers(8, 40))] for _ in range(segments)]
    answers = [" ".join(words) for words in reference]

    def output() -> list[str]:
        kept = [generator.random(len(words)) < 0.7 for words in reference]
        others = [WORDS[generator.integers(2000, size=len(words))] for words in reference]
        return [" ".join(np.where(*parts)) for parts in zip(kept, reference, others, strict=True)]

    outputs = [output() for _ in range(10)]
    mixed = generator.integers(10, size=(runs, segments))
    texts = [[outputs[which][row] for row, which in enumerate(chosen)] for chosen in mixed]
    with tempfile.TemporaryDirectory() as folder:
        track = Track(os.path.join(folder, "track.sqlite"))

        def add() -> None:
            for number, text in enumerate(texts):
                track.add(f"run {number}", text, answers, ["bleu", "chrf"], threads=1)

        timed(f"add {runs} runs", add)
        print(f"{'file':<24}{os.path.getsize(track.path) / 1e6:8.2f} MB")
        timed("show", track.show)
        timed("show --last 30", lambda: track.show(last=30))
        timed("check --baseline best", lambda: track.check(baseline="best"))


if __name__ == "__main__":
    main()
