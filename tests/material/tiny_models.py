"""Small models of every class that learned metrics have, with random weights: made from a seed, the same everywhere.

The numbers come from numpy's PCG64 as uniform doubles, so that neither torch's generator nor its version matters.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples"

POSITIONS = 130  # so that texts of some hundred words are too long
UNITS = 24
SIZES = {
    "hidden_size": UNITS,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 40,
    "max_position_embeddings": POSITIONS,
    "type_vocab_size": 2,
}


# --- tokenizers ---------------------------------------------------------------------------------------------


@cache
def words() -> tuple[str, ...]:
    """The words of the example data, the most frequent first."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*")) if _is_text(path)]
    counts = Counter(word for text in texts for word in text.split())
    return tuple(sorted(counts, key=lambda word: (-counts[word], word)))


def _is_text(path: Path) -> bool:
    return path.suffix in (".en", ".de") or path.parent.name == "chinese"


def pieces() -> dict[str, float]:
    """A vocabulary of frequent words, parts of words and single characters, with log probabilities."""
    found: dict[str, float] = {}
    for rank, word in enumerate(words()[:400]):
        found[f"▁{word}"] = -4 - rank / 100
        for start in range(len(word) - 1):
            for length in (2, 3):
                found.setdefault(word[start : start + length], -7 - rank / 100)
    letters = {chr(number) for number in range(33, 127)} | {letter for word in words() for letter in word}
    for letter in ["▁", *sorted(letters)]:
        found.setdefault(letter, -12.0)
    return found


def write_unigram(folder: Path, special: Iterable[str], template: tuple[str, str], **config: Any) -> int:
    """A SentencePiece-like tokenizer.json, with special tokens first; returns the size of the vocabulary."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    vocabulary = [*((token, 0.0) for token in special), *pieces().items()]
    names = [name for name, _ in vocabulary]
    unknown = next(number for number, name in enumerate(names) if "unk" in name.lower())
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unknown))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    _finish(tokenizer, list(special), template)
    _save(tokenizer, folder, config)
    return len(vocabulary)


def write_wordpiece(folder: Path, **config: Any) -> int:
    """A tokenizer of BERT, in lower case; returns the size of the vocabulary."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    plain = [piece.lower() for piece in pieces()]
    entries = [
        *special,
        *(piece.lstrip("▁") for piece in plain),
        *(f"##{piece.lstrip('▁')}" for piece in plain),
    ]
    names = [name for name in dict.fromkeys(entries) if name not in ("", "##")]
    vocabulary = {name: number for number, name in enumerate(names)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    _finish(tokenizer, special, ("[CLS]", "[SEP]"))
    _save(tokenizer, folder, {"do_lower_case": True, **config})
    (folder / "vocab.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    return len(names)


def write_sentencepiece(path: Path, special: Iterable[str]) -> int:
    """A Unigram model of SentencePiece; returns the size of the vocabulary. Written byte by byte, which is easier
    than to train one that is the same everywhere: three fields of a protocol buffer.
    """
    content = b""
    tokens = list(special)
    for token in tokens:
        kind = 2 if "unk" in token.lower() else 3  # unknown, control
        content += _field(1, _field(1, token.encode()) + _float(2, 0.0) + _number(3, kind))
    for piece, score in pieces().items():
        content += _field(1, _field(1, piece.encode()) + _float(2, score))
    unknown, end = (
        next((number for number, token in enumerate(tokens) if token.lower() in names), -1)
        for names in (("<unk>", "[unk]"), ("</s>",))
    )
    trainer = _number(3, 1) + _number(40, unknown) + _number(41, -1) + _number(42, end) + _number(43, 0)
    normalizer = _field(1, b"identity") + _number(3, 1) + _number(4, 1) + _number(5, 1)
    path.write_bytes(content + _field(2, trainer) + _field(3, normalizer))
    return len(tokens) + len(pieces())


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value % 2**64)


def _float(number: int, value: float) -> bytes:
    return _varint(number << 3 | 5) + struct.pack("<f", value)


def _varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def _finish(tokenizer: Any, special: list[str], template: tuple[str, str]) -> None:
    from tokenizers import AddedToken, processors

    start, end = template
    second = 1 if start == "[CLS]" else 0  # the token type of a second text
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in special])
    tokenizer.post_processor = processors.TemplateProcessing(
        single=[start, "$A", end],
        pair=[start, "$A", end, f"$B:{second}", f"{end}:{second}"],
        special_tokens=[(token, special.index(token)) for token in template],
    )


def _save(tokenizer: Any, folder: Path, config: Mapping[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(dict(config)), encoding="utf-8")


XLM_R_TOKENS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
REMBERT_TOKENS = ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")


# --- weights ------------------------------------------------------------------------------------------------


def random_like(tensors: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """Random values for every tensor, none of them the one that a new model has. By name, so that their order in the
    model does not matter.
    """
    import torch

    found = {}
    for name, tensor in tensors.items():
        if not tensor.is_floating_point():
            continue
        generator = np.random.Generator(np.random.PCG64(zlib.crc32(f"{seed}/{name}".encode())))
        values = 2 * generator.random(tuple(tensor.shape)) - 1  # from -1 to 1
        center, width = _range(name, tensor)
        found[name] = torch.tensor(center + width * values, dtype=torch.float32)
    return found


# Center and width of the values by a part of the name; those of embeddings and vectors, then those of matrices, follow.
_RANGES = {
    "LayerNorm.weight": (1.0, 0.5),
    "layer_norm.weight": (1.0, 0.5),
    "scalar_parameters": (0.0, 0.7),
    "gamma": (1.2, 0.2),
    "lm_head": (0.0, 0.5),
    "EncDecAttention": (0.0, 1.0),
}


def _range(name: str, tensor: Any) -> tuple[float, float]:
    for part, found in _RANGES.items():
        if part in name:
            return found
    if tensor.ndim < 2 or "embeddings" in name or "shared" in name:
        return 0.0, 0.6
    return 0.0, 2.0 / float(np.sqrt(tensor.shape[1]))


def write_config(folder: Path, **config: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
