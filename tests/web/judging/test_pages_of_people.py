"""Links, consent, practice, the end, and the pages of lead and viewer."""

from __future__ import annotations

import pytest

Keys = pytest.importorskip(
    "selenium.webdriver.common.keys", reason="needs selenium: pip install '.[test]'"
).Keys


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> \u202eesrever {{ 7*7 }} &amp; \u0000 ' \""


def test_the_token_leaves_the_address_bar_and_a_reload_goes_on(site, judge):
    served, page = site("report", 2), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    assert page.browser.current_url == f"{served.url}/"
    page.browser.refresh()
    page.step("overall", 1)


def test_opening_a_link_without_a_click_enters_nothing(site, judge):
    served, page = site("report", 2), judge()
    page.browser.get(served.link("judge-1"))
    page.see("You have been invited")
    with served.store.reading() as connection:
        assert connection.execute(served.store.tables.sessions.select()).all() == []


def test_a_wrong_link_says_so(site, judge):
    served, page = site("report", 2), judge()
    page.browser.get(f"{served.url}/#nothing")
    page.do("start")
    page.see("Your personal link is needed")


def test_without_a_link_the_page_says_what_to_do(site, judge):
    served, page = site("report", 2), judge()
    page.browser.get(served.url)
    page.see("Open the link that you received.")
    assert page.complaints() == []


def test_consent_and_demographics_come_first_and_are_stored(site, judge):
    from understudy.judging.campaigns.campaign_plan import DemographicField

    asked = (DemographicField("language", "First language"), DemographicField("age", "Age", "number"))
    served, page = site("report", 1, consent="We store answers.", demographics=asked), judge()
    page.browser.get(served.link("judge-1", "?PROLIFIC_PID=5f3a"))
    page.do("start")
    page.click("input[type=checkbox]")
    page.do("continue")
    page.click("input[type=text]")
    page.press("Deutsch", Keys.TAB, "41")
    page.do("continue")
    page.do("begin")
    page.step("overall", 1)
    with served.store.reading() as connection:
        stored = [row.profile for row in connection.execute(served.store.tables.profiles.select())]
    assert {"participant": {"PROLIFIC_PID": "5f3a"}} in stored
    assert {"consent": True, "demographics": {"language": "Deutsch", "age": 41}} in stored


def test_a_practice_answer_gets_feedback_before_the_page_goes_on(site, judge):
    served, page = site("da", 1, practice=True), judge()
    page.open(served.link("judge-1"))
    page.step("score", 2)
    page.see("Practice")
    page.press("1", Keys.ENTER)
    page.see("Not as expected.")
    assert page.where() == ("2", "score")
    page.press(Keys.ENTER)
    page.step("score", 1)


def test_the_end_has_the_completion_code_and_the_way_back(site, judge):
    how = {"completion_code": "C0FFEE", "completion_url": "https://example.org/done?cc=C0FFEE"}
    served, page = site("report", 1, **how), judge()
    page.open(served.link("judge-1"))
    page.step("overall", 1)
    page.press("4", Keys.ENTER)
    page.see("C0FFEE")
    assert page.all(".finished a")[0].get_attribute("href") == how["completion_url"]
    page.press("u")
    page.step("overall", 1)


def test_hostile_text_is_shown_as_text(site, judge):
    clean = HOSTILE.replace("\u0000", "")
    served, page = site("mqm", 1, outputs=(clean,), source=clean, consent=clean), judge()
    page.browser.get(served.link("judge-1"))
    page.do("start")
    page.until(lambda: page.all("form"), "the consent")
    assert clean in page.js("return document.querySelector('form').textContent")
    page.click("input[type=checkbox]")
    page.do("continue")
    page.do("begin")
    page.step("errors", 1)
    assert page.js("return [...document.querySelectorAll('.markable')].map((e) => e.textContent)") == [
        clean,
        clean,
    ]
    assert page.all("main img, main script") == []
    assert page.complaints() == []


def test_the_lead_sees_names_and_a_viewer_does_not(site, judge):
    served, page = site("report", 1), judge()
    page.open(served.link("lead"))
    page.see("judge-1")
    page.browser.refresh()
    page.see("judge-1")
    page.open(served.link("viewer"))
    page.see("view only")
    page.until(lambda: page.all(".lead table"), "the table of judges")
    assert "judge-1" not in page.js("return document.body.innerText")
    assert page.complaints() == []


@pytest.mark.parametrize("form", ["/?participant={}#{token}", "/#{token}?participant={}"])
def test_a_crowd_enters_by_one_link_until_it_is_full(form, site, judge):
    """Some platforms append their parameters to the end of the link."""
    served, page = site("report", 1, crowd=True), judge()

    def link(participant):
        return served.url + form.format(participant, token=served.tokens["crowd"])

    page.open(link("one"))
    page.step("overall", 1)
    page.press("4", Keys.ENTER)
    page.see("All done")
    assert len(served.answers("judge-1")) == 1
    page.open(link("two"))
    page.step("overall", 1)
    page.browser.get(link("three"))
    page.do("start")
    page.see("All places in this campaign are taken.")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["report", "da-sqm", "esa", "mqm", "cesa"])
def test_explanations_of_points_have_room(name, width, site, judge):
    """Beside a long label, a column of single letters is no explanation."""
    served, page = site(name, 1), judge()
    page.screen(width)
    page.browser.get(served.link("judge-1"))
    page.do("start")
    page.until(lambda: page.all("[data-do=begin]"), "the instructions")
    widths = page.js("return [...document.querySelectorAll('dd')].map((each) => each.clientWidth)")
    (room,) = page.js("return [...document.querySelectorAll('article')].map((each) => each.clientWidth)")
    assert min(widths) > 0.4 * room


def test_the_page_of_the_lead_fits_a_phone(site, judge):
    served, page = site("report", 1), judge()
    page.screen(390)
    page.open(served.link("lead"))
    page.see("judge-1")
    assert page.js("return document.documentElement.scrollWidth") == 390
