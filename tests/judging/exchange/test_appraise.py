"""Appraise's files as judgments."""

from __future__ import annotations

import numpy as np
import pytest

from understudy import read_judged
from understudy.errors import BadInput

SPAN = '"[{""start_i"":3,""end_i"":5,""severity"":""minor"",""error_type"":null}]"'
OMISSION = '"[{""start_i"":""missing"",""end_i"":""missing"",""severity"":""major"",""error_type"":null}]"'


def read(tmp_path, *lines, **how):
    path = tmp_path / "scores.csv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read_judged(str(path), **how)


def test_direct_assessments(tmp_path):
    found = read(tmp_path, "u1,A,17,TGT,eng,deu,80,100.0,109.5", "u1,B,17,TGT,eng,deu,60,110.0,120.0")
    assert (found.systems, found.segments) == (("A", "B"), (17,))
    assert found.ratings["score"].value.tolist() == [80.0, 60.0]
    assert found.ratings["score"].seconds.tolist() == [9.5, 10.0]


def test_repeats_and_controls(tmp_path):
    found = read(
        tmp_path,
        "u1,A,1,TGT,eng,deu,80,1,2",
        "u1,A,1,CHK,eng,deu,75,3,4",
        "u1,A,1,BAD.omission,eng,deu,20,5,6",
    )
    assert found.ratings["score"].repeat.tolist() == [False, True]
    assert (found.controls.value_of_original.tolist(), found.controls.value_of_degraded.tolist()) == (
        [80],
        [20],
    )


def test_a_check_of_something_new_is_an_ordinary_judgment(tmp_path):
    found = read(tmp_path, "u1,A,1,TGT,eng,deu,80,1,2", "u2,A,1,CHK,eng,deu,75,3,4")
    assert not found.ratings["score"].repeat.any()


def test_an_answer_about_identical_outputs_is_one_answer(tmp_path):
    found = read(tmp_path, "u1,A,1,TGT,eng,deu,80,1,2", "u1,B,1,TGT,eng,deu,80,1,2")
    assert len(found.ratings["score"].answers) == 1
    assert len(np.unique(found.ratings["score"].unit)) == 1


def test_error_spans_have_exclusive_ends(tmp_path):
    found = read(tmp_path, f"u1,A,1,TGT,eng,deu,80,doc#A,False,{SPAN},1,2")
    assert (found.spans.start.tolist(), found.spans.end.tolist(), found.spans.severity) == (
        [3],
        [6],
        ("minor",),
    )


def test_an_omission_has_no_place_in_the_translation(tmp_path):
    found = read(tmp_path, f"u1,A,1,TGT,eng,deu,80,doc#A,False,{OMISSION},1,2")
    assert (found.spans.side, found.spans.penalty.tolist()) == (("omission",), [5.0])


def test_segments_are_aligned_by_document_and_order(tmp_path):
    found = read(
        tmp_path,
        "u1,A,8,TGT,eng,deu,80,news#A,False,[],1,2",
        "u1,A,7,TGT,eng,deu,70,news#A,False,[],3,4",
        "u2,B,31,TGT,eng,deu,60,news#B,False,[],1,2",
        "u2,B,32,TGT,eng,deu,50,news#B,False,[],3,4",
    )
    ratings = found.ratings["score"]
    assert {
        (found.systems[system], found.segments[segment]): value
        for system, segment, value in zip(
            ratings.system.tolist(), ratings.segment.tolist(), ratings.value.tolist(), strict=True
        )
    } == {("A", 1): 70.0, ("A", 2): 80.0, ("B", 1): 60.0, ("B", 2): 50.0}
    assert found.documents == ("news", "news")


def test_a_degraded_document_is_the_control_of_its_original(tmp_path):
    found = read(
        tmp_path,
        "u1,A,1,TGT,eng,deu,80,news#A,False,[],1,2",
        "u1,A,9,BAD,eng,deu,30,news#A#bad3,False,[],3,4",
    )
    assert found.controls.value_of_degraded.tolist() == [30]


def test_without_scores_it_is_mqm(tmp_path):
    found = read(
        tmp_path,
        f"u1,A,1,TGT,eng,deu,0,news#A,False,{SPAN},1,2",
        "u1,A,2,TGT,eng,deu,0,news#A,False,[],1,2",
    )
    assert found.ratings["MQM"].value.tolist() == [-1.0, 0.0]


def test_tutorials_are_left_out(tmp_path):
    found = read(tmp_path, "u1,ende-tutorial1,1,TGT,eng,deu,100,1,2", "u1,A,2,TGT,eng,deu,80,1,2")
    assert found.systems == ("A",)
    assert "1 items of tutorials" in found.notes[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("u1,A,1,NEW,eng,deu,80,1,2", "line 2: type 'NEW'"),
        ("u1,A,one,TGT,eng,deu,80,1,2", "line 2: item 'one'"),
        ("u1,A,1,TGT,eng,deu,high,1,2", "line 2: score 'high'"),
        ("u1,A,1,TGT,eng,deu,,1,2", "line 2: no score"),
        (",A,1,TGT,eng,deu,80,1,2", "line 2: no user or no system"),
        ("u1,A,1,TGT,eng", "line 2: 5 columns, expected at least 7"),
        ("u1,A,1,TGT,eng,deu,80,d,False,[oops],1,2", "line 2: error spans are not JSON"),
        ("u1,A,1,TGT,eng,deu,80,d,False,[1],1,2", "line 2: error spans are not a list of JSON objects"),
        (
            'u1,A,1,TGT,eng,deu,80,d,False,"[{""start_i"":9,""end_i"":2,""severity"":""minor""}]",1,2',
            "line 2: span from 9 to 2",
        ),
        ("u1,A,1,TGT,eng,fra,80,1,2", "has the language pairs eng-deu, eng-fra"),
    ],
)
def test_errors_name_file_and_line(tmp_path, line, message):
    with pytest.raises(BadInput, match=message) as raised:
        read(tmp_path, "u1,A,5,TGT,eng,deu,80,1,2", line)
    assert "scores.csv" in str(raised.value)
