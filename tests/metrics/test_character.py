"""CharacTER against the textbook on hostile words, and what its numbers mean."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from reference import character as textbook
from reference.hostile_words import pairs
from understudy import CharacTER
from understudy._core import LENGTH_UNITS

EXAMPLES, PAIRS = 250, 48
CELLS = 90  # of words by words, and
CHARACTERS = 1_500  # of characters by characters: the largest tables that the textbook is asked to fill
METRIC = CharacTER.preset("character.py")


def easy(hypothesis: list[str], references: list[list[str]]) -> bool:
    words = len(hypothesis) * max(map(len, references))
    return (
        words <= CELLS and len(" ".join(hypothesis)) * max(len(" ".join(r)) for r in references) <= CHARACTERS
    )


def test_hostile_text():
    compared = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pairs(PAIRS, most_references=2))
    def compare(made):
        nonlocal compared
        made = [pair for pair in made if easy(*pair)]
        if not made:
            return
        metric = CharacTER(tokenize="none", capped=compared % 2 == 0)
        rows = metric.statistics(
            [" ".join(h) for h, _ in made], [[" ".join(r) for r in rs] for _, rs in made]
        )
        scores = metric.segment_scores(rows)
        for i, (hypothesis, references) in enumerate(made):
            found = [textbook.character(hypothesis, r, capped=metric.capped) for r in references]
            best = min(found, key=lambda one: one.rate)  # the first among equals
            assert scores[i] == pytest.approx(100 * float(best.rate), rel=1e-14), (hypothesis, references)
            counted = [int(rows[name][i]) for name in ("edits", "shifts", "hyp_characters")]
            assert counted == [best.edits, best.shifts, best.characters]
            assert Fraction(int(rows["shift_cost"][i]), LENGTH_UNITS) == best.shift_cost
        compared += sum(len(references) for _, references in made)

    compare()
    assert compared >= 10_000


@pytest.mark.parametrize(("kinds", "size"), [(2, 30), (10, 45), (40, 66), (200, 80)])
def test_longer_segments(kinds, size):
    """Of more words than the core compares at once."""
    generator = random.Random(kinds)
    reference = [f"w{generator.randrange(kinds)}" for _ in range(size)]
    parts = [reference[i : i + 7] for i in range(0, size, 7)]
    generator.shuffle(parts)
    hypothesis = [word for part in parts for word in part if generator.random() > 0.1]
    found = textbook.character(hypothesis, reference)
    row = METRIC.statistics([" ".join(hypothesis)], [" ".join(reference)])
    assert [int(row[name][0]) for name in ("edits", "shifts")] == [found.edits, found.shifts]
    assert row["shift_cost"][0] / LENGTH_UNITS == pytest.approx(float(found.shift_cost), rel=1e-9)
    assert METRIC.segment_scores(row)[0] == pytest.approx(100 * float(found.rate), rel=1e-14)


def test_very_long_segments():
    """One block of a long text stands elsewhere: it is found, moved, and paid with the mean length of words."""
    words = [f"w{i:04}" for i in range(5_000)]
    moved = words[:1_000] + words[1_200:3_000] + words[1_000:1_200] + words[3_000:]
    row = METRIC.statistics([" ".join(moved)], [" ".join(words)])
    assert [int(row[name][0]) for name in ("edits", "shifts")] == [0, 1]
    # The words that made room are found further on too, so both phrases are paid for, as in the program.
    assert row["shift_cost"][0] == 5 * LENGTH_UNITS


def test_a_corpus_is_the_mean_of_its_segments():
    texts = [["the cat sat", "a", ""], ["the cat sat", "entirely different", "gone"]]
    scores = METRIC.segments(*texts)
    assert scores.tolist() == [0, 100, 100]
    assert METRIC.corpus(*texts).value == pytest.approx(200 / 3, rel=1e-15)
    assert METRIC.corpus(*texts).value == pytest.approx(METRIC.mean(*texts).value, rel=1e-15)


def test_a_corpus_as_one_text():
    texts = [["the cat sat", "a", ""], ["the cat sat", "bcd", "gone"]]
    metric = CharacTER(average="characters")
    assert metric.corpus(*texts).value == pytest.approx(100 * (0 + 3 + 4) / 12)
    assert metric.segments(*texts).tolist() == [0, 300, 100]  # nothing is capped there


def test_rates_above_100():
    assert METRIC.corpus(["a"], ["bcd"]).value == 100
    assert CharacTER(capped=False).corpus(["a"], ["bcd"]).value == 300


@pytest.mark.parametrize("reference", ["", "a"])
def test_no_translation_is_all_wrong(reference):
    """Even where nothing is wanted: so does the program."""
    assert METRIC.corpus([""], [reference]).value == 100
    assert METRIC.corpus(["a b"], [""]).value == 100


def test_equally_good_shifts_are_decided_by_the_order_of_words():
    """By code points, not by UTF-16 or by language."""
    for words in (["b", "a"], ["z", "é"], ["\ufffd", "\U00010000"]):
        hypothesis, reference = [*words, "x"], ["x", *reversed(words)]
        found = textbook.character(hypothesis, reference)
        row = METRIC.statistics([" ".join(hypothesis)], [" ".join(reference)])
        assert row["edits"][0] == found.edits
        assert row["shifts"][0] == found.shifts


def test_the_best_reference_counts():
    references = [["something else", "the cat sat", "the cat sat"]]
    assert METRIC.corpus(["the cat sat"], references).value == 0


def test_sums_do_not_depend_on_the_parts():
    generator = random.Random(7)
    texts = [
        [" ".join(generator.choices(["a", "bb", "ccc"], k=generator.randrange(9))) for _ in range(500)]
        for _ in "hr"
    ]
    whole = METRIC.statistics(*texts)
    parts = [METRIC.statistics(texts[0][i : i + 37], texts[1][i : i + 37]) for i in range(0, 500, 37)]
    generator.shuffle(parts)
    total = parts[0].sum()
    for part in parts[1:]:
        total = total + part.sum()
    assert np.array_equal(total.array, whole.sum().array)


def test_its_names():
    from understudy import metric

    assert metric("characTER") == metric("CharacTER:character.py,tokenize=13a") == CharacTER()
    assert str(METRIC.signature((1, 1))).startswith("nrefs:1|case:mixed|tok:none|avg:segments|capped:yes|")
