"""What tests do with a page in a browser: look at it, click, choose, wait."""

from __future__ import annotations

import json
from typing import Any


def texts(browser: Any, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map((found) => found.textContent.trim())"
    return browser.execute_script(script, selector)


def click(browser: Any, selector: str) -> None:
    from selenium.webdriver.common.by import By

    target = browser.find_element(By.CSS_SELECTOR, selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
    target.click()


def choose(browser: Any, selector: str, value: str) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.select import Select

    Select(browser.find_element(By.CSS_SELECTOR, selector)).select_by_value(value)


def when(browser: Any, selector: str) -> None:
    """Waits for what the page's script makes."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 30).until(lambda seen: seen.find_elements(By.CSS_SELECTOR, selector))


def requested(browser: Any) -> list[str]:
    """The addresses that the page asked for; the browser's own first page is not ours."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return [found["request"]["url"] for found in sent if found["documentURL"] == browser.current_url]
