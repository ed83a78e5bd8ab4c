"""Results are equal by value, also those with arrays and with values that are not defined."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from understudy import (
    BLEU,
    read_judgments,
    score,
    score_sets,
    score_systems,
    study_references,
    trust_by_order,
)
from understudy.equality import same

EXAMPLES = Path(__file__).parents[1] / "examples"
SYSTEMS = [EXAMPLES / "system-weak.en", EXAMPLES / "system-strong.en"]
REFERENCES = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]
HUMAN = EXAMPLES / "judgments.tsv"

# Beside those of tests/comparing/test_result_objects.py.
MADE: dict[str, Callable[[], Any]] = {
    "scores of a system": lambda: score(SYSTEMS, REFERENCES, level="segment").systems,
    "statistics": lambda: BLEU().statistics(["a b c"], ["a b d"]),
    "human scores": lambda: read_judgments(HUMAN, "adequacy"),
    "metric scores": lambda: score_systems(SYSTEMS, REFERENCES),
    "test sets": lambda: score_sets(
        {"first": EXAMPLES},
        ["bleu"],
        human="judgments.tsv",
        measure="adequacy",
        systems="system-*.en",
        references="reference-1.en",
    ),
    "references study": lambda: study_references(SYSTEMS, REFERENCES, draws=2),
    "orders": lambda: trust_by_order(
        HUMAN, SYSTEMS, REFERENCES, measure="adequacy", level="segment", up_to=2, samples=5
    ),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_made_twice_from_the_same_it_is_equal(made: Callable[[], Any]) -> None:
    assert made() == made()


def test_what_differs_anywhere_is_not_equal() -> None:
    one, other = ({"tau": [0.5, last]} for last in (math.nan, 0.25))
    assert not same(one, other)
    assert BLEU().statistics(["a b c"], ["a b d"]) != BLEU().statistics(["a b c"], ["a b c"])
