"""TER against sacreBLEU 2.6.0 on real translations: every system of two sets, all attributes, every digit.

sacreBLEU takes some 8 ms for a pair, so that of every system every 50th segment is taken: with the first reference
segment by segment, with all of them (three of wmt21.en-de, whose means are thirds) as a corpus, with the flags in
turn.
"""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import understudy.compat.sacrebleu as facade

DATA = Path(__file__).parents[3] / "shared" / "data"
FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="reads ../shared/data, which is not part of the repository"
)

SETS = {  # the references, and how many systems there are
    "wmt21.en-de": (("refA.txt", "refC.txt", "refD.txt"), 20),
    "wmt21.de-en": (("refA.txt", "refB.txt"), 19),
}


def shown(score: Any) -> tuple[Any, ...]:
    return (repr(score.score), repr(score.num_edits), repr(score.ref_length), str(score))


def lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8").split("\n")[:-1]


@pytest.mark.parametrize("name", SETS)
def test_real_systems_score_alike(name: str) -> None:
    files, count = SETS[name]
    systems = sorted((DATA / name / "systems").iterdir())
    assert len(systems) == count
    columns = [lines(DATA / name / file)[::50] for file in files]
    flags = itertools.cycle(itertools.product((False, True), repeat=len(FLAGS)))
    for system in systems:
        hypotheses = lines(system)[::50]
        for hypothesis, reference in zip(hypotheses, columns[0], strict=True):
            ours, theirs = (module.sentence_ter(hypothesis, [reference]) for module in (facade, sacrebleu))
            assert shown(ours) == shown(theirs), (hypothesis, reference)
        chosen = dict(zip(FLAGS, next(flags), strict=True))
        ours, theirs = (module.corpus_ter(hypotheses, columns, **chosen) for module in (facade, sacrebleu))
        assert shown(ours) == shown(theirs), (system, chosen)
