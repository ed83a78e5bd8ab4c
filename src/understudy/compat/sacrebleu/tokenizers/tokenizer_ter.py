"""Tercom's tokenizer as sacreBLEU has it."""

from __future__ import annotations

import functools

from understudy.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, tokens_to_the_end
from understudy.metrics.ter import TER


class TercomTokenizer(BaseTokenizer):
    """Lowercases, and separates or drops punctuation.

    >>> TercomTokenizer(normalized=True)("Jim's car.")
    "jim 's car ."
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self.metric = _metric_of(bool(normalized), bool(no_punct), bool(asian_support), not case_sensitive)

    def signature(self) -> str:
        return "tercom"

    def __call__(self, sent: str) -> str:
        return " ".join(tokens_to_the_end(self.metric.tokens, sent))


@functools.cache
def _metric_of(normalized: bool, no_punct: bool, asian_support: bool, lowercase: bool) -> TER:
    return TER.preset(
        "sacrebleu",
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        lowercase=lowercase,
    )
