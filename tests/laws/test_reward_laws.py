"""Laws of `rewards`: 32-bit numbers from 0 to 1 in the order of `segments`, better for a better score, and the same
for a segment alone, in a batch and with any number of threads.
"""

from __future__ import annotations

import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given

from material.every_metric import EVERY, corpora, few_examples, where_it_can_count
from understudy import NIST, UnderstudyError, metric
from understudy.errors import BadInput, BadParameter
from understudy.testing.table_laws import enough, ready
from understudy.testing.texts import FIRST, PROSE, SYSTEM, split

rewarding = pytest.mark.parametrize("law_of", where_it_can_count([known for known in EVERY if known.percent]))
not_rewarding = pytest.mark.parametrize(
    "law_of", where_it_can_count([known for known in EVERY if not known.percent])
)


def mapped(law_of, score):
    """The reward of one score, by the documented rule."""
    if law_of.higher_is_better is None:
        fraction = 1 - abs(score - law_of.target) / 100
    else:
        fraction = score / 100 if law_of.higher_is_better else 1 - score / 100
    return np.float32(min(1.0, max(0.0, fraction)))


@rewarding
@few_examples
@given(corpus=corpora)
def test_rewards_are_segment_scores_from_0_to_1(law_of, corpus):
    assume(enough(law_of, corpus))
    law_of = ready(law_of, corpus)
    hypotheses, references = split(corpus)
    got = law_of.rewards(hypotheses, references, threads=2)
    scores = law_of.segments(hypotheses, references)
    assert (got.dtype, got.shape) == (np.float32, (len(corpus),))
    assert ((got >= 0) & (got <= 1)).all()
    assert got.tolist() == pytest.approx([mapped(law_of, score) for score in scores], abs=1e-7)
    alone = [law_of.rewards([hypothesis], [group])[0] for hypothesis, group in corpus]
    assert got.tolist() == alone
    assert got.tolist() == law_of.rewards(hypotheses, references, threads=1).tolist()


@rewarding
def test_a_better_score_is_no_worse_a_reward(law_of):
    law_of = ready(law_of, PROSE)
    hypotheses, references = split(PROSE)
    worth = law_of.worth(law_of.segments(hypotheses, references))
    rewards = law_of.rewards(hypotheses, references)
    assert (np.diff(rewards[np.argsort(worth)]) >= 0).all()
    assert len(set(rewards.tolist())) > 1 or len(set(worth.tolist())) == 1


@pytest.mark.parametrize(
    "law_of",
    where_it_can_count(
        [known for known in EVERY if known.percent and known.full_marks and known.reads_references]
    ),
)
def test_a_copy_of_the_reference_gets_the_whole_reward(law_of):
    law_of = ready(law_of, [(text, [text]) for text in FIRST])
    assert law_of.rewards(FIRST, FIRST).tolist() == pytest.approx([1.0] * len(FIRST), abs=1e-6)


@not_rewarding
def test_what_is_no_fraction_has_no_rewards(law_of):
    with pytest.raises(BadParameter, match="not fractions"):
        law_of.rewards(SYSTEM, FIRST)


@pytest.mark.parametrize(
    "law_of", where_it_can_count([known for known in EVERY if known.percent and known.needs_fit])
)
def test_rewards_of_a_metric_without_its_fit_would_depend_on_the_batch(law_of):
    with pytest.raises(BadInput, match=r"depend on the rest of its batch\. Fit the metric on all"):
        law_of.rewards(SYSTEM, FIRST)


def test_nist_is_refused_fitted_or_not():
    with pytest.raises(BadParameter, match="nist: its scores are not fractions"):
        NIST().fit(FIRST).rewards(SYSTEM, FIRST)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "gleu", "ter:sacrebleu"])
def test_hostile_text(spec):
    rewarded = metric(spec)
    hostile = ["", " ", "\x00", "\u200b\ufeff", "a" * 10_000, "😀" * 50, "\n\r\x85\u2028", "مرحبا", "e\u0301"]
    got = rewarded.rewards(hostile, ["the cat"] * len(hostile))
    assert ((got >= 0) & (got <= 1)).all()
    assert got[0] == 0
    for bad in (["\ud800"], [None], "text", [b"text"]):
        with pytest.raises(UnderstudyError):
            rewarded.rewards(bad, ["the cat"])
    with pytest.raises(UnderstudyError, match="hypotheses have 2 segments, references have 1"):
        rewarded.rewards(["a", "b"], ["a"])


def test_a_million_rewards_need_no_object_each():
    """The counts are 80 bytes a segment; a list of Python's numbers would be 32 more, and would remain."""
    many = 1_000_000
    hypotheses, references = ["a b"] * many, ["a c"] * many
    rewarded = metric("bleu")
    tracemalloc.start()
    try:
        blocks = sys.getallocatedblocks()
        rewards = rewarded.rewards(hypotheses, references)
        kept = sys.getallocatedblocks() - blocks
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert rewards.nbytes == 4 * many
    assert kept < 1_000
    assert peak < 120 * many
