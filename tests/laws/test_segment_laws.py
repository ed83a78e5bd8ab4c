"""Laws of `segment`: one segment scores as a batch of one does, and is refused where that is."""

from __future__ import annotations

import copy
import math
import pickle

import pytest
from hypothesis import assume, given

from material.every_metric import (
    corpora,
    every_default,
    every_metric,
    every_metric_with_references,
    few_examples,
)
from understudy import UnderstudyError
from understudy.testing.table_laws import enough, ready
from understudy.testing.texts import FIRST, SYSTEM

PROSE = [(hypothesis, [reference]) for hypothesis, reference in zip(SYSTEM, FIRST, strict=True)]


@every_metric
@few_examples
@given(corpus=corpora)
def test_one_segment_is_a_batch_of_one(law_of, corpus):
    assume(enough(law_of, corpus))
    law_of = ready(law_of, corpus)
    for hypothesis, references in corpus:
        assert law_of.segment(hypothesis, references).value == law_of.segments([hypothesis], [references])[0]


@every_metric
def test_a_segment_of_no_text(law_of):
    law_of = ready(law_of, [("", ["a b"]), ("a b", ["a b"])])
    assert law_of.segment("", ["a b"]).value == law_of.segments([""], [["a b"]])[0]


@every_metric_with_references
def test_a_single_reference_may_stand_alone(law_of):
    law_of = ready(law_of, PROSE)
    assert law_of.segment(SYSTEM[0], FIRST[0]) == law_of.segment(SYSTEM[0], [FIRST[0]])


@every_metric
def test_the_score_of_a_segment_is_signed_as_such(law_of):
    law_of = ready(law_of, PROSE)
    score = law_of.segment(SYSTEM[0], FIRST[0])
    of_input = law_of.statistics(SYSTEM[:1], FIRST[:1]).of_input
    assert score.signature == law_of.signature((1, 1), "segment", of_input=of_input)
    assert (score.aggregate, score.segments) == ("segment", 1)


@every_metric
def test_what_a_segment_scores_is_explained_by_its_counts(law_of):
    law_of = ready(law_of, PROSE)
    counted = law_of.statistics(SYSTEM[:1], FIRST[:1])
    assert law_of.segment(SYSTEM[0], FIRST[0]).detail == law_of.for_segments().detail(counted.sum())


@every_metric
@pytest.mark.parametrize("copied", [copy.copy, lambda law_of: pickle.loads(pickle.dumps(law_of))])
def test_a_metric_that_has_scored_can_be_copied(law_of, copied):
    law_of = ready(law_of, PROSE)
    score = law_of.segment(SYSTEM[0], FIRST[0])
    assert copied(law_of).segment(SYSTEM[0], FIRST[0]) == score


REFUSED_HYPOTHESES = [None, 5, math.nan, b"a b", ["a b"], "a \udc80"]
REFUSED_REFERENCES = [None, 5, b"a b", [], [None], ["a", 5], {"a b"}, {"a": "b"}, "\ud800", ["a", "\ud800"]]


@every_default
@pytest.mark.parametrize("hypothesis", REFUSED_HYPOTHESES, ids=repr)
def test_a_refused_hypothesis(law_of, hypothesis):
    assert refusal(law_of.segment, hypothesis, "a b") == refusal(law_of.segments, [hypothesis], ["a b"])


@every_default
@pytest.mark.parametrize("references", REFUSED_REFERENCES, ids=repr)
def test_refused_references(law_of, references):
    if law_of.reads_references:
        assert refusal(law_of.segment, "a b", references) == refusal(law_of.segments, ["a b"], [references])


def refusal(score, *texts) -> tuple[type, str]:
    with pytest.raises(UnderstudyError) as caught:
        score(*texts)
    return type(caught.value), str(caught.value)
