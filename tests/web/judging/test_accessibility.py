"""The page can be used by everyone: axe-core finds no violation of WCAG 2.2 AA, wide or narrow, by day or by night."""

from __future__ import annotations

import pytest

from material.judge_in_browser import JudgeAtPage
from understudy.corpus.error_spans import MarkedSpan

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="needs selenium: pip install '.[test]'"
).Keys

axe = pytest.importorskip("selenium_axe_python", reason="needs selenium-axe-python: pip install '.[test]'")

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": {"type": "tag", "values": WCAG}, "rules": {"target-size": {"enabled": True}}}
TALL = 3000  # what lies half under the bar at the bottom of the window is too small for axe-core
SCREENS = [(1280, False), (360, True)]
PROTOCOLS = ("report", "adequacy-fluency", "ranking", "pairwise", "da", "da-sqm", "esa", "mqm", "cesa")


def violations(page: JudgeAtPage) -> list[str]:
    page.js("document.getAnimations().forEach((one) => one.finish())")  # contrast is of the final colors
    axe.Axe(page.browser).inject()
    page.browser.set_script_timeout(60)
    found = page.browser.execute_async_script(
        "const [options, done] = arguments; axe.run(document, options).then(done)", OPTIONS
    )
    assert {"color-contrast", "target-size"} <= {one["id"] for one in found["passes"]}
    return [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]]


def check(page: JudgeAtPage) -> None:
    """Everything that a screen must be."""
    for width, dark in SCREENS:
        page.screen(width, TALL, dark=dark)
        assert violations(page) == []
        assert page.js("return document.documentElement.scrollWidth - innerWidth") <= 0, f"wider than {width}"
    page.screen(1280)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_step_of_every_protocol(name, site, judge):
    spans = name in ("esa", "mqm", "cesa")
    proposed = (
        (MarkedSpan("system-0", 1, 2, 5, "minor"), MarkedSpan("system-0", 1, 4, 11, "major")) if spans else ()
    )
    served, page = site(name, 2, comment=True, post_edit=True, prefilled=proposed, context=1), judge()
    page.open(served.link("judge-1"))
    page.until(page.where)
    check(page)
    if spans:
        page.tab_to(".output .markable")
        page.press_with(Keys.SHIFT, Keys.ARROW_RIGHT)
        check(page)


def test_the_pages_around_the_tasks(site, judge):
    from understudy.judging.campaigns.campaign_plan import DemographicField

    asked = (DemographicField("age", "Age", "number"), DemographicField("work", "Work", "choice", ("a", "b")))
    served = site("da", 1, consent="We store your answers.", demographics=asked, completion_code="C0DE")
    page = judge()
    page.browser.get(served.link("judge-1"))
    page.until(lambda: page.all("[data-do=start]"), "the welcome page")
    check(page)
    page.do("start")
    page.see("I have read this")
    check(page)
    page.click("input[type=checkbox]")
    page.do("continue")
    page.see("About you")
    check(page)
    page.do("continue")
    page.until(lambda: page.all("[data-do=begin]"), "instructions")
    check(page)
    page.do("begin")
    page.until(page.where)
    page.click("#top nav button:last-child")
    check(page)
    page.press(Keys.ESCAPE)
    page.press("5", Keys.ENTER)
    page.see("C0DE")
    check(page)


def test_the_page_of_the_lead(site, judge):
    served, page = site("da", 1), judge()
    page.open(served.link("lead"))
    page.see("judge-1")
    check(page)


def test_the_page_without_connection(site, judge):
    served, page = site("adequacy-fluency", 1), judge()
    page.open(served.link("judge-1"))
    page.step("fluency", 1)
    served.stop()
    page.press("4", Keys.ENTER)
    page.see("Waiting for the server")
    check(page)


def test_saving_is_told_in_a_live_region(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.press("4", Keys.ENTER)
    page.until(lambda: page.texts("[role=status]")[-1:] == ["All answers saved."], "the live region")
