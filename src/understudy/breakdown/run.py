"""Breaking down a comparison: where do systems differ?"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

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
from understudy.corpus.corpus import Corpus
from understudy.corpus.files import Path
from understudy.corpus.labels import Labelling, called_documents, check_labels, read_labels, read_word_labels
from understudy.errors import BadParameter, LengthMismatch
from understudy.metrics.base.metric import Metric
from understudy.scoring.counted import CountedSystems, Systems, checked_baseline, gather
from understudy.text.languages import language_of

NGRAMS = (
    100  # so many are kept that the baseline gets more often than others, and so many that it gets less often
)


def break_down(
    systems: Systems,
    references: Iterable[Path],
    metrics: Iterable[str | Metric] = ("bleu",),
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    labels: Iterable[Path] = (),
    word_labels: Iterable[Path] = (),
    train: Path | None = None,
    source: Path | None = None,
    ngrams: int = NGRAMS,
    language: str | None = None,
    level: str = "corpus",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Breakdown:
    """Where systems differ: on which segments, on which words, by which n-grams.

    The baseline is the first system unless it is named; with `all_pairs` there is none, and any two may differ.
    `labels` are files that say something of each segment, `word_labels` a file for each reference that says something
    of each word; `train` is a text in which words are frequent or rare, else it is the references. `source` is what was
    translated, to be shown beside the translations. `language` is that of the translations, such as de; by default
    what the files say of it.

    >>> found = break_down({"weak": "examples/system-weak.en", "strong": "examples/system-strong.en"},
    ...                    ["examples/reference-1.en"])
    >>> [bucket.label for bucket in found.bucketings[0].buckets]
    ['0 to 9 words', '10 to 19 words', '20 to 29 words', '30 to 39 words']
    >>> found.ngrams[0].matches
    {'weak': 0, 'strong': 7}
    """
    label_files = list(labels)
    gathered = gather(
        systems,
        references,
        metrics,
        level=level,
        documents=called_documents([labelling for path in label_files for labelling in read_labels(path)]),
        threads=threads,
        progress=progress,
    )
    return break_down_gathered(
        gathered,
        baseline=baseline,
        all_pairs=all_pairs,
        labels=label_files,
        word_labels=word_labels,
        train=train,
        source=source,
        ngrams=ngrams,
        language=language,
    )


def break_down_gathered(
    gathered: CountedSystems,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    labels: Iterable[Path] = (),
    word_labels: Iterable[Path] = (),
    train: Path | None = None,
    source: Path | None = None,
    ngrams: int = NGRAMS,
    language: str | None = None,
) -> Breakdown:
    """Of systems that are counted already. Their texts are read again, for what looks at words."""
    tag = None if language is None else language_of(language).with_script
    base = None if all_pairs else checked_baseline(gathered.runs.systems, baseline)
    corpus = Corpus.read(gathered.runs.files, gathered.reference_files)
    if corpus.references is None:
        raise BadParameter("a breakdown looks at what references say, and none are given.")
    reader = word_reader([evidence.metric for evidence in gathered.evidence if evidence.metric is not None])
    words = TokenizedCorpus.of(corpus, corpus.references, reader)
    runs = {system: gathered.runs.of_system(system) for system in gathered.runs.systems}

    labellings = [labelling for path in labels for labelling in read_labels(path)]
    for labelling in labellings:
        check_labels(labelling.title, labelling.labels, gathered.segments, labelling.file)
    if corpus.domains is not None and len(set(corpus.domains)) > 1:
        labellings.insert(0, Labelling("domain", list(corpus.domains)))
    if called_documents(labellings) is None and corpus.documents is not None:
        labellings.insert(0, Labelling("document", list(corpus.documents)))

    where = REFERENCES if train is None else os.path.basename(os.fspath(train))
    frequencies = reference_frequencies(words) if train is None else text_frequencies(train, words, reader)
    bucketings = _of_segments(gathered, words, base or gathered.runs.systems[0], labellings)
    bucketings += by_frequency(words, runs, frequencies, where)
    files = {os.fspath(path): read_word_labels(path) for path in word_labels}
    if files:
        title = f"label of the word in {os.path.basename(next(iter(files)))}"
        of_words = labels_of_words(files, corpus.references, words, reader)
        bucketings.append(by_word_label(words, runs, of_words, title))
    return Breakdown(
        bucketings,
        ngram_differences(words, runs, baseline=base, limit=ngrams),
        segment_views(
            gathered,
            corpus,
            corpus.references,
            called_documents(labellings),
            None if source is None else _sources(source, len(corpus)),
        ),
        corpus.language if tag is None else tag,
    )


def _sources(path: Path, segments: int) -> Sequence[str | None]:
    (column,) = Corpus.read([path]).systems.values()
    if len(column) != segments:
        raise LengthMismatch(
            f"source '{os.fspath(path)}' has {len(column):,} segments, the systems have {segments:,}. Was the last "
            "line dropped?"
        )
    return [column[row] for row in range(segments)]


def _of_segments(
    gathered: CountedSystems, words: TokenizedCorpus, base: str, labellings: Sequence[Labelling]
) -> list[Bucketing]:
    groupings = [
        by_length(words),
        by_length_difference(words, base, gathered.runs.of_system(base)),
    ]
    by_labels = [by_label(labelling) for labelling in labellings]
    metrics = [evidence.metric for evidence in gathered.evidence if evidence.metric is not None]
    labels = Counter(metric.label for metric in metrics)
    found: list[Bucketing] = []
    for metric, evidence in zip(metrics, gathered.evidence, strict=True):
        name = metric.label if labels[metric.label] == 1 else metric.spec
        of_metric = [*groupings, by_difficulty(evidence, name), *by_labels]
        found += [grouping.scored(evidence, name) for grouping in of_metric]
    return found
