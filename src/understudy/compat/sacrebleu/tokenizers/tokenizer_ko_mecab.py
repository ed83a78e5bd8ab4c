"""The tokenizer ko-mecab."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, HouseTokenizer

__all__ = ["BaseTokenizer", "TokenizerKoMecab"]


class TokenizerKoMecab(HouseTokenizer):
    """Korean words of MeCab."""

    def __init__(self) -> None:
        super().__init__("ko-mecab")
