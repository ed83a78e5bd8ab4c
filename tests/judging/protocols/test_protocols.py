"""The protocols of the package: they are read, they say what the papers say, and the page gets plain JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from material.shared import SHARED, needs
from understudy.errors import BadParameter
from understudy.judging.protocols.protocol import Scale
from understudy.judging.protocols.reading import PROTOCOLS, protocol, protocol_of_text, protocol_text

FOLDER = Path(__file__).parents[3] / "src" / "understudy" / "judging" / "protocols"
PAPERS = SHARED / "papers"


def test_every_file_is_a_protocol_of_the_list():
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(PROTOCOLS)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_bears_the_name_of_its_file(name):
    assert protocol(name).name == name


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_is_read_again_from_its_own_text(name):
    assert protocol_of_text(protocol(name).written, "copy.toml") == protocol(name)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_has_practice_with_feedback(name):
    assert all(expected.feedback for item in protocol(name).practice for expected in item.expected)
    assert protocol(name).practice


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_page_gets_json(name):
    sent = json.loads(json.dumps(protocol(name).as_json()))
    assert [step["name"] for step in sent["steps"]] == [step.name for step in protocol(name).steps]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_copy_can_be_used_as_a_file(name, tmp_path):
    (tmp_path / "my.toml").write_text(protocol_text(name), encoding="utf-8")
    assert protocol(tmp_path / "my.toml") == protocol(name)


def words(path: Path) -> str:
    return re.sub(r"\W+", "", path.read_text(encoding="utf-8"))


@needs(PAPERS)
def test_the_report_has_the_descriptions_of_its_appendix():
    printed = words(PAPERS / "papineni-2001-bleu-report.txt")
    descriptions = protocol("report").steps[0].scale.descriptions
    assert [re.sub(r"\W+", "", descriptions[str(point)]) in printed for point in range(1, 6)] == [True] * 5


@needs(PAPERS)
def test_adequacy_and_fluency_have_the_words_of_table_3():
    printed = words(PAPERS / "callison-burch-2006-reevaluating-bleu.txt")
    steps = protocol("adequacy-fluency").for_target("en").steps
    table = "Fluency" + "Adequacy".join(
        re.sub(r"\W+", "", step.question)
        + "".join(point + re.sub(r"\W+", "", step.scale.labels[point]) for point in "54321")
        for step in steps
    )
    assert table in printed


def test_fluency_is_asked_without_the_reference():
    assert [step.shows for step in protocol("adequacy-fluency").steps] == [
        ("output",),
        ("output", "reference"),
    ]


def test_labels_without_a_known_language_leave_it_out():
    assert protocol("adequacy-fluency").for_target(None).steps[0].scale.labels["5"] == "Flawless"


@pytest.mark.parametrize("text", ["Judge how readable", "How good is this translation?"])
def test_every_text_may_name_the_language(text):
    named = protocol_text("report").replace(text, f"{{target_language}}: {text}")
    own = protocol_of_text(named, "my.toml").for_target("ja").for_group("monolingual")
    assert f"Japanese: {text}" in json.dumps(own.as_json())


def test_monolingual_judges_see_the_translation_alone():
    assert protocol("report").for_group("monolingual").steps[0].shows == ("output",)


def test_bilingual_judges_see_the_source():
    assert protocol("report").for_group("bilingual").steps[0].shows == ("source", "output")


def test_an_unknown_group_is_named():
    with pytest.raises(BadParameter, match=r"unknown group 'bilingal'\. Did you mean 'bilingual'"):
        protocol("report").for_group("bilingal")


@pytest.mark.parametrize(
    ("category", "severity", "penalty"),
    [
        ("accuracy/mistranslation", "major", 5),
        ("accuracy/mistranslation", "minor", 1),
        ("fluency/punctuation", "minor", 0.1),
        ("fluency/punctuation", "major", 5),
        ("non-translation", "major", 25),
        ("other", "neutral", 0),
    ],
)
def test_mqm_penalties_are_those_of_freitag_2021(category, severity, penalty):
    assert protocol("mqm").steps[0].penalty(category, severity) == penalty


def test_a_parent_category_cannot_be_chosen():
    with pytest.raises(BadParameter, match="unknown error category 'accuracy'"):
        protocol("mqm").steps[0].penalty("accuracy", "major")


@pytest.mark.parametrize(("value", "allowed"), [(1, True), (5, True), (2.5, False), (0, False), (6, False)])
def test_a_scale_allows_its_points_alone(value, allowed):
    assert Scale(1, 5, 1).allows(value) is allowed


def test_an_unknown_protocol_is_named_with_its_neighbor():
    with pytest.raises(BadParameter, match=r"unknown protocol 'repot'\. Did you mean 'report'"):
        protocol("repot")
