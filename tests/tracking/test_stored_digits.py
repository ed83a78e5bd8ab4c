"""A comparison of stored counts has the digits of one of the texts, for every metric."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from material.every_metric import every_default
from understudy import Metric, Track, compare
from understudy.equality import same

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCES = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]
SYSTEMS = {name: EXAMPLES / f"system-{name}.en" for name in ("rulebased", "medium", "strong")}


def tracked(path: Path, metrics: Sequence[Metric | str], references: list[Path]) -> Track:
    track = Track(path / "track.sqlite")
    for name, file in SYSTEMS.items():
        track.add(name, file, references, metrics, test_set="examples")
    return track


@pytest.mark.filterwarnings("ignore::understudy.errors.InputWarning")  # words for tags
@every_default
def test_every_metric_compares_as_its_texts_do(law_of: Metric, tmp_path: Path) -> None:
    """Fitted metrics and those of trees, too."""
    few = Track(tmp_path / "track.sqlite")
    texts = {
        name: file.read_text(encoding="utf-8").splitlines()[:12] for name, file in list(SYSTEMS.items())[:2]
    }
    answers = list(
        zip(*(file.read_text(encoding="utf-8").splitlines()[:12] for file in REFERENCES), strict=True)
    )
    references = [list(each) for each in answers] if law_of.reads_references else None
    for name, text in texts.items():
        few.add(name, text, references, [law_of], test_set="examples")
    of_texts = compare(texts, references, [law_of], samples=200)
    stored = few.compare(list(texts), samples=200)
    assert same(stored.metrics, of_texts.metrics)
    assert same(stored.fitness, of_texts.fitness)
    assert (stored.plan, stored.segments, stored.references) == (
        of_texts.plan,
        of_texts.segments,
        of_texts.references,
    )


@pytest.mark.parametrize(
    "plan",
    [
        {},
        {"test": "bootstrap", "interval": "bca", "seed": 7},
        {"test": "wilcoxon", "all_pairs": True},
        {"test": "blocks", "baseline": "strong", "blocks": 6},
        {"test": "ttest", "correct": "bh", "significance": 0.01},
    ],
    ids=str,
)
def test_every_plan_gives_the_same_result(plan: dict, tmp_path: Path) -> None:
    metrics = ["bleu", "chrf", "ter", "nist"]
    track = tracked(tmp_path, metrics, REFERENCES[:1])
    of_texts = compare(SYSTEMS, REFERENCES[:1], metrics, **plan)
    assert same(track.compare(list(SYSTEMS), **plan).metrics, of_texts.metrics)
    assert track.compare(list(SYSTEMS), **plan).to_dict() == of_texts.to_dict()
