"""WER against jiwer (RapidFuzz underneath): the rate, and hits, substitutions, deletions and insertions, exactly.

jiwer gets the hostile pairs as lists of words, since it splits texts at the space alone; where both split
alike, on ordinary text, it gets the texts.
"""

from __future__ import annotations

import random
from pathlib import Path

import jiwer
import pytest
from hypothesis import HealthCheck, given, settings

from material.wmt import Sample, System, every_system
from reference.hostile_words import pairs
from understudy import WER, Statistics

EXAMPLES, PAIRS = 250, 48
PARTS = ("hits", "substitutions", "deletions", "insertions")
UNCHANGED = jiwer.Compose([])
METRIC = WER.preset("jiwer")
ROOT = Path(__file__).parents[2]


def counted(hypotheses: list[list[str]], references: list[list[str]]) -> Statistics:
    return METRIC.statistics([" ".join(h) for h in hypotheses], [" ".join(r) for r in references])


def peer(hypotheses: list[list[str]], references: list[list[str]]) -> jiwer.WordOutput:
    return jiwer.process_words(references, hypotheses, UNCHANGED, UNCHANGED)


def parts_of(result: jiwer.WordOutput) -> list[int]:
    return [getattr(result, part) for part in PARTS]


def assert_alike(hypotheses: list[list[str]], references: list[list[str]]) -> None:
    rows = counted(hypotheses, references)
    scores = METRIC.segment_scores(rows)
    for i, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        expected = peer([hypothesis], [reference])
        assert [int(rows[part][i]) for part in PARTS] == parts_of(expected), (hypothesis, reference)
        assert rows["edits"][i] == sum(parts_of(expected)[1:])
        assert rows["ref_length"][i] == len(reference)
        if reference:
            assert scores[i] == 100 * expected.wer
    whole, total = peer(hypotheses, references), rows.sum()
    assert [int(total[part]) for part in PARTS] == parts_of(whole)
    if any(references):
        assert METRIC.corpus_score(rows).value == 100 * whole.wer


def test_hostile_text():
    compared = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pairs(PAIRS))
    def compare(made):
        nonlocal compared
        assert_alike([hypothesis for hypothesis, _ in made], [references[0] for _, references in made])
        compared += len(made)

    compare()
    assert compared >= 10_000


@pytest.mark.parametrize("length", [640, 2_890, 2_900, 5_000, 7_000, 12_000])
@pytest.mark.parametrize("kinds", [3, 2_000])
def test_long_segments(length, kinds):
    """From 2,900 words on the core works in parts, and finds the same. On very long texts RapidFuzz saves memory, and
    so takes another way of the same cost: there it is the sum of the edits that must agree."""
    generator = random.Random(length)
    reference = [f"w{generator.randrange(kinds)}" for _ in range(length)]
    damaged = [word for word in reference if generator.random() > 0.2]
    for _ in range(length // 10):
        damaged.insert(generator.randrange(len(damaged)), f"w{generator.randrange(kinds)}")
    row, expected = counted([damaged], [reference]), parts_of(peer([damaged], [reference]))
    assert row["edits"][0] == sum(expected[1:])
    if length <= 7_000:
        assert [int(row[part][0]) for part in PARTS] == expected


@pytest.mark.parametrize("system", ["medium", "rulebased", "strong", "weak"])
def test_ordinary_text_as_it_is(system):
    hypotheses, references = (
        (ROOT / "examples" / name).read_text(encoding="utf-8").split("\n")[:-1]
        for name in (f"system-{system}.en", "reference-1.en")
    )
    assert METRIC.corpus(hypotheses, references).value == 100 * jiwer.wer(references, hypotheses)


def test_against_an_empty_reference_the_two_differ():
    """jiwer returns the number of insertions there, which is no rate."""
    assert jiwer.wer("", "a b c") == 3
    assert METRIC.corpus(["a b c"], [""]).value == 100
    assert jiwer.wer("", "") == METRIC.corpus([""], [""]).value == 0


@every_system
def test_real_systems(system: System, sample: Sample):
    """A sample of the segments, by themselves and together, with the first reference."""
    hypotheses, references = system.segments(sample(10, first=system.number), references=1)
    assert_alike([text.split() for text in hypotheses], [group[0].split() for group in references])
