"""Texts as pieces: how the tokenizer of an encoder reads them, and how much of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadInput, MissingExtra
from understudy.neural.model_files import FoundModel, json_object
from understudy.neural.special_tokens import special_tokens_of

TOKENIZER = "tokenizer.json"
_CONFIG = "tokenizer_config.json"

# Model types that count the positions of a text from the number of the padding piece on.
_OF_ROBERTA = {"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "xmod", "mpnet"}
# Those whose first word gets a space in front, as the others have it (bert-score does the same).
_SPACE_IN_FRONT = ("roberta", "gpt2")
_NO_LIMIT = 10**9


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of a text as an encoder reads them, with those that it adds to every text."""

    numbers: NDArray[np.int64]  # in the vocabulary
    added: NDArray[np.bool_]  # such as [CLS] and [SEP]
    cut: bool  # the text is longer than the model can read


class PieceReader:
    """The tokenizer of an encoder."""

    def __init__(self, found: FoundModel) -> None:
        self._found = found

    @cached_property
    def most_pieces(self) -> int:
        """The number of pieces of the longest text that the model can read."""
        positions = int(self._found.config.get("max_position_embeddings") or _NO_LIMIT)
        said = self._config.get("model_max_length")  # tokenizers without a limit have one of 10^30
        limit = positions - first_position(self._found)
        return int(min(said, limit)) if isinstance(said, (int, float)) else limit

    def pieces(self, text: str) -> Pieces:
        """The pieces of a text, stripped of surrounding whitespace."""
        text = text.strip()
        if text and self._space_in_front:
            text = f" {text}"
        # One by one: in batches, the package starts threads that complain about every later fork.
        read = self._tokenizer.encode(text)
        numbers = np.array(read.ids, np.int64)
        return Pieces(numbers, np.isin(numbers, self._added), cut=bool(read.overflowing))

    @property
    def special_tokens(self) -> frozenset[str]:
        """Those that are not read as text, as they are written."""
        return special_tokens_of(self._tokenizer)

    @cached_property
    def _config(self) -> dict[str, Any]:
        path = self._found.folder / _CONFIG
        return json_object(path) if path.is_file() else {}

    @cached_property
    def _space_in_front(self) -> bool:
        kind = self._config.get("tokenizer_class") or self._found.config.get("model_type") or ""
        return bool(kind.lower().removesuffix("fast").removesuffix("tokenizer") in _SPACE_IN_FRONT)

    @cached_property
    def _added(self) -> list[int]:
        return list(self._tokenizer.encode("").ids)

    @cached_property
    def _tokenizer(self) -> Any:
        path = self._found.folder / TOKENIZER
        try:
            # transformers 5 would build another one from the vocabulary.
            tokenizer = _tokenizer_in(str(path)) if path.is_file() else self._converted()
        except (MissingExtra, BadInput):
            raise
        except Exception as error:  # of any class
            reason = " ".join(str(error).split())
            raise BadInput(f"the tokenizer in '{self._found.folder}' cannot be read ({reason}).") from None
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.most_pieces)
        return tokenizer

    def _converted(self) -> Any:
        from understudy.neural.torch_backend import transformers_of

        read = transformers_of().AutoTokenizer.from_pretrained(
            self._found.folder, local_files_only=True, trust_remote_code=False
        )
        if not hasattr(read, "backend_tokenizer"):
            raise BadInput(
                f"'{self._found.folder}' has no {TOKENIZER}, and {type(read).__name__} cannot make one."
            )
        return read.backend_tokenizer


def first_position(found: FoundModel) -> int:
    """The number of the first position of a text."""
    if found.config.get("model_type") not in _OF_ROBERTA:
        return 0
    return int(found.config.get("pad_token_id", 1)) + 1


def _tokenizer_in(path: str) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra.of("encoders", "tokenizers", "embed") from None
    return Tokenizer.from_file(path)
