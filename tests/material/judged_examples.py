"""The example systems and what the example judges say of them."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = [EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")]
JUDGMENTS = EXAMPLES / "judgments.tsv"
REFERENCE = [EXAMPLES / "reference-1.en"]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
