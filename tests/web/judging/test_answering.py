"""One step after the other: going back, skipping, reloading, typing."""

from __future__ import annotations

import pytest

from material.judged_site import REFERENCE

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="needs selenium: pip install '.[test]'"
).Keys


def test_an_answer_can_be_changed_and_the_old_one_stays(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.press("4", Keys.ENTER)
    page.step("overall", 2)
    page.press("u")
    page.step("overall", 1)
    page.press("2", Keys.ENTER)
    page.step("overall", 2)
    assert [(answer["task"], answer["values"]["o1"]) for answer in served.answers()] == [(1, 4), (1, 2)]


def test_the_reference_is_nowhere_on_the_page_before_fluency_is_stored(site, judge):
    served, page = site("adequacy-fluency", 1), judge()
    page.open(served.link("judge-1"))
    page.step("fluency", 1)
    assert REFERENCE not in page.browser.page_source
    page.press("4", Keys.ENTER)
    page.step("adequacy", 1)
    page.see(REFERENCE)
    assert [answer["step"] for answer in served.answers()] == ["fluency"]


def test_fluency_cannot_be_reached_again_once_the_reference_was_shown(site, judge):
    served, page = site("adequacy-fluency", 1), judge()
    page.open(served.link("judge-1"))
    page.step("fluency", 1)
    page.press("4", Keys.ENTER)
    page.step("adequacy", 1)
    assert page.all("[data-do=back]:disabled")


def test_s_skips_and_u_comes_back_to_what_was_skipped(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.press("s")
    page.step("overall", 2)
    page.press("u")
    page.step("overall", 1)
    page.press("3", Keys.ENTER)
    page.step("overall", 2)
    assert [answer.get("values") for answer in served.answers()] == [None, {"o1": 3}]


def test_keys_in_a_text_field_are_text(site, judge):
    served, page = site("report", 2, comment=True), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.press("4")
    page.click(".extra textarea")
    page.press("25 us", Keys.ARROW_LEFT, Keys.ENTER)
    assert page.where() == ("1", "overall")
    page.do("next")
    page.step("overall", 2)
    (answer,) = served.answers()
    assert (answer["values"], answer["comment"]) == ({"o1": 4}, "25 u\ns")


def test_a_reload_in_the_middle_keeps_what_was_begun(site, judge):
    served, page = site("esa", 2, comment=True, post_edit=True), judge()
    page.open(served.link("judge-1"))
    page.step("errors", 1)
    page.drag(".output .markable", 4, 8)
    page.click("[data-severity=minor]")
    page.browser.refresh()
    page.step("errors", 1)
    assert page.texts(".marks q") == ["train"]
    page.do("next")
    page.step("score", 1)
    page.press("6")
    page.click(".extra textarea")
    page.press("!")
    page.browser.refresh()
    page.step("score", 1)
    page.do("next")
    page.step("errors", 2)
    assert served.answers(step="score")[0]["values"] == {"o1": 60}
    assert "!" in served.answers(step="score")[0]["post_edit"]["o1"]


def test_nothing_is_sent_before_there_is_an_answer(site, judge):
    served, page = site("da", 1), judge()
    page.open(served.link("judge-1"))
    page.step("score", 1)
    page.press(Keys.ENTER)
    page.see("Set the slider first.")
    assert served.answers() == []


def test_shortcuts_can_be_switched_off(site, judge):
    served, page = site("report", 1), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.click("#top nav button:last-child")
    page.click("dialog input")
    page.press(Keys.ESCAPE)
    page.press("4", "s")
    assert not page.all(".point :checked")
    assert served.answers() == []


def test_the_meaning_of_a_point_is_shown_on_hover_and_focus(site, judge):
    from selenium.webdriver.common.action_chains import ActionChains

    served, page = site("report", 1), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    ActionChains(page.browser).move_to_element(page.all(".point")[4]).perform()
    page.see("well-educated native")
    page.press("3")
    page.see("rarely disturb the native reader")


def test_an_enter_too_many_does_not_answer_a_text_that_no_one_has_seen(site, judge):
    served, page = site("esa", 2), judge()
    page.open(served.link("judge-1"))
    page.step("errors", 1)
    page.do("next")
    page.step("score", 1)
    # The second as soon as the next text is there, before anyone could read it.
    page.js("""
        new MutationObserver((_, observer) => {
          if (!document.querySelector("[data-task='2']")) return;
          observer.disconnect();
          setTimeout(() => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true})));
        }).observe(document.getElementById("main"), {childList: true});
    """)
    page.press("5", Keys.ENTER)
    page.step("errors", 2)
    page.do("back")
    page.step("score", 1)
    assert [answer["task"] for answer in served.answers(step="errors")] == [1]


def test_a_text_is_corrected_or_said_to_need_no_correction_but_not_by_silence(site, judge):
    served, page = site("report", 3, outputs=("The train leaves.",), post_edit=True), judge()
    page.open(served.link("judge-1"))
    for task, act in enumerate(
        (lambda: None, lambda: page.click(".extra [type=checkbox]"), lambda: type_in(page)), 1
    ):
        page.step("overall", task)
        page.press("4")
        act()
        page.do("next")
    page.see("All done")
    given = [answer.get("post_edit") for answer in served.answers()]
    assert given == [None, {"o1": "The train leaves."}, {"o1": "The train leaves.!"}]


def type_in(page):
    page.click(".extra textarea")
    page.press_with(Keys.CONTROL, Keys.END)
    page.press("!")
