"""A small SentencePiece model, which stands in for those of spBLEU."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from understudy.text.subword_models import PUBLISHED

EXAMPLES = Path(__file__).parents[2] / "examples"


@functools.cache
def small_model() -> bytes:
    """Trained on the example references."""
    sentencepiece = pytest.importorskip("sentencepiece")
    with (
        tempfile.TemporaryDirectory() as folder,
        (EXAMPLES / "reference-1.en").open(encoding="utf-8") as lines,
    ):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=lines, model_prefix=f"{folder}/small", vocab_size=200, minloglevel=2
        )
        return Path(folder, "small.model").read_bytes()


def publish(monkeypatch: pytest.MonkeyPatch, name: str, address: str, content: bytes) -> None:
    """Make this content the published model of a tokenizer, at this address."""
    checksum = f"sha256:{hashlib.sha256(content).hexdigest()}"
    published = replace(PUBLISHED[name], url=f"{address}/{PUBLISHED[name].file}", checksum=checksum)
    monkeypatch.setitem(PUBLISHED, name, published)
