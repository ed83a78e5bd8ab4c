"""BLEURT: a BERT or RemBERT encoder that reads reference and hypothesis together (Sellam et al. 2020, Pu et al. 2021).

Checkpoints are those of bleurt-pytorch: config.json, weights, and the vocabulary of WordPiece or SentencePiece.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadInput, MissingFile
from understudy.neural.model_files import FoundModel, config_digest, tokenizer_digest
from understudy.neural.pairs import Pair
from understudy.neural.subwords import BERT, SentencePieces, Subwords
from understudy.neural.torch_backend import (
    Place,
    backend_versions,
    empty_module,
    filled,
    in_batches,
    padded,
    stored_weights,
    torch_of,
    transformers_of,
)
from understudy.neural.truncation import Truncation

_SENTENCE_PIECE = ("spm.model", "sent_piece.model")  # bleurt-pytorch's name, and that of the original
_SPECIAL = 3  # tokens beside those of the texts


@dataclass(frozen=True)
class BleurtEngine:
    """A BLEURT model on this machine. Its weights are loaded when it scores for the first time."""

    found: FoundModel
    place: Place = field(default_factory=Place)
    values: tuple[str, ...] = ("score",)

    def check(self) -> None:
        """Raise an error if a file or a package is missing, without reading weights."""
        if self.found.config.get("model_type") != "bleurt":
            raise BadInput(
                f"'{self.found.path}' is no BLEURT model: config.json has the type "
                f"'{self.found.config.get('model_type')}', expected 'bleurt', as bleurt-pytorch writes it."
            )
        backend_versions()

    @cached_property
    def identity(self) -> Mapping[str, str]:
        return {
            "model": self.found.name,
            "sha256": self.found.digest[:12],
            "config": config_digest(self.found.folder),
            "tokenizer": tokenizer_digest(self.found.folder),
            "tokens": str(longest_input(self.found)),
            "dtype": self.place.dtype,
            **backend_versions(),
        }

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> Floats:
        self.truncation.warn(pairs)
        return _loaded(self.found, self.place, self._digests).score(pairs, batch_size).reshape(-1, 1)

    @property
    def truncation(self) -> Truncation:
        return _truncation(self.found, self._digests)

    @property
    def special_tokens(self) -> frozenset[str]:
        return _tokens_in(self.found.folder).special_tokens

    @property
    def _digests(self) -> tuple[str, ...]:
        """Those of its files, so that changed ones are read again."""
        return tuple(self.identity[name] for name in ("sha256", "config", "tokenizer"))


class _Bleurt:
    """A BLEURT model with its weights."""

    def __init__(self, module: Any, tokens: _Tokens, longest: int) -> None:
        self._module, self._tokens, self._longest = module, tokens, longest

    def score(self, pairs: Sequence[Pair], batch_size: int) -> Floats:
        texts = dict.fromkeys(text for pair in pairs for text in (pair.reference or "", pair.hypothesis))
        ids = {text: self._tokens.ids(text) for text in texts}
        sides = [(ids[pair.reference or ""], ids[pair.hypothesis]) for pair in pairs]
        rows = [self._row(first, second) for first, second in sides]
        found = np.empty(len(pairs))
        device = self._module.classifier.weight.device
        lengths = [len(row) for row, _ in rows]
        for batch, scores in in_batches(
            lambda batch: self._of_batch([rows[row] for row in batch]),
            lengths,
            batch_size=batch_size,
            device=device,
        ):
            found[batch] = scores
        return found

    def _row(self, reference: Sequence[int], hypothesis: Sequence[int]) -> tuple[list[int], int]:
        """Token ids, and how many belong to the reference, special tokens included."""
        first, second = truncated_pair(len(reference), len(hypothesis), self._longest - _SPECIAL)
        tokens = self._tokens
        row = [tokens.start, *reference[:first], tokens.end, *hypothesis[:second], tokens.end]
        return row, first + 2

    def _of_batch(self, rows: Sequence[tuple[list[int], int]]) -> Floats:
        device = self._module.classifier.weight.device
        ids, mask = padded([row for row, _ in rows], self._tokens.padding, device)
        positions = ids.new_tensor(range(ids.shape[1]))
        types = (positions[None, :] >= ids.new_tensor([first for _, first in rows])[:, None]).long()
        output = self._module.bleurt(input_ids=ids, attention_mask=mask, token_type_ids=types * mask)
        scores: Floats = self._module.classifier(output.pooler_output)[:, 0].double().cpu().numpy()
        return scores


def truncated_pair(first: int, second: int, together: int) -> tuple[int, int]:
    """The lengths of two texts after truncation: the longer one loses its last token, if equal the second, until both
    fit.

    >>> truncated_pair(10, 3, 9), truncated_pair(7, 7, 9), truncated_pair(3, 30, 9)
    ((6, 3), (5, 4), (3, 6))
    """
    while first + second > together:
        if first > second:
            first -= 1
        else:
            second -= 1
    return first, second


def longest_input(found: FoundModel) -> int:
    """The number of tokens that a model reads: the smallest of what its files name. Google's checkpoints of 128 tokens
    have positions for 512.
    """
    limits = [int(found.config.get("max_position_embeddings", 512))]
    for name, key in (
        ("bleurt_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
    ):
        path = found.folder / name
        if path.is_file():
            value = json.loads(path.read_text(encoding="utf-8")).get(key)
            limits += [int(value)] if isinstance(value, (int, float)) else []
    return min(limits)


# --- loading ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _truncation(found: FoundModel, digests: tuple[str, ...]) -> Truncation:  # noqa: ARG001 (of changed files)
    longest = longest_input(found)
    tokens = cache(lambda: _tokens_in(found.folder))

    def is_truncated(pair: Pair) -> bool:
        lengths = (len(tokens().ids(text or "")) for text in (pair.reference, pair.hypothesis))
        return sum(lengths) > longest - _SPECIAL

    return Truncation("BLEURT", longest, _SPECIAL, is_truncated)


@lru_cache(maxsize=2)
def _loaded(found: FoundModel, place: Place, digests: tuple[str, ...]) -> _Bleurt:  # noqa: ARG001 (of changed files)
    weights = {
        _renamed(name): value
        for name, value in stored_weights(found.weights).items()
        if not name.endswith("position_ids")
    }
    module = empty_module(lambda: _module(found.config))
    filled(module, weights, where=found.path, place=place)
    return _Bleurt(module, _tokens_in(found.folder), longest_input(found))


def _module(config: Mapping[str, Any]) -> Any:
    """The parts under bleurt-pytorch's names, except for `_renamed`."""
    transformers, nn = transformers_of(), torch_of().nn
    kind = "Bert" if config.get("embedding_size") is None else "RemBert"
    module = nn.Module()
    module.bleurt = getattr(transformers, f"{kind}Model")(_configuration(kind, config))
    module.classifier = nn.Linear(module.bleurt.config.hidden_size, 1)
    return module


def _configuration(kind: str, config: Mapping[str, Any]) -> Any:
    names = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    try:
        sizes = {name: int(config[name]) for name in names}
    except KeyError as error:
        raise BadInput(f"config.json of the BLEURT model has no {error}.") from None
    embedding = config.get("embedding_size")
    of_embeddings = {} if embedding is None else {"input_embedding_size": int(embedding)}
    return getattr(transformers_of(), f"{kind}Config")(
        **sizes,
        **of_embeddings,
        hidden_act=config.get("hidden_act", "gelu"),
        max_position_embeddings=int(config.get("max_position_embeddings", 512)),
        type_vocab_size=int(config.get("type_vocab_size", 2)),
        layer_norm_eps=float(config.get("layer_norm_eps", 1e-12)),
        pad_token_id=int(config.get("pad_token_id", 0)),
    )


def _renamed(name: str) -> str:
    return name.replace("encoder.embedding_projection.", "encoder.embedding_hidden_mapping_in.")


# --- tokens -------------------------------------------------------------------------------------------------


_Tokens = Subwords | SentencePieces


def _tokens_in(folder: Path) -> _Tokens:
    if (folder / "tokenizer.json").is_file() or (folder / "vocab.txt").is_file():
        return Subwords.read(folder, BERT, "BertTokenizerFast")
    for name in _SENTENCE_PIECE:
        if (folder / name).is_file():
            return SentencePieces(folder / name, BERT)
    raise MissingFile(
        f"no vocabulary in '{folder}', expected vocab.txt, tokenizer.json or {_SENTENCE_PIECE[0]}."
    )
