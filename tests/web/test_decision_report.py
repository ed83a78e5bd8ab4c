"""The report of a decision in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from material.browsing import requested, texts
from material.optional import needs_report
from understudy import decide

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = needs_report


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_it_fits_the_window_and_shows_everything(
    open_page: Any, tmp_path: Path, width: int, dark: bool
) -> None:
    path = tmp_path / "report.html"
    decide(EXAMPLES / "nbest.txt", [EXAMPLES / "reference-1.en"]).report(path)
    browser = open_page(path, width, dark=dark)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert requested(browser) == [path.as_uri()]
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert texts(browser, "h3") == [
        "Choices",
        "Places",
        "Examples",
        "Places of the chosen candidates",
        "Differences from the first candidate",
    ]
    best = texts(browser, "td.strong")
    assert best[0] == "In addition, the water tap in the kitchen is dripping."
    assert len(best) == 10
