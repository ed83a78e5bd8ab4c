"""What a search finds is the optimum of all texts, where these can be enumerated."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from material.optional import needs_packages
from understudy.corpus.corpus import as_corpus
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.search.climbing import Budget
from understudy.probing.search.goals import LONGEST, search
from understudy.probing.search.objectives import Best, Worst
from understudy.probing.search.searched_segment import SearchedSegment
from understudy.probing.search.second_opinion import SecondOpinion
from understudy.scoring.run import chosen_metrics

CASES = [
    ("green red", ["red green blue"]),
    ("red x red", ["x green red", "green blue"]),
    ("blue green green blue", ["red blue green"]),
    ("red red", ["green red red green", "blue red"]),
]
METRICS = [
    *("bleu", "chrf", "ter", "gleu", "nist", "ribes"),
    pytest.param("meteor:stages=exact", marks=needs_packages("pycocoevalcap")),
]


def objectives(spec, hypothesis, references):
    system = ProbedSystem.of(
        as_corpus([hypothesis], [references]), chosen_metrics(spec), language="en", threads=1
    )
    text = replace(SearchedSegment.of(system, 0, 0, seed=1), other_words=())
    return Best(system, text), Worst(system, text, SecondOpinion.on(system, 0))


def every_text(text):
    lengths = range(1, LONGEST * text.longest + 1)
    return [words for length in lengths for words in product(text.vocabulary, repeat=length)]


@pytest.mark.parametrize("spec", METRICS)
@pytest.mark.parametrize(("hypothesis", "references"), CASES)
def test_the_best_text_that_is_not_a_reference(spec, hypothesis, references):
    best, _ = objectives(spec, hypothesis, references)
    texts = [" ".join(words) for words in every_text(best.text)]
    worths = best.metric.worth(best.metric.segments(texts, [references] * len(texts)))
    optimum = max(worth for worth, text in zip(worths, texts, strict=True) if text not in references)
    found = search(best, 0, seed=1, budget=Budget(10**9, 1.0, lambda: 0.0))
    assert best.metric.worth(found.score) == pytest.approx(optimum, rel=1e-11)
    assert found.text not in references


@pytest.mark.parametrize("spec", METRICS)
@pytest.mark.parametrize(("hypothesis", "references"), CASES[:2])
def test_the_worst_text_that_scores_as_well_as_the_hypothesis(spec, hypothesis, references):
    _, worst = objectives(spec, hypothesis, references)
    texts = [hypothesis, *(" ".join(words) for words in every_text(worst.text))]
    (judge,) = worst.opinion.metrics
    worths, judged = (
        metric.worth(metric.segments(texts, [references] * len(texts))) for metric in (worst.metric, judge)
    )
    optimum = judged[worths >= worths[0] - 1e-9].min()
    found = search(worst, 0, seed=1, budget=Budget(10**9, 1.0, lambda: 0.0))
    assert judge.worth(found.judged[0]) == pytest.approx(optimum, rel=1e-11)
    assert worst.metric.worth(np.array([found.score]))[0] >= worths[0] - 1e-9
