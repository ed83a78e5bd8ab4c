"""The reference pages say what the metrics are."""

from __future__ import annotations

from pathlib import Path

import blind_spots
import pytest
import reference_pages

from material.optional import needs_wordnet
from material.parsers import needs_english
from understudy.metrics.base.registry import metrics

ROOT = Path(__file__).parents[2]

METRICS = metrics()


@pytest.mark.parametrize("name", METRICS)
def test_the_page_is_what_the_metric_says(name: str) -> None:
    lack = METRICS[name]().missing
    if lack and not METRICS[name].written_as:
        pytest.skip(lack)  # its signature names the data it has read
    written = (ROOT / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
    assert written == reference_pages.page(METRICS[name]), "run: python tools/reference_pages.py"


def test_the_list_of_metrics_is_what_they_say() -> None:
    written = (ROOT / "docs" / "metrics" / "README.md").read_text(encoding="utf-8")
    assert written == reference_pages.metrics_page(), "run: python tools/reference_pages.py"


def test_the_list_of_tokenizers_is_what_they_say() -> None:
    written = (ROOT / "docs" / "tokenizers.md").read_text(encoding="utf-8")
    assert written == reference_pages.tokenizers_page(), "run: python tools/reference_pages.py"


def test_every_page_belongs_to_a_metric() -> None:
    pages = {
        path.stem for path in (ROOT / "docs" / "metrics").glob("*.md") if not path.stem.endswith(".notes")
    }
    assert pages == {*METRICS, "README"}


@needs_english  # its tags are of words that errors drop
@needs_wordnet  # its synonyms are among the harmless changes
@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter"])
def test_the_blind_spots_are_those_that_probe_finds(spec: str) -> None:
    written = [row for row in blind_spots.read() if row.metric == spec]
    assert written == blind_spots.measured(spec), "run: python tools/blind_spots.py"


def test_every_metric_has_blind_spots_or_says_why_not() -> None:
    measured = {row.metric for row in blind_spots.read()}
    expected = {
        blind_spots.measured_spec(metric)
        for metric in METRICS.values()
        if not blind_spots.why_not_measured(metric)
    }
    assert measured == expected, "run: python tools/blind_spots.py"
