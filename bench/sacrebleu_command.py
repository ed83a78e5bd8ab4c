"""sacreBLEU's command beside `understudy sacrebleu`: whole commands, with their start, which print the same.

    python bench/sacrebleu_command.py

CPU time is user plus system time. sacreBLEU's TER takes minutes, so it has a tenth of the pairs; the more pairs, the
less the start counts, and the larger the ratio.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from processes import best_of, python, run, script
from rows import row
from text import head, text_paths

PAIRS = 30_000
FEW = 3_000
PEER = "import sys; sys.argv[0] = 'sacrebleu'; from sacrebleu.sacrebleu import main; main()"
TARGET = ">= 10 x"

ONE_SYSTEM = [
    ("-m bleu", PAIRS),
    ("-m chrf", PAIRS),
    ("-m chrf -cw 2", PAIRS),
    ("-m ter", FEW),
    ("-m bleu -ci", PAIRS),
    ("-m chrf -ci", PAIRS),
    ("-m bleu -sl", PAIRS),
]
TWO_SYSTEMS = [
    ("-m bleu --paired-bs -f text", PAIRS),
    ("-m bleu chrf --paired-bs -f text", PAIRS),
    ("-m bleu --paired-ar -parn 1000", PAIRS),
]


def main() -> None:
    origin = run([sys.executable, str(Path(__file__).with_name("text.py")), str(PAIRS)]).output
    print(f"{PAIRS:,} pairs from {origin}; Python {sys.version.split()[0]}, {os.cpu_count()} cores\n")
    print(f"{'command':<58} {'sacreBLEU':>10} {'understudy':>10} {'ratio':>8}  target")
    for options, pairs in ONE_SYSTEM:
        beside(options, pairs, [])
    for options, pairs in TWO_SYSTEMS:
        beside(options, pairs, [str(rotated(pairs))])


def beside(options: str, pairs: int, further: list[str]) -> None:
    """A row of CPU time and one of time by the clock. The two outputs must be the same."""
    hypotheses, references = (str(head(path, pairs)) for path in text_paths(PAIRS))
    arguments = [references, "-i", hypotheses, *further, "-q", *options.split()]
    theirs, ours = best_of(2, python(PEER, *arguments), [str(script("understudy")), "sacrebleu", *arguments])
    if theirs.output != ours.output:
        sys.exit(f"{options}: the outputs differ.\n{theirs.output[:2000]}\n{ours.output[:2000]}")
    what = f"{options}, {pairs:,} pairs"
    row(f"{what}, CPU", theirs.cpu, ours.cpu, TARGET)
    row(f"{what}, wall", theirs.wall, ours.wall, "")


def rotated(pairs: int) -> Path:
    """A second system: the lines of the first, of which every fourth belongs to the next segment."""
    path = head(text_paths(PAIRS)[0], pairs)
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    changed = [lines[(row + (row % 4 == 0)) % len(lines)] for row in range(len(lines))]
    target = path.with_name(f"{path.stem}-rotated.txt")
    target.write_text("".join(f"{line}\n" for line in changed), encoding="utf-8", newline="\n")
    return target


if __name__ == "__main__":
    main()
