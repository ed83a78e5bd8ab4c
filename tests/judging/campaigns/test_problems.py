"""What makes a campaign impossible, and what `judge check` reports about it."""

from __future__ import annotations

import re

import pytest

from material.campaigns import campaign, corpus, texts
from understudy import Corpus
from understudy.errors import BadInput, BadParameter
from understudy.judging.campaigns.campaign_plan import CampaignPlan, planned_judges
from understudy.judging.campaigns.planning import plan_campaign
from understudy.judging.protocols.reading import protocol, protocol_of_text, protocol_text

GOOD = {"target_language": "en", "source_language": "de", "segments": 60}


def problems(name: str = "da", **options):
    return {problem.message: problem.serious for problem in campaign(name, **{**GOOD, **options}).problems}


def without(*, sources: bool = True, references: bool = True) -> Corpus:
    outputs = {"a": texts("a", 5), "b": texts("b", 5)}
    return Corpus.of_texts(outputs, ["r"] * 5 if references else None, sources=["s"] * 5 if sources else None)


@pytest.mark.parametrize("name", ["report", "adequacy-fluency", "da", "mqm", "ranking"])
def test_a_sound_campaign_has_no_problems(name):
    assert problems(name, judges=4) == {}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "da",
            {"given": without(sources=False)},
            "shows the source, but there is none. Add it with --source",
        ),
        (
            "report",
            {"given": without(sources=False)},
            "shows the source to the group 'bilingual', but there is none.",
        ),
        (
            "adequacy-fluency",
            {"given": without(references=False)},
            "shows the reference, but there is none. Add it with -r",
        ),
        ("ranking", {"systems": 1}, "protocol 'ranking' compares systems, but there is one."),
        ("da", {"documents": True}, "documents cannot be kept together: none are known."),
        ("da", {"outputs_per_screen": 2}, "outputs_per_screen=2: expected 1 for the protocol 'da'."),
        ("da", {"screens_per_segment": 2}, "screens_per_segment has no effect"),
        (
            "report",
            {"judgments_per_item": 2},
            "judgments_per_item has no effect if all judges judge the same.",
        ),
        ("da", {"judgments_per_item": 4}, "judgments_per_item=4: expected at most 3, the number of judges"),
    ],
)
def test_what_makes_a_campaign_impossible(name, options, message):
    with pytest.raises((BadInput, BadParameter), match=re.escape(message)) as raised:
        campaign(name, **options)
    assert "\n" not in str(raised.value)


def test_more_segments_than_there_are():
    plan = CampaignPlan(planned_judges(protocol("da"), 2), segments=9)
    with pytest.raises(BadParameter, match="segments=9: expected at most 5, the segments of the systems"):
        plan_campaign(corpus(2, 5), protocol("da"), plan)


def test_monolingual_judges_need_no_source():
    design = campaign("report", given=without(sources=False), judges=["ann:monolingual", "bob:monolingual"])
    assert design.segments[0].source is None


def test_empty_outputs():
    outputs = ["", " ", *texts("b", 60)[2:]]
    assert "'b' has 2 empty outputs: segments 1, 2." in problems(given=corpus(3, 60, b=outputs))


def test_empty_sources():
    given = Corpus.of_texts({"a": texts("a", 60), "b": texts("b", 60)}, sources=["", *["s"] * 59])
    assert problems(given=given)["1 source text that judges see is empty: segment 1."]


def test_systems_that_are_identical_throughout():
    given = corpus(3, 60, c=texts("b", 60))
    assert problems(given=given)["'b' and 'c' have the same outputs throughout. Is one file given twice?"]


def test_segments_in_which_all_are_identical():
    given = corpus(2, 60, b=[texts("a", 1)[0], *texts("b", 60)[1:]])
    assert "All systems have the same output in 1 segment. They are judged once." in problems(given=given)


def test_judges_without_items():
    found = problems(given=corpus(2, 2), judges=6, judgments_per_item=1)
    assert any(message.startswith("4 judges would have nothing to judge: ") for message in found)


def test_uneven_shares():
    found = problems(given=corpus(2, 5), judges=3, judgments_per_item=1)
    assert "Shares are uneven: from 2 to 4 items. Use more items or fewer judges." in found


def test_controls_that_are_impossible():
    short = {name: ["Yes"] * 60 for name in "ab"}
    found = problems(given=corpus(2, 60, a=[f"a{n}" for n in range(60)], b=short["b"]))
    told = "No hidden controls are possible: careless judges cannot be detected. Use more items, or longer outputs."
    assert found[told] is False  # results are not worthless without them


def test_repeats_that_are_impossible():
    found = problems(given=corpus(2, 2), judges=2)
    assert (
        found["No hidden repeats are possible: self-agreement cannot be measured. Use more items."] is False
    )


def test_one_judge():
    assert "There is one judge: inter-annotator agreement cannot be measured." in problems(judges=1)


def test_single_judgments():
    message = "Each item has one judgment: inter-annotator agreement cannot be measured."
    assert message in problems(judgments_per_item=1)


def test_an_unknown_target_language():
    found = problems(target_language=None)
    assert any(
        message.startswith("The target language is unknown: there is no practice") for message in found
    )


def test_languages_without_practice():
    found = problems(target_language="de", source_language="en")
    assert any(message.startswith("Protocol 'da' has no practice items in en-de.") for message in found)


def test_context_without_documents():
    assert any(
        message.startswith("No documents are known: the context is") for message in problems(context=1)
    )


@pytest.mark.parametrize(
    ("labels", "message", "serious"),
    [
        (
            "labels = { 1 = 'None', 5 = 'All' }",
            "Step 'adequacy' has no label for 2, 3 and 4, and no descriptions.",
            False,
        ),
        ("", "Step 'adequacy' has no labels: judges cannot know what its values mean.", True),
    ],
)
def test_labels_that_are_missing(labels, message, serious):
    text = re.sub(r'labels = \{ 5 = "All".*', labels, protocol_text("adequacy-fluency"))
    own = protocol_of_text(text, "my.toml")
    design = plan_campaign(corpus(2, 30), own, CampaignPlan(planned_judges(own, 2), target_language="en"))
    assert {problem.message: problem.serious for problem in design.problems}[message] is serious


def test_serious_problems_come_first():
    found = campaign(given=corpus(3, 60, c=texts("b", 60)), judges=1).problems
    assert [problem.serious for problem in found] == sorted(
        (problem.serious for problem in found), reverse=True
    )
