"""Error spans and MQM ratings as judgments."""

from __future__ import annotations

import pytest

from understudy import read_judged
from understudy.errors import BadInput, BadParameter

SPANS = "system\tseg\trater\tstart\tend\tcategory\tseverity\n"
MARKED = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def write(tmp_path, text, name="mqm.tsv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def scores(judgments):
    ratings = judgments.ratings["MQM"]
    return {
        (
            judgments.judges[ratings.judge[row]],
            judgments.systems[ratings.system[row]],
            judgments.segments[ratings.segment[row]],
        ): float(ratings.value[row])
        for row in range(len(ratings))
    }


def test_the_score_is_minus_the_sum_of_penalties(tmp_path):
    text = (
        SPANS
        + "A\t1\tx\t0\t3\taccuracy\tmajor\nA\t1\tx\t4\t5\tfluency/punctuation\tminor\nB\t1\tx\t\t\t\tno-error\n"
    )
    assert scores(read_judged(write(tmp_path, text))) == {("x", "A", 1): -5.1, ("x", "B", 1): 0.0}


def test_penalties_of_the_file_win_over_the_weights(tmp_path):
    text = "system\tseg\trater\tstart\tend\tseverity\tscore\nA\t1\tx\t0\t3\tmajor\t-7\n"
    assert scores(read_judged(write(tmp_path, text))) == {("x", "A", 1): -7.0}


def test_given_weights_win_over_the_penalties_of_the_file(tmp_path):
    text = "system\tseg\trater\tstart\tend\tseverity\tscore\nA\t1\tx\t0\t3\tmajor\t-7\n"
    assert scores(read_judged(write(tmp_path, text), weights="major=3")) == {("x", "A", 1): -3.0}


def test_a_table_of_scores_says_what_was_annotated(tmp_path):
    spans = write(tmp_path, SPANS + "A\t1\tx\t0\t3\taccuracy\tmajor\n")
    ratings = write(tmp_path, "system\tseg\trater\tscore\nA\t1\tx\t-5\nB\t1\tx\t0\n", "scores.tsv")
    found = read_judged([spans, ratings])
    assert (len(found.spans), len(found.spans.annotated)) == (1, 2)
    assert found.ratings["scores"].value.tolist() == [-5.0, 0.0]


def test_spans_alone_are_noted(tmp_path):
    found = read_judged(write(tmp_path, SPANS + "A\t1\tx\t0\t3\taccuracy\tmajor\n"))
    assert "Every annotated translation has an error span" in found.notes[0]


def test_marks_in_the_text(tmp_path):
    text = MARKED + (
        "A\td\t1\t1\tx\tQuelle\tA <v>wörd</v> too\tAccuracy/Addition\tMajor\n"
        "A\td\t1\t1\tx\t<v>Qu</v>elle\tA wörd too\tAccuracy/Omission\tMinor\n"
        "B\td\t1\t1\tx\tQuelle\tFine\tNo-error\tNo-error\n"
    )
    found = read_judged(write(tmp_path, text))
    spans = found.spans
    assert list(zip(spans.start.tolist(), spans.end.tolist(), spans.side, strict=True)) == [
        (2, 6, "target"),
        (0, 2, "source"),
    ]
    assert scores(found) == {("x", "A", 1): -6.0, ("x", "B", 1): 0.0}
    assert found.texts.outputs[0][0] == "A wörd too"


def test_a_mark_that_is_not_closed_goes_to_the_end(tmp_path):
    text = MARKED + "A\td\t1\t1\tx\tQ\tA word <v>too\tFluency\tMinor\n"
    spans = read_judged(write(tmp_path, text)).spans
    assert (spans.start.tolist(), spans.end.tolist()) == ([7], [10])


def test_test_items_are_left_out(tmp_path):
    text = MARKED + ("A\td\t1\t1\tx\tQ\tFine\tNo-error\tNo-error\nA\td\t1\t2\tx\tQ\tFine\tFound\tHOTW-test\n")
    found = read_judged(write(tmp_path, text))
    assert found.segments == (1,)
    assert "1 lines with test items were left out" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SPANS + "A\t1\tx\t0\t3\taccuracy\tawful\n", "line 2: severity 'awful'.*--weights awful=W"),
        (SPANS + "A\t1\tx\t5\t3\taccuracy\tmajor\n", "line 2: span from 5 to 3"),
        (SPANS + "A\t1\tx\t-1\t3\taccuracy\tmajor\n", "line 2: start '-1'"),
        (SPANS + "A\tone\tx\t0\t3\taccuracy\tmajor\n", "line 2: segment 'one'"),
        (
            "system\tseg\trater\tside\tstart\tend\tseverity\nA\t1\tx\tmiddle\t0\t1\tmajor\n",
            "line 2: side 'middle'",
        ),
        (MARKED + "A\td\t1\t1\tx\tQ\tT\tFluency\tterrible\n", "line 2: severity 'terrible'"),
        (MARKED + "A\td\t1\t1\t\tQ\tT\tFluency\tMinor\n", "line 2: no judge"),
        (MARKED + "A\td\t1\t1\tx\tQ\tT\tFluency\n", "line 2: 8 columns, expected 9"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, message):
    with pytest.raises(BadInput, match=message) as raised:
        read_judged(write(tmp_path, text))
    assert "mqm.tsv" in str(raised.value)


@pytest.mark.parametrize("weights", ["minor", "minor=", "=1", "minor=heavy", "minor=-1", "minor=nan"])
def test_weights_that_are_none(tmp_path, weights):
    with pytest.raises(BadParameter, match="weight"):
        read_judged(write(tmp_path, SPANS + "A\t1\tx\t0\t3\taccuracy\tmajor\n"), weights=weights)
