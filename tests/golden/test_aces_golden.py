"""ACES scores beside ACES' own program (github.com/EdinburghNLP/ACES at 6912157, February 2024).

`scored` makes a table of made-up scores for all 68 phenomena; the program's output for it:

    aces-eval -i scored.tsv --print_overview --print_aces_score
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from understudy.probing.challenge_sets.run import probe_pairs

CATEGORIES = {
    "addition": (-0.14285714285714285, -0.14285714285714285),
    "omission": (0.14285714285714285, -0.14285714285714285),
    "mistranslation": (0.07004390408645729, -0.13497129348193176),
    "untranslated": (0.3206349206349206, -0.08465608465608465),
    "do not translate": (0.1111111111111111, -0.3333333333333333),
    "overtranslation": (0.0, 0.0),
    "undertranslation": (0.1111111111111111, -0.3333333333333333),
    "real-world knowledge": (0.17165532879818593, -0.11326530612244899),
    "wrong language": (0.07142857142857142, -0.19642857142857142),
    "punctuation": (0.06349206349206349, -0.16904761904761906),
}
SCORES = (1.5869542143098374, -4.514682620092954)  # of A and B


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """As the program writes and reads it. B has many ties."""
    text = (resources.files("understudy.probing.challenge_sets") / "aces.json").read_text(encoding="utf-8")
    phenomena = sorted(name for category in json.loads(text)["categories"] for name in category["phenomena"])
    columns = ["source", "good-translation", "incorrect-translation", "reference", "phenomena", "langpair"]
    rows = [[*columns, "A-good", "A-bad", "B-good", "B-bad"]]
    for place, phenomenon in enumerate(phenomena):
        for item in range(7 + place % 4):
            k = 11 * place + item
            texts = [f"{letter}{len(rows)}" for letter in "sgir"]
            scores = [k * 37 % 101, (k * 53 + place) % 97, k * 17 % 7, k * 29 % 7]
            rows.append([*texts, phenomenon, "en-de", *map(str, scores)])
    file = tmp_path / "scored.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in rows))
    return file


def test_scores_and_categories(scored: Path) -> None:
    found = probe_pairs(scored)
    assert found.layout == "aces"
    for place, result in enumerate(found.aces):
        assert dict(result.categories) == pytest.approx(
            {name: taus[place] for name, taus in CATEGORIES.items()}, abs=1e-12
        )
        assert result.score == pytest.approx(SCORES[place], abs=1e-12)


def test_all_68_phenomena_are_known(scored: Path) -> None:
    assert len({result.phenomenon for result in probe_pairs(scored).phenomena}) == 68


def test_categories_are_in_the_order_of_the_paper(scored: Path) -> None:
    assert list(probe_pairs(scored).aces[0].categories) == list(CATEGORIES)


def test_without_all_categories_there_is_no_score() -> None:
    pairs = [{"good": "a", "bad": "b", "phenomenon": "addition"}]
    (found,) = probe_pairs(pairs, scores={"m": ([1], [0])}).aces
    assert (dict(found.categories), found.score) == ({"addition": 1.0}, None)


def test_other_phenomena_have_no_aces_score() -> None:
    pairs = [{"good": "a", "bad": "b", "phenomenon": name} for name in ("addition", "negation")]
    assert probe_pairs(pairs, scores={"m": ([1, 1], [0, 0])}).aces == ()
