"""A real browser: Debian's chromium, which tools/system_packages.sh installs, or Chrome. Without one the tests are
skipped.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)

Open = Callable[..., Any]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found or not shutil.which("chromedriver"):
        pytest.skip("there is no chromium: apt-get install chromium chromium-driver")
    return found


@pytest.fixture
def open_page(chromium: str, tmp_path: Path) -> Iterator[Open]:
    """Opens a file at a window's width, light or dark; the browser ends with the test."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    opened: list[Any] = []

    def open_at(path: Path, width: int = 1280, height: int = 900, *, dark: bool = False) -> Any:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        profile = tmp_path / f"profile-{len(opened)}"
        for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        opened.append(browser)
        # A window is never narrower than some 500 pixels: the screen of a phone has to be imitated.
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get(path.as_uri())
        return browser

    yield open_at
    for browser in opened:
        browser.quit()
