"""A word for who scores text that a metric cannot read: the number would be one, but say little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from understudy.cli import warn
from understudy.corpus.source import open_sources, readable_twice
from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy._core import Column
    from understudy.metrics.base import Metric
    from understudy.metrics.meteor import METEOR
    from understudy.metrics.words import WordMetric

LOOKED_AT = 100  # segments: enough to know the script
FIRST_UNSPACED = "\u0e00"  # no script without spaces has letters before Thai
DROPPED = 0.05  # of the letters. The accents of French are 4 %, of which ROUGE's users know.


def warn_of_unreadable(references: Sequence[str], metrics: Sequence[Metric]) -> None:
    """Warns of metrics that make no sensible words of a text, as the beginning of the first reference is."""
    if not references or not readable_twice(references[0]):
        return
    try:
        column = _beginning(references[0])
        texts = [column[row] or "" for row in range(len(column))]
        for warning in (
            *_sentences_as_words(references[0], texts, metrics),
            *_dropped_letters(references[0], texts, metrics),
            *_words_as_tags(references[0], column, texts, metrics),
        ):
            warn(warning)
    except UnderstudyError:  # who needs the file, or a metric's data, will say so
        return


def _sentences_as_words(path: str, texts: Sequence[str], metrics: Sequence[Metric]) -> Iterator[str]:
    if not any(max(text, default="") >= FIRST_UNSPACED for text in texts):
        return
    from understudy.comparison.marked_text import sentences_are_words

    names = [
        _with_tokenizer(metric) for metric in _readers_of_words(metrics) if sentences_are_words(texts, metric)
    ]
    if names:
        yield (
            f"'{path}' is in a script without spaces, and to {', '.join(names)} whole sentences are words. "
            "Say --tokenize zh, ja-mecab, flores200 or char."
        )


def _dropped_letters(path: str, texts: Sequence[str], metrics: Sequence[Metric]) -> Iterator[str]:
    letters = Counter(filter(str.isalpha, "".join(texts)))
    if all(map(str.isascii, letters)):
        return
    for metric in _readers_of_words(metrics):
        dropped = sum(count for letter, count in letters.items() if not metric.tokens(letter))
        if dropped > DROPPED * letters.total():
            yield (
                f"{_with_tokenizer(metric)} drops {100 * dropped / letters.total():.0f} % of the letters of '{path}', "
                "which are none to it. Say --tokenize intl; for scripts without spaces zh, ja-mecab, flores200 or "
                "char."
            )


def _words_as_tags(
    path: str, column: Column, texts: Sequence[str], metrics: Sequence[Metric]
) -> Iterator[str]:
    for metric in metrics:
        if metric.name == "pos-bleu":
            from understudy.metrics.pos_bleu import POSBLEU, look_like_words

            assert isinstance(metric, POSBLEU)
            if metric.takes_text_as_tags(column) and look_like_words(texts):
                yield (
                    f"'{path}' looks like words, and {metric.label} takes them for tags. Say pos-bleu:parser=auto to "
                    "have them tagged, or pos-bleu:separator=_ for text like the_DT cat_NN."
                )


def _readers_of_words(metrics: Sequence[Metric]) -> Iterator[WordMetric | METEOR]:
    from understudy.metrics.words import WordMetric

    for metric in metrics:
        if metric.name == "meteor":  # by its name: to load the file takes time that others need not wait
            from understudy.metrics.meteor import METEOR

            assert isinstance(metric, METEOR)
            yield metric
        elif isinstance(metric, WordMetric) and metric.cuts_text:
            yield metric


def _with_tokenizer(metric: WordMetric | METEOR) -> str:
    return f"{metric.label} (tokenizer {metric.tokenize})"


def _beginning(reference: str) -> Column:
    source, *others = open_sources(reference, role="reference")
    for other in others:
        other.close()
    with closing(source):
        return source.take(LOOKED_AT)
