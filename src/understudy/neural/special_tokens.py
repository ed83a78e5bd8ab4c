"""Warnings about special tokens in the text, such as </s> at its end: models do not read them as text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from understudy.errors import ModelWarning

# Those of the models that metrics are made of. Systems leave the same ones in their output.
_LIKELY = re.compile(r"\[(?:CLS|SEP|PAD|MASK|UNK)\]|<(?:/?s|pad|mask|unk)>")


def special_tokens_of(tokenizer: Any) -> frozenset[str]:
    """Those of a tokenizer of the package tokenizers, as they are written in a text."""
    added = tokenizer.get_added_tokens_decoder().values()
    return frozenset(token.content for token in added if token.special)


def warn_of_special_tokens(title: str, texts: Iterable[str], special: Callable[[], frozenset[str]]) -> None:
    """One warning for all texts. `special` is called only if a text may have one: it reads the tokenizer."""
    written = {token for text in texts for token in _LIKELY.findall(text)}
    if found := sorted(written & special()) if written else []:
        shown = ", ".join(f"'{token}'" for token in found)
        warnings.warn(
            f"{title}: the text contains {shown}, which the model does not read as text, but as its own special "
            "tokens. Remove them.",
            ModelWarning,
            stacklevel=2,
        )
