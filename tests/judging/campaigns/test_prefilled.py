"""Prefilled spans: from a file to the outputs, checked against texts and protocol."""

from __future__ import annotations

import re

import pytest

from material.campaigns import campaign, corpus
from understudy.corpus.error_spans import MarkedSpan, read_marked_spans
from understudy.errors import BadInput, BadParameter


def span(**changed):
    return MarkedSpan(**{"system": "a", "segment": 1, "start": 0, "end": 2, "severity": "major", **changed})


def test_spans_come_with_their_output():
    design = campaign("esa", prefilled=[span()])
    assert [output.systems for output in design.outputs if output.prefilled] == [("a",)]


def test_an_output_of_two_systems_has_the_spans_of_either():
    same = corpus(2, 1, b=corpus(2, 1).systems["a"])
    design = campaign("esa", given=same, prefilled=[span(system="b")])
    assert [output.prefilled[0].system for output in design.outputs if output.prefilled] == ["b"]


def test_names_are_those_of_the_protocol():
    design = campaign("mqm", prefilled=[span(severity="Minor", category="Fluency/Character Encoding")])
    (found,) = (output.prefilled[0] for output in design.outputs if output.prefilled)
    assert (found.severity, found.category) == ("minor", "fluency/character-encoding")


def test_an_unknown_category_is_left_to_the_judge():
    design = campaign("mqm", prefilled=[span(category="Fluency/Rhythm")])
    assert [output.prefilled[0].category for output in design.outputs if output.prefilled] == [""]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"system": "z"}, "unknown system 'z'. Known: a, b, c."),
        ({"segment": 21}, "'a', segment 21: expected a segment from 1 to 20."),
        ({"end": 1000}, "'a', segment 1: a span from 0 to 1,000, but the text has 31 characters."),
        ({"severity": "majr"}, "unknown severity 'majr'. Did you mean 'major'?"),
        ({"side": "source"}, "side 'source', expected target or omission."),
    ],
)
def test_spans_that_do_not_fit(changed, message):
    with pytest.raises(BadInput, match=re.escape(message)):
        campaign("esa", prefilled=[span(**changed)])


def test_a_protocol_without_spans():
    with pytest.raises(BadParameter, match=r"protocol 'da' has no spans\. Use esa, mqm or cesa"):
        campaign("da", prefilled=[span()])


def test_spans_of_a_file(tmp_path):
    path = tmp_path / "spans.tsv"
    path.write_text(
        "system\tseg\tstart\tend\tseverity\tcategory\na\t1\t0\t2\tMajor\tStyle\na\t2\t\t\tno-error\t\n"
    )
    assert read_marked_spans(path) == [span(severity="Major", category="Style", line=2)]


def test_an_empty_span_of_a_file(tmp_path):
    path = tmp_path / "spans.tsv"
    path.write_text("system\tseg\tstart\tend\tseverity\na\t1\t2\t2\tmajor\n")
    with pytest.raises(BadInput, match="line 2: span from 2 to 2, expected an end after the start"):
        read_marked_spans(path)
