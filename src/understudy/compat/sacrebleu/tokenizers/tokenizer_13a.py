"""The tokenizer 13a."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import (
    BaseTokenizer,
    HouseTokenizer,
    tokens_to_the_end,
)
from understudy.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

__all__ = ["BaseTokenizer", "Tokenizer13a", "TokenizerRegexp"]


class Tokenizer13a(HouseTokenizer):
    """That of mteval-v13a.

    >>> Tokenizer13a()("It's 3.5%, isn't it?")
    "It's 3.5 % , isn't it ?"
    """

    def __init__(self) -> None:
        super().__init__("13a")

    def __call__(self, line: str) -> str:
        return " ".join(tokens_to_the_end(self.tokens_of, line))
