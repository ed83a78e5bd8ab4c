"""Judges at the page: a real browser, a real server and a campaign in a file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from material.judge_in_browser import JudgeAtPage
from material.optional import missing

# The flags of tests/web/conftest.py, whose fixture `chromium` finds the browser.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")

NewJudge = Callable[..., JudgeAtPage]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """`site("esa", tasks=3)` makes and serves a campaign."""
    if lack := missing("sqlalchemy", "starlette", "uvicorn", "jinja2", "selenium"):
        pytest.skip(lack)
    from material.judged_site import judged_design, site_of

    made = []
    (tmp_path / "campaigns").mkdir()

    def serve(name: str, tasks: int = 3, **how: Any) -> Any:
        made.append(site_of(judged_design(name, tasks, **how), tmp_path / "campaigns"))
        return made[-1]

    yield serve
    for one in made:
        one.stop()
        one.store.close()


@pytest.fixture
def judge(chromium: str, tmp_path: Path) -> Iterator[NewJudge]:
    """`judge()` opens a browser of its own; `judge(profile="x")` again is the same browser, closed and reopened."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    opened: list[JudgeAtPage] = []

    def open_browser(profile: str = "") -> JudgeAtPage:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        folder = tmp_path / f"profile-{profile or len(opened)}"
        for flag in (*FLAGS, f"--user-data-dir={folder}", "--window-size=1280,900"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        opened.append(JudgeAtPage(browser))
        opened[-1].screen(1280)
        return opened[-1]

    yield open_browser
    for one in opened:
        one.browser.quit()
