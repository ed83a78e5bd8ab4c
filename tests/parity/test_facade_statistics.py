"""Statistics of segments, by methods that sacreBLEU does not publish: other programs call them to add up themselves."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sacrebleu")
import sacrebleu.significance

import understudy.compat.sacrebleu as facade
from material.sacrebleu_beside import both, shown

METRICS: list[tuple[str, dict[str, Any]]] = [
    ("BLEU", {}),
    ("BLEU", {"smooth_method": "add-k", "smooth_value": 0.5}),
    ("BLEU", {"smooth_method": "floor", "effective_order": True, "max_ngram_order": 3}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2, "eps_smoothing": True}),
    ("CHRF", {"char_order": 3, "word_order": 1, "beta": 1}),
    ("TER", {}),
    ("TER", {"normalized": True}),
]
WORDS = "the cat sat on a mat . , it rained Rain cats and dogs 3.5 % 中文"
every_metric = pytest.mark.parametrize(("name", "settings"), METRICS)


def corpora(count: int) -> list[tuple[list[str], list[list[str]]]]:
    drawn = random.Random(3)

    def text() -> str:
        return " ".join(drawn.choice(WORDS.split()) for _ in range(drawn.randint(0, 9)))

    sizes = [(drawn.randint(1, 5), drawn.randint(1, 2)) for _ in range(count)]
    return [
        ([text() for _ in range(segments)], [[text() for _ in range(segments)] for _ in range(references)])
        for segments, references in sizes
    ]


@every_metric
def test_statistics_and_their_scores_are_the_same(name: str, settings: dict[str, Any]) -> None:
    ours, theirs = both(name, **settings)
    for hypotheses, references in corpora(60):
        counted = ours._extract_corpus_statistics(hypotheses, references)
        assert counted == theirs._extract_corpus_statistics(hypotheses, references)
        assert ours.num_refs == theirs.num_refs
        # With add-k, sacreBLEU adds to the statistics themselves.
        expected = theirs._aggregate_and_compute(copy.deepcopy(counted))
        assert vars(ours._aggregate_and_compute(counted)) == vars(expected)
        assert shown(ours.corpus_score(hypotheses, references)) == shown(
            theirs.corpus_score(hypotheses, references)
        )


@every_metric
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_sums_in_arrays_have_the_same_scores(name: str, settings: dict[str, Any], precision: str) -> None:
    ours, theirs = both(name, **settings)
    for hypotheses, references in corpora(60):
        sums = np.asarray(ours._extract_corpus_statistics(hypotheses, references), precision).sum(axis=0)
        found = ours._compute_score_from_stats(sums)
        expected = theirs._compute_score_from_stats(sums.copy())
        assert float(found.score) == float(expected.score)
        assert str(found) == str(expected)


def test_references_that_are_kept_are_used() -> None:
    for metric in both("CHRF", references=[["a b", "c"]]):
        assert metric._extract_corpus_statistics(["a b", "c"], None)[1][:3] == [1, 1, 1]


def test_p_values_of_ones_own_differences() -> None:
    drawn = np.random.default_rng(1).normal(size=99)
    found, expected = (package.significance._compute_p_value(drawn, 0.7) for package in (facade, sacrebleu))
    assert found == expected
