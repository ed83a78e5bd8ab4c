"""Segments of a whole book: memory that grows with their length, or one line that says they are too long."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from understudy import metric
from understudy.errors import BadInput


def made(words: int, kinds: int, seed: int) -> str:
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(kinds)}" for _ in range(words))


SCORE = """
import resource, sys
from test_long_segments import made
from understudy import metric
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
words = made(80_000, 9_000, 1).split()
print(metric(sys.argv[1]).corpus([" ".join(words[9:])], [" ".join(words)], threads=1).detail["edits"])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="this platform does not limit the memory of a process")
@pytest.mark.parametrize("spec", ["ter", "ter:sacrebleu", "ter:tercom", "wer", "cder"])
def test_80_000_words_in_one_segment(spec):
    """In one GB for everything, Python and its libraries included. With the square of the length TER took 3.2."""
    found = subprocess.run(
        [sys.executable, "-c", SCORE, spec, str(2**30)],
        capture_output=True,
        text=True,
        check=False,
        cwd=__file__.rpartition("/")[0],
    )
    assert found.stderr == ""
    assert found.stdout == "9\n"


@pytest.mark.parametrize(
    ("spec", "words", "advice"),
    [
        ("ter:beam=0", 60_000, r"Split the text into sentences, or set beam=25,beam_of=places\.$"),
        ("ter:tercom", 40_000, r"Split the text into sentences, or set beam=25,beam_of=places\.$"),
        ("ter:beam=60000", 60_000, r"Split the text into sentences\.$"),
        ("character", 60_000, r"Split the text into sentences\.$"),
        ("rougeSU", 20_000, r"Split the text into sentences, or set max_skip\.$"),
        ("rouge:rouge-1.5.5,kind=W", 40_000, r"Split the text into sentences\.$"),
    ],
)
def test_too_long(spec, words, advice):
    """The first segment has room, the second none."""
    hypotheses, references = (["a b", made(words, 10**6, seed)] for seed in (1, 2))
    first = " ".join(hypotheses[1].split()[:5])
    said = (
        f": the segment starting with '{first}' has {words:,} words, its reference {words:,}. Comparing them "
        f"needs more than 1 GB. {advice}"
    )
    with pytest.raises(BadInput, match=said):
        metric(spec).corpus(hypotheses, references)
