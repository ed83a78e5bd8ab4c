"""Warnings for text that a tokenizer cannot handle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from understudy.cli import say, warn
from understudy.corpus.segment_sources import open_sources, readable_twice
from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy._core import Column
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.words import WordMetric
    from understudy.metrics.meteor import METEOR

_DROPPED = 0.05  # of the letters. Accented letters are 4% of French, which users of ROUGE accept.


def say_which_tokenizer(language: str, metrics: Sequence[Metric]) -> None:
    """Report the tokenizer selected for a language, on standard error, if sacreBLEU has no rule for it."""
    from understudy.text.languages import BY_CHARACTERS, NAMES, TOKENIZERS, language_of

    code = language_of(language).code
    if code in BY_CHARACTERS and any(getattr(each, "tokenize", None) == TOKENIZERS[code] for each in metrics):
        say(
            f"using tokenizer {TOKENIZERS[code]} for {NAMES[code]}, for which sacreBLEU has no rule. For spBLEU, "
            "use --tokenize flores200:FILE."
        )


def warn_of_unreadable(references: Sequence[str], metrics: Sequence[Metric]) -> None:
    """Warn about tokenizers that cannot handle the text, judged by the beginning of the first reference."""
    if not references or not readable_twice(references[0]):
        return
    from understudy.metrics.base.unsplit_text import sampled

    try:
        column = _beginning(references[0])
        texts = sampled(column)
        for warning in (
            *_not_split(references[0], texts, metrics),
            *_dropped_letters(references[0], texts, metrics),
            *_words_as_tags(references[0], column, texts, metrics),
        ):
            warn(warning)
    except UnderstudyError:  # reported later, when the file or the metric's data are needed
        return


def _not_split(path: str, texts: Sequence[str], metrics: Sequence[Metric]) -> Iterator[str]:
    """For tokenizers set explicitly. With a default tokenizer, reading the text raises an error."""
    from understudy.metrics.base.unsplit_text import fitting, named
    from understudy.text.languages import NAMES
    from understudy.text.scripts import splits, unspaced_language

    if (language := unspaced_language(texts)) is None:
        return
    chosen = [metric for metric in _readers_of_words(metrics) if metric.undecided_reader is None]
    unfit = [metric for metric in chosen if not splits(texts, metric.tokens)]
    if unfit:
        tokenizers = "tokenizer" if len(unfit) == 1 else "tokenizers"
        yield (
            f"'{path}' is {NAMES[language]} text, which the {tokenizers} of {named(unfit)} cannot split into words. "
            f"Use the tokenizer {fitting(language)}."
        )


def _dropped_letters(path: str, texts: Sequence[str], metrics: Sequence[Metric]) -> Iterator[str]:
    from understudy.text.scripts import unspaced_language

    letters = Counter(filter(str.isalpha, "".join(texts)))
    if all(map(str.isascii, letters)) or unspaced_language(texts) is not None:
        return
    for metric in _readers_of_words(metrics):
        dropped = sum(count for letter, count in letters.items() if not metric.tokens(letter))
        if dropped > _DROPPED * letters.total():
            yield (
                f"{_with_tokenizer(metric)} discards {100 * dropped / letters.total():.0f}% of the letters in "
                f"'{path}'. Use --tokenize intl."
            )


def _words_as_tags(
    path: str, column: Column, texts: Sequence[str], metrics: Sequence[Metric]
) -> Iterator[str]:
    for metric in metrics:
        if metric.name == "pos-bleu":
            from understudy.metrics.pos_bleu import POSBLEU, look_like_words
            from understudy.text.scripts import unspaced_language

            assert isinstance(metric, POSBLEU)
            words = look_like_words(texts) or unspaced_language(texts) is not None
            if metric.takes_text_as_tags(column) and words:
                yield (
                    f"'{path}' appears to contain words, but {metric.label} expects tags. Use "
                    "pos-bleu:parser=auto to assign tags, or pos-bleu:separator=_ for text like the_DT cat_NN."
                )


def _readers_of_words(metrics: Sequence[Metric]) -> Iterator[WordMetric | METEOR]:
    """The metrics that use a tokenizer."""
    from understudy.metrics.base.words import WordMetric

    for metric in metrics:
        if metric.name == "meteor":  # by name, to avoid importing METEOR for other metrics
            from understudy.metrics.meteor import METEOR

            assert isinstance(metric, METEOR)
            yield metric
        elif isinstance(metric, WordMetric) and metric.cuts_text:
            yield metric


def _with_tokenizer(metric: WordMetric | METEOR) -> str:
    return f"{metric.label} (tokenizer {metric.tokenize})"


def _beginning(reference: str) -> Column:
    from understudy.metrics.base.unsplit_text import LOOKED_AT

    source, *others = open_sources(reference, role="reference")
    for other in others:
        other.close()
    with closing(source):
        return source.take(LOOKED_AT)
