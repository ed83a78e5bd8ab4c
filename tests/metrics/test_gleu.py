"""GLEU by hand, against its textbook version, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from reference import gleu as textbook
from reference.hostile_words import pairs
from understudy import GLEU
from understudy.errors import BadParameter


@settings(max_examples=80, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(pairs(20, most_references=3))
def test_textbook(made):
    gleu = GLEU(tokenize="none")
    statistics = gleu.statistics(
        [" ".join(h) for h, _ in made], [[" ".join(r) for r in references] for _, references in made]
    )
    for row, (hypothesis, references) in enumerate(made):
        counted = int(statistics["matches"][row]), int(statistics["ngrams"][row])
        assert counted == textbook.counts(hypothesis, references)
    assert gleu.corpus_score(statistics).value == pytest.approx(100 * textbook.corpus_gleu(made), rel=1e-14)


def test_by_hand():
    """Of a b c d: 4 + 3 + 2 + 1 n-grams; a b d has 3 + 2 + 1. Both have a, b, d and a b."""
    score = GLEU().corpus(["a b d"], ["a b c d"])
    assert score.value == 40.0
    assert score.detail == {
        "matches": 4,
        "ngrams": 10,
        "hyp_ngrams": 6,
        "ref_ngrams": 10,
        "precision": pytest.approx(100 * 4 / 6),
        "recall": 40.0,
    }
    assert GLEU().corpus(["a b c d"], ["a b d"]).value == 40.0  # symmetric


def test_a_reference_without_words_counts_only_if_all_are_such():
    """Beside one with words it does not, although both score 0: what the other has is divided by."""
    statistics = GLEU().statistics(["", "", "x"], [["", "a b"], [""], ["", "a b c"]])
    assert statistics["ngrams"].tolist() == [3, 0, 1]
    assert GLEU().segment_scores(statistics).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"min_len": 0}, "from 1 to 100"), ({"min_len": 5}, "max_len=4"), ({"max_len": 0}, "max_len=0")],
)
def test_bad_parameters(settings, said):
    with pytest.raises(BadParameter, match=said):
        GLEU(**settings)
