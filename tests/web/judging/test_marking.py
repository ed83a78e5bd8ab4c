"""Marks: by words, by finger, proposed ones, omissions, right-to-left text."""

from __future__ import annotations

import pytest

from understudy.corpus.error_spans import MarkedSpan

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="needs selenium: pip install '.[test]'"
).Keys

PLAIN = ("The train leaves before eight.",)
ARABIC = "المتحف مغلق أيام الاثنين."


def marks(served, output="o1"):
    return [(mark["text"], mark["severity"], mark["origin"]) for mark in served.answers()[0]["spans"][output]]


def start(site, judge, **how):
    served, page = site("esa", 1, **how), judge()
    page.open(served.link("judge-1"))
    page.step("errors", 1)
    return served, page


def finish(page):
    page.do("next")
    page.step("score", 1)


def test_whole_words_are_marked_where_the_protocol_says_so(site, judge):
    served, page = start(site, judge, by="words", outputs=("don't leave, 電車は出発しません",))
    page.tab_to(".output .markable")
    page.press_with(Keys.SHIFT, Keys.ARROW_RIGHT)
    page.press("m")
    finish(page)
    assert marks(served) == [("don't leave", "minor", "judge")]


def test_two_taps_with_a_finger_mark_from_word_to_word(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    units = page.all(".output .markable [role=option]")
    page.tap(units[3])
    page.tap(units[10])
    page.tap(page.all("[data-severity=major]")[0])
    finish(page)
    assert marks(served) == [("train leaves", "major", "judge")]


def test_the_ends_of_a_mark_can_be_moved(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    page.click(page.all(".output .markable [role=option]")[4])
    page.click("[data-severity=minor]")
    page.click(".marks .open")
    page.click("[data-nudge=end1]")
    page.click("[data-nudge=start1]")
    page.click("[data-severity=major]")
    finish(page)
    assert marks(served) == [("rain l", "major", "judge")]


def test_proposed_marks_are_kept_changed_or_removed(site, judge):
    proposed = tuple(MarkedSpan("system-0", 1, *place, "minor") for place in ((0, 3), (4, 9), (10, 16)))
    served, page = start(site, judge, outputs=PLAIN, prefilled=proposed)
    page.click(page.all(".marks .open")[1])
    page.click("[data-severity=major]")
    page.click(page.all(".marks .remove")[2])
    finish(page)
    assert marks(served) == [("The", "minor", "kept"), ("train", "major", "changed")]
    assert served.answers()[0]["removed"] == {"o1": [2]}


def test_a_removed_proposal_can_be_restored(site, judge):
    served, page = start(site, judge, outputs=PLAIN, prefilled=(MarkedSpan("system-0", 1, 0, 3, "minor"),))
    page.click(".marks .remove")
    page.click(".marks .removed button")
    finish(page)
    assert marks(served) == [("The", "minor", "kept")]


def test_an_omission_needs_no_text(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    page.click("[data-add=omission]")
    page.click("[data-severity=major]")
    finish(page)
    (mark,) = served.answers()[0]["spans"]["o1"]
    assert (mark["side"], mark["start"], mark["end"], mark["text"]) == ("omission", 0, 0, "")


def test_in_right_to_left_text_the_left_arrow_goes_on(site, judge):
    served, page = start(site, judge, outputs=(ARABIC,), target_language="ar")
    page.tab_to(".output .markable")
    page.press_with(Keys.SHIFT, Keys.ARROW_LEFT * 5)
    page.press("m")
    finish(page)
    assert marks(served) == [(ARABIC[:6], "minor", "judge")]


def test_delete_removes_the_mark_under_the_caret(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    page.tab_to(".output .markable")
    page.press("m", Keys.ARROW_RIGHT, "j", Keys.DELETE)
    finish(page)
    assert marks(served) == [("T", "minor", "judge")]


def test_marks_are_shown_while_the_translation_is_scored(site, judge):
    _, page = start(site, judge, outputs=PLAIN)
    page.tab_to(".output .markable")
    page.press("m")
    finish(page)
    assert page.texts(".output mark") == ["T"]


def test_a_mark_is_on_another_device_before_the_step_is_finished(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    page.drag(".output .markable", 3, 7)
    page.press("j")
    page.see("All answers saved.")
    other = judge()
    other.open(served.link("judge-1"))
    other.until(lambda: other.texts(".marks q"), "the mark")
    assert other.texts(".marks q") == ["train"]


def test_a_text_that_is_marked_again_has_one_mark(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    page.tab_to(".output .markable")
    for key in ("m", "j"):
        page.press(Keys.HOME)
        page.press_with(Keys.SHIFT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        page.press(key)
    finish(page)
    assert marks(served) == [("The", "major", "judge")]


def test_two_omissions_are_two_marks(site, judge):
    served, page = start(site, judge, outputs=PLAIN)
    for _ in range(2):
        page.click("[data-add=omission]")
        page.click("[data-severity=major]")
    finish(page)
    assert marks(served) == [("", "major", "judge")] * 2


def test_letters_typed_in_the_list_of_categories_find_a_category(site, judge):
    served, page = site("mqm", 1, outputs=PLAIN), judge()
    page.open(served.link("judge-1"))
    page.step("errors", 1)
    page.tab_to(".output .markable")
    page.press_with(Keys.SHIFT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.press("j", "m", "i", "s", Keys.ENTER)
    page.do("next")
    page.until(lambda: page.all(".finished"), "the end")
    (mark,) = served.answers()[0]["spans"]["o1"]
    assert (mark["text"], mark["category"]) == ("The", "accuracy/mistranslation")
