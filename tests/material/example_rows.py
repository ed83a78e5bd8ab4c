"""The example systems as rows of a table: 120 segments of two systems, with two references."""

from __future__ import annotations

from pathlib import Path

import understudy

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = ("strong", "weak")
METRICS = ("bleu", "chrf", "ter")


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


OUTPUT = {name: lines(f"system-{name}.en") for name in SYSTEMS}
REFERENCE_1, REFERENCE_2 = lines("reference-1.en"), lines("reference-2.en")
PAIRS = list(zip(REFERENCE_1, REFERENCE_2, strict=True))

ROWS = {
    "system": [name for name in SYSTEMS for _ in OUTPUT[name]],
    "hyp": [text for name in SYSTEMS for text in OUTPUT[name]],
    "ref1": REFERENCE_1 * len(SYSTEMS),
    "ref2": REFERENCE_2 * len(SYSTEMS),
}
REFERENCES = [list(pair) for pair in zip(ROWS["ref1"], ROWS["ref2"], strict=True)]
CHINESE = {"hyp": ["猫坐在垫子上。"], "ref1": ["猫在垫子上坐着。"]}


def corpus(spec: str, system: str) -> float:
    """The corpus score of one system against both references."""
    return understudy.metric(spec).corpus(OUTPUT[system], PAIRS).value


def segments(spec: str) -> list[float]:
    """The segment scores of all rows against both references."""
    return understudy.metric(spec).segments(ROWS["hyp"], REFERENCES).tolist()


def expected_scores(metrics=METRICS) -> dict[tuple[str, str], float]:
    """The corpus scores by system and metric."""
    return {(system, spec): corpus(spec, system) for system in SYSTEMS for spec in metrics}


def by_system(rows) -> dict[tuple[str, str], float]:
    """The same of rows of a result."""
    return {(row["system"], row["metric"]): row["value"] for row in rows}
