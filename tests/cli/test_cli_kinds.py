"""`understudy compare --kind`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SYSTEMS = [f"{name}=system-{name}.en" for name in ("strong", "medium", "rulebased")]
REFERENCE = ["-r", "reference-1.en", "--samples", "50"]
KINDS = ["--kind", "statistical:strong,medium", "--kind", "rule-based:rulebased"]


@pytest.mark.usefixtures("examples")
def test_kinds_of_text(run) -> None:
    text = run("compare", *SYSTEMS, *REFERENCE, *KINDS, "--all-pairs").stdout
    assert "different-kinds (2 pairs): BLEU ranks statistical" in text
    assert "few-references (2 pairs)" in text
    assert "different-kinds: Metrics penalize correct translations" in text


@pytest.mark.usefixtures("examples")
def test_kinds_with_several_references_are_scored_with_each(run) -> None:
    text = run("compare", *SYSTEMS, *REFERENCE, "-r", "reference-2.en", *KINDS, "--breakdown").stdout
    assert "With each of the 2 references alone" in text
    assert "few-references" not in text


def test_kinds_of_scores(run, tmp_path: Path) -> None:
    table = tmp_path / "comet.tsv"
    table.write_text("a\tb\n0.5\t0.25\n0.75\t0.5\n0.25\t0.125\n", encoding="utf-8")
    kinds = ["--kind", "nmt:a", "--kind", "human:b"]
    result = run("compare", "--scores", str(table), "--samples", "50", *kinds, "-f", "json")
    rules = [each["rule"] for each in json.loads(result.stdout)["fitness"]["findings"]]
    assert rules[:2] == ["different-kinds", "few-segments"]


@pytest.mark.usefixtures("examples")
def test_kinds_are_checked(fails) -> None:
    start = ["compare", *SYSTEMS, "-r", "reference-1.en"]
    assert "unknown system 'strnog'. Did you mean 'strong'?" in fails(*start, "--kind", "nmt:strnog")
    assert "has the types" in fails(*start, "--kind", "nmt:strong", "--kind", "human:strong")
    assert "has no systems" in fails(*start, "--kind", "nmt:")
