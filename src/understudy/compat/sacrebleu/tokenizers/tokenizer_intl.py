"""The tokenizer intl."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import (
    BaseTokenizer,
    HouseTokenizer,
    tokens_to_the_end,
)

__all__ = ["BaseTokenizer", "TokenizerV14International"]


class TokenizerV14International(HouseTokenizer):
    """That of mteval-v14 with --international-tokenization."""

    def __init__(self) -> None:
        super().__init__("intl")

    def __call__(self, line: str) -> str:
        return " ".join(tokens_to_the_end(self.tokens_of, line))
