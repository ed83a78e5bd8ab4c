"""The tokenizer ja-mecab."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, HouseTokenizer
from understudy.installation import install_command

__all__ = ["FAIL_MESSAGE", "BaseTokenizer", "TokenizerJaMecab"]

FAIL_MESSAGE = f"The tokenizer ja-mecab needs MeCab: {install_command('ja')}"


class TokenizerJaMecab(HouseTokenizer):
    """Japanese words of MeCab."""

    def __init__(self) -> None:
        super().__init__("ja-mecab")
