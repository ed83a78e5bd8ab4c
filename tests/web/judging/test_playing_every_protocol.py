"""Two judges play every protocol through, one with the keyboard and one with the mouse: every answer is stored once."""

from __future__ import annotations

import pytest

from material.browsing import requested

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="needs selenium: pip install '.[test]'"
).Keys

TASKS = 2


def rate_by_key(judge):
    judge.press("4", Keys.ENTER)


def rate_by_mouse(judge):
    judge.click(".point:has([value='2'])")
    judge.do("next")


def slide_by_key(judge):
    judge.press("7", Keys.ARROW_RIGHT, Keys.ENTER)


def slide_by_mouse(judge):
    for slider in judge.all("input[type=range]"):
        judge.click(slider)  # in the middle
    judge.do("next")


def slide_all_by_key(judge):
    for digit, slider in zip("345", judge.all("input[type=range]"), strict=True):
        judge.js("arguments[0].focus()", slider)
        judge.press(digit)
    judge.press(Keys.ENTER)


def rank_by_key(judge):
    judge.press(*"13352", Keys.ENTER)


def rank_by_mouse(judge):
    for place, group in enumerate(judge.all(".ranks")):
        judge.click(group.find_elements("css selector", ".point")[4 - place])
    judge.do("next")


def prefer_by_key(judge):
    judge.press("b", Keys.ENTER)


def prefer_by_mouse(judge):
    judge.click(judge.all(".pair .point")[1])
    judge.do("next")


def mark_by_key(judge):
    judge.tab_to(".output .markable")
    judge.press_with(Keys.SHIFT, Keys.ARROW_RIGHT * 3)
    judge.press("j", Keys.ENTER)


def mark_by_mouse(judge):
    judge.drag(".output .markable", 4, 8)
    judge.click("[data-severity=minor]")
    judge.do("next")


def categorize_by_key(judge):
    judge.tab_to(".output .markable")
    judge.press_with(Keys.SHIFT, Keys.ARROW_RIGHT * 3)
    judge.press("j", Keys.ARROW_DOWN * 3, Keys.ENTER, Keys.ENTER)


def categorize_by_mouse(judge):
    judge.drag(".source .markable", 3, 5)
    judge.click(".editor option[value='accuracy/omission']")
    judge.click("[data-severity=minor]")
    judge.do("next")


PLAYS = {
    "report": [("overall", rate_by_key, rate_by_mouse)],
    "adequacy-fluency": [("fluency", rate_by_key, rate_by_mouse), ("adequacy", rate_by_key, rate_by_mouse)],
    "ranking": [("rank", rank_by_key, rank_by_mouse)],
    "pairwise": [("preference", prefer_by_key, prefer_by_mouse)],
    "da": [("score", slide_by_key, slide_by_mouse)],
    "da-sqm": [("score", slide_by_key, slide_by_mouse)],
    "esa": [("errors", mark_by_key, mark_by_mouse), ("score", slide_by_key, slide_by_mouse)],
    "mqm": [("errors", categorize_by_key, categorize_by_mouse)],
    "cesa": [("errors", mark_by_key, mark_by_mouse), ("score", slide_all_by_key, slide_by_mouse)],
}


def mark(start, end, text, severity, **more):
    plain = {"side": "target", "category": None, "origin": "judge", "prefilled": None}
    return {**plain, "start": start, "end": end, "text": text, "severity": severity, **more}


# The first task of each judge. Offsets are code points: browsers count the engine as two.
FIRST: dict[str, tuple[dict, dict]] = {
    "report": ({"values": {"o1": 4}}, {"values": {"o1": 2}}),
    "adequacy-fluency": ({"values": {"o1": 4}}, {"values": {"o1": 2}}),
    "ranking": (
        {"ranks": {"o1": 1, "o2": 3, "o3": 3, "o4": 5, "o5": 2}},
        {"ranks": {"o1": 5, "o2": 4, "o3": 3, "o4": 2, "o5": 1}},
    ),
    "pairwise": ({"ranks": {"o1": 2, "o2": 1}}, {"ranks": {"o1": 1, "o2": 1}}),
    "da": ({"values": {"o1": 71}}, {"values": {"o1": 50}}),
    "da-sqm": ({"values": {"o1": 71}}, {"values": {"o1": 50}}),
    "esa": (
        {"spans": {"o1": [mark(0, 5, "🚂 The", "major")]}},
        {"spans": {"o1": [mark(6, 11, "train", "minor")]}},
    ),
    "mqm": (
        {"spans": {"o1": [mark(0, 5, "🚂 The", "major", category="accuracy/mistranslation")]}},
        {"spans": {"o1": [mark(4, 7, "Zug", "minor", category="accuracy/omission", side="omission")]}},
    ),
    "cesa": (
        {"spans": {"o1": [mark(0, 5, "🚂 The", "major")], "o2": [], "o3": []}},
        {"spans": {"o1": [mark(6, 11, "train", "minor")], "o2": [], "o3": []}},
    ),
}


def play(judge, link, steps, hand):
    judge.open(link)
    for task in range(1, TASKS + 1):
        for name, *hands in steps:
            judge.step(name, task)
            hands[hand](judge)
    judge.see("All done")


@pytest.mark.parametrize("hand", [0, 1], ids=["keyboard", "mouse"])
@pytest.mark.parametrize("name", PLAYS)
def test_a_judge_finishes_and_every_answer_is_stored_once(name, hand, site, judge):
    served, page, person = site(name, TASKS), judge(), f"judge-{hand + 1}"
    play(page, served.link(person), PLAYS[name], hand)
    answers = served.answers(person)
    assert [(answer["task"], answer["step"]) for answer in answers] == [
        (task, step) for task in range(1, TASKS + 1) for step, *_ in PLAYS[name]
    ]
    assert FIRST[name][hand].items() <= answers[0].items()
    assert page.complaints() == []
    assert all(address.startswith(served.url) for address in requested(page.browser))


def test_two_judges_at_once_do_not_hinder_each_other(site, judge):
    served, pages = site("da", TASKS), (judge(), judge())
    for number, page in enumerate(pages, 1):
        page.open(served.link(f"judge-{number}"))
    for task in range(1, TASKS + 1):
        for page in pages:
            page.step("score", task)
            slide_by_key(page)
    for number, page in enumerate(pages, 1):
        page.see("All done")
        assert [answer["task"] for answer in served.answers(f"judge-{number}")] == [1, 2]
