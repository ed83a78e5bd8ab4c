"""BERTScore against numbers of bert-score 0.3.13 (bert_score.json, written by tools/bert_score_golden.py)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from bert_score_golden import baseline_text

from material.optional import needs_minilm, needs_packages
from material.tiny_encoders import HYPOTHESES, OTHER_REFERENCES, REFERENCES, tiny_bert, tiny_roberta
from understudy import BERTScore

pytestmark = [
    needs_packages("tokenizers", "safetensors"),
    pytest.mark.filterwarnings("ignore:.*longer than the:understudy.errors.ModelWarning"),
]

CASES = json.loads((Path(__file__).parent / "bert_score.json").read_text())["cases"]
EXAMPLES = Path(__file__).parents[2] / "examples"
BACKENDS = ["numpy", pytest.param("torch", marks=needs_packages("torch", "transformers"))]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    (folder / "baseline.tsv").write_text(baseline_text())
    tiny_bert(folder / "tiny_bert")
    tiny_roberta(folder / "tiny_roberta")
    return folder


def name_of(case) -> str:
    flags = [flag for flag in ("idf", "rescaled") if case[flag]]
    return "-".join([case["model"], str(case["layer"]), f"{case['references']}refs", *flags])


def values(metric: BERTScore, hypotheses: list[str], references: list) -> np.ndarray:
    counted = metric.statistics(hypotheses, references)
    return np.stack([BERTScore(value=name).score(counted) / 100 for name in metric.values], axis=-1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", [case for case in CASES if "tiny" in case["model"]], ids=name_of)
def test_tiny_encoders(tiny, case, backend):
    references = (
        REFERENCES if case["references"] == 1 else list(zip(REFERENCES, OTHER_REFERENCES, strict=True))
    )
    metric = BERTScore(
        model=str(tiny / case["model"]),
        layer=case["layer"],
        idf=case["idf"],
        baseline=str(tiny / "baseline.tsv") if case["rescaled"] else "",
        backend=backend,
    )
    assert values(metric, HYPOTHESES, references) == pytest.approx(np.array(case["values"]), abs=2e-6)


@needs_minilm
@pytest.mark.parametrize("case", [case for case in CASES if "tiny" not in case["model"]], ids=name_of)
def test_minilm(case):
    hypotheses, first, second = (
        (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        for name in ("system-weak.en", "reference-1.en", "reference-2.en")
    )
    references = first if case["references"] == 1 else list(zip(first, second, strict=True))
    metric = BERTScore(model=case["model"], layer=case["layer"], idf=case["idf"], backend="numpy")
    assert values(metric, hypotheses, references) == pytest.approx(np.array(case["values"]), abs=1e-6)
