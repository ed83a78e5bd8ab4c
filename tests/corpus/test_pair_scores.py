"""Scores of other tools for the pairs of a challenge set: files, tables in memory and arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.written_files import write
from understudy.corpus.challenge_sets import ChallengeSet, read_challenge_set
from understudy.corpus.pair_scores import read_pair_scores
from understudy.errors import UnderstudyError


@pytest.fixture
def challenge() -> ChallengeSet:
    """Three pairs, of which the second is left out."""
    rows = [
        {"good": "a", "bad": "b", "id": name, "phenomenon": kind, "pert_check": applied}
        for name, kind, applied in (("x", "one", True), ("y", "one", False), ("x", "two", True))
    ]
    return read_challenge_set(rows)


def found(given: Any, challenge: ChallengeSet) -> dict[str, list[list[float]]]:
    return {name: scores.tolist() for name, scores in read_pair_scores(given, challenge).items()}


def refusal(given: Any, challenge: ChallengeSet) -> str:
    with pytest.raises(UnderstudyError) as caught:
        read_pair_scores(given, challenge)
    assert "\n" not in str(caught.value)
    return str(caught.value)


EXPECTED = {"COMET": [[0.9, 0.8], [0.5, 0.6]]}


@pytest.mark.parametrize(
    "content",
    [
        "COMET-good\tCOMET-bad\n0.9\t0.8\n1\t1\n0.5\t0.6\n",
        "COMET_good\tCOMET_incorrect\n0.9\t0.8\n1\t1\n0.5\t0.6\n",
        "item\tCOMET-bad\tCOMET-good\n3\t0.6\t0.5\n1\t0.8\t0.9\n",
        "id\tphenomenon\tCOMET-good\tCOMET-bad\nx\ttwo\t0.5\t0.6\ny\tone\t3\t3\nx\tone\t0.9\t0.8\n",
        "system\tseg\tmetric\tscore\n"
        + "".join(
            f"{system}\t{seg}\tCOMET\t{score}\n"
            for system, seg, score in (
                ("good", 1, 0.9),
                ("bad", 1, 0.8),
                ("Good", 3, 0.5),
                ("bad", 3, 0.6),
                ("other", 1, 7),
            )
        ),
    ],
)
def test_layouts(content: str, challenge: ChallengeSet) -> None:
    write("s.tsv", content)
    assert found("s.tsv", challenge) == EXPECTED


def test_a_csv_file_and_several_metrics(challenge: ChallengeSet) -> None:
    write("s.csv", "item,A-good,A-bad,B-good,B-bad\n1,1,2,3,4\n3,5,6,7,8\n")
    assert found("s.csv", challenge) == {"A": [[1, 2], [5, 6]], "B": [[3, 4], [7, 8]]}


def test_metrics_are_selected_by_name(challenge: ChallengeSet) -> None:
    write("s.csv", "item,A-good,A-bad,B-good,B-bad\n1,1,2,3,4\n3,5,6,7,8\n")
    assert list(found("s.csv:B", challenge)) == ["B"]
    assert refusal("s.csv:C", challenge) == "'s.csv': unknown metric 'C'. Known: A, B."


def test_files_of_mt_metrics_eval(challenge: ChallengeSet) -> None:
    write("COMET.seg.score", "good\t0.9\ngood\t1\ngood\t0.5\nbad\t0.8\nbad\t1\nbad\t0.6\n")
    assert found("COMET.seg.score", challenge) == EXPECTED


def test_arrays_by_name(challenge: ChallengeSet) -> None:
    assert found({"COMET": ([0.9, 1, 0.5], [0.8, 1, 0.6])}, challenge) == EXPECTED


def test_an_array_of_two_rows(challenge: ChallengeSet) -> None:
    assert found({"COMET": np.array([[0.9, 1, 0.5], [0.8, 1, 0.6]])}, challenge) == EXPECTED


def test_columns_in_memory(challenge: ChallengeSet) -> None:
    assert found({"COMET-good": [0.9, 1, 0.5], "COMET-bad": [0.8, 1, 0.6]}, challenge) == EXPECTED


def test_a_data_frame(challenge: ChallengeSet) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item": [1, 3], "COMET-good": [0.9, 0.5], "COMET-bad": [0.8, 0.6]})
    assert found(frame, challenge) == EXPECTED


def test_a_missing_score_is_not_a_number(challenge: ChallengeSet) -> None:
    write("s.tsv", "item\tA-good\tA-bad\n1\tNone\t2\n")
    assert str(found("s.tsv", challenge)) == "{'A': [[nan, 2.0], [nan, nan]]}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "A-good\tA-bad\n1\t2\n",
            "'s.tsv' has scores of 1 pair, the challenge set has 3. Add the numbers of the pairs in a column 'item'.",
        ),
        (
            "item\tA-good\tA-bad\n1\t2\t1\n1\t2\t1\n",
            "'s.tsv': lines 2 and 3 both score pair 1. Remove one of them.",
        ),
        (
            "item\tA-good\tA-bad\n4\t2\t1\n",
            "'s.tsv', line 2: item '4', expected an integer from 1 to 3, the number of a pair.",
        ),
        (
            "id\tA-good\tA-bad\nx\t2\t1\n",
            "'s.tsv': pairs 1 and 3 have the same id 'x'. Add a column 'item' with their numbers, or a column "
            "'phenomenon'.",
        ),
        (
            "id\tphenomenon\tA-good\tA-bad\nz\tone\t2\t1\n",
            "'s.tsv', line 2: unknown pair 'z'. Known: x, y.",
        ),
        ("item\tA-good\tA-bad\n1\t2\n", "'s.tsv', line 2: 2 columns, expected 3."),
        ("item\tA-good\tA-bad\n1\thigh\t1\n", "'s.tsv', line 2: score 'high', expected a number, or None."),
        ("item\tA-good\tA-bad\n1\tinf\t1\n", "'s.tsv', line 2: score 'inf', expected a number, or None."),
        ("", "'s.tsv' is empty, expected scores."),
        (
            "system\tseg\tscore\nA\t1\t2\nB\t1\t2\n",
            "'s.tsv': no scores of pairs, expected columns such as s-good and s-bad, or the systems good and "
            "incorrect. Got the systems A, B.",
        ),
        (
            "system\tseg\tscore\ngood\t4\t2\nbad\t1\t2\n",
            "'s.tsv': a score of 'good' for segment 4, expected segments 1 to 3, one per pair.",
        ),
    ],
)
def test_what_is_refused(content: str, message: str, challenge: ChallengeSet) -> None:
    write("s.tsv", content)
    assert refusal("s.tsv", challenge) == message


def test_arrays_of_the_wrong_length(challenge: ChallengeSet) -> None:
    assert refusal({"A": ([1.0], [2.0])}, challenge) == (
        "scores 'A': 1 score of good translations, the challenge set has 3 pairs."
    )


def test_a_missing_file(challenge: ChallengeSet, here: Path) -> None:
    assert refusal(here / "no.tsv", challenge).startswith("no such file")
