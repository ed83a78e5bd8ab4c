"""Tables of ratings as judgments."""

from __future__ import annotations

import os

import pytest

from understudy import read_judged
from understudy.errors import BadInput, BadParameter
from understudy.judging.exchange.given import UNNAMED
from understudy.judging.exchange.importing import kind_of

LONG = "system\tseg\tjudge\tscore\nA\t1\tx\t4\nB\t1\tx\t2\nA\t7\ty\t5\n"


def read(tmp_path, text, name="human.tsv", **how):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_judged(str(path), **how)


def rows(judgments, question):
    ratings = judgments.ratings[question]
    return [
        (
            judgments.judges[ratings.judge[row]],
            judgments.systems[ratings.system[row]],
            judgments.segments[ratings.segment[row]],
            ratings.value[row],
        )
        for row in range(len(ratings))
    ]


def test_a_long_table_is_read_in_its_order(tmp_path):
    found = read(tmp_path, LONG)
    assert rows(found, "human") == [("x", "A", 1, 4.0), ("x", "B", 1, 2.0), ("y", "A", 7, 5.0)]


def test_one_column_per_question(tmp_path):
    found = read(tmp_path, "system\tseg\trater\tfluency\tadequacy\nA\t1\tx\t4\t3\n")
    assert (rows(found, "fluency"), rows(found, "adequacy")) == ([("x", "A", 1, 4.0)], [("x", "A", 1, 3.0)])


def test_a_column_of_questions(tmp_path):
    found = read(tmp_path, "system,seg,question,judge,score\nA,1,fluency,x,4\nA,1,adequacy,x,3\n", "h.csv")
    assert [question.name for question in found.questions] == ["fluency", "adequacy"]


def test_missing_scores_are_no_judgments(tmp_path):
    found = read(tmp_path, "system\tseg\trater\tfluency\tadequacy\nA\t1\tx\t4\t\nA\t2\tx\t4\t1\n")
    assert rows(found, "adequacy") == [("x", "A", 2, 1.0)]


def test_a_table_in_memory():
    found = read_judged({"system": ["A", "B"], "seg": [1, 1], "judge": ["x", "x"], "score": [3, 4.5]})
    assert next(iter(found.ratings.values())).value.tolist() == [3.0, 4.5]


def test_repeats_of_direct_assessments_are_repeats(tmp_path):
    text = "system\tseg\trater\traw\tz\ttype\nA\t1\tx\t90\t0.5\tsystem\nA\t1\tx\t80\t0.2\trepeat\n"
    found = read(tmp_path, text)
    assert list(found.ratings) == ["raw"]
    assert found.ratings["raw"].repeat.tolist() == [False, True]


def test_repeats_of_questions_in_a_column(tmp_path):
    text = (
        "system\tseg\trater\tquestion\tscore\ttype\nA\t1\tx\tone\t9\tsystem\n"
        "A\t1\tx\ttwo\t8\trepeat\nA\t2\tx\tone\t8\trepeat\n"
    )
    found = read(tmp_path, text)
    assert (found.ratings["one"].repeat.tolist(), found.ratings["two"].repeat.tolist()) == (
        [False, True],
        [True],
    )


def test_few_whole_numbers_are_an_ordinal_scale(tmp_path):
    assert read(tmp_path, LONG).questions[0].level == "ordinal"


def test_many_values_are_an_interval_scale(tmp_path):
    lines = "".join(f"A\t{number}\tx\t{number}\n" for number in range(1, 12))
    assert read(tmp_path, f"system\tseg\tjudge\tscore\n{lines}").questions[0].level == "interval"


def test_without_names_there_is_one_judge_and_a_note(tmp_path):
    found = read(tmp_path, "system\tseg\tscore\nA\t1\t4\n")
    assert found.judges == (UNNAMED,)
    assert "no judges are named" in found.notes[0]


def test_scores_of_whole_systems_are_refused(tmp_path):
    with pytest.raises(BadInput, match="has scores of whole systems"):
        read(tmp_path, "system\tjudge\tscore\nA\tx\t4\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system\tseg\tjudge\tscore\nA\t0\tx\t4\n", "line 2: segment '0'"),
        ("system\tseg\tjudge\tscore\nA\t1\tx\tgood\n", "line 2: score 'good'"),
        ("system\tseg\tjudge\tscore\nA\t1\tx\n", "line 2: 3 columns, expected 4"),
        ("system\tseg\tjudge\tscore\nA\t1\tx\t\n", "all scores are missing"),
        ("system\tseg\tjudge\tscore\n", "has a header and no scores"),
        ("", "is empty"),
        ("system\tseg\tjudge\tquestion\tscore\nA\t1\tx\t\t4\n", "line 2: no question"),
        ("system\tseg\trater\traw\tz\ttype\nA\t1\tx\t9\t1\tagain\n", "line 2: type 'again'"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, message):
    with pytest.raises(BadInput, match=message) as raised:
        read(tmp_path, text)
    assert "human.tsv" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_given_twice_is_refused():
    with pytest.raises(BadParameter, match="is given twice"):
        read_judged(["examples/judgments.tsv", "examples/judgments.tsv"])


def test_what_can_be_read_only_once_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.tsv")
    with pytest.raises(BadInput, match="can be read only once"):
        read_judged(str(tmp_path / "pipe.tsv"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (LONG, "ratings"),
        ("judge\tseg\tsystem\trank\nx\t1\tA\t1\n", "rankings"),
        ("seg\tjudge\tsystem1\trank1\tsystem2\trank2\n", "rankings"),
        ("system\tseg\tstart\tend\tseverity\n", "spans"),
        ("system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n", "marked-text"),
    ],
)
def test_kinds_are_recognized_by_their_columns(tmp_path, text, kind):
    (tmp_path / "h.tsv").write_text(text)
    assert kind_of(str(tmp_path / "h.tsv")) == kind
