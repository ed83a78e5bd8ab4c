"""Scores of unbabel-comet for small checkpoints, in an environment of its own: make comet.

PYTHONPATH=tests build/comet/bin/python tests/parity/comet_oracle.py TEXTS.json SCORES.json [BATCH_SIZE]

TEXTS has lists of hypotheses ("mt"), references ("ref") and sources ("src"). SCORES gets, for each case and use, the
scores, and the error spans where the model has them.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import comet
import torch

from material.tiny_comet import CASES, write_comet

for name in ("pytorch_lightning", "lightning.pytorch", "lightning_fabric"):
    logging.getLogger(name).setLevel(logging.ERROR)


def main(texts: str, scores: str, batch_size: str = "16") -> None:
    columns = json.loads(Path(texts).read_text(encoding="utf-8"))
    found = {}
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # COMET looks for MiniLM's tokenizer by the name xlm-roberta-base
        for name, case in CASES.items():
            path = write_comet(Path(folder), name) / "checkpoints" / "model.ckpt"
            model = comet.load_from_checkpoint(str(path), local_files_only=True)
            check_names(model, torch.load(path, weights_only=True)["state_dict"])
            for use in case.uses:
                keys = ["mt", *use.split("+")]
                rows = [
                    dict(zip(keys, row, strict=True))
                    for row in zip(*(columns[key] for key in keys), strict=True)
                ]
                output = model.predict(
                    rows,
                    batch_size=int(batch_size),
                    gpus=0,
                    num_workers=0,
                    progress_bar=False,
                    length_batching=False,
                )
                spans = output["metadata"].get("error_spans") if "metadata" in output else None
                found[f"{name}/{use}"] = {"scores": output["scores"]} | (
                    {"spans": [list(map(listed, of_text)) for of_text in spans]} if spans else {}
                )
    Path(scores).write_text(json.dumps(found), encoding="utf-8")


def listed(span: dict[str, Any]) -> list[Any]:
    return [span["start"], span["end"], span["severity"], span["confidence"]]


def check_names(model: torch.nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """COMET leaves at random what a checkpoint lacks, and says nothing."""
    expected = {name for name, _ in model.named_parameters()}
    assert expected <= set(weights), expected - set(weights)


if __name__ == "__main__":
    main(*sys.argv[1:])
