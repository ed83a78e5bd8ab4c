"""People and metrics on the same systems and segments: what is left out, what is refused, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from material.judged_examples import written
from understudy import UnderstudyError
from understudy.corpus.judgments import read_all_judgments, read_judgments, read_metric_scores
from understudy.report.agreements import as_data
from understudy.trusting.alignment import align
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.run import trust
from understudy.trusting.uneven_coverage import uneven

SYSTEMS = "ABCDE"
SEGMENTS = range(1, 41)
R = CoefficientSpec("pearson", "system")


def table(path, scores, name="score"):
    """A file of `scores(system, segment)`; None: no line."""
    rows = [
        (system, segment, scores(system, segment)) for system in (*SYSTEMS, "refB") for segment in SEGMENTS
    ]
    lines = [f"{system}\t{segment}\t{score}\n" for system, segment, score in rows if score is not None]
    return written(path, f"system\tseg\t{name}\n{''.join(lines)}")


def people(system, segment):
    return None if system == "refB" else ord(system) + 3 * np.sin(segment * ord(system))


def metric(system, segment):
    return None if system == "refB" else ord(system) + 5 * np.cos(segment * ord(system))


def found_by(tmp_path, human=people, scores=metric, **plan):
    human_file, metric_file = table(tmp_path / "h.tsv", human), table(tmp_path / "m.tsv", scores, "M")
    return trust(human_file, scores=metric_file, samples=20, **plan)


def without(scores, missing):
    """The scores, with None of mt-metrics-eval where `missing(system, segment)`."""
    return lambda system, segment: "None" if missing(system, segment) else scores(system, segment)


def test_what_one_side_lacks_is_said(tmp_path):
    human = read_judgments(
        written(tmp_path / "h.tsv", "system\tseg\tscore\nA\t1\t1\nA\t3\t2\nB\t1\t3\nref\t1\t4\n")
    )
    metric = written(
        tmp_path / "m.tsv", "system\tseg\tBLEU\tTER\nB\t1\t10\t70\nB\t2\t20\t60\nA\t1\t5\t80\nC\t2\t6\t50\n"
    )
    matched = align(human, read_metric_scores(metric), lower_is_better={"TER"})
    assert (matched.systems, matched.segments) == (("A", "B"), (1, 2, 3))
    assert str(matched.unmatched[0]) == (
        "ref has human scores but no BLEU scores; excluded. C has BLEU scores but no human scores; excluded. "
        "1 segment has human scores but no BLEU scores; excluded. "
        "1 segment has BLEU scores but no human scores; excluded"
    )
    ter = matched.pairings["TER"]
    assert np.array_equal(ter.metric, [[-80, np.nan, np.nan], [-70, -60, np.nan]], equal_nan=True)
    assert np.array_equal(ter.human, [[1, np.nan, 2], [3, np.nan, np.nan]], equal_nan=True)
    other = read_metric_scores(written(tmp_path / "n.tsv", "system\tscore\nX\t1\n"))
    with pytest.raises(UnderstudyError, match="Use the same system names"):
        align(human, other)


# --- what nobody judged -------------------------------------------------------------------------------------


def test_a_system_that_nobody_judged_does_not_count(tmp_path):
    whole = found_by(tmp_path)
    unjudged = without(people, lambda system, _: system == "refB")
    for scores in (metric, lambda system, segment: metric(system, segment) or 80.0):
        found = found_by(tmp_path, unjudged, scores)
        assert found.systems == tuple(SYSTEMS)
        for one, other in zip(found.metrics[0].agreed, whole.metrics[0].agreed, strict=True):
            assert (one.value, one.chance.p_value) == (other.value, other.chance.p_value)
        assert not any("people scored refB" in note for note in found.notes)
    assert "refB has M scores but no human scores; excluded." in found.notes


def test_a_system_that_a_metric_gave_no_score_is_one_that_it_did_not_score(tmp_path):
    judged = lambda system, segment: people(system, segment) or 90.0  # noqa: E731
    found = found_by(tmp_path, judged, without(metric, lambda system, _: system == "refB"))
    assert found.systems == tuple(SYSTEMS)
    assert "refB has human scores but no M scores; excluded." in found.notes


def test_only_segments_with_a_human_score_are_judged(tmp_path):
    half = without(people, lambda _, segment: segment > 20)
    found = found_by(tmp_path, half, judged_only=True, level="system")
    assert found.segments == tuple(range(1, 21))
    means = [np.mean([metric(system, segment) for segment in range(1, 21)]) for system in SYSTEMS]
    assert np.allclose(found.metrics[0].own_scores, means, rtol=1e-12)


def test_judgments_of_later_segments_than_the_text_has_must_be_there(tmp_path):
    """The None of mt-metrics-eval's files do not make a test set longer."""
    text = written(tmp_path / "A", "a b\n" * 2)
    other = written(tmp_path / "B", "a c\n" * 2)
    scores = "".join(f"{system}\t{segment}\t{{}}\n" for system in "AB" for segment in (1, 2, 3))
    filled = ("system\tseg\tscore\n" + scores).format(1, 2, "None", 3, 1, "None")
    reference = written(tmp_path / "reference", "a d\n" * 2)
    found = trust(
        written(tmp_path / "h.tsv", filled), [text, other], [reference], samples=20, level="segment"
    )
    assert found.segments == (1, 2)


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (("metric",), "B has no system score in M-src: excluded at system level for M-src only."),
        (("human", "metric"), "B has no system score in the human scores, M-src: excluded at system level."),
    ],
)
def test_a_system_without_a_system_score_is_left_out_there_and_said(tmp_path, sides, said):
    """Files of mt-metrics-eval: the system's segments have scores."""
    for side, stem, scores in (("human", "en-de.mqm", people), ("metric", "M-src", metric)):
        rows = [f"{system}\t{scores(system, segment)}\n" for system in SYSTEMS for segment in SEGMENTS]
        written(tmp_path / f"{stem}.seg.score", "".join(rows))
        wholes = ["None" if side in sides and system == "B" else ord(system) for system in SYSTEMS]
        rows = [f"{system}\t{whole}\n" for system, whole in zip(SYSTEMS, wholes, strict=True)]
        written(tmp_path / f"{stem}.sys.score", "".join(rows))
    found = trust(tmp_path / "en-de.mqm.seg.score", scores=tmp_path / "M-src.seg.score", samples=20)
    assert said in found.notes
    assert found.metrics[0].of(R).agreement.points == 4


# --- other segments than most -------------------------------------------------------------------------------


def test_a_mean_over_other_segments_is_not_compared(tmp_path):
    few = without(metric, lambda system, segment: system == "A" and segment > 2)
    found = found_by(tmp_path, scores=few)
    assert found.systems == tuple("BCDE")
    assert "Excluded for all metrics: A, because M scored 2 of 40 segments of A." in found.notes
    whole = without(people, lambda system, _: system == "A")
    assert found.metrics[0].of(R).value == found_by(tmp_path, whole).metrics[0].of(R).value


def test_segments_alone_are_compared_wherever_there_are_scores(tmp_path):
    few = without(metric, lambda system, segment: system == "A" and segment > 2)
    found = found_by(tmp_path, scores=few, level="segment")
    assert found.systems == tuple(SYSTEMS)
    said = "Excluded for all metrics at segment level: translations with human scores, 38 without M scores."
    assert said in found.notes


def test_a_few_missing_segments_are_said(tmp_path):
    found = found_by(tmp_path, scores=without(metric, lambda system, segment: system == "A" and segment > 37))
    assert found.systems == tuple(SYSTEMS)
    said = "M scored 37 of 40 segments of A; system scores are means over the scored segments."
    assert said in found.notes


@pytest.mark.parametrize(("missing", "left_out"), [(4, False), (5, True)])
def test_more_than_a_tenth_of_the_segments_is_too_many(missing, left_out):
    scores = np.ones((3, 40))
    scores[0, :missing] = np.nan
    (found,) = uneven("M", "ABC", None, scores)
    assert (found.system, found.missing, found.too_many) == ("A", missing, left_out)


def test_segments_that_half_of_the_systems_have_are_expected_of_all():
    scores = np.ones((4, 10))
    scores[:2, 9] = np.nan
    assert [(each.system, each.missing, each.more) for each in uneven("M", "ABCD", None, scores)] == [
        ("A", 1, 0),
        ("B", 1, 0),
    ]


def test_more_segments_than_others_have_are_other_segments(tmp_path):
    found = found_by(tmp_path, scores=without(metric, lambda system, segment: system != "A" and segment > 20))
    assert found.systems == tuple("BCDE")
    assert any("20 of 20 segments of A and 20 more than for other systems" in note for note in found.notes)


def test_a_metric_may_have_scored_just_what_people_judged(tmp_path):
    sampled = lambda system, segment: (segment + ord(system[0])) % 3 > 0  # noqa: E731
    found = found_by(tmp_path, without(people, sampled), without(metric, sampled))
    assert found.systems == tuple(SYSTEMS)
    assert not any("segments of A" in note for note in found.notes)


def test_where_every_system_has_other_segments_there_are_no_means(tmp_path):
    sampled = lambda system, segment: (segment + ord(system[0])) % 3 > 0  # noqa: E731
    with pytest.raises(UnderstudyError, match="too few systems are left with comparable mean scores"):
        found_by(tmp_path, scores=without(metric, sampled))


# --- nothing in common --------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [{}, {"level": "segment"}, {"level": "system"}, {"judged_only": True}])
def test_people_and_metric_on_different_segments_are_refused(tmp_path, plan):
    first = without(people, lambda _, segment: segment > 20)
    last = without(metric, lambda _, segment: segment <= 20)
    said = "human scores are for segments 1 to 20, M scores for segments 21 to 40"
    with pytest.raises(UnderstudyError, match=said):
        found_by(tmp_path, first, last, **plan)


def test_people_and_metric_on_different_translations_are_refused(tmp_path):
    crossed = lambda system, segment: (system < "C") == (segment <= 20)  # noqa: E731
    with pytest.raises(UnderstudyError, match="no translation has both human and"):
        found_by(
            tmp_path, without(people, crossed), without(metric, lambda *at: not crossed(*at)), level="segment"
        )


@pytest.mark.parametrize("name", ["{}.txt", " {}"])
def test_similar_names_are_suggested(tmp_path, name):
    human = table(tmp_path / "h.tsv", people)
    renamed = name.format("B")
    scores = table(tmp_path / "m.tsv", metric, "M").read_text().replace("\nB\t", f"\n{renamed}\t")
    found = trust(human, scores=written(tmp_path / "n.tsv", scores), samples=20)
    assert any(
        note.startswith(f"Similar names are not matched: 'B' and '{renamed}'. ") for note in found.notes
    )
    lower = table(tmp_path / "m.tsv", metric, "M").read_text()
    for system in SYSTEMS:
        lower = lower.replace(f"\n{system}\t", f"\n{system.lower()}\t")
    with pytest.raises(UnderstudyError, match="similar names are not matched: 'A' and 'a', 'B' and 'b'"):
        trust(human, scores=written(tmp_path / "l.tsv", lower))


def test_metrics_are_compared_on_the_translations_that_all_of_them_scored(tmp_path):
    """A metric that lacks what it is worst at would else be better than itself."""

    def worst(system, segment):
        return system != "refB" and abs(metric(system, segment) - people(system, segment)) > 4

    whole = table(tmp_path / "m.tsv", metric, "whole")
    part = table(tmp_path / "p.tsv", without(metric, worst), "part")
    found = trust(table(tmp_path / "h.tsv", people), scores=[whole, part], level="segment", samples=20)
    for one, other in zip(*(each.agreed for each in found.metrics), strict=True):
        assert one.value == other.value
    assert [pair.p_value for ranking in found.rankings for pair in ranking.pairs] == [1.0]
    missing = sum(worst(system, segment) for system in SYSTEMS for segment in SEGMENTS)
    assert any(
        f"translations with human scores, {missing} without part scores" in note for note in found.notes
    )


def test_metrics_without_a_translation_in_common_are_refused(tmp_path):
    files = [
        table(tmp_path / f"{rest}.tsv", without(metric, lambda _, n, rest=rest: n % 2 == rest), f"M{rest}")
        for rest in (0, 1)
    ]
    with pytest.raises(UnderstudyError, match="no translation has a human score and scores of all metrics"):
        trust(table(tmp_path / "h.tsv", people), scores=files, level="segment")


def test_systems_with_the_same_scores_tie_whatever_their_order(tmp_path):
    """Sums of the same numbers in another order differ in the last digit."""

    def shuffled(system, segment):
        if system == "refB":
            return None
        order = np.random.default_rng(ord(system)).permutation(40)
        return (order[segment - 1] + 1) / 10

    found = found_by(tmp_path, scores=shuffled, level="system")
    assert len(set(found.metrics[0].system_scores[1].tolist())) == 1
    assert found.metrics[0].of(R) is None or np.isnan(found.metrics[0].of(R).value)
    found = found_by(tmp_path, scores=lambda system, _: None if system == "refB" else 0.1, level="system")
    assert found.metrics[0].of(R) is None or np.isnan(found.metrics[0].of(R).value)


def test_the_order_of_a_file_changes_no_digit(tmp_path):
    human, scores = table(tmp_path / "h.tsv", people), table(tmp_path / "m.tsv", metric, "M")
    header, *rows = human.read_text().splitlines(keepends=True)
    turned = written(tmp_path / "turned.tsv", header + "".join(reversed(rows)))
    one, other = (as_data(trust(each, scores=scores, samples=20)) for each in (human, turned))
    assert {**one, "measure": ""} == {**other, "measure": ""}


# --- several files of human scores --------------------------------------------------------------------------


def test_several_files_are_several_measures(tmp_path):
    one = written(tmp_path / "one.tsv", "system\tscore\nA\t1\n")
    two = written(tmp_path / "two.tsv", "system\tadequacy\tfluency\nA\t2\t3\n")
    three = written(tmp_path / "three.tsv", "system\tfluency\nA\t4\n")
    found = read_all_judgments([one, two, three], ["fluency"])
    named = [(each.name, each.system_scores.tolist()) for each in found]
    assert named == [("one", [1.0]), (f"fluency ({two})", [3.0]), (f"fluency ({three})", [4.0])]
    with pytest.raises(UnderstudyError, match="has the measures adequacy, fluency, expected one"):
        read_all_judgments([one, two])
    with pytest.raises(UnderstudyError, match="unknown measure 'fluecy' of human scores"):
        read_all_judgments([one, two], ["fluecy"])
    with pytest.raises(UnderstudyError, match="given twice"):
        read_all_judgments([one, one])


# --- large scores -------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
def test_scores_of_any_size_that_is_read_give_the_same_coefficients(tmp_path):
    whole = found_by(tmp_path)
    large = found_by(
        tmp_path,
        without(lambda *at: 1e98 * people(*at), lambda system, _: system == "refB"),
        without(lambda *at: 1e98 * metric(*at), lambda system, _: system == "refB"),
    )
    for one, other in zip(large.metrics[0].agreed, whole.metrics[0].agreed, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-9), one.asked


# --- nothing to be said -------------------------------------------------------------------------------------


def test_where_no_coefficient_has_a_value_the_reason_is_the_error(tmp_path):
    one = without(metric, lambda system, segment: (system, segment) != ("A", 1))
    with pytest.raises(
        UnderstudyError, match="all coefficients are undefined: only 1 with both scores, expected at least 2"
    ):
        found_by(tmp_path, scores=one, level="segment")
    constant = lambda system, _: None if system == "refB" else 3  # noqa: E731
    with pytest.raises(UnderstudyError, match="all coefficients are undefined: all 5 human scores are equal"):
        found_by(tmp_path, constant, level="system", coefficients=("pearson", "kendall-b"))
