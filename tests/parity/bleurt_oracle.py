"""Scores of bleurt-pytorch for small checkpoints, in an environment of its own: make comet.

PYTHONPATH=tests build/comet/bin/python tests/parity/bleurt_oracle.py TEXTS.json SCORES.json [BATCH_SIZE]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer

from material.tiny_bleurt import CASES, POSITIONS, write_bleurt


def main(texts: str, scores: str, batch_size: str = "16") -> None:
    columns = json.loads(Path(texts).read_text(encoding="utf-8"))
    torch.set_num_threads(1)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            path = write_bleurt(Path(folder), name)
            model, loading = BleurtForSequenceClassification.from_pretrained(path, output_loading_info=True)
            assert not loading["missing_keys"], loading
            tokenizer = BleurtTokenizer.from_pretrained(path)
            model.eval()
            values = []
            rows = [encoded(tokenizer, *texts) for texts in zip(columns["ref"], columns["mt"], strict=True)]
            for start in range(0, len(rows), int(batch_size)):
                inputs = tokenizer.pad(rows[start : start + int(batch_size)], return_tensors="pt")
                with torch.no_grad():
                    values += model(**inputs).logits.flatten().tolist()
            found[name] = {"scores": values}
    Path(scores).write_text(json.dumps(found), encoding="utf-8")


def encoded(tokenizer: Any, reference: str, hypothesis: str) -> Any:
    """Truncated in Python, by the rule of the original BLEURT. That of the Rust tokenizers gives the odd
    token to the longer text, not to the reference.
    """
    first, second = (tokenizer(text, add_special_tokens=False).input_ids for text in (reference, hypothesis))
    return tokenizer.prepare_for_model(first, second, truncation="longest_first", max_length=POSITIONS)


if __name__ == "__main__":
    main(*sys.argv[1:])
