"""MetricX: an mT5 model that predicts an error score from 0 to 25 (Juraska et al. 2023 and 2024).

Facts from google-research/metricx: the decoder makes one step, and the score is the logit of one token, limited to 0
to 25. The end token of the input is removed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.errors import BadInput, BadParameter, MissingFile
from understudy.neural.model_files import FoundModel, config_digest, find_model, tokenizer_digest
from understudy.neural.pairs import Pair
from understudy.neural.subwords import TOKENIZER, SentencePieces, SpecialTokens, Subwords
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

_WRAPPING = 64  # the most tokens that a form adds to its texts
_OUTPUT = 250089  # mT5's <extra_id_10>, whose logit is the score
_WORST = 25.0
_T5 = SpecialTokens("<pad>", "</s>", "<pad>")  # the decoder starts with padding
_VOCABULARY = "spiece.model"
# Models that have the tokenizer: MetricX' own folders do not.
_TOKENIZERS = tuple(f"google/mt5-{size}" for size in ("xl", "large", "xxl", "base", "small"))


@dataclass(frozen=True)
class Mode:
    """What a version reads, in which form."""

    source: bool
    reference: bool
    longest: int  # tokens in training, the end token included
    form: str

    def written(self, pair: Pair) -> str:
        return self.form.format(
            hypothesis=pair.hypothesis, source=pair.source or "", reference=pair.reference or ""
        )


MODES = {
    "23": Mode(False, True, 1024, "candidate: {hypothesis} reference: {reference}"),
    "23-qe": Mode(True, False, 1024, "candidate: {hypothesis} source: {source}"),
    "24": Mode(True, True, 1536, "source: {source} candidate: {hypothesis} reference: {reference}"),
    "24-qe": Mode(True, False, 1536, "source: {source} candidate: {hypothesis}"),
}


def mode_of_name(name: str) -> str:
    """The mode that the name of a published model implies.

    >>> mode_of_name("metricx-23-qe-large-v2p0"), mode_of_name("google/metricx-24-hybrid-xl-v2p6-bfloat16")
    ('23-qe', '24')
    """
    found = re.search(r"metricx-(23|24)(-qe)?\b", name.lower())
    if found is None:
        raise BadParameter(
            f"the name '{name}' does not tell which MetricX it is. Use mode={', '.join(MODES)} (one of them)."
        )
    return found[1] + (found[2] or "")


@dataclass(frozen=True)
class MetricXEngine:
    """A MetricX model on this machine. Its weights are loaded when it scores for the first time."""

    found: FoundModel
    mode: str
    tokenizer: str = ""  # a folder or name; empty: the model's own folder, or an mT5 model
    place: Place = field(default_factory=Place)
    values: tuple[str, ...] = ("score",)

    @cached_property
    def vocabulary(self) -> Path:
        """The folder of the tokenizer."""
        if self.tokenizer:
            return find_model(self.tokenizer).folder
        if _has_tokenizer(self.found.folder):
            return self.found.folder
        for name in _TOKENIZERS:
            try:
                folder = find_model(name).folder
            except MissingFile:
                continue
            if _has_tokenizer(folder):
                return folder
        raise MissingFile(
            f"'{self.found.name}' needs the tokenizer of mT5, which is not on this machine. Bring it with "
            "hf download google/mt5-large spiece.model config.json tokenizer_config.json, or name a "
            "folder with tokenizer=."
        )

    def check(self) -> None:
        """Raise an error if a file or a package is missing, without reading weights."""
        if self.found.config.get("model_type") != "mt5":
            raise BadInput(
                f"'{self.found.path}' is no MetricX model: config.json has the type "
                f"'{self.found.config.get('model_type')}', expected 'mt5'."
            )
        _ = self.vocabulary, backend_versions()

    @cached_property
    def identity(self) -> Mapping[str, str]:
        return {
            "model": self.found.name,
            "sha256": self.found.digest[:12],
            "config": config_digest(self.found.folder),
            "tokenizer": tokenizer_digest(self.vocabulary),
            "mode": self.mode,
            "dtype": self.place.dtype,
            **backend_versions(),
        }

    def score(self, pairs: Sequence[Pair], *, batch_size: int) -> Floats:
        mode = MODES[self.mode]
        for word, reads, texts in (
            ("source", mode.source, (pair.source for pair in pairs)),
            ("reference", mode.reference, (pair.reference for pair in pairs)),
        ):
            if reads and any(text is None for text in texts):
                raise BadInput(
                    f"MetricX in mode {self.mode} reads a {word} with every hypothesis, and some have none."
                )
        self.truncation.warn(pairs)
        model = _loaded(self.found, self.vocabulary, self.place, self._digests)
        texts_of_pairs = [mode.written(pair) for pair in pairs]
        return model.score(texts_of_pairs, mode.longest, batch_size).reshape(-1, 1)

    @property
    def truncation(self) -> Truncation:
        return _truncation(self.found, self.vocabulary, self.mode, self._digests)

    @property
    def special_tokens(self) -> frozenset[str]:
        return tokens_in(self.vocabulary).special_tokens

    @property
    def _digests(self) -> tuple[str, ...]:
        """Those of its files, so that changed ones are read again."""
        return tuple(self.identity[name] for name in ("sha256", "config", "tokenizer"))


class _Model:
    """A MetricX model with its weights."""

    def __init__(self, module: Any, subwords: Tokens) -> None:
        self._module, self._subwords = module, subwords

    def score(self, texts: Sequence[str], longest: int, batch_size: int) -> Floats:
        # The end token counts for truncation, and is removed afterwards.
        whole = [self._subwords.ids(text) for text in texts]
        rows = [row[: longest - 1] for row in whole]
        found = np.empty(len(texts))
        for batch, scores in in_batches(
            lambda batch: self._of_batch([rows[row] for row in batch]),
            [len(row) for row in rows],
            batch_size=batch_size,
            device=self._module.output.weight.device,
        ):
            found[batch] = scores
        return found

    def _of_batch(self, rows: Sequence[Sequence[int]]) -> Floats:
        weight = self._module.output.weight
        ids, mask = padded(rows, self._subwords.padding, weight.device)
        start = ids.new_full((len(rows), 1), self._subwords.start)
        decoded = self._module.mt5(
            input_ids=ids, attention_mask=mask, decoder_input_ids=start, use_cache=False
        )
        logits = self._module.output(decoded.last_hidden_state[:, 0])[:, 0]
        scores: Floats = logits.clamp(0.0, _WORST).double().cpu().numpy()
        return scores


# --- loading ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _truncation(found: FoundModel, vocabulary: Path, mode: str, digests: tuple[str, ...]) -> Truncation:  # noqa: ARG001
    longest, written = MODES[mode].longest, MODES[mode].written
    tokens = cache(lambda: tokens_in(vocabulary))

    def is_truncated(pair: Pair) -> bool:
        return len(tokens().ids(written(pair))) > longest - 1

    return Truncation("MetricX", longest, _WRAPPING, is_truncated)


@lru_cache(maxsize=2)
def _loaded(found: FoundModel, vocabulary: Path, place: Place, digests: tuple[str, ...]) -> _Model:  # noqa: ARG001
    stored = stored_weights(found.weights)
    output = stored.pop("lm_head.weight", None)
    shared = stored.get("shared.weight")
    if output is None or shared is None or len(output) <= _OUTPUT:
        raise BadInput(
            f"'{found.path}' is no MetricX model: it lacks 'shared.weight' or a 'lm_head.weight' with {_OUTPUT + 1:,} "
            "rows, one of which gives the score."
        )
    # Encoder and decoder share their embeddings, which a file may have once or three times.
    weights = {f"mt5.{name}": value for name, value in stored.items()}
    weights |= {f"mt5.{part}.embed_tokens.weight": shared for part in ("encoder", "decoder")}
    weights["output.weight"] = output[_OUTPUT : _OUTPUT + 1]
    module = empty_module(lambda: _module(found.folder))
    filled(module, weights, where=found.path, place=place)
    return _Model(module, tokens_in(vocabulary))


def _module(folder: Path) -> Any:
    """mT5 without its output layer, of which one row is needed. So it does not matter whether transformers would take
    the embeddings for it, as transformers 5 does.
    """
    transformers, nn = transformers_of(), torch_of().nn
    module = nn.Module()
    module.mt5 = transformers.MT5Model(transformers.MT5Config.from_pretrained(folder, local_files_only=True))
    module.output = nn.Linear(module.mt5.config.d_model, 1, bias=False)
    return module


Tokens = Subwords | SentencePieces


def tokens_in(folder: Path) -> Tokens:
    """SentencePiece itself, as in training: its conversion by transformers differs between versions."""
    if (folder / TOKENIZER).is_file():
        return Subwords.read(folder, _T5)
    return SentencePieces(folder / _VOCABULARY, _T5)


def _has_tokenizer(folder: Path) -> bool:
    return (folder / TOKENIZER).is_file() or (folder / _VOCABULARY).is_file()
