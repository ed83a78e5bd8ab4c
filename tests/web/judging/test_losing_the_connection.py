"""Answers that cannot be sent are kept in the browser, and arrive once each."""

from __future__ import annotations

import pytest

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="needs selenium: pip install '.[test]'"
).Keys


def rate(page, task, value="4"):
    page.step("overall", task)
    page.press(value, Keys.ENTER)


def tasks(served, person="judge-1"):
    return [answer["task"] for answer in served.answers(person)]


def fetched_ahead(page, count):
    """Wait until the next tasks are here: the page asks for them while the judge reads."""
    done = (
        "return performance.getEntriesByType('resource').filter((e) => e.name.includes('position=')).length"
    )
    page.until(lambda: page.js(done) >= count, "tasks fetched ahead")


def test_without_network_the_judge_goes_on_and_answers_arrive_once_each(site, judge):
    served, page = site("report", 4), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    fetched_ahead(page, 3)
    page.lose_network()
    rate(page, 1)
    rate(page, 2)
    page.see("2 answers are kept in this browser")
    rate(page, 3)
    assert tasks(served) == []
    page.find_network()
    page.see("All answers saved.")
    rate(page, 4)
    page.see("All done")
    assert tasks(served) == [1, 2, 3, 4]


def test_answers_survive_closing_the_browser_while_the_server_is_down(site, judge):
    served, page = site("report", 3), judge("same")
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    fetched_ahead(page, 2)
    served.stop()
    rate(page, 1)
    rate(page, 2)
    page.see("2 answers are kept in this browser")
    page.browser.quit()
    served.start()
    again = judge("same")
    again.browser.get(served.url)
    again.step("overall", 3)
    assert tasks(served) == [1, 2]


def test_the_page_goes_on_by_itself_when_the_server_is_back(site, judge):
    served, page = site("adequacy-fluency", 1), judge()
    page.open(served.link("judge-1"))
    page.step("fluency", 1)
    served.stop()
    page.press("4", Keys.ENTER)
    page.see("Waiting for the server")
    served.start()
    page.step("adequacy", 1)
    assert tasks(served) == [1]


def test_an_answer_whose_reply_is_lost_is_stored_once(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.js("""
        const real = window.fetch;
        let lost = 0;
        window.fetch = async (path, options) => {
          const reply = await real(path, options);
          if (path === "/api/answers" && lost++ === 0) throw new TypeError("the reply is lost");
          return reply;
        };
    """)
    rate(page, 1)
    rate(page, 2)
    page.see("All done")
    assert tasks(served) == [1, 2]


def test_a_server_that_cannot_store_is_told_and_the_answer_sent_again(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.js("""
        const real = window.fetch;
        let full = 2;
        window.fetch = async (path, options) => path === "/api/answers" && full-- > 0
          ? new Response(JSON.stringify({error: "The disk is full."}), {status: 507}) : real(path, options);
    """)
    rate(page, 1)
    page.see("The disk is full. 1 answer is kept in this browser")
    page.see("All answers saved.")
    assert tasks(served) == [1]


def test_another_judge_in_the_same_browser_does_not_send_the_first_ones_answers(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    served.stop()
    rate(page, 1)
    page.see("1 answer is kept in this browser")
    page.browser.get("about:blank")
    served.start()
    page.open(served.link("judge-2"))
    rate(page, 1, "2")
    page.step("overall", 2)
    assert (tasks(served, "judge-1"), tasks(served, "judge-2")) == ([], [1])
    page.open(served.link("judge-1"))
    page.step("overall", 2)
    assert [answer["values"] for answer in served.answers("judge-1")] == [{"o1": 4}]


def test_a_tab_left_open_does_not_answer_in_the_name_of_the_judge_who_entered_since(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.open(served.link("judge-2"))
    page.step("overall", 1)
    page.browser.switch_to.window(first)
    rate(page, 1)
    page.see("Another link was opened in this browser.")
    assert tasks(served, "judge-2") == []


def test_another_campaign_of_the_same_name_at_the_same_address_gets_none_of_the_answers(site, judge):
    first, second, page = site("report", 2), site("report", 2), judge()
    page.open(first.link("judge-1"))
    page.step("overall", 1)
    first.stop()
    second.stop()
    rate(page, 1)
    page.see("1 answer is kept in this browser")
    page.browser.get("about:blank")
    second.port = first.port
    second.start()
    page.open(second.link("judge-1"))
    rate(page, 1, "2")
    page.step("overall", 2)
    assert [answer["values"] for answer in second.answers("judge-1")] == [{"o1": 2}]


def test_half_a_character_in_a_comment_holds_up_nothing(site, judge):
    served, page = site("report", 3, comment=True), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    fetched_ahead(page, 2)
    page.lose_network()
    page.js("document.querySelector('textarea').value = 'half \\ud83d of it'")
    rate(page, 1)
    rate(page, 2)
    page.see("2 answers are kept in this browser")
    page.find_network()
    page.see("All answers saved.")
    assert tasks(served) == [1, 2]
    assert served.answers("judge-1")[0]["comment"] == "half \ufffd of it"


def test_an_answer_that_the_server_cannot_read_does_not_hold_up_the_others(site, judge):
    served, page = site("report", 4), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    fetched_ahead(page, 2)
    page.lose_network()
    rate(page, 1)
    rate(page, 2)
    page.see("2 answers are kept in this browser")
    page.js("""
        const real = window.fetch;
        const isUnreadable = (body) => JSON.parse(body).answers.some((one) => one.task === 1);
        window.fetch = async (path, options) => path === "/api/answers" && isUnreadable(options.body)
          ? new Response(JSON.stringify({error: "Not to be read."}), {status: 400}) : real(path, options);
    """)
    page.find_network()
    page.see("Not to be read.")
    page.until(lambda: tasks(served) == [2], "the other answer")
    assert page.js("return Object.keys(localStorage).filter((key) => key.includes('/outbox/')).length") == 0
