"""Text in scripts without word boundaries: an error if a metric's defaults cannot handle it.

BLEU with 13a on Chinese compares whole clauses and may reverse the ranking of systems. METEOR would use its English
parameters, and a parser would build English trees. A tokenizer, language or parser that is set explicitly is always
accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from understudy._core import Column
from understudy.errors import NoLanguageChosen, NoTokenizerChosen
from understudy.installation import install_hint
from understudy.text.languages import NAMES, TOKENIZERS, working_tokenizers
from understudy.text.scripts import splits, unspaced_language
from understudy.text.tokenizers import KINDS

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric

# Number of segments per part, evenly spaced, that suffice to detect the script; and number of characters of each,
# because a segment may be a whole document.
_LOOKED_AT = 100
_CHARACTERS = 1000


class Reader(Protocol):
    """A metric that tokenizes text."""

    @property
    def label(self) -> str:
        """Its name in tables."""

    @property
    def tokenize(self) -> str:
        """The tokenizer."""

    def tokens(self, text: str) -> list[str]:
        """The words of a text."""


def refuse_unsplit(metrics: Sequence[Metric], texts: Iterable[tuple[str, Column]]) -> None:
    """Raise an error for texts that a metric's default tokenizer cannot split, and for texts that a metric would
    treat as English by default. Each text comes with a name for the message.
    """
    undecided = [metric for metric in metrics if metric.undecided]
    for where, column in texts if undecided else ():
        sample = sampled(column)
        if all(map(str.isascii, sample)) or (language := unspaced_language(sample)) is None:
            continue
        readers = [reader for metric in undecided if (reader := metric.undecided_reader) is not None]
        if unfit := [reader for reader in readers if not splits(sample, reader.tokens)]:
            raise _no_tokenizer(where, language, unfit)
        if foreign := [metric for metric in undecided if metric.takes_for_english(column)]:
            raise _no_language(where, language, foreign)


def _no_tokenizer(where: str, language: str, unfit: Sequence[Reader]) -> NoTokenizerChosen:
    tokenizers = f"default {'tokenizer' if len(unfit) == 1 else 'tokenizers'} of {named(unfit)}"
    problem = f"{where}: {NAMES[language]} text, which the {tokenizers} cannot split into words."
    return NoTokenizerChosen(
        f"{problem} Set tokenize to {fitting(language)}; {_in_functions(language)}.",
        on_command_line=f"{problem} {_on_command_line(language)}",
    )


def _no_language(where: str, language: str, foreign: Sequence[Metric]) -> NoLanguageChosen:
    labels = ", ".join(metric.label for metric in foreign)
    problem = f"{where}: {NAMES[language]} text, which {labels} would treat as English."
    return NoLanguageChosen(
        f"{problem} Use metric.for_language('{language}'); {_in_functions(language)}.",
        on_command_line=f"{problem} Use --lang {language}.",
    )


def _in_functions(language: str) -> str:
    return f"functions such as understudy.score also take lang='{language}'"


def sampled(column: Column | Sequence[str | None]) -> list[str]:
    """A sample of the texts, evenly spaced over the column."""
    step = max(1, len(column) // _LOOKED_AT)
    return [(column[row] or "")[:_CHARACTERS] for row in range(0, len(column), step)]


def named(readers: Iterable[Reader]) -> str:
    """Metrics with their tokenizers, for use in a sentence."""
    return ", ".join(f"{reader.label} ({reader.tokenize})" for reader in readers)


def fitting(language: str) -> str:
    """The tokenizers for a language, for use in a sentence: those installed, then those that could be.

    >>> fitting("zh").split(" or ")[0]
    'zh'
    """
    return " or ".join([*working_tokenizers(language), *_after_installing(language)])


def _on_command_line(language: str) -> str:
    working = [f"--tokenize {name}" for name in working_tokenizers(language)]
    if lacking := _after_installing(language):
        return f"Use {' or '.join(working)}, or --lang {language} for {lacking[0]}."
    others = f", or {' or '.join(working[1:])}" if working[1:] else ""
    return f"Use --lang {language} (tokenizer {TOKENIZERS[language]}){others}."


def _after_installing(language: str) -> list[str]:
    field = TOKENIZERS.get(language)
    if field is None or field in working_tokenizers(language):
        return []
    return [f"{field} ({install_hint(str(KINDS[field].extra))})"]
