"""A word for who scores Chinese with a tokenizer for English: the number would be one, but say little."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from understudy.corpus.source import open_sources, readable_twice
from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy.metrics.base import Metric

LOOKED_AT = 100  # segments: enough to know the script
FIRST_UNSPACED = "\u0e00"  # no script without spaces has letters before Thai


def warn_of_unspaced(references: Sequence[str], metrics: Sequence[Metric]) -> None:
    """Warns of metrics that take whole sentences for words, as the beginning of the first reference has them."""
    if not references or not readable_twice(references[0]):
        return
    try:
        texts = _beginning(references[0])
    except UnderstudyError:  # who needs the file will say so
        return
    if not any(max(text, default="") >= FIRST_UNSPACED for text in texts):
        return
    from understudy.comparison.marked_text import sentences_are_words
    from understudy.metrics.words import WordMetric

    names = [
        f"{metric.label} (tokenizer {metric.tokenize})"
        for metric in metrics
        if isinstance(metric, WordMetric) and metric.cuts_text and sentences_are_words(texts, metric)
    ]
    if names:
        click.echo(
            f"understudy: warning: '{references[0]}' is in a script without spaces, and to {', '.join(names)} whole "
            "sentences are words. Say --tokenize zh, ja-mecab, flores200 or char.",
            err=True,
        )


def _beginning(reference: str) -> list[str]:
    source, *others = open_sources(reference, role="reference")
    for other in others:
        other.close()
    with closing(source):
        column = source.take(LOOKED_AT)
    return [column[row] or "" for row in range(len(column))]
