"""The tokenizers of learned models: subwords of a text, with their offsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import BadInput, MissingExtra, MissingFile
from understudy.neural.special_tokens import special_tokens_of
from understudy.neural.torch_backend import transformers_of

TOKENIZER = "tokenizer.json"


@dataclass(frozen=True)
class SpecialTokens:
    """As texts in the vocabulary."""

    start: str
    end: str
    padding: str


XLM_R = SpecialTokens("<s>", "</s>", "<pad>")
BERT = SpecialTokens("[CLS]", "[SEP]", "[PAD]")
REMBERT = SpecialTokens("[CLS]", "[SEP]", "<pad>")


class Subwords:
    """A tokenizer without truncation, padding and special tokens, which differ between models."""

    def __init__(self, tokenizer: Any, special: SpecialTokens, where: Path) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.start, self.end, self.padding = (
            _number(tokenizer, token, where) for token in (special.start, special.end, special.padding)
        )

    @classmethod
    def read(cls, folder: Path, special: SpecialTokens, converter: str = "") -> Subwords:
        """The tokenizer in a folder. `converter` is transformers' class for folders without tokenizer.json."""
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtra.of("learned metrics", "tokenizers", "neural") from None
        path = folder / TOKENIZER
        try:
            # Read directly: transformers 5 builds a tokenizer of its own from the vocabulary.
            tokenizer = Tokenizer.from_file(str(path)) if path.is_file() else _converted(folder, converter)
        except MissingFile:
            raise
        except Exception as error:
            problem = " ".join(str(error).split())
            raise BadInput(f"the tokenizer in '{folder}' cannot be read ({problem}).") from None
        return cls(tokenizer, special, folder)

    @property
    def special_tokens(self) -> frozenset[str]:
        """Those that are not read as text, as they are written."""
        return special_tokens_of(self._tokenizer)

    def ids(self, text: str) -> list[int]:
        # One text at a time: several would start threads, and tokenizers warns of them in every forked process.
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def ids_and_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The subwords, and the characters from and to which each goes."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return list(found.ids), list(found.offsets)

    def closed(self, ids: Sequence[int], longest: int) -> list[int]:
        """With the special tokens of a single text, truncated to that many tokens."""
        return [self.start, *ids[: longest - 2], self.end]


class SentencePieces:
    """A SentencePiece model whose special tokens are pieces of it."""

    def __init__(self, path: Path, special: SpecialTokens) -> None:
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError:
            raise MissingExtra.of("learned metrics", "sentencepiece", "neural") from None
        try:
            self._model = SentencePieceProcessor(model_file=str(path))
        except (OSError, RuntimeError) as error:
            raise BadInput(f"'{path}' is no SentencePiece model ({error}).") from None
        self.start, self.end = (self._number(token, path) for token in (special.start, special.end))
        self.padding = 0  # any token will do: a mask hides it

    @property
    def special_tokens(self) -> frozenset[str]:
        """None: SentencePiece reads every text as text."""
        return frozenset()

    def ids(self, text: str) -> list[int]:
        return list(self._model.encode(text))

    def _number(self, token: str, path: Path) -> int:
        number = int(self._model.piece_to_id(token))
        if number == self._model.unk_id():
            raise BadInput(f"'{path}' has no piece '{token}', so it is not the vocabulary of this model.")
        return number


def _converted(folder: Path, converter: str) -> Any:
    if not converter or not (any(folder.glob("*.model")) or (folder / "vocab.txt").is_file()):
        raise MissingFile(f"no tokenizer in '{folder}', expected {TOKENIZER}.")
    return (
        getattr(transformers_of(), converter).from_pretrained(folder, local_files_only=True).backend_tokenizer
    )


def _number(tokenizer: Any, token: str, where: Path) -> int:
    number = tokenizer.token_to_id(token)
    if number is None:
        raise BadInput(f"the tokenizer in '{where}' has no token '{token}', so it is not that of the model.")
    return int(number)
