"""The tokenizer zh."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, HouseTokenizer
from understudy.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

__all__ = ["BaseTokenizer", "TokenizerRegexp", "TokenizerZh"]


class TokenizerZh(HouseTokenizer):
    """Separates Chinese characters, with the ranges of sacreBLEU."""

    def __init__(self) -> None:
        super().__init__("zh")
