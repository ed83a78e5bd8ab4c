"""chrF against sacreBLEU 2.6.0, exactly: no tolerance anywhere.

Hostile text (tests/material/hostile.py) is scored with every choice varied, as a corpus and segment by segment: at
least 5,000 different pairs for each of the two ways to average, as the test makes sure.

Of the real data (../shared/data) every system is compared by chrF and chrF++, as a corpus and segment by segment: on
every 6th of its segments with its first reference, and on every 24th with all of its references, for sacreBLEU is
slow.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sacrebleu")
import sacrebleu

import understudy.compat.sacrebleu as facade
from material.hostile import Corpus, corpora, thorough
from material.sacrebleu_beside import assert_scored_alike
from material.wmt import REFERENCES, Sample, needs_data, references_of, systems
from understudy import CHRF

# --- hostile text -----------------------------------------------------------------------------------------

choices = st.fixed_dictionaries(
    {
        "char_order": st.sampled_from((6, 6, 6, 1, 2, 4, 7, 12)),
        "word_order": st.sampled_from((2, 0, 1, 2, 3, 5)),
        "beta": st.sampled_from((2, 2, 1, 3, 0, 0.5, 1.7, 100)),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
    }
) | st.just({"char_order": 0, "word_order": 2})


@pytest.mark.parametrize("eps_smoothing", [False, True])
def test_hostile_text_scores_alike(eps_smoothing: bool) -> None:
    pairs = set()

    @thorough(examples=170)
    @given(corpora(), choices)
    def check(corpus: Corpus, chosen: dict[str, Any]) -> None:
        pairs.update(assert_scored_alike("CHRF", *corpus, eps_smoothing=eps_smoothing, **chosen))

    check()
    assert len(pairs) >= 5_000


def test_a_whole_beta_is_squared_as_a_whole_number() -> None:
    """Its square is above 2^53, from where on not every whole number is a float."""
    texts, references = ["the cat sat on a mat", "abc def"], ["a cat sat on the mat", "abd df"]
    for beta in range(94_906_267, 94_906_467):
        expected = sacrebleu.corpus_chrf(texts, [references], beta=beta).score
        assert CHRF(beta=beta).corpus(texts, references).value == expected
        assert facade.corpus_chrf(texts, [references], beta=beta).score == expected


# --- real data --------------------------------------------------------------------------------------------


def assert_alike(chosen: dict[str, Any], rows: list[list[int]], ours: Any) -> None:
    """understudy's statistics of a system against the rows that sacreBLEU counted."""
    metric, peer = CHRF(**chosen), sacrebleu.CHRF(**chosen)
    assert metric.corpus_score(ours).value == peer._aggregate_and_compute(rows).score
    assert metric.segment_scores(ours).tolist() == [peer._compute_f_score(row) for row in rows]


@needs_data
@pytest.mark.parametrize("folder", REFERENCES)
def test_real_systems_score_alike(folder: str, sample: Sample) -> None:
    """With one reference, what sacreBLEU counts for chrF++ begins with what it counts for chrF."""
    part = sample(6)
    reference = references_of(folder)[0][part]
    peer = sacrebleu.CHRF(word_order=2, references=[reference])
    for hypotheses in systems(folder).values():
        rows = peer._extract_corpus_statistics(hypotheses[part], None)
        with_words = CHRF(word_order=2).statistics(hypotheses[part], reference)
        assert_alike({"word_order": 2}, rows, with_words)
        assert_alike({}, [row[:18] for row in rows], CHRF().statistics(hypotheses[part], reference))


@needs_data
@pytest.mark.parametrize("word_order", [0, 2])
@pytest.mark.parametrize("folder", [name for name, files in REFERENCES.items() if len(files) > 1])
def test_real_systems_with_several_references_score_alike(
    folder: str, word_order: int, sample: Sample
) -> None:
    part = sample(24)
    references = [reference[part] for reference in references_of(folder)]
    peer = sacrebleu.CHRF(word_order=word_order, references=references)
    for hypotheses in systems(folder).values():
        rows = peer._extract_corpus_statistics(hypotheses[part], None)
        ours = CHRF(word_order=word_order).statistics(hypotheses[part], list(zip(*references, strict=True)))
        assert_alike({"word_order": word_order}, rows, ours)
