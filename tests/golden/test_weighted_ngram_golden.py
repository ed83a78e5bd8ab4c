"""The weighted n-gram model against the authors' program, WNM 01-1 (wnm-01-1.pl by Bogdan Babych and Anthony Hartley).

`wnm.tsv` holds the figures that it writes to its log, at full precision, for the four systems and the first reference
of `examples`: every segment is a text of its own, and all other segments are its corpus. They were made with a copy of
the program that was typed in from its public text, with what it prints on the terminal left out: a slip in typing would
show here as a difference, but the distributed file itself has not been run.

The text is reduced to words of at least five letters in lower case, to which the program's clean-up does nothing. Short
words are left out because it takes logarithms of less than 1 too: words that are nearly as frequent elsewhere then
count against a text that has them, which is not done here. Its last digit depends on the order of Perl's hashes; these
figures are those with PERL_HASH_SEED=0.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from understudy import WeightedNgram

EXAMPLES = Path(__file__).parents[2] / "examples"


def words(name: str) -> list[str]:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:-1]
    return [" ".join(re.findall(r"[a-z]{5,}", line.lower())) for line in lines]


@pytest.mark.parametrize("measure", ["precision", "recall", "f1"])
def test_wnm(measure: str) -> None:
    with Path(__file__).with_name("wnm.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    wnm = WeightedNgram.preset("wnm", measure=measure)
    scores = {
        system: wnm.segments(words(f"system-{system}.en"), words("reference-1.en"))
        for system in {row["system"] for row in rows}
    }
    for row in rows:
        ours = scores[row["system"]][int(row["segment"]) - 1]
        assert ours == pytest.approx(100 * float(row[measure]), abs=1e-8), row  # weights are rounded to 2^-30
    assert len(rows) == 240
