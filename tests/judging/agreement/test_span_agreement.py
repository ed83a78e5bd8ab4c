"""Matched F1 of error spans, against counting characters one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from understudy.judging.agreement.span_agreement import NO_OVERLAP, NO_SPANS, matched_spans
from understudy.judging.judgments import Annotated, Spans

PENALTIES = {"minor": 1.0, "major": 5.0, "neutral": 0.0, "small": 1.0, "large": 3.0}


def marked(rows, annotated):
    """Rows are (judge, system, segment, start, end, severity[, side]); annotated are (judge, system, segment)."""
    answers = {each: number for number, each in enumerate(annotated)}
    known = Annotated.of(*np.array(annotated).T)
    unit = dict(zip(annotated, known.unit.tolist(), strict=True))
    columns = [list(column) for column in zip(*[row[:5] for row in rows], strict=True)] or [[]] * 5
    judge, system, segment, start, end = (np.array(column, dtype=np.int64) for column in columns)
    return Spans(
        judge,
        system,
        segment,
        np.array([unit[row[:3]] for row in rows], dtype=np.int64),
        np.array([answers[row[:3]] for row in rows], dtype=np.int64),
        start,
        end,
        tuple(row[6] if len(row) > 6 else "target" for row in rows),
        ("",) * len(rows),
        tuple(row[5] for row in rows),
        np.array([PENALTIES[row[5]] for row in rows]),
        ("judge",) * len(rows),
        known,
    )


def by_characters(rows, annotated, credit):
    """Each judge beside each other one: sums of characters over translations, means over pairs within one."""
    matched = total = 0.0
    for text in {each[1:] for each in annotated}:
        judges = [each[0] for each in annotated if each[1:] == text]
        pairs = list(itertools.permutations(judges, 2))
        for pair in pairs:
            one, other = (
                {
                    place: row[5]
                    for row in rows
                    if row[:3] == (judge, *text)
                    for place in range(row[3], row[4])
                }
                for judge in pair
            )
            both = one.keys() & other.keys()
            matched += sum(1 if one[place] == other[place] else credit for place in both) / len(pairs)
            total += (len(one) + len(other)) / 2 / len(pairs)
    return matched / total


def random_spans(seed):
    """Spans of a judge do not overlap."""
    generator = np.random.default_rng(seed)
    annotated = [(judge, 0, segment) for segment in range(6) for judge in range(generator.integers(1, 4))]
    rows = []
    for each in annotated:
        for start in generator.choice([0, 10, 20], generator.integers(0, 4), replace=False).tolist():
            low, high = sorted(generator.integers(0, 10, 2).tolist())
            severity = "major" if generator.random() < 0.5 else "minor"
            rows.append((*each, start + low, start + high + 1, severity))
    return rows, annotated


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("credit", [0.0, 0.5, 1.0])
def test_it_counts_characters(seed, credit):
    rows, annotated = random_spans(seed)
    found = matched_spans(marked(rows, annotated), "xyz", ["A"], credit=credit, samples=10)
    assert found.f1.value == pytest.approx(by_characters(rows, annotated, credit), abs=1e-12)


def test_without_severity_every_match_is_whole():
    rows, annotated = random_spans(1)
    found = matched_spans(marked(rows, annotated), "xyz", ["A"], samples=10)
    assert found.f1_without_severity.value == pytest.approx(by_characters(rows, annotated, 1.0), abs=1e-12)


def test_other_severities_are_ranked_by_their_penalty():
    rows = [(0, 0, 0, 0, 4, "small"), (1, 0, 0, 0, 4, "large")]
    assert matched_spans(marked(rows, [(0, 0, 0), (1, 0, 0)]), "xy", ["A"]).f1.value == 0.5


def test_other_sides_and_neutral_spans_are_left_out():
    rows = [(0, 0, 0, 0, 4, "minor"), (1, 0, 0, 0, 4, "minor")]
    left = [(0, 0, 0, 8, 9, "minor", "source"), (0, 0, 0, 6, 7, "neutral")]
    found = matched_spans(marked([*rows, *left], [(0, 0, 0), (1, 0, 0)]), "xy", ["A"])
    assert (found.f1.value, found.left_out) == (
        1.0,
        {"not in the translation": 1, "neither minor nor major": 1},
    )


def test_judges_of_one_text_meet_under_any_system_that_has_it():
    spans = marked([(0, 0, 0, 0, 4, "minor"), (1, 1, 0, 0, 4, "minor")], [(0, 0, 0), (1, 1, 0)])
    shared = Annotated.of([0, 1], [0, 1], [0, 0], unit=[0, 0])
    found = matched_spans(Spans(**{**vars(spans), "annotated": shared}), "xy", ["A", "B"])
    assert (found.translations, found.f1.value) == (1, 1.0)


def test_repeats_are_left_out():
    spans = marked([(0, 0, 0, 0, 4, "minor")], [(0, 0, 0), (1, 0, 0)])
    repeated = Annotated.of([0, 1], [0, 0], [0, 0], repeat=[False, True])
    assert matched_spans(Spans(**{**vars(spans), "annotated": repeated}), "xy", ["A"]).f1.reason == NO_OVERLAP


def test_no_overlap_has_no_agreement():
    found = matched_spans(marked([], [(0, 0, 0), (1, 0, 1)]), "xy", ["A"])
    assert (found.f1.value, found.f1.reason) == (None, NO_OVERLAP)


def test_judges_who_mark_nothing_have_no_agreement():
    found = matched_spans(marked([], [(0, 0, 0), (1, 0, 0)]), "xy", ["A"])
    assert (found.translations, found.f1.reason) == (1, NO_SPANS)
