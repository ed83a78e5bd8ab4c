"""TER against sacreBLEU 2.6.0 on real translations: every system, all attributes, every digit.

sacreBLEU takes some 8 ms for a pair, so that a sample of the segments is taken: as a corpus and segment by segment,
with the first reference, and with all of them (three of wmt21.en-de, whose means are thirds) and the flags in turn.
"""

from __future__ import annotations

import pytest

pytest.importorskip("sacrebleu")
from material.sacrebleu_beside import assert_scored_alike
from material.wmt import Sample, System, every_system

FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")


@every_system
def test_real_systems_score_alike(system: System, sample: Sample) -> None:
    hypotheses, references = system.segments(sample(480, first=37 * system.number))
    columns = [list(column) for column in zip(*references, strict=True)]
    assert_scored_alike("TER", hypotheses, columns[:1])
    chosen = {flag: bool(system.number >> place & 1) for place, flag in enumerate(FLAGS)}
    assert_scored_alike("TER", hypotheses, columns, **chosen)
