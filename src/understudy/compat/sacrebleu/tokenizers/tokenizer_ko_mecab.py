"""The tokenizer ko-mecab."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, HouseTokenizer
from understudy.installation import install_command

__all__ = ["FAIL_MESSAGE", "BaseTokenizer", "TokenizerKoMecab"]

FAIL_MESSAGE = f"The tokenizer ko-mecab needs MeCab: {install_command('ko')}"


class TokenizerKoMecab(HouseTokenizer):
    """Korean words of MeCab."""

    def __init__(self) -> None:
        super().__init__("ko-mecab")
