"""Statistical and rule-based systems in one set: WMT14 English-German with eleven references and no judgments."""

from __future__ import annotations

from functools import cache

import pytest

from material.wmt import DATA, REFERENCES, needs_data
from understudy import compare
from understudy.comparing.results import Comparison

FOLDER = DATA / "wmt14.en-de.11refs"
RULE_BASED = ("rbmt1.0", "rbmt4.0", "PROMT-Rule-based.3079")
# A hybrid of both; and one that the task calls statistical, though its output reads as if made by rules.
OF_NO_KIND = ("PROMT-Hybrid.3078", "onlineC.0")


@cache
def compared(references: int) -> Comparison:
    systems = {path.name.removesuffix(".txt.gz"): path for path in sorted((FOLDER / "systems").iterdir())}
    kinds = {
        "rule-based": RULE_BASED,
        "statistical": [name for name in systems if name not in {*RULE_BASED, *OF_NO_KIND}],
    }
    files = [FOLDER / name for name in REFERENCES[FOLDER.name][:references]]
    return compare(systems, files, ["bleu", "chrf"], all_pairs=True, samples=200, kinds=kinds)


@needs_data
@pytest.mark.parametrize("references", [1, 11])
def test_bleu_places_rule_based_systems_below_nearly_all_statistical_ones(references: int) -> None:
    found = compared(references)
    placed = {each.kind: each for each in found.fitness.placements if each.spec == "bleu"}
    assert placed["rule-based"].mean_rank == 16.0  # of 18: only onlineC, of no kind, is below
    assert placed["rule-based"].best == "PROMT-Rule-based.3079"
    assert 7 < placed["statistical"].mean_rank < 7.5
    different, *others = found.fitness.findings
    assert different.kinds == ("rule-based", "statistical")
    assert len(different.pairs) == 3 * 13
    assert ("few-references" in {each.rule for each in others}) == (references == 1)
    assert "few-segments" not in {each.rule for each in others}  # 500


@needs_data
def test_no_single_reference_places_them_much_higher() -> None:
    placed = {(each.spec, each.kind): each for each in compared(11).fitness.placements}
    for spec in ("bleu", "chrf"):
        alone = placed[spec, "rule-based"].by_reference
        assert len(alone) == 11
        assert 14 < min(alone) <= max(alone) <= 16
