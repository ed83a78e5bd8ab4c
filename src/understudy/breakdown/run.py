"""The breakdown of a comparison: where systems differ."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from understudy.breakdown.buckets import by_difficulty, by_label, by_length, by_length_difference
from understudy.breakdown.ngram_differences import ngram_differences
from understudy.breakdown.results import Breakdown, Bucketing
from understudy.breakdown.segment_views import segment_views
from understudy.breakdown.tokenized import TokenizedCorpus, word_reader
from understudy.breakdown.word_buckets import (
    REFERENCES,
    by_frequency,
    by_word_label,
    labels_of_words,
    reference_frequencies,
    text_frequencies,
)
from understudy.choices import NGRAMS
from understudy.corpus.corpus import as_corpus
from understudy.corpus.segment_label_files import Labeling, called_documents
from understudy.corpus.word_label_files import read_word_labels
from understudy.errors import BadParameter
from understudy.scoring.counted_systems import CountedSystems, checked_baseline, count_systems
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import check_choice, check_file, check_whole, checked_files
from understudy.text.languages import language_of

Path = str | os.PathLike[str]


def break_down(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    sources: Any = None,
    labels: Any = None,
    word_labels: Iterable[Path] = (),
    train: Path | None = None,
    ngrams: int = NGRAMS,
    lang: str | None = None,
    level: str = "corpus",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Breakdown:
    """Break a comparison down by segment, word and n-gram, for the systems of a corpus or anything a corpus can be made
    of.

    The baseline is the first system by default; with `all_pairs` there is none. `sources` are the source texts, shown
    with the translations. `labels` are segment labels, by title or in files; `word_labels` are files of word labels,
    one per reference; `train` is the text for word frequencies (default: the references). `lang` is the target
    language, as in `understudy.score`, and the language of the texts in reports (default: as given by the files).

    >>> found = break_down({"weak": "examples/system-weak.en", "strong": "examples/system-strong.en"},
    ...                    ["examples/reference-1.en"])
    >>> [bucket.label for bucket in found.bucketings[0].buckets]
    ['0 to 9 words', '10 to 19 words', '20 to 29 words', '30 to 39 words']
    >>> found.ngrams[0].matches
    {'weak': 0, 'strong': 7}
    """
    word_labels = checked_files("word_labels", word_labels)
    if train is not None:
        check_file("train", train)
    check_whole("ngrams", ngrams, least=0)
    check_choice("level", level, ("corpus", "mean"))
    tag = None if lang is None else language_of(lang).with_script
    corpus = as_corpus(systems, references, sources=sources, labels=labels)
    names = list(corpus.runs)
    base = None if all_pairs else checked_baseline(names, baseline)
    if corpus.references is None:
        raise BadParameter("a breakdown needs references. Give at least one.")
    counted = count_systems(
        corpus, metrics=chosen_metrics(metrics, lang), level=level, threads=threads, progress=progress
    )
    reader = word_reader(counted.metrics)
    words = TokenizedCorpus.of(corpus, corpus.references, reader)

    labelings = list(corpus.labels)
    if corpus.domains is not None and len(set(corpus.domains)) > 1:
        labelings.insert(0, Labeling("domain", corpus.domains))
    if called_documents(labelings) is None and corpus.documents is not None:
        labelings.insert(0, Labeling("document", corpus.documents))

    where = REFERENCES if train is None else os.path.basename(os.fspath(train))
    frequencies = reference_frequencies(words) if train is None else text_frequencies(train, words, reader)
    bucketings = _of_segments(counted, words, base or names[0], labelings)
    bucketings += by_frequency(words, corpus.runs, frequencies, where)
    files = {os.fspath(path): read_word_labels(path) for path in word_labels}
    if files:
        title = f"word label in {os.path.basename(next(iter(files)))}"
        of_words = labels_of_words(files, corpus.references, words, reader)
        bucketings.append(by_word_label(words, corpus.runs, of_words, title))
    return Breakdown(
        bucketings,
        ngram_differences(words, corpus.runs, baseline=base, limit=ngrams),
        segment_views(counted, corpus.references, called_documents(labelings)),
        corpus.language if tag is None else tag,
        tuple(counted.metrics),
        base,
    )


def _of_segments(
    counted: CountedSystems, words: TokenizedCorpus, base: str, labelings: Sequence[Labeling]
) -> list[Bucketing]:
    groupings = [
        by_length(words),
        by_length_difference(words, base, counted.corpus.runs[base]),
    ]
    by_labels = [by_label(labeling) for labeling in labelings]
    metrics = counted.metrics
    labels = Counter(metric.label for metric in metrics)
    found: list[Bucketing] = []
    for metric, evidence in zip(metrics, counted.evidence, strict=True):
        name = metric.label if labels[metric.label] == 1 else metric.spec
        of_metric = [*groupings, by_difficulty(evidence, name), *by_labels]
        found += [grouping.scored(evidence, name) for grouping in of_metric]
    return found
