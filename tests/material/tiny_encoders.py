"""Tiny encoders with random weights, as Hugging Face folders: the same bits everywhere.

They are written without torch. Their files serve `tokenizers` (tokenizer.json), and bert-score's tokenizers in Python
(vocab.txt, or vocab.json and merges.txt).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WORDS = [
    *("the", "a", "cat", "dog", "sat", "lay", "slept", "on", "mat", "rug", "it", "rained"),
    *("was", "is", "not", "never", "they", "she", "he", "and", "of", "to", "in"),
]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,!?'-"
WIDTH, LAYERS, HEADS, POSITIONS = 32, 3, 4, 48

# Texts of our own for tests of encoders: ordinary, empty, too long, with pieces that are unknown or of white space.
HYPOTHESES = [
    "The cat sat on the mat.",
    "It rained, and they slept.",
    "a dog",
    "",
    "  She was never in it!  ",
    "the cat " * 40,
    "It was not the dog; it is the cat",
    "日本 dog",
    "42 cats, 7 dogs",
]
REFERENCES = [
    "A cat lay on the rug.",
    "It was raining and they slept.",
    "the dog",
    "he slept",
    "She is in it.",
    "the dog and the cat and " * 20,
    "It is the cat, not the dog.",
    "a dog of 日本",
    "",
]
OTHER_REFERENCES = [*REFERENCES[1:], "42 cats and 7 dogs"]


def tiny_bert(folder: Path, *, prefix: str = "") -> Path:
    """A BERT. With a prefix such as `bert.`, its weights have the names of a model with a head."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *LETTERS]
    pieces += [f"##{letter}" for letter in LETTERS]
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    _write_tokenizer(folder, _word_pieces(pieces))
    _write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": POSITIONS},
    )
    _write_model(folder, "bert", len(pieces), positions=POSITIONS, types=2, padding=0, prefix=prefix)
    return folder


def tiny_roberta(folder: Path) -> Path:
    """A RoBERTa, whose tokenizer gives a word another piece at the start of a text than after a space."""
    letters = [chr(code) for code in [*range(33, 127), *range(161, 173), *range(174, 256)]]
    letters += [chr(256 + number) for number in range(256 - len(letters))]  # the bytes that are not letters
    merges = []
    for word in ("the", "cat", "dog", "it", "slept"):
        for start in ("", "Ġ"):
            known = start + word[0]
            if start:
                merges.append(("Ġ", word[0]))
            for letter in word[1:]:
                merges.append((known, letter))
                known += letter
    merges = list(dict.fromkeys(merges))
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *letters, *("".join(pair) for pair in merges)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    folder.mkdir(parents=True)
    _write_json(folder / "vocab.json", vocabulary)
    (folder / "merges.txt").write_text(
        "#version: 0.2\n" + "\n".join(map(" ".join, merges)) + "\n", encoding="utf-8"
    )
    _write_tokenizer(folder, _byte_pairs(vocabulary, merges))
    _write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "RobertaTokenizer", "model_max_length": POSITIONS},
    )
    _write_model(folder, "roberta", len(vocabulary), positions=POSITIONS + 2, types=1, padding=1)
    return folder


def _word_pieces(pieces: Sequence[str]) -> dict:
    return {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: number for number, piece in enumerate(pieces)},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "post_processor": _between("[CLS]", 2, "[SEP]", 3),
        "added_tokens": [_special(number, piece) for number, piece in enumerate(pieces[:5])],
    }


def _byte_pairs(vocabulary: dict[str, int], merges: Sequence[tuple[str, str]]) -> dict:
    bytes_only = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "normalizer": None,
        "pre_tokenizer": bytes_only,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "vocab": vocabulary,
            "merges": [" ".join(pair) for pair in merges],
        },
        "decoder": bytes_only,
        "post_processor": _between("<s>", 0, "</s>", 2),
        "added_tokens": [_special(number, piece) for number, piece in enumerate(list(vocabulary)[:5])],
    }


def _between(first: str, first_number: int, last: str, last_number: int) -> dict:
    """What puts a text between two special pieces."""

    def special(piece: str) -> dict:
        return {"SpecialToken": {"id": piece, "type_id": 0}}

    text = {"Sequence": {"id": "A", "type_id": 0}}
    return {
        "type": "TemplateProcessing",
        "single": [special(first), text, special(last)],
        "pair": [special(first), text, special(last), {"Sequence": {"id": "B", "type_id": 0}}, special(last)],
        "special_tokens": {
            piece: {"id": piece, "ids": [number], "tokens": [piece]}
            for piece, number in ((first, first_number), (last, last_number))
        },
    }


def _special(number: int, piece: str) -> dict:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": piece, **flags, "special": True}


def _write_tokenizer(folder: Path, parts: dict) -> None:
    # Truncation and padding as in the folders of sentence encoders, where they must not be used.
    truncation = {"max_length": 8, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    padding = {
        "strategy": {"Fixed": 8},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    _write_json(
        folder / "tokenizer.json", {"version": "1.0", "truncation": truncation, "padding": padding, **parts}
    )


def _write_model(
    folder: Path, kind: str, pieces: int, *, positions: int, types: int, padding: int, prefix: str = ""
) -> None:
    from safetensors.numpy import save_file

    _write_json(
        folder / "config.json",
        {
            "architectures": [{"bert": "BertModel", "roberta": "RobertaModel"}[kind]],
            "model_type": kind,
            "vocab_size": pieces,
            "hidden_size": WIDTH,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS,
            "intermediate_size": 2 * WIDTH,
            "hidden_act": "gelu",
            "max_position_embeddings": positions,
            "type_vocab_size": types,
            "pad_token_id": padding,
            "layer_norm_eps": 1e-5,
        },
    )
    shapes = {
        "embeddings.word_embeddings.weight": (pieces, WIDTH),
        "embeddings.position_embeddings.weight": (positions, WIDTH),
        "embeddings.token_type_embeddings.weight": (types, WIDTH),
        **_norm("embeddings.LayerNorm"),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            shapes |= _linear(f"{name}.attention.self.{part}", WIDTH, WIDTH)
        shapes |= _linear(f"{name}.attention.output.dense", WIDTH, WIDTH)
        shapes |= _norm(f"{name}.attention.output.LayerNorm")
        shapes |= _linear(f"{name}.intermediate.dense", 2 * WIDTH, WIDTH)
        shapes |= _linear(f"{name}.output.dense", WIDTH, 2 * WIDTH)
        shapes |= _norm(f"{name}.output.LayerNorm")
    generator = np.random.RandomState(19)  # whose numbers never change
    weights = {
        prefix + name: (generator.standard_normal(shape) * 0.3 + name.endswith("LayerNorm.weight")).astype(
            np.float32
        )
        for name, shape in shapes.items()
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _linear(name: str, outputs: int, inputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")
