"""Write tests/golden/learned.json: scores of unbabel-comet and bleurt-pytorch for small models with random weights.

    make comet && python tools/learned_golden.py

The models are made by tests/material/tiny_*.py, and the texts are those of tests/material/learned_texts.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden" / "learned.json"
PROGRAMS = {
    "comet": "unbabel-comet 2.2.7 with transformers 4.57.6",
    "bleurt": "bleurt-pytorch 0.0.1 with transformers 4.57.6",
}


def main() -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from material.learned_texts import example_texts

    found = {}
    for name, program in PROGRAMS.items():
        scores = scores_of(name, example_texts())
        found[name] = {"program": program, "command": "python tools/learned_golden.py", "scores": scores}
    text = json.dumps(found, ensure_ascii=False, indent=None, separators=(",", ":"))
    GOLDEN.write_text(
        text.replace('},"', '},\n"').replace('"scores":{', '"scores":{\n') + "\n", encoding="utf-8"
    )


def scores_of(name: str, columns: dict[str, list[str]]) -> dict[str, dict[str, list[object]]]:
    """The scores by case, rounded to what float32 can tell apart."""
    python, oracle = (
        ROOT / "build" / "comet" / "bin" / "python",
        ROOT / "tests" / "parity" / f"{name}_oracle.py",
    )
    with tempfile.TemporaryDirectory() as folder:
        texts, scores = Path(folder, "texts.json"), Path(folder, "scores.json")
        texts.write_text(json.dumps(columns), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
        subprocess.run([python, oracle, texts, scores], check=True, cwd=ROOT, env=environment)
        return json.loads(
            scores.read_text(encoding="utf-8"), parse_float=lambda number: round(float(number), 7)
        )


if __name__ == "__main__":
    main()
