"""The base of tokenizers, and those of understudy called as sacreBLEU's are."""

from __future__ import annotations

from collections.abc import Callable

from understudy.text.tokenizers import tokenizer


class BaseTokenizer:
    """What a tokenizer of sacreBLEU has."""

    def signature(self) -> str:
        """The name, with all that affects the output."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of a text, with spaces between them."""
        raise NotImplementedError


class HouseTokenizer(BaseTokenizer):
    """A tokenizer of understudy's, by its name."""

    def __init__(self, name: str) -> None:
        self.tokens_of = tokenizer(name)

    def signature(self) -> str:
        return self.tokens_of.signature

    def __call__(self, line: str) -> str:
        segmenter = self.tokens_of.segmenter
        return " ".join(self.tokens_of(line)) if segmenter is None else segmenter(line)


def tokens_to_the_end(tokens_of: Callable[[str], list[str]], text: str) -> list[str]:
    """The tokens of a text with the whitespace at its end, which sacreBLEU drops before it calls a tokenizer, and
    understudy within: a word behind it keeps it there.
    """
    return tokens_of(f"{text} x")[:-1] if text[-1:].isspace() else tokens_of(text)
