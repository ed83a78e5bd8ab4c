"""WER and CER against jiwer (RapidFuzz underneath): rate, hits, substitutions, deletions and insertions, exactly.

Both get the same texts, and jiwer does with them what it does by default.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from material.wmt import Sample, System, every_system
from reference.hostile_words import pairs
from understudy import CER, WER
from understudy.text.tokenizers import tokenizer

jiwer = pytest.importorskip("jiwer")

EXAMPLES, PAIRS = 250, 48
PARTS = ("hits", "substitutions", "deletions", "insertions")
METRIC = WER.preset("jiwer")
CHARACTERS = CER.preset("jiwer")
PEERS = {METRIC: jiwer.process_words, CHARACTERS: jiwer.process_characters}
ROOT = Path(__file__).parents[2]

WHITE_SPACE = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]


def spaced(words: list[str], generator: random.Random) -> str:
    """The words with white space of all kinds between them and around them, mostly one space."""

    def gap(shortest: int) -> str:
        length = generator.choice([shortest, 1, 1, 2, 3])
        return "".join(generator.choices([" ", generator.choice(WHITE_SPACE)], k=length))

    return gap(0) + "".join(word + (" " if generator.random() < 0.6 else gap(1)) for word in words) + gap(0)


def parts_of(result: Any) -> list[int]:
    return [getattr(result, part) for part in PARTS]


def assert_alike(metric: WER, hypotheses: list[str], references: list[str]) -> None:
    peer = PEERS[metric]
    rows = metric.statistics(hypotheses, references)
    scores = metric.segment_scores(rows)
    for i, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        expected = peer(reference, hypothesis)
        assert [int(rows[part][i]) for part in PARTS] == parts_of(expected), (hypothesis, reference)
        assert rows["edits"][i] == sum(parts_of(expected)[1:])
        assert rows["ref_length"][i] == len(expected.references[0])
        assert scores[i] == 100 * rate(expected)
    whole, total = peer(references, hypotheses), rows.sum()
    assert [int(total[part]) for part in PARTS] == parts_of(whole)
    assert metric.corpus_score(rows).value == 100 * rate(whole)


def rate(result: Any) -> float:
    return result.wer if isinstance(result, jiwer.WordOutput) else result.cer


@pytest.mark.parametrize(
    ("metric", "examples", "longest", "fewest"),
    [(METRIC, EXAMPLES, 10**6, 10_000), (CHARACTERS, 60, 500, 1_200)],
    ids=("wer", "cer"),
)
def test_hostile_text(metric, examples, longest, fewest):
    """On the longest texts characters would be too many for the peer, which takes other ways there."""
    compared = 0

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pairs(PAIRS))
    def compare(made):
        nonlocal compared
        generator = random.Random(len(made[0][0]))
        texts = [(spaced(hypothesis, generator), spaced(group[0], generator)) for hypothesis, group in made]
        kept = [pair for pair in texts if max(map(len, pair)) <= longest]
        if kept:
            assert_alike(metric, [hypothesis for hypothesis, _ in kept], [reference for _, reference in kept])
        compared += len(kept)

    compare()
    assert compared >= fewest


@given(st.text(st.sampled_from([*WHITE_SPACE, *" " * len(WHITE_SPACE), *"ab\u200b\ufeff"])))
def test_tokens(text):
    assert tokenizer("char-spaced")(text) == jiwer.transformations.cer_default(text)[0]
    assert tokenizer("jiwer")(text) == jiwer.transformations.wer_default(text)[0]


@pytest.mark.parametrize("length", range(60, 70))
def test_white_space_across_a_block_of_the_core(length):
    """It looks at 64 bytes at once."""
    for gap in ("\u2003", "\u2003\u00a0", " \u2003", "\t\t", "\t"):
        text = "x" * length + gap + "y"
        assert tokenizer("jiwer")(text) == jiwer.transformations.wer_default(text)[0]


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
    texts = " ".join(damaged), " ".join(reference)
    row, expected = METRIC.statistics(texts[:1], texts[1:]), parts_of(jiwer.process_words(texts[1], texts[0]))
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
    assert CER().corpus(hypotheses, references).value == 100 * jiwer.cer(references, hypotheses)


def test_against_an_empty_reference():
    """jiwer returns the number of insertions there, which is no rate. The defaults call it 100 %."""
    assert METRIC.corpus(["a b c"], [""]).value == 100 * jiwer.wer("", "a b c") == 300
    assert CHARACTERS.corpus(["abcd"], [""]).value == 100 * jiwer.cer("", "abcd") == 400
    assert METRIC.corpus([""], [""]).value == jiwer.wer("", "") == 0
    assert WER().corpus(["a b c"], [""]).value == CER().corpus(["abcd"], [""]).value == 100
    assert str(METRIC.signature()).count("|empty:insertions|") == 1
    # Of several references the one with the lowest rate counts, by the same rule.
    assert METRIC.corpus(["a b c"], [["", "x y"]]).value == 150
    assert WER().corpus(["a b c"], [["", "x y"]]).value == 100


@pytest.mark.parametrize("metric", PEERS, ids=lambda metric: metric.name)
@every_system
def test_real_systems(metric: WER, system: System, sample: Sample):
    """A sample of the segments, by themselves and together, with the first reference."""
    hypotheses, references = system.segments(sample(10, first=system.number), references=1)
    assert_alike(metric, hypotheses, [group[0] for group in references])
