"""CharacTER against `cer`, the package that grew out of the authors' program.

It subtracts normalised distances as floating-point numbers, so that a shift that changes nothing can look like a gain
of 10^-17, and is then made: `exact` lets the same code count in fractions, as the authors' own program in effect does.
"""

from __future__ import annotations

import importlib
import random
from fractions import Fraction

import pytest

from material.wmt import Sample, System, every_system, needs_data, references_of, systems
from reference.hostile_words import WORDS
from understudy import CharacTER

peer = pytest.importorskip("cer", reason="cer, the peer to compare with, is not installed")
peer_module = importlib.import_module("cer.cer")

METRIC = CharacTER.preset("character.py")


@pytest.fixture
def exact(monkeypatch):
    from rapidfuzz.distance import Levenshtein

    def distance(hypothesis, reference, *, do_norm=False):
        found = Levenshtein.distance(hypothesis, reference)
        return Fraction(found, len(reference)) if do_norm else found

    monkeypatch.setattr(peer_module, "calculate_levenshtein", distance)


def scores(pairs: list[tuple[str, str]]) -> list[float]:
    return (METRIC.segments([h for h, _ in pairs], [r for _, r in pairs]) / 100).tolist()


def peer_scores(pairs: list[tuple[str, str]]) -> list[float]:
    return [float(peer.calculate_cer(h.split(), r.split())) for h, r in pairs]


def hostile_pairs(count: int) -> list[tuple[str, str]]:
    generator = random.Random(count)
    made = []
    for _ in range(count):
        vocabulary = generator.sample(WORDS, generator.randint(2, 9))
        reference = generator.choices(vocabulary, k=generator.choice((1, 2, 5, 9, 15)))
        hypothesis = [word for word in reference if generator.random() > 0.2]
        at = generator.randrange(len(hypothesis) + 1)
        hypothesis = (
            hypothesis[at:] + generator.choices(vocabulary, k=generator.randrange(3)) + hypothesis[:at]
        )
        made.append((" ".join(hypothesis), " ".join(reference)))
    return made


@pytest.mark.usefixtures("exact")
def test_hostile_text():
    pairs = hostile_pairs(10_000)
    assert scores(pairs) == pytest.approx(peer_scores(pairs), rel=1e-12)


def test_hostile_text_as_the_peer_counts_it():
    """The same pairs in floating point: few differ, and there are such."""
    pairs = hostile_pairs(3_000)
    different = [
        a for a, b in zip(scores(pairs), peer_scores(pairs), strict=True) if a != pytest.approx(b, rel=1e-12)
    ]
    assert len(different) < 0.02 * len(pairs)


@pytest.mark.usefixtures("exact")
@every_system
def test_real_systems(system: System, sample: Sample) -> None:
    """A sample of the segments, with the first reference."""
    hypotheses, references = system.segments(sample(240, first=37 * system.number), references=1)
    pairs = [(text, reference) for text, (reference,) in zip(hypotheses, references, strict=True)]
    assert scores(pairs) == pytest.approx(peer_scores(pairs), rel=1e-12)


@needs_data
@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize(("words", "most"), [(65, 8), (128, 5), (200, 3), (330, 1)])
@pytest.mark.parametrize("folder", ["wmt21.en-de", "wmt23.zh-en", "wmt12.cs-en.sgml-ranks"])
def test_long_segments(folder, words, most):
    """Segments in one: where there are more words than the core compares at once, it bounds what shifts can gain."""
    texts = [*list(systems(folder).values())[:most], references_of(folder)[0]]
    *hypotheses, reference = (" ".join(text).split() for text in texts)
    start = 7 * words
    pairs = [
        (" ".join(h[start : start + words]), " ".join(reference[start - 3 : start + words]))
        for h in hypotheses
    ]
    assert scores(pairs) == pytest.approx(peer_scores(pairs), rel=1e-12)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("kinds", [2, 7, 25, 100])
def test_long_segments_of_few_words(kinds):
    generator = random.Random(kinds)
    pairs = []
    for size in (63, 64, 65, 100, 128, 129, 150) if kinds > 10 else (65, 80):
        reference = [f"w{generator.randrange(kinds)}" for _ in range(size)]
        parts = [reference[i : i + 12] for i in range(0, size, 12)]
        generator.shuffle(parts)
        hypothesis = [word for part in parts for word in part if generator.random() > 0.1]
        pairs.append((" ".join(hypothesis), " ".join(reference)))
    assert scores(pairs) == pytest.approx(peer_scores(pairs), rel=1e-12)


def test_an_empty_reference_stops_the_peer():
    with pytest.raises(ZeroDivisionError):
        peer.calculate_cer(["a"], [])
    assert METRIC.corpus(["a"], [""]).value == 100
