"""Notes on the tokenizer that `--lang` selects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.cli import say

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric


def say_which_tokenizer(language: str, metrics: Sequence[Metric]) -> None:
    """Report the tokenizer selected for a language, on standard error, if sacreBLEU has no rule for it."""
    from understudy.text.languages import BY_CHARACTERS, NAMES, TOKENIZERS, language_of

    code = language_of(language).code
    if code in BY_CHARACTERS and any(getattr(each, "tokenize", None) == TOKENIZERS[code] for each in metrics):
        say(
            f"using tokenizer {TOKENIZERS[code]} for {NAMES[code]}, for which sacreBLEU has no rule. For spBLEU, "
            "use --tokenize flores200."
        )
