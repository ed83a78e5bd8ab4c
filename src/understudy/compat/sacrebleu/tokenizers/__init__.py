"""sacreBLEU's tokenizers under its names: text to text, with spaces between the tokens."""

from __future__ import annotations

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
