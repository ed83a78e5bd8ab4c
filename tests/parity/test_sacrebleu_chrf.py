"""chrF against sacreBLEU 2.6.0, exactly: no tolerance anywhere but where published digits are compared.

Hostile text (tests/material/hostile.py) is scored with every choice varied, as a corpus and segment by segment: at
least 5,000 different pairs for each of the two ways to average, as the test makes sure.

Of the real data (../shared/data) every system is compared by chrF and chrF++, as a corpus and segment by segment: on
every 6th of its segments with its first reference, and on every 24th with all of its references, for sacreBLEU is
slow. The published scores below are of all segments.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import understudy.compat.sacrebleu as facade
from material.hostile import Corpus, corpora, thorough
from material.wmt import DATA, REFERENCES, Sample, half_a_digit, needs_data, references_of, systems, table
from understudy import CHRF


def shown(score: Any) -> str:
    """Every attribute, such that 1 and 1.0 differ and every digit counts."""
    names = ("name", "score", "_mean", "_ci", "beta", "char_order", "word_order")
    return json.dumps([*(getattr(score, name) for name in names), score._verbose, str(score)])


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
        hypotheses, references = corpus
        chosen = {**chosen, "eps_smoothing": eps_smoothing}
        ours, theirs = facade.CHRF(**chosen), sacrebleu.CHRF(**chosen)
        assert shown(ours.corpus_score(hypotheses, references)) == shown(
            theirs.corpus_score(hypotheses, references)
        )
        assert ours.num_refs == theirs.num_refs
        assert str(ours.get_signature()) == str(theirs.get_signature())
        for hypothesis, *group in zip(hypotheses, *references, strict=True):
            assert shown(ours.sentence_score(hypothesis, group)) == shown(
                theirs.sentence_score(hypothesis, group)
            )
            pairs.add((hypothesis, *group))

    check()
    assert len(pairs) >= 5_000


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


# --- published scores -------------------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize(
    ("folder", "column", "chosen", "expected"),
    [
        ("wmt21.en-de", "chrf", {}, 80),
        ("wmt21.de-en", "chrf", {}, 57),
        ("wmt23.zh-en", "chrF", {}, 30),
        ("wmt19.en-de.multiref", "sacreBLEU-chrF", {"beta": 3}, 22),
    ],
)
def test_published_system_scores(folder: str, column: str, chosen: dict[str, Any], expected: int) -> None:
    named = dict(
        zip((name.split(".txt")[0] for name in REFERENCES[folder]), references_of(folder), strict=True)
    )
    texts = systems(folder)
    rows = [
        row
        for row in table(DATA / folder / "auto.sys.tsv")
        if row["metric"] == column and row["system"] in texts
    ]
    for row in rows:
        references = list(named.values()) if row["reference"] == "all" else [named[row["reference"]]]
        score = facade.corpus_chrf(texts[row["system"]], references, **chosen).score
        assert abs(score - float(row["score"])) <= half_a_digit(row["score"]), row
    assert len(rows) == expected


@needs_data
def test_published_segment_scores() -> None:
    (references,) = references_of("wmt23.zh-en")[:1]
    scores = {name: CHRF().segments(texts, references) for name, texts in systems("wmt23.zh-en").items()}
    rows = [row for row in table(DATA / "wmt23.zh-en" / "auto.seg.tsv.gz") if row["system"] in scores]
    for row in rows:
        score = scores[row["system"]][int(row["seg"]) - 1]
        assert abs(score - float(row["chrF-refA"])) <= half_a_digit(row["chrF-refA"]), row
    assert len(rows) == 15 * 1976
