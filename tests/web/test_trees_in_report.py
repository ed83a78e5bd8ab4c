"""Trees in the report of a comparison, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from material import comparisons, tree_comparison
from material.browsing import choose, texts, when
from material.optional import needs_report
from understudy import References
from understudy.report.html_report import html_report

pytestmark = needs_report

FIRST = "#segment-1 .tree-pair:nth-of-type(1) figure:nth-of-type(1)"
REFERENCE = "#segment-1 .tree-pair:nth-of-type(1) figure:nth-of-type(2)"


def test_a_report_without_metrics_of_trees_has_nothing_of_them() -> None:
    page = html_report(comparisons.compared(), comparisons.breakdown())
    for part in ("openTrees", ".tree-pair"):
        assert part not in page
        assert part in html_report(*report_arguments())


def report_arguments() -> tuple[Any, ...]:
    found, breakdown, views = tree_comparison.report_parts()
    return found, breakdown, (), views


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "report.html"
    path.write_text(html_report(*report_arguments()), encoding="utf-8")
    return path


def open_trees(browser, number: int) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    when(browser, f"#segment-{number} .trees summary")
    browser.find_element(By.CSS_SELECTOR, f"#segment-{number} .trees summary").send_keys(Keys.ENTER)
    when(browser, f"#segment-{number} svg.tree")


def marked(browser, figure: str) -> list[str]:
    """The labels of the nodes that stand in color, with its depth."""
    script = """return [...document.querySelectorAll(arguments[0] + ' rect')]
        .map((rect) => rect.nextSibling.textContent + rect.getAttribute('class').slice(1))"""
    return browser.execute_script(script, figure)


def test_trees_are_shown_side_by_side_and_matches_are_marked(open_page, report: Path) -> None:
    browser = open_page(report)
    open_trees(browser, 1)
    assert texts(browser, f"{FIRST} .word") == ["I", "had", "a", "dog", "."]
    # All of NP (DT NN) and NP (PRP); of S (NP VP .) two levels, as its verb has another tag.
    assert marked(browser, FIRST) == ["S2", "NP2", "PRP2", "VP2", "VBD2", "NP2", "DT2", "NN2", ".2"]
    assert marked(browser, REFERENCE) == ["S2", "NP2", "PRP2", "VP2", "NP2", "DT2", "NN2", ".2"]
    left, right = (
        browser.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect()", figure)
        for figure in (FIRST, REFERENCE)
    )
    assert (left["top"], left["right"] <= right["left"]) == (right["top"], True)
    label = "return document.querySelector(arguments[0] + ' svg').getAttribute('aria-label')"
    assert browser.execute_script(label, FIRST) == f"first: {tree_comparison.DOG}"
    assert browser.get_log("browser") == []


def test_another_reference_and_another_kind_of_tree_can_be_chosen(open_page, report: Path) -> None:
    browser = open_page(report)
    open_trees(browser, 1)
    controls = "#segment-1 .tree-controls label:nth-of-type"
    choose(browser, f"{controls}(2) select", "1")
    assert texts(browser, f"{REFERENCE} .word") == ["The", "dog", "was", "my", "dog", "."]
    assert texts(browser, f"{REFERENCE} figcaption") == ["reference 2"]
    choose(browser, f"{controls}(1) select", "1")
    assert texts(browser, f"{FIRST} text") == ["had", "I", "dog", "a", "."]
    assert marked(browser, FIRST) == ["I1", "dog1", ".1"]
    assert "words in a headword chain" in texts(browser, "#segment-1 .trees .legend")[0]


def test_scripts_from_right_to_left_and_narrow_screens(open_page, report: Path) -> None:
    browser = open_page(report, 390, dark=True)
    open_trees(browser, 2)
    across = """const places = [...document.querySelectorAll('#segment-2 figure:first-child .word')];
        return places.map((word) => [word.textContent, Number(word.getAttribute('x'))])"""
    words = browser.execute_script(across)[:5]
    assert [word for word, _ in words] == ["نام", "الكلب", "في", "الحديقة", "."]
    places = [x for _, x in words]
    assert places == sorted(places, reverse=True)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    open_trees(browser, 4)
    assert texts(browser, "#segment-4 .trees .empty") == ["(no tree)"]


def test_trees_as_deep_as_they_like_stay_open_while_the_page_changes(open_page, tmp_path: Path) -> None:
    deep = "(A " * 2000 + "(B b)" + ")" * 2000
    column = tree_comparison.column([deep])
    parts = tree_comparison.report_parts(["stm"], {"one": column, "two": column}, References((column,)))
    path = tmp_path / "deep.html"
    path.write_text(html_report(parts[0], parts[1], (), parts[2]), encoding="utf-8")
    browser = open_page(path)
    open_trees(browser, 1)
    assert len(texts(browser, f"{FIRST} rect")) == 2001
    browser.execute_script("document.querySelector('#shown input').click()")
    when(browser, "#segment-1 svg.tree")
    assert texts(browser, "#segment-1 .tree-pair figcaption") == ["two", "reference"]
    assert browser.get_log("browser") == []
