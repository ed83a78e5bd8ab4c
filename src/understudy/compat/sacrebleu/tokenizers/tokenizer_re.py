"""The substitutions that 13a and zh end in."""

from __future__ import annotations

from understudy import _core
from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerRegexp(BaseTokenizer):
    """13a without what it does before: it neither unescapes entities nor puts spaces around the text.

    >>> TokenizerRegexp()("In 2017, &amp; in 2018.")
    'In 2017 , & amp ; in 2018.'
    """

    def signature(self) -> str:
        return "re"

    def __call__(self, line: str) -> str:
        return " ".join(_core.tokens(line, "13a-bare"))
