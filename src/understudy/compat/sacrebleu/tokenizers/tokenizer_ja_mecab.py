"""The tokenizer ja-mecab."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, HouseTokenizer

__all__ = ["BaseTokenizer", "TokenizerJaMecab"]


class TokenizerJaMecab(HouseTokenizer):
    """Japanese words of MeCab."""

    def __init__(self) -> None:
        super().__init__("ja-mecab")
