"""Words in buckets: by how frequent they are, or by a label such as the part of speech; and how many a system gets.

A word of a reference is got if the output has it too, as often. With several references each is looked at by itself,
and all of them are added up. Recall is a share of the words of the references, which are the same for every system;
precision of a system's own words, some of which no reference has; F of both together.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.breakdown.buckets import range_names
from understudy.breakdown.results import Bucket, Bucketing
from understudy.breakdown.tokenized import TokenizedCorpus, Words, words_of_column
from understudy.corpus.columns import References
from understudy.corpus.corpus import CHUNK_SEGMENTS
from understudy.corpus.segment_sources import open_sources
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.words import WordMetric

_FREQUENCIES = (
    1,
    2,
    3,
    4,
    5,
    10,
    100,
    1000,
)  # where buckets begin, as in compare-mt; the first is of unknown words

REFERENCES = "the references"  # where words are looked up, if in no other text

# Which words a measure is a share of.
_COUNTED = {
    "recall": "reference words",
    "precision": "hypothesis words",
    "F": "hypothesis and reference words",
}

Runs = Mapping[str, Sequence[str]]  # the runs of every system


def by_frequency(
    corpus: TokenizedCorpus, runs: Runs, frequencies: Mapping[str, int], where: str
) -> list[Bucketing]:
    """Word recall, precision and F1, by word frequency in a text."""
    names = range_names(_FREQUENCIES)
    if where == REFERENCES:
        names[0] = f"{names[0]} (in no reference)"

    def buckets(words: Iterable[str]) -> NDArray[np.intp]:
        return np.digitize([frequencies.get(word, 0) for word in words], _FREQUENCIES)

    of_references = buckets(_reference_words(corpus))
    times = [len(references) for references in corpus.references]  # an output is held against each of them
    in_references = np.bincount(of_references, minlength=len(names)).astype(np.float64)
    shares: dict[str, dict[str, list[_Share]]] = {name: {} for name in _COUNTED}
    for system, of_system in runs.items():
        for run in of_system:
            outputs = corpus.outputs[run]
            weights = np.repeat(times, [len(words) for words in outputs])
            in_output = _sums(buckets(chain.from_iterable(outputs)), weights, len(names))
            got = _sums(of_references, _got_words(corpus, run), len(names))
            for name, share in (
                ("recall", _Share(got, in_references)),
                ("precision", _Share(got, in_output)),
                ("F", _Share(2 * got, in_references + in_output)),
            ):
                shares[name].setdefault(system, []).append(share)
    several = ", for each reference separately" if max(times) > 1 else ""
    return [
        _bucketing(
            f"word frequency in {where}",
            f"word {name}",
            names,
            in_references,
            of_systems,
            counted=_COUNTED[name] + several,
            own_words=name != "recall",
        )
        for name, of_systems in shares.items()
    ]


def by_word_label(
    corpus: TokenizedCorpus, runs: Runs, labels: Sequence[Sequence[Sequence[str]]], title: str
) -> Bucketing:
    """Word recall by label, most frequent labels first. `labels` are by segment and reference, one per word."""
    flat = [label for of_segment in labels for of_reference in of_segment for label in of_reference]
    names = [name for name, _ in Counter(flat).most_common()]
    numbers = {name: number for number, name in enumerate(names)}
    bucket_of = np.array([numbers[label] for label in flat], dtype=np.intp)
    totals = np.bincount(bucket_of, minlength=len(names)).astype(np.float64)
    recalls = {
        system: [_Share(_sums(bucket_of, _got_words(corpus, run), len(names)), totals) for run in of_system]
        for system, of_system in runs.items()
    }
    return _bucketing(title, "word recall", names, totals, recalls, counted=_COUNTED["recall"])


def _got_words(corpus: TokenizedCorpus, run: str) -> NDArray[np.bool_]:
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


def text_frequencies(
    path: str | os.PathLike[str], corpus: TokenizedCorpus, reader: WordMetric
) -> Counter[str]:
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
            f"got {len(files)} files of word labels for {len(references.columns)} references, expected one per "
            "reference."
        )
    for name, lines in files.items():
        if len(lines) != len(references):
            raise BadInput(
                f"'{name}' has labels for {len(lines):,} segments, but there are {len(references):,} "
                "segments."
            )
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
            f"'{name}', line {row + 1}: {len(labels)} labels, but {len(words)} tokens in the reference (tokenizer "
            f"{reader.tokenize}). For labels of words separated by spaces, use --tokenize none."
        )


def _reference_words(corpus: TokenizedCorpus) -> Iterable[str]:
    return (word for references in corpus.references for words in references for word in words)


def _sums(bucket_of: NDArray[np.intp], weights: NDArray[Any], buckets: int) -> Floats:
    return np.bincount(bucket_of, weights, buckets).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Share:
    """Of one run, in each bucket: how many words count, of how many."""

    part: Floats
    whole: Floats

    @property
    def percent(self) -> Floats:
        """Not a number where there are no words."""
        with np.errstate(invalid="ignore"):
            return np.asarray(100.0 * self.part / self.whole)


def _bucketing(
    title: str,
    measure: str,
    names: Sequence[str],
    in_references: Floats,
    shares: Mapping[str, Sequence[_Share]],
    *,
    counted: str,
    own_words: bool = False,
) -> Bucketing:
    """Without the buckets that are empty for every system. Systems of several runs have the mean over them."""
    scores = {system: _means([share.percent for share in of_runs]) for system, of_runs in shares.items()}
    wholes = {system: _means([share.whole for share in of_runs]) for system, of_runs in shares.items()}
    return Bucketing(
        title,
        "words",
        measure,
        [
            Bucket(
                name,
                int(in_references[row]),
                {system: float(of_buckets[row]) for system, of_buckets in scores.items()},
                {system: float(whole[row]) for system, whole in wholes.items()} if own_words else None,
            )
            for row, name in enumerate(names)
            if any(whole[row] for whole in wholes.values())
        ],
        counted,
    )


def _means(of_runs: Sequence[Floats]) -> Floats:
    """Over the runs that have a number."""
    found = np.array(of_runs)
    there = ~np.isnan(found)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, found, 0).sum(axis=0) / there.sum(axis=0))
