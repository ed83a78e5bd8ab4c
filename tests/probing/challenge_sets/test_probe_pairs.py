"""`probe_pairs`: which translation of a pair each metric prefers, counted by hand and beside sacreBLEU."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.shared import SHARED, needs
from understudy import CHRF, TER
from understudy.corpus.challenge_sets import read_challenge_set
from understudy.errors import UnderstudyError
from understudy.metrics.base.registry import metric
from understudy.probing.challenge_sets.run import probe_pairs
from understudy.probing.challenge_sets.scored_pairs import score_pairs

DEMETR = SHARED / "data" / "demetr"
EXAMPLE = "examples/pairs.tsv"


def rows(*kinds: str) -> list[dict[str, str]]:
    """Pairs of the same segment, whose error makes them better, worse, or no different for BLEU."""
    incorrect = {"right": "a b c x y z", "wrong": "a b c d e f", "tied": "a b c d e y"}
    return [
        {
            "good": "a b c d e x",
            "bad": incorrect[kind],
            "ref": "a b c d e f",
            "phenomenon": "p",
            "seg": str(place),
        }
        for place, kind in enumerate(kinds)
    ]


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(UnderstudyError) as caught:
        probe_pairs(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- counts --------------------------------------------------------------------------------------------------


def test_right_wrong_and_tied_pairs() -> None:
    (found,) = probe_pairs(rows("right", "right", "wrong", "tied"), "bleu").phenomena
    assert (found.pairs, found.right, found.tied) == (4, 2, 1)


def test_ties_count_as_wrong() -> None:
    (found,) = probe_pairs(rows("right", "right", "wrong", "tied"), "bleu").phenomena
    assert (found.accuracy, found.tau) == (0.5, 0.0)


def test_scores_that_differ_by_rounding_are_tied() -> None:
    scores = {"m": ([(0.1 + 0.2) + 0.3], [(0.3 + 0.2) + 0.1])}
    (found,) = probe_pairs(rows("right"), scores=scores).phenomena
    assert (found.right, found.tied) == (0, 1)


def test_the_difference_is_the_mean_of_good_minus_incorrect() -> None:
    (found,) = probe_pairs(rows("right", "wrong"), scores={"m": ([5, 2], [1, 3])}).phenomena
    assert found.difference == 1.5


def test_lower_is_better_for_ter() -> None:
    (found,) = probe_pairs(rows("right"), TER()).phenomena
    assert (found.right, found.difference > 0) == (1, True)


def test_lower_is_better_for_scores_of_other_tools() -> None:
    given = {"cost": ([1], [2])}
    (higher,) = probe_pairs(rows("right"), scores=given).phenomena
    (lower,) = probe_pairs(rows("right"), scores=given, lower_is_better="cost").phenomena
    assert (higher.right, lower.right) == (0, 1)


def test_the_mean_weighs_phenomena_equally() -> None:
    pairs = [*rows("right", "right", "right"), {**rows("wrong")[0], "phenomenon": "q", "seg": "9"}]
    (mean,) = probe_pairs(pairs, "bleu").means
    assert (mean.accuracy, mean.pairs, mean.phenomena, mean.tau) == (0.5, 4, 2, 0.0)


def test_identical_translations_are_counted() -> None:
    assert probe_pairs([{"good": "a", "bad": "a", "ref": "a"}], "chrf").identical == 1


def test_the_severity_of_a_phenomenon_with_several_is_empty() -> None:
    pairs = [
        {**row, "severity": name}
        for row, name in zip(rows("right", "right"), ("minor", "major"), strict=True)
    ]
    assert probe_pairs(pairs, "bleu").phenomena[0].severity == ""


def test_the_pair_that_a_metric_gets_most_wrong() -> None:
    found = probe_pairs(rows("right", "wrong", "tied"), scores={"m": ([3, 1, 2], [1, 5, 2])}).missed
    assert [(pair.where, pair.scores) for pair in found] == [("'pairs', row 2", ((1.0, 5.0),))]


def test_no_pair_is_missed_if_all_are_right() -> None:
    assert probe_pairs(rows("right"), "bleu").missed == ()


TEXTS = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0x24F), max_size=12)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(TEXTS.filter(bool), TEXTS, TEXTS.filter(bool), st.sampled_from("pq")),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(["bleu", "chrf", "ter", "length-ratio"]),
)
def test_pairs_of_any_text_are_counted_as_one_by_one(
    texts: list[tuple[str, str, str, str]], spec: str
) -> None:
    pairs = [dict(zip(("good", "bad", "ref", "phenomenon"), each, strict=True)) for each in texts]
    chosen = metric(spec)
    for result in probe_pairs(pairs, spec, lang="en").phenomena:
        costs = [
            chosen.worth(chosen.segment(good, ref).value) - chosen.worth(chosen.segment(bad, ref).value)
            for good, bad, ref, phenomenon in texts
            if phenomenon == result.phenomenon
        ]
        assert result.right == sum(cost > 1e-9 for cost in costs)
        assert result.tied == sum(abs(cost) <= 1e-9 for cost in costs)


# --- which metrics, and which pairs --------------------------------------------------------------------------


def test_bleu_is_the_default() -> None:
    assert probe_pairs(rows("right")).specs == ["bleu"]


def test_with_scores_no_metric_is_computed_by_default() -> None:
    assert probe_pairs(rows("right"), scores={"m": ([1], [0])}).labels == ["m"]


def test_metrics_and_scores_of_several_tools_together() -> None:
    found = probe_pairs(rows("right"), ["bleu", CHRF], scores=[{"m": ([1], [0])}, {"n": ([1], [2])}])
    assert (found.labels, [result.right for result in found.phenomena]) == (
        ["BLEU", "chrF", "m", "n"],
        [1, 1, 1, 0],
    )


def test_metrics_with_the_same_title_are_named_by_their_specs() -> None:
    assert probe_pairs(rows("right"), ["bleu", "bleu:lowercase=true"]).labels == [
        "bleu",
        "bleu:lowercase=true",
    ]


def test_pairs_without_a_reference_are_left_out_and_counted() -> None:
    found = probe_pairs([*rows("right"), {"good": "a", "bad": "b"}], "bleu")
    assert (found.pairs, found.left_out) == (1, {"without a reference": 1})


def test_scores_alone_need_no_references() -> None:
    assert probe_pairs([{"good": "a", "bad": "b"}], scores={"m": ([1], [0])}).pairs == 1


def test_pairs_without_a_score_are_left_out_for_all_metrics() -> None:
    found = probe_pairs(rows("right", "right"), "bleu", scores={"m": ([1, None], [0, 0])})
    assert (found.pairs, found.left_out) == (1, {"without a score of m": 1})


def test_a_pair_may_have_several_references() -> None:
    pair = {"good": "c d", "bad": "a x", "references": ["a b", "c d"]}
    assert probe_pairs([pair], "chrf").phenomena[0].right == 1


def test_metrics_with_a_fit_are_fitted_once_on_the_references_of_each_segment() -> None:
    challenge = read_challenge_set(EXAMPLE)
    found = score_pairs(
        challenge, [metric("nist")], None, lower_is_better=(), by_language=True, threads=1
    ).scores[0]
    references = [list(pair.references) for pair in challenge.pairs]
    fitted = metric("nist").fit([[text] for text in dict.fromkeys(text for (text,) in references)])
    expected = fitted.segments([pair.incorrect for pair in challenge.pairs], references)
    assert found[:, 1] == pytest.approx(expected, rel=1e-12)


def test_the_language_of_a_pair_selects_the_tokenizer() -> None:
    chinese = {"good": "我喜欢绿茶", "bad": "我不喜欢茶", "ref": "我很喜欢绿茶", "langpair": "en-zh"}
    (found,) = score_pairs(
        read_challenge_set([chinese]), [metric("bleu")], None, lower_is_better=(), by_language=True, threads=1
    ).scores
    expected = metric("bleu:tokenize=zh").segments(["我喜欢绿茶", "我不喜欢茶"], ["我很喜欢绿茶"] * 2)
    assert found[0].tolist() == expected.tolist()


def test_threads_do_not_matter() -> None:
    assert probe_pairs(EXAMPLE, ["bleu", "ter"], threads=1) == probe_pairs(
        EXAMPLE, ["bleu", "ter"], threads=2
    )


def test_the_order_of_pairs_does_not_change_the_accuracies() -> None:
    pairs = [
        {
            "good": p.good,
            "bad": p.incorrect,
            "ref": p.references[0],
            "phenomenon": p.phenomenon,
            "source": p.source,
        }
        for p in read_challenge_set(EXAMPLE).pairs
    ]
    ordered = probe_pairs(pairs, "chrf")
    random.Random(4).shuffle(pairs)
    shuffled = probe_pairs(pairs, "chrf")
    for result in ordered.phenomena:
        assert shuffled.of(result.phenomenon).right == result.right
    assert shuffled.means[0].interval.low == pytest.approx(ordered.means[0].interval.low, abs=1e-12)


# --- what is refused -----------------------------------------------------------------------------------------


def test_what_is_refused() -> None:
    without = [{"good": "a", "bad": "b"}]
    assert refusal(without, "chrf") == (
        "'pairs' has no references, which chrf needs. Add a column 'reference', or give scores of a reference-free "
        "metric and no other metrics."
    )
    assert refusal(without, scores={"m": ([None], [1])}) == (
        "'pairs': no pair can be scored by all metrics: 1 without a score of m."
    )
    assert refusal(rows("right"), "self-bleu") == (
        "self-bleu compares texts with each other, not pairs of translations. Use another metric."
    )
    assert refusal(rows("right"), scores=[{"m": ([1], [0])}, {"m": ([1], [0])}]) == (
        "metric 'm' is in two files of scores. Rename or remove one of them."
    )
    assert refusal(rows("right"), scores={"m": ([1], [0])}, lower_is_better="n") == (
        "unknown metric 'n' in the scores. Known: m."
    )
    assert refusal(rows("right"), scores=[]) == "nothing to compare. Give metrics, or files of scores."
    assert refusal(rows("right"), confidance=0.9).startswith("unknown option 'confidance'.")
    assert refusal(rows("right"), severities=["minor", "Minor"]) == (
        "severities: minor, minor names one twice. Name each once."
    )


# --- DEMETR --------------------------------------------------------------------------------------------------


@needs(DEMETR)
@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter:sacrebleu"])
def test_segment_scores_on_demetr_are_those_of_sacrebleu(spec: str, request: pytest.FixtureRequest) -> None:
    """Item by item: all with --every-segment, else 4 of each phenomenon."""
    programs = pytest.importorskip("sacrebleu.metrics")
    program = {
        "bleu": programs.BLEU(effective_order=True),
        "chrf": programs.CHRF(),
        "ter:sacrebleu": programs.TER(),
    }[spec]
    scored = score_pairs(
        read_challenge_set(DEMETR), [metric(spec)], None, lower_is_better=(), by_language=True, threads=None
    )
    step = 1 if request.config.getoption("--every-segment") else 113
    for place in range(0, len(scored.pairs), step):
        pair, references = scored.pairs[place], list(scored.pairs[place].references)
        expected = [program.sentence_score(text, references).score for text in (pair.good, pair.incorrect)]
        assert scored.scores[0, place].tolist() == pytest.approx(expected, abs=1e-9)


@needs(DEMETR)
def test_accuracies_on_demetr_are_near_those_of_the_whole_set() -> None:
    """Mean of 35 files, of which one has the reference in place of a damaged translation. The figures of the whole set
    count it as damaged, and wrong wherever it scores higher.
    """
    found = probe_pairs(DEMETR, ["bleu", "chrf", "ter"])
    means = [
        np.mean(
            [
                0.0 if result.phenomenon == "base_id35_reference" else result.accuracy
                for result in found.phenomena
                if result.metric == number
            ]
        )
        for number in range(3)
    ]
    assert 100 * np.array(means) == pytest.approx([76.4, 85.0, 66.6], abs=1.1)
