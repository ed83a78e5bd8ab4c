"""Reference n-grams that some systems match more often than others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.breakdown.matched_spans import MAX_ORDER
from understudy.breakdown.results import NgramDifference
from understudy.breakdown.tokenized import TokenizedCorpus

_Integers = NDArray[np.int64]

# Added to both counts of a ratio, so that 10 matches against 0 tell more than 1 against 0. compare-mt ranks n-grams in
# the same order, with the same number (Neubig et al. 2019).
_SMOOTHING = 1

_REFERENCE = -1  # instead of the number of a run


def ngram_differences(
    corpus: TokenizedCorpus,
    runs: Mapping[str, Sequence[str]],
    *,
    baseline: str | None = None,
    limit: int | None = None,
    max_order: int = MAX_ORDER,
) -> list[NgramDifference]:
    """The n-grams by how much more often one system gets them than another: (matches + 1) of the one by (matches + 1)
    of the other, the largest such ratio first. One of the two is the baseline, if there is one.

    Matches are clipped as in BLEU, segment by segment. `runs` names the runs of every system; what it matches is the
    mean over them, rounded. With a `limit` so many are kept that the baseline gets more often, and so many that it
    gets less often; without a baseline so many at all.
    """
    base = None if baseline is None else list(runs).index(baseline)
    texts = _Texts.of(corpus)
    halves: tuple[list[_Ranked], list[_Ranked]] = ([], [])
    for counted in _counted(texts, len(corpus.outputs), max_order):
        matches = _by_system(counted.matches, list(corpus.outputs), runs)
        ratio, size = _largest_differences(matches, base)
        for ranked, half in zip(halves, _halves(matches, base), strict=False):
            for ngram in _first(np.flatnonzero(half & (size > 0)), ratio, size, limit):
                first = counted.places[ngram]
                words = [texts.vocabulary[word] for word in texts.words[first : first + counted.order]]
                difference = NgramDifference(
                    " ".join(words),
                    counted.order,
                    int(counted.in_references[ngram]),
                    dict(zip(runs, matches[:, ngram].tolist(), strict=True)),
                )
                # The largest ratio first; of equal ones the larger difference, then the longer n-gram.
                rank = (-float(ratio[ngram]), -int(size[ngram]), -difference.order, difference.ngram)
                ranked.append((rank, difference))
    kept = [one for ranked in halves for one in sorted(ranked, key=_rank)[:limit]]
    return [difference for _, difference in sorted(kept, key=_rank)]


_Ranked = tuple[tuple[float, int, int, str], NgramDifference]


def _rank(ranked: _Ranked) -> tuple[float, int, int, str]:
    return ranked[0]


def gets_more(difference: NgramDifference, baseline: str) -> bool:
    """Whether the baseline matches the n-gram more often than the system that differs most."""
    matches = np.array([*difference.matches.values()])[:, np.newaxis]
    more, _ = _halves(matches, list(difference.matches).index(baseline))
    return bool(more[0])


# --- which differ most --------------------------------------------------------------------------------------


def _largest_differences(matches: _Integers, base: int | None) -> tuple[NDArray[np.float64], _Integers]:
    """For each n-gram, the largest smoothed ratio of two systems' matches [systems, n-grams], and their difference."""
    least, most = matches.min(axis=0), matches.max(axis=0)
    ratio = (most + _SMOOTHING) / (least + _SMOOTHING)
    if base is None:
        return ratio, most - least
    own = matches[base]
    above, below = (own + _SMOOTHING) / (least + _SMOOTHING), (most + _SMOOTHING) / (own + _SMOOTHING)
    return np.maximum(above, below), np.where(above > below, own - least, most - own)


def _halves(matches: _Integers, base: int | None) -> list[NDArray[np.bool_]]:
    """The n-grams that the baseline gets more often than another, and those that it gets less often; or all."""
    if base is None:
        return [np.ones(matches.shape[1], dtype=bool)]
    least, most = matches.min(axis=0), matches.max(axis=0)
    more = (matches[base] + _SMOOTHING) ** 2 > (most + _SMOOTHING) * (least + _SMOOTHING)
    return [more, ~more]


def _first(
    chosen: NDArray[np.intp], ratio: NDArray[np.float64], size: _Integers, limit: int | None
) -> NDArray[np.intp]:
    """Those of the largest ratios and differences, and all that are equal to the last of them."""
    order = chosen[np.lexsort((-size[chosen], -ratio[chosen]))]
    if limit is None or len(order) <= limit:
        return order
    last = order[limit - 1]
    equal = (ratio[order] == ratio[last]) & (size[order] == size[last])
    return order[: max(limit, int(np.flatnonzero(equal)[-1]) + 1)]


# --- counting -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Texts:
    """All words of all texts, one after the other, as numbers."""

    vocabulary: list[str]
    words: _Integers
    text_of: _Integers  # by word
    ends: _Integers  # by word: where its text ends
    segment_of: _Integers  # by text
    run_of: _Integers  # by text; _REFERENCE if it is one

    @classmethod
    def of(cls, corpus: TokenizedCorpus) -> _Texts:
        texts = [
            (words, segment, _REFERENCE)
            for segment, references in enumerate(corpus.references)
            for words in references
        ]
        for run, outputs in enumerate(corpus.outputs.values()):
            texts += [(words, segment, run) for segment, words in enumerate(outputs)]
        numbers: dict[str, int] = {}
        flat = [numbers.setdefault(word, len(numbers)) for words, _, _ in texts for word in words]
        lengths = np.array([len(words) for words, _, _ in texts])
        return cls(
            list(numbers),
            np.array(flat, dtype=np.int64),
            np.repeat(np.arange(len(texts)), lengths),
            np.repeat(np.cumsum(lengths), lengths),
            np.array([segment for _, segment, _ in texts]),
            np.array([run for _, _, run in texts]),
        )


@dataclass(frozen=True, eq=False)
class _Counted:
    """The n-grams of the references that are of one order, and what every run has of them."""

    order: int
    places: _Integers  # [n-grams]: where each begins, for one of its occurrences
    in_references: _Integers  # [n-grams]
    matches: _Integers  # [runs, n-grams]


def _counted(texts: _Texts, runs: int, max_order: int) -> Iterator[_Counted]:
    """All orders, one after the other. An n-gram is the number of its first n - 1 words and its last word; what no
    reference has is left out at once, so that no longer n-gram begins with it.
    """
    at = np.arange(len(texts.words))
    prefix = np.zeros(len(at), dtype=np.int64)
    for order in range(1, max_order + 1):
        inside = at + order <= texts.ends[at]
        at, prefix = at[inside], prefix[inside]
        keys = prefix * len(texts.vocabulary) + texts.words[at + order - 1]
        in_reference = np.flatnonzero(texts.run_of[texts.text_of[at]] == _REFERENCE)
        if len(in_reference) == 0:
            return
        known, first = np.unique(keys[in_reference], return_index=True)
        places = at[in_reference[first]]
        numbers, there = _numbers_in(known, keys)
        at, prefix = at[there], numbers[there]
        yield _Counted(order, places, *_clipped(texts, texts.text_of[at], prefix, len(known), runs))


def _clipped(
    texts: _Texts, text_of: _Integers, ngram_of: _Integers, ngrams: int, runs: int
) -> tuple[_Integers, _Integers]:
    """How often references have each n-gram, and how often every run has it, no more often in a segment than that one
    of its references that has it most often.
    """
    pairs, counts = np.unique(text_of * ngrams + ngram_of, return_counts=True)
    text, ngram = np.divmod(pairs, ngrams)
    cell = texts.segment_of[text] * ngrams + ngram
    in_reference = texts.run_of[text] == _REFERENCE
    cells, position = np.unique(cell[in_reference], return_inverse=True)
    most = np.zeros(len(cells), dtype=np.int64)
    np.maximum.at(most, position, counts[in_reference])

    output = ~in_reference
    numbers, there = _numbers_in(cells, cell[output])
    clipped = np.where(there, np.minimum(counts[output], most[numbers]), 0)
    run_and_ngram = texts.run_of[text[output]] * ngrams + ngram[output]
    matches = np.bincount(run_and_ngram, weights=clipped, minlength=runs * ngrams).reshape(runs, ngrams)
    in_references = np.bincount(cells % ngrams, weights=most, minlength=ngrams)
    return in_references.astype(np.int64), matches.astype(np.int64)


def _numbers_in(known: _Integers, keys: _Integers) -> tuple[_Integers, NDArray[np.bool_]]:
    """The place of every key among the sorted known ones, and whether it is one of them."""
    numbers = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return numbers, known[numbers] == keys


def _by_system(matches: _Integers, names: Sequence[str], runs: Mapping[str, Sequence[str]]) -> _Integers:
    rows = [matches[[names.index(run) for run in of_system]] for of_system in runs.values()]
    return np.stack([np.rint(of_runs.mean(axis=0)).astype(np.int64) for of_runs in rows])
