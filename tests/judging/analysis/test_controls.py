"""Controls that judges missed, and items that they disagree about."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from understudy.judging.analysis.controls import missed_controls
from understudy.judging.analysis.disagreement import disputed_items
from understudy.judging.judgments import Controls, Question, Ratings

OVERALL = Question("overall")


def controls(rows):
    """(judge, segment, question, original, degraded)."""
    judge, segment, question, original, degraded = (list(column) for column in zip(*rows, strict=True))
    return Controls(
        np.array(judge), np.array(segment), tuple(question), np.array(original), np.array(degraded)
    )


def missed(lost, seen):
    rows = [(0, segment, "overall", 3.0, 4.0 if segment < lost else 1.0) for segment in range(seen)]
    (found,) = missed_controls(controls(rows), ["j"], [OVERALL])
    return found


def test_a_control_is_missed_unless_the_degraded_text_gets_less():
    rows = [(0, 0, "overall", 3.0, 2.0), (0, 1, "overall", 3.0, 3.0), (0, 2, "overall", 3.0, 4.0)]
    (found,) = missed_controls(controls(rows), ["j"], [OVERALL])
    assert (found.seen, found.missed) == (3, 2)


def test_lower_can_be_better():
    rows = [(0, 0, "errors", 2.0, 3.0)]
    (found,) = missed_controls(controls(rows), ["j"], [Question("errors", higher_is_better=False)])
    assert found.missed == 0


def test_questions_about_one_control_are_one_control():
    rows = [(0, 0, "fluency", 3.0, 3.0), (0, 0, "adequacy", 4.0, 2.0)]
    (found,) = missed_controls(controls(rows), ["j"], [Question("fluency"), Question("adequacy")])
    assert (found.seen, found.missed) == (1, 0)


def test_two_controls_of_one_segment_are_two():
    rows = [(0, 0, "overall", 3.0, 1.0), (0, 0, "overall", 3.0, 4.0)]
    (found,) = missed_controls(controls(rows), ["j"], [OVERALL])
    assert (found.seen, found.missed) == (2, 1)


@pytest.mark.parametrize(("lost", "seen"), [(0, 8), (2, 10), (5, 5)])
def test_p_is_that_of_the_binomial_test(lost, seen):
    expected = stats.binomtest(lost, seen, 0.5, alternative="less").pvalue
    assert missed(lost, seen).p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("lost", "seen"), [(0, 8), (2, 10), (5, 5)])
def test_the_interval_is_clopper_and_pearsons(lost, seen):
    expected = stats.binomtest(lost, seen).proportion_ci(0.95, method="exact")
    interval = missed(lost, seen).interval
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize(
    ("lost", "seen", "verdict"), [(0, 5, "passed"), (0, 4, "too few"), (4, 4, "too few"), (3, 10, "failed")]
)
def test_the_verdict(lost, seen, verdict):
    assert missed(lost, seen).verdict == verdict


def test_judges_without_controls_are_not_listed():
    assert [
        each.judge for each in missed_controls(controls([(1, 0, "overall", 2.0, 1.0)]), "xy", [OVERALL])
    ] == ["y"]


# --- disputed items -----------------------------------------------------------------------------------------


def test_the_most_disputed_item_is_first():
    ratings = Ratings.of([0, 1] * 3, [0] * 6, [0, 0, 1, 1, 2, 2], [3, 3, 1, 5, 4, 2])
    found = disputed_items(ratings, ["A"], ["x", "y"], [11, 12, 13])
    assert [(each.segment, each.values) for each in found] == [
        (12, (1.0, 5.0)),
        (13, (4.0, 2.0)),
        (11, (3.0, 3.0)),
    ]


def test_severity_is_no_disagreement():
    ratings = Ratings.of([0, 1] * 3, [0] * 6, [0, 0, 1, 1, 2, 2], [1, 3, 2, 4, 3, 5])
    assert disputed_items(ratings, ["A"], ["x", "y"], [1, 2, 3]) == ()


def test_the_measure_is_the_standard_deviation_less_the_means_of_judges():
    table = np.random.default_rng(0).normal(size=(3, 4))
    judge, segment = (axis.ravel() for axis in np.indices(table.shape))
    found = disputed_items(Ratings.of(judge, judge * 0, segment, table.ravel()), ["A"], "xyz", range(4))
    expected = (table - table.mean(axis=1, keepdims=True)).std(axis=0, ddof=1)
    assert {each.segment: each.disagreement for each in found} == pytest.approx(dict(enumerate(expected)))


def test_items_of_one_judge_are_not_disputed():
    assert disputed_items(Ratings.of([0, 1], [0, 0], [0, 1], [1, 5]), ["A"], ["x", "y"], [1, 2]) == ()


def test_only_the_first_few_are_listed():
    table = np.random.default_rng(0).normal(size=(3, 40))
    judge, segment = (axis.ravel() for axis in np.indices(table.shape))
    ratings = Ratings.of(judge, judge * 0, segment, table.ravel())
    assert len(disputed_items(ratings, ["A"], "xyz", range(40), top=7)) == 7


def test_no_ratings():
    assert disputed_items(Ratings.of([], [], [], []), ["A"], ["x"], []) == ()
