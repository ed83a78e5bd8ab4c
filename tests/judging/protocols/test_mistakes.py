"""Mistakes in a protocol file: each is one line that names the file, the key, what was expected and what was found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.errors import BadInput, MissingFile, UnderstudyError
from understudy.judging.protocols.reading import PROTOCOLS, protocol, protocol_of_text, protocol_text

# protocol, what is replaced, by what, the message
MISTAKES = [
    (
        "report",
        "high = 5",
        "high = 1" + "0" * 400,
        "key 'steps[1].scale.high': expected a number from -1,000,",
    ),
    (
        "report",
        "high = 5",
        "high = 5\nstep = 1e-320",
        "key 'steps[1].scale.step': expected at most 11 values",
    ),
    ("da", "high = 100", "high = 100\nstep = 0.001", "expected at most 10,001 values, got 0.001."),
    (
        "report",
        "[groups.bilingual]",
        '[groups."a b"]',
        "key 'groups.a b': expected a key of lowercase letters",
    ),
    (
        "report",
        'widget = "scale"',
        'widget = "scal"',
        "key 'steps[1].widget': expected scale, slider, ranking, ",
    ),
    ("report", 'widget = "scale"', "widget = 3", "key 'steps[1].widget': expected a string, got 3."),
    ("report", 'widget = "scale"', "", "key 'steps[1].widget' is missing: expected a string. Add it."),
    (
        "report",
        'widget = "scale"',
        'widget = "scale"\nqestion = "?"',
        "unknown key 'steps[1].qestion'. Did you",
    ),
    (
        "report",
        "high = 5",
        "high = 1",
        "key 'steps[1].scale.high': expected a number above 1, the lowest value, got",
    ),
    ("report", "high = 5", "high = true", "key 'steps[1].scale.high': expected a number, got true."),
    (
        "report",
        "high = 5",
        "high = inf",
        "key 'steps[1].scale.high': expected a number from -1,000,000,000 to 1,000,000,",
    ),
    (
        "report",
        "high = 5",
        "high = 5\nstep = 0",
        "key 'steps[1].scale.step': expected a positive number that divides 4",
    ),
    (
        "report",
        "high = 5",
        "high = 5\nstep = 0.1",
        "key 'steps[1].scale.step': expected at most 11 values, or the widget",
    ),
    (
        "report",
        '5 = "very good"',
        '6 = "very good"',
        "key 'steps[1].scale.labels': expected values from 1 to 5",
    ),
    (
        "report",
        '4 = "Consistently',
        'x = "Consistently',
        "key 'steps[1].scale.descriptions': expected values from",
    ),
    ("report", '2 = "Can write', "#", "expected a description of every value; add 2."),
    (
        "report",
        '"very bad"',
        '" "',
        "key 'steps[1].scale.labels.1': expected a string that is not empty, got ' '.",
    ),
    (
        "report",
        'shows = ["source", "output"]',
        'shows = ["source"]',
        "key 'steps[1].shows': expected a list with 'ou",
    ),
    (
        "report",
        'overall = ["output"]',
        'overal = ["output"]',
        "key 'groups.monolingual.shows.overal': expected the na",
    ),
    ("report", 'order = "same"', 'order = "random"', "key 'order': expected same or own, got 'random'."),
    (
        "report",
        'name = "report"',
        'name = "My Report"',
        "key 'name': expected lowercase letters, digits and hyphens",
    ),
    (
        "report",
        'step = "overall"',
        'step = "over"',
        "key 'practice[1].expected[1].step': expected overall, got 'over'",
    ),
    (
        "report",
        "at_least = 4",
        "at_least = 9",
        "key 'practice[1].expected[1].at_least': expected a value of the scale",
    ),
    ("report", "at_least = 4", "", "key 'practice[1].expected[1].at_least': expected a bound"),
    (
        "report",
        'target_language = "en"',
        'target_language = "English"',
        "expected a language code such as de, got 'Eng",
    ),
    ("report", "[[steps]]", "[[steps", "is not valid TOML: "),
    (
        "ranking",
        "at_least = 2",
        "at_least = 1",
        "key 'outputs.at_least': expected at least 2 for the widget ranking",
    ),
    (
        "ranking",
        "at_most = 5",
        "at_most = 50",
        "key 'outputs.at_most': expected an integer from 2 to 9, got 50.",
    ),
    ("ranking", "better_than = [1, 3]", "better_than = [2]", "expected the numbers of other outputs, got 2."),
    (
        "ranking",
        "better_than = [1, 3]",
        "better_than = [4]",
        "expected a list of integers from 1 to 3, got 4.",
    ),
    (
        "pairwise",
        "at_most = 2",
        "at_most = 3",
        "key 'outputs': expected at_least = 2 and at_most = 2 for the widget",
    ),
    (
        "pairwise",
        ', tie = "equally good"',
        "",
        "key 'steps[1].choices': expected a label 'tie' if and only if ties",
    ),
    (
        "da-sqm",
        "at = 33",
        "at = 133",
        "key 'steps[1].scale.anchors': expected positions from 0 to 100, got 133.0.",
    ),
    ("da-sqm", "at = 33", "at = 66", "key 'steps[1].scale.anchors': expected different entries, got '66'."),
    ("esa", 'key = "j"', 'key = "m"', "key 'steps[1].severities': expected different entries, got 'm'."),
    (
        "esa",
        'key = "j"',
        'key = "u"',
        "key 'steps[1].severities[2].key': expected one letter or digit other than s",
    ),
    (
        "esa",
        "weight = 5",
        "weight = -5",
        "key 'steps[1].severities[2].weight': expected a number of at least 0, got",
    ),
    ("esa", 'text = "leaves before"', 'text = "left"', "expected a part of the output, got 'left'."),
    (
        "esa",
        'sides = ["target", "omission"]',
        "sides = []",
        "key 'steps[1].sides': expected at least one of target",
    ),
    ("mqm", "{ minor = 0.1 }", "{ tiny = 0.1 }", "expected severities (neutral, minor, major), got 'tiny'."),
    (
        "mqm",
        '["accuracy"]',
        '["accuray"]',
        "key 'practice[1].expected[1].spans[1].categories': expected a list of accu",
    ),
    ("mqm", 'name = "omission"', 'name = "addition"', "expected different entries, got 'accuracy/addition'."),
    (
        "mqm",
        'shows = ["source", "output"]',
        'shows = ["output"]',
        "key 'steps[1].sides': expected 'source' only if",
    ),
    ("cesa", 'name = "score"', 'name = "errors"', "key 'steps': expected different entries, got 'errors'."),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), MISTAKES)
def test_a_mistake_is_one_line_with_key_expected_and_got(name, old, new, message):
    text = protocol_text(name)
    assert old in text
    with pytest.raises(BadInput, match=re.escape(message)) as raised:
        protocol_of_text(text.replace(old, new, 1), "my.toml")
    assert str(raised.value).startswith("'my.toml'")
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(MissingFile, match=r"cannot open protocol '.*my\.toml': No such file"):
        protocol(tmp_path / "my.toml")


def test_a_folder(tmp_path):
    (tmp_path / "my.toml").mkdir()
    with pytest.raises(MissingFile, match="Is a directory"):
        protocol(tmp_path / "my.toml")


def test_a_file_in_another_encoding(tmp_path):
    (tmp_path / "my.toml").write_bytes(protocol_text("report").encode("utf-16"))
    with pytest.raises(BadInput, match=r"is not UTF-8 at byte 1\. Save it in UTF-8"):
        protocol(tmp_path / "my.toml")


def test_a_file_that_is_no_protocol(tmp_path):
    (tmp_path / "my.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(BadInput, match="larger than 1 MB"):
        protocol(tmp_path / "my.toml")


def test_deep_nesting_is_no_traceback():
    with pytest.raises(BadInput):
        protocol_of_text("steps = " + "[" * 100_000, "my.toml")


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PROTOCOLS), st.data())
def test_a_file_with_any_line_changed_is_read_or_refused_in_one_line(name, data):
    lines = protocol_text(name).splitlines()
    line = data.draw(st.integers(0, len(lines) - 1))
    key = lines[line].partition("=")[0]
    value = data.draw(
        st.sampled_from(["", "1", "-1", "nan", "true", "[]", "{}", '""', '"x"', "[1]", "[[]]", "{ x = 1 }"])
    )
    lines[line] = f"{key}= {value}"
    message = ""
    try:
        protocol_of_text("\n".join(lines), "my.toml")
    except UnderstudyError as error:
        message = str(error)
    assert "\n" not in message
