"""The encoder of a COMET model: hidden states of all layers for rows of token ids.

The checkpoint has its weights. Its configuration and its tokenizer are those of the pretrained model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, did_you_mean
from understudy.neural.subwords import BERT, REMBERT, XLM_R, SpecialTokens, Subwords
from understudy.neural.torch_backend import padded, transformers_of

_XLM_R_TOKENIZER = "XLMRobertaTokenizerFast"
_XLM_R_BASE = "xlm-roberta-base"


@dataclass(frozen=True)
class Architecture:
    """One of COMET's names of encoders. Classes are those of transformers."""

    model: str
    special: SpecialTokens
    tokenizer: str
    separators: int  # end tokens between two texts
    token_types: bool = False  # whether a second text has another token type
    tokenizer_of: str | None = None  # another model than the pretrained one


_ARCHITECTURES = {
    "XLM-RoBERTa": Architecture("XLMRoberta", XLM_R, _XLM_R_TOKENIZER, 2),
    "XLM-RoBERTa-XL": Architecture("XLMRobertaXL", XLM_R, _XLM_R_TOKENIZER, 2),
    "MiniLM": Architecture("Bert", XLM_R, _XLM_R_TOKENIZER, 2, tokenizer_of=_XLM_R_BASE),
    "BERT": Architecture("Bert", BERT, "BertTokenizerFast", 1, token_types=True),
    # COMET builds token types for RemBERT, too, but does not pass them on.
    "RemBERT": Architecture("RemBert", REMBERT, "RemBertTokenizerFast", 1),
}


def architecture_named(name: str, where: Path) -> Architecture:
    if name not in _ARCHITECTURES:
        raise BadInput(f"'{where}': unknown encoder '{name}'. {did_you_mean(name, _ARCHITECTURES)}")
    return _ARCHITECTURES[name]


def read_subwords(folder: Path, architecture: Architecture) -> Subwords:
    """The tokenizer of an encoder."""
    return Subwords.read(folder, architecture.special, architecture.tokenizer)


def encoder_module(architecture: Architecture, folder: Path) -> Any:
    """The encoder without weights, and without the pooler, which COMET does not use."""
    transformers = transformers_of()
    try:
        config = getattr(transformers, f"{architecture.model}Config").from_pretrained(
            folder, local_files_only=True
        )
    except (OSError, ValueError) as error:
        raise BadInput(f"'{folder}' has no configuration that can be read ({_in_one_line(error)}).") from None
    return getattr(transformers, f"{architecture.model}Model")(config, add_pooling_layer=False)


@dataclass(frozen=True)
class TokenLimits:
    """The most tokens that an encoder reads, special ones included."""

    joint: int  # of several texts in one row
    text: int  # of one text

    @classmethod
    def of(cls, positions: int) -> TokenLimits:
        """COMET's: two less than there are positions for several texts, and two more less for one."""
        return cls(positions - 2, positions - 4)


class Encoder:
    """An encoder with its weights and its tokenizer."""

    def __init__(self, architecture: Architecture, module: Any, subwords: Subwords) -> None:
        self.architecture, self.subwords = architecture, subwords
        self._module = module
        self.limits = TokenLimits.of(module.config.max_position_embeddings)

    @property
    def device(self) -> Any:
        return next(self._module.parameters()).device

    def layers(self, rows: Sequence[Sequence[int]], first_lengths: Sequence[int] | None = None) -> Hidden:
        """Hidden states of rows. `first_lengths`: the lengths of the first texts, if rows consist of several."""
        ids, mask = padded(rows, self.subwords.padding, self.device)
        types = {}
        if self.architecture.token_types and first_lengths is not None:
            positions = ids.new_tensor(range(ids.shape[1]))
            types["token_type_ids"] = (positions[None, :] >= ids.new_tensor(first_lengths)[:, None]).long()
        output = self._module(input_ids=ids, attention_mask=mask, output_hidden_states=True, **types)
        return Hidden(tuple(output.hidden_states), ids, mask, self.subwords.padding)


@dataclass(frozen=True)
class Hidden:
    """Hidden states of every layer, that of the embeddings first, of rows of tokens with padding."""

    layers: tuple[Any, ...]
    ids: Any
    mask: Any
    padding: int


def _in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
