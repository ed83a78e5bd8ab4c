"""Warnings for text that a metric cannot handle as it is set up."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from understudy.errors import InputWarning, UnderstudyError

if TYPE_CHECKING:
    from understudy._core import Column
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.words import WordMetric
    from understudy.metrics.meteor import METEOR

_DROPPED = 0.05  # of the letters. Accented letters are 4% of French, which users of ROUGE accept.


def warn_of_unreadable(metrics: Sequence[Metric], place: str, text: Column) -> None:
    """Warn about metrics and tokenizers that cannot handle this text, a reference or the beginning of one. `place` is
    its name in messages.
    """
    from understudy.metrics.base.unsplit_text import sampled
    from understudy.text.scripts import unspaced_language

    texts = sampled(text)
    language = unspaced_language(texts)
    try:
        for warning in (
            *_not_split(place, texts, language, metrics),
            *(_dropped_letters(place, texts, metrics) if language is None else ()),
            *_taken_for_english(place, text, texts, metrics),
            *_words_as_tags(place, text, texts, language, metrics),
        ):
            warnings.warn(warning, InputWarning, stacklevel=2)
    except UnderstudyError:  # reported later, when the metric's data are needed
        return


def _not_split(
    place: str, texts: Sequence[str], language: str | None, metrics: Sequence[Metric]
) -> Iterator[str]:
    """For tokenizers set explicitly. With a default tokenizer, reading the text raises an error."""
    from understudy.metrics.base.unsplit_text import fitting, named
    from understudy.text.languages import NAMES
    from understudy.text.scripts import splits

    if language is None:
        return
    chosen = [metric for metric in _readers_of_words(metrics) if metric.undecided_reader is None]
    unfit = [metric for metric in chosen if not splits(texts, metric.tokens)]
    if unfit:
        tokenizers = "tokenizer" if len(unfit) == 1 else "tokenizers"
        yield (
            f"{place} is {NAMES[language]} text, which the {tokenizers} of {named(unfit)} cannot split into words. "
            f"Use the tokenizer {fitting(language)}."
        )


def _dropped_letters(place: str, texts: Sequence[str], metrics: Sequence[Metric]) -> Iterator[str]:
    letters = Counter(filter(str.isalpha, "".join(texts)))
    if all(map(str.isascii, letters)):
        return
    for metric in _readers_of_words(metrics):
        dropped = sum(count for letter, count in letters.items() if not metric.tokens(letter))
        if dropped > _DROPPED * letters.total():
            yield (
                f"{_with_tokenizer(metric)} discards {100 * dropped / letters.total():.0f}% of the letters in "
                f"{place}. Use the tokenizer intl."
            )


def _taken_for_english(
    place: str, column: Column, texts: Sequence[str], metrics: Sequence[Metric]
) -> Iterator[str]:
    """Where no language is set. Text in scripts without word boundaries raises an error."""
    from understudy.text.english import is_hardly_english

    labels = [metric.label for metric in metrics if metric.takes_for_english(column)]
    if labels and is_hardly_english(texts):
        yield (
            f"{place} is hardly English, but {' and '.join(labels)} {'treats' if len(labels) == 1 else 'treat'} it as "
            "English. Set its language with --lang (lang= in Python)."
        )


def _words_as_tags(
    place: str, column: Column, texts: Sequence[str], language: str | None, metrics: Sequence[Metric]
) -> Iterator[str]:
    for metric in metrics:
        if metric.name == "pos-bleu":
            from understudy.metrics.pos_bleu import POSBLEU, look_like_words

            assert isinstance(metric, POSBLEU)
            words = look_like_words(texts) or language is not None
            if metric.takes_text_as_tags(column) and words:
                yield (
                    f"{place} appears to contain words, but {metric.label} expects tags. Use "
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
