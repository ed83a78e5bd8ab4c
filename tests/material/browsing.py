"""What tests do with a page in a browser: look at it, click, choose, wait."""

from __future__ import annotations

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
