"""Words in buckets: by how frequent they are, or by a label such as the part of speech; and how many a system gets.

A word of a reference is got if the output has it too, as often. With several references each is looked at by itself,
and all of them are added up: a bucket has the same words for every system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.comparison.breakdown import Bucket, Bucketing
from understudy.comparison.buckets import range_names
from understudy.comparison.evidence import Floats
from understudy.comparison.gathering import Path
from understudy.comparison.tokenized import TokenizedCorpus, Words, words_of_column
from understudy.corpus.columns import References
from understudy.corpus.corpus import CHUNK_SEGMENTS
from understudy.corpus.source import open_sources
from understudy.errors import BadInput, BadParameter
from understudy.metrics.words import WordMetric

FREQUENCIES = (
    1,
    2,
    3,
    4,
    5,
    10,
    100,
    1000,
)  # where buckets begin, as in compare-mt; the first is of unknown words

Runs = Mapping[str, Sequence[str]]  # the runs of every system


def by_frequency(
    corpus: TokenizedCorpus, runs: Runs, frequencies: Mapping[str, int], where: str
) -> list[Bucketing]:
    """Recall, precision and their harmonic mean F of words, by how often they occur in some text."""
    names = range_names(FREQUENCIES)

    def buckets(words: Iterable[str]) -> NDArray[np.intp]:
        return np.digitize([frequencies.get(word, 0) for word in words], FREQUENCIES)

    of_references = buckets(_reference_words(corpus))
    times = [len(references) for references in corpus.references]  # an output is held against each of them
    in_references = np.bincount(of_references, minlength=len(names))
    measured: dict[str, dict[str, list[Floats]]] = {name: {} for name in ("recall", "precision", "F")}
    for system, of_system in runs.items():
        for run in of_system:
            outputs = corpus.outputs[run]
            weights = np.repeat(times, [len(words) for words in outputs])
            in_output = _sums(buckets(chain.from_iterable(outputs)), weights, len(names))
            got = _sums(of_references, got_words(corpus, run), len(names))
            for name, value in (
                ("recall", _percent(got, in_references)),
                ("precision", _percent(got, in_output)),
                ("F", _percent(2 * got, in_references + in_output)),
            ):
                measured[name].setdefault(system, []).append(value)
    return [
        _bucketing(f"frequency of the word in {where}", f"{name} of words", names, in_references, values)
        for name, values in measured.items()
    ]


def by_word_label(
    corpus: TokenizedCorpus, runs: Runs, labels: Sequence[Sequence[Sequence[str]]], title: str
) -> Bucketing:
    """Recall of the words of the references by their labels, those of most words first. `labels` are by segment and
    reference, one for each word.
    """
    flat = [label for of_segment in labels for of_reference in of_segment for label in of_reference]
    names = [name for name, _ in Counter(flat).most_common()]
    numbers = {name: number for number, name in enumerate(names)}
    bucket_of = np.array([numbers[label] for label in flat], dtype=np.intp)
    totals = np.bincount(bucket_of, minlength=len(names))
    recalls = {
        system: [_percent(_sums(bucket_of, got_words(corpus, run), len(names)), totals) for run in of_system]
        for system, of_system in runs.items()
    }
    return _bucketing(title, "recall of words", names, totals, recalls)


def got_words(corpus: TokenizedCorpus, run: str) -> NDArray[np.bool_]:
    """Which words of all references a run has, one after the other; of a word that a reference has more often than the
    output, the first ones.
    """
    got: list[bool] = []
    for words, references in zip(corpus.outputs[run], corpus.references, strict=True):
        has = Counter(words)
        for reference in references:
            left = has.copy()
            for word in reference:
                found = left.get(word, 0)
                got.append(found > 0)
                if found:
                    left[word] = found - 1
    return np.array(got, dtype=bool)


def reference_frequencies(corpus: TokenizedCorpus) -> Counter[str]:
    """How often words occur in that one of the references which has them most often: as if there were but one."""
    most: Counter[str] = Counter()
    for reference in zip_longest(*corpus.references, fillvalue=()):
        most |= Counter(chain.from_iterable(reference))
    return most


def text_frequencies(path: Path, corpus: TokenizedCorpus, reader: WordMetric) -> Counter[str]:
    """How often the corpus's words occur in a text of any length, such as what a system was trained on."""
    wanted = set(_reference_words(corpus)).union(*chain.from_iterable(corpus.outputs.values()))
    found: Counter[str] = Counter()
    for source in open_sources(path, role="reference"):
        with closing(source):
            while len(part := source.take(CHUNK_SEGMENTS)):
                for words in words_of_column(part, reader):
                    found.update(word for word in words if word in wanted)
    return found


def labels_of_words(
    files: Mapping[str, Sequence[Sequence[str]]],
    references: References,
    corpus: TokenizedCorpus,
    reader: WordMetric,
) -> list[list[Sequence[str]]]:
    """The labels of every segment and reference, from a file for each reference; refused unless every word has one."""
    if len(files) != len(references.columns):
        raise BadParameter(
            f"{len(files)} files of word labels for {len(references.columns)} references, expected one for each."
        )
    for name, lines in files.items():
        if len(lines) != len(references):
            raise BadInput(f"'{name}' has labels of {len(lines):,} segments, there are {len(references):,}.")
    found: list[list[Sequence[str]]] = []
    for row, texts in enumerate(corpus.references):
        there = [
            (name, lines[row])
            for (name, lines), column in zip(files.items(), references.columns, strict=True)
            if column[row] is not None
        ]
        for (name, labels), words in zip(there, texts, strict=True):
            _check_word_labels(name, row, labels, words, reader)
        found.append([labels for _, labels in there])
    return found


def _check_word_labels(name: str, row: int, labels: Sequence[str], words: Words, reader: WordMetric) -> None:
    if len(labels) != len(words):
        raise BadInput(
            f"'{name}', line {row + 1}: {len(labels)} labels for the {len(words)} words that the tokenizer "
            f"{reader.tokenize} makes of the reference. Labels of words between spaces need --tokenize none."
        )


def _reference_words(corpus: TokenizedCorpus) -> Iterable[str]:
    return (word for references in corpus.references for words in references for word in words)


def _sums(bucket_of: NDArray[np.intp], weights: NDArray[Any], buckets: int) -> Floats:
    return np.bincount(bucket_of, weights, buckets).astype(np.float64)


def _percent(part: Floats, whole: Floats | NDArray[np.intp]) -> Floats:
    return np.asarray(100.0 * part / np.maximum(whole, 1))


def _bucketing(
    title: str,
    measure: str,
    names: Sequence[str],
    totals: NDArray[np.intp],
    values: Mapping[str, Sequence[Floats]],
) -> Bucketing:
    """Without the buckets that no word of a reference is in. Systems of several runs have the mean over them."""
    means = {system: np.mean(of_runs, axis=0) for system, of_runs in values.items()}
    return Bucketing(
        title,
        "words",
        measure,
        [
            Bucket(name, int(totals[row]), {system: float(mean[row]) for system, mean in means.items()})
            for row, name in enumerate(names)
            if totals[row]
        ],
    )
