"""The verb `judge`: what it takes, what it finds, and the paragraph about methods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import understudy
from understudy.errors import BadInput, BadParameter
from understudy.judging.agreement.krippendorff import krippendorff_alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Controls, Judgments, Question, Ratings

EXAMPLE = "examples/judgments.tsv"


@pytest.fixture(scope="module")
def found():
    return understudy.judge(EXAMPLE, samples=50)


@pytest.fixture(scope="module")
def rankings(tmp_path_factory):
    path = tmp_path_factory.mktemp("ranked") / "ranks.tsv"
    lines = [
        f"{segment}\tx{segment % 3}\tA\t{1 + (segment % 4 == 0)}\tB\t{1 + (segment % 3 > 0)}"
        for segment in range(1, 41)
    ]
    path.write_text("seg\tjudge\tsystem1\trank1\tsystem2\trank2\n" + "\n".join(lines) + "\n")
    return understudy.judge(str(path), samples=50)


def in_groups():
    """Two groups of two judges each: the second gives everything one point less."""
    rng = np.random.default_rng(1)
    judge, segment, system = (
        each.ravel() for each in np.meshgrid(range(4), range(20), range(2), indexing="ij")
    )
    value = rng.integers(2, 5, len(judge)) - (judge > 1)
    return Judgments(
        name="campaign",
        protocol="report",
        systems=("A", "B"),
        judges=("a", "b", "c", "d"),
        groups=("monolingual", "monolingual", "bilingual", "bilingual"),
        segments=tuple(range(1, 21)),
        questions=(Question("overall", 1, 5, "ordinal"),),
        ratings={"overall": Ratings.of(judge, system, segment, value)},
        controls=Controls(
            np.array([0, 2]), np.array([0, 0]), ("overall",) * 2, np.array([4.0, 4.0]), np.array([1.0, 4.0])
        ),
    )


def test_every_question_has_results(found):
    assert [each.name for each in found.questions] == ["adequacy", "fluency"]


def test_one_question_is_selected():
    assert [each.name for each in understudy.judge(EXAMPLE, question="fluency", samples=2).questions] == [
        "fluency"
    ]


def test_an_unknown_question_is_refused():
    with pytest.raises(
        BadParameter, match=r"judgments: unknown question 'adequasy'\. Did you mean 'adequacy'"
    ):
        understudy.judge(EXAMPLE, question="adequasy")


def test_systems_are_ranked_by_their_means(found):
    values = [mean.mean.value for mean in found.questions[0].means]
    assert values == sorted(values, reverse=True)


def test_agreement_is_that_of_the_ratings(found):
    ratings = understudy.read_judged(EXAMPLE).ratings["adequacy"]
    expected = krippendorff_alpha(ReliabilityData.of_ratings(ratings), "ordinal", samples=50)
    assert found.questions[0].agreement.alpha == expected


def test_pairs_of_judges_are_named(found):
    (pair,) = found.questions[0].agreement.cohen.pairs
    assert [found.questions[0].agreement.judges[place] for place in (pair.first, pair.second)] == ["J1", "J2"]


def test_kappa_is_not_for_interval_scales():
    table = {"system": ["A"] * 24, "seg": [*range(1, 13)] * 2, "judge": ["x"] * 12 + ["y"] * 12}
    found = understudy.judge({**table, "score": [each / 7 for each in range(24)]}, samples=2)
    assert (found.questions[0].agreement.level, found.questions[0].agreement.fleiss) == ("interval", None)


def test_one_system_has_no_clusters():
    table = {"system": ["A", "A"], "seg": [1, 2], "judge": ["x", "x"], "score": [3, 4]}
    assert isinstance(understudy.judge(table, samples=2).questions[0].clusters, Absent)


def test_a_group_of_judges():
    found = understudy.judge(in_groups(), group="bilingual", samples=20)
    assert found.judges == ("c", "d")
    assert found.questions[0].judgments == 80
    assert [each.judge for each in found.controls] == ["c"]


def test_an_unknown_group_is_refused():
    with pytest.raises(BadParameter, match="campaign: unknown group 'trilingual'"):
        understudy.judge(in_groups(), group="trilingual")


def test_judgments_without_groups_have_none():
    with pytest.raises(BadParameter, match="Its judges have no groups"):
        understudy.judge(EXAMPLE, group="bilingual")


def test_a_judge_who_misses_controls_is_named():
    found = understudy.judge(in_groups(), samples=20)
    assert {each.judge: each.missed for each in found.controls} == {"a": 0, "c": 1}


def test_judgments_without_any_answer():
    nothing = Judgments(name="new", protocol="da", systems=("A",), judges=("x",), segments=(1,))
    with pytest.raises(BadInput, match="new has no judgments yet"):
        understudy.judge(nothing)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"samples": 1}, "samples=1: expected an integer of at least 2"),
        ({"significance": 2}, "significance=2"),
        ({"confidence": 1.0}, "confidence"),
        ({"correction": "bonferoni"}, "unknown correction 'bonferoni'"),
        ({"kind": "dreams"}, "kind of judgments 'dreams'"),
    ],
)
def test_bad_settings(how, message):
    with pytest.raises(BadParameter, match=message):
        understudy.judge(EXAMPLE, **how)


def test_the_paragraph_states_the_results(found):
    adequacy = found.questions[0]
    for stated in (
        "2 judges judged translations of 60 segments by 5 systems",
        f"{adequacy.judgments} judgments of {adequacy.translations} translations",
        f"Krippendorff's alpha (ordinal) {adequacy.agreement.alpha.value:.3f}",
        f"Fleiss' kappa {adequacy.agreement.fleiss.value:.3f}",
        "8 of 10 pairs differ significantly, in 3 significance clusters",
    ):
        assert stated in found.methods


def test_the_paragraph_about_rankings(rankings):
    assert "40 rankings of 40 segments, which make 40 pairwise comparisons" in rankings.methods


def test_adjacent_systems_are_neighbors_in_the_ranking_that_is_tested():
    """A lenient judge has the weak systems, a harsh one the strong: means of all judgments rank the other way round."""
    rng = np.random.default_rng(3)
    rows = [
        (judge, system, segment, 10 * system - 40 * judge + rng.normal())
        for segment in range(12)
        for system in range(4)
        for judge in (0, 1)
        if rng.random() < (0.9 if (system > 1) == bool(judge) else 0.3)
    ]
    judgments = Judgments(
        name="shares",
        protocol="da",
        systems=("A", "B", "C", "D"),
        judges=("lenient", "harsh"),
        segments=tuple(range(1, 13)),
        questions=(Question("score", None, None, "interval"),),
        ratings={"score": Ratings.of(*zip(*rows, strict=True))},
    )
    (question,) = understudy.judge(judgments, samples=2).questions
    assert not isinstance(question.clusters, Absent)
    assert not isinstance(question.adjacent, Absent)
    ranked = [each.system for each in question.clusters.systems]
    assert ranked == ["D", "C", "B", "A"] != [each.system for each in question.means]
    assert [(pair.worse, pair.better) for pair in question.adjacent] == [("A", "B"), ("B", "C"), ("C", "D")]


@pytest.mark.parametrize(
    ("seen", "missed", "told"),
    [
        (6, 0, "0 of 1 judge with enough controls did not miss significantly fewer than expected by chance"),
        (6, 2, "1 of 1 judge with enough controls did not miss significantly fewer than expected by chance"),
        (2, 1, "no judge saw enough of them to test whether answers were random"),
    ],
)
def test_the_paragraph_says_of_controls_what_was_tested(seen, missed, told):
    degraded = np.where(np.arange(seen) < missed, 5.0, 1.0)
    controls = Controls(
        np.zeros(seen, dtype=np.int64), np.arange(seen), ("overall",) * seen, np.full(seen, 4.0), degraded
    )
    methods = understudy.judge(replace(in_groups(), controls=controls), samples=2).methods
    assert f"Judges missed {missed} of {seen} degraded controls; {told}" in methods
