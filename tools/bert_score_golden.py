"""Write tests/golden/bert_score.json: the values of bert-score for tiny encoders and for all-MiniLM-L6-v2.

make bert-score && PYTHONPATH=tests build/bert-score/bin/python tools/bert_score_golden.py
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

from material.tiny_encoders import HYPOTHESES, LAYERS, OTHER_REFERENCES, REFERENCES, tiny_bert, tiny_roberta

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
BASELINE = [(layer, 0.3 + layer / 20, 0.31 + layer / 20, 0.29 + layer / 20) for layer in range(LAYERS + 1)]


def main() -> None:
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        baseline = Path(folder, "baseline.tsv")
        baseline.write_text(baseline_text())
        for make in (tiny_bert, tiny_roberta):
            model = make(Path(folder, make.__name__))
            for layer in range(LAYERS + 1):
                for idf in (False, True):
                    cases.append(case(str(model), layer, make.__name__, HYPOTHESES, REFERENCES, idf=idf))
            several = [list(pair) for pair in zip(REFERENCES, OTHER_REFERENCES, strict=True)]
            cases.append(case(str(model), 2, make.__name__, HYPOTHESES, several, idf=True))
            cases.append(
                case(str(model), 2, make.__name__, HYPOTHESES, REFERENCES, idf=False, baseline=str(baseline))
            )
    cases += minilm_cases()
    told = {
        "tool": f"bert-score {version('bert-score')}, transformers {version('transformers')}, "
        f"torch {version('torch')}",
        "command": "PYTHONPATH=tests build/bert-score/bin/python tools/bert_score_golden.py",
        "cases": cases,
    }
    lines = json.dumps(told, indent=1).replace("\n    ", "").replace("\n   ]", "]")
    (ROOT / "tests" / "golden" / "bert_score.json").write_text(lines + "\n")


def baseline_text() -> str:
    """Baselines for tiny encoders, as a file."""
    return "LAYER,P,R,F\n" + "".join(",".join(map(str, row)) + "\n" for row in BASELINE)


def minilm_cases() -> list[dict[str, Any]]:
    from understudy.neural.model_files import find_model

    hypotheses, first, second = (
        (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        for name in ("system-weak.en", "reference-1.en", "reference-2.en")
    )
    model = str(find_model("all-MiniLM-L6-v2").path)
    several = [list(pair) for pair in zip(first, second, strict=True)]
    return [
        case(model, 3, "all-MiniLM-L6-v2", hypotheses, first, idf=False),
        case(model, 6, "all-MiniLM-L6-v2", hypotheses, several, idf=True),
    ]


def case(
    model: str,
    layer: int,
    name: str,
    hypotheses: list[str],
    references: Any,
    *,
    idf: bool,
    baseline: str = "",
) -> dict[str, Any]:
    """One call of bert-score. In batches of one pair, nothing is padded."""
    import bert_score

    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        values = bert_score.score(
            hypotheses,
            references,
            model_type=model,
            num_layers=layer,
            idf=idf,
            batch_size=1,
            nthreads=0,
            lang="en",
            rescale_with_baseline=bool(baseline),
            baseline_path=baseline or None,
        )
    return {
        "model": name,
        "layer": layer,
        "idf": idf,
        "references": 1 if isinstance(references[0], str) else len(references[0]),
        "rescaled": bool(baseline),
        "values": [[round(float(value), 7) for value in pair] for pair in zip(*values, strict=True)],
    }


if __name__ == "__main__":
    main()
