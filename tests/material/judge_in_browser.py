"""A judge at the page: what people do with keyboard, mouse and finger."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 20  # seconds


class JudgeAtPage:
    """A browser with the page of a judge."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    # -- looking ------------------------------------------------------------------------------------------------

    def js(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def all(self, selector: str) -> list[Any]:
        from selenium.webdriver.common.by import By

        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return [found.text for found in self.all(selector)]

    def until(self, condition: Callable[[], Any], what: str = "it") -> Any:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := condition():
                return found
            time.sleep(0.02)
        raise AssertionError(
            f"waited for {what}; the page has:\n{self.js('return document.body.innerText')[:3000]}"
        )

    def see(self, text: str) -> None:
        self.until(lambda: text in self.js("return document.body.innerText"), repr(text))

    def where(self) -> tuple[str, str] | None:
        """The task and the step on the screen; None if there is none."""
        found = self.js(
            "const e = document.querySelector('.task'); return e && [e.dataset.task, e.dataset.step]"
        )
        return None if found is None else (found[0], found[1])

    def step(self, name: str, task: int | None = None) -> None:
        """Wait for a step."""
        at = (
            (lambda: self.where() == (str(task), name))
            if task
            else (lambda: (self.where() or ("", ""))[1] == name)
        )
        self.until(at, f"step {name} of task {task}")

    def complaints(self) -> list[str]:
        """What the browser's console has, apart from requests that failed with the network."""
        return [
            entry["message"]
            for entry in self.browser.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING") and "net::ERR_" not in entry["message"]
        ]

    # -- doing --------------------------------------------------------------------------------------------------

    def open(self, link: str) -> None:
        """The link, the first click, and the instructions if they come."""
        self.browser.get(link)
        self.do("start")
        self.until(lambda: self.all("[data-do=begin], .task, .finished, .lead, form"), "the first page")
        if self.all("[data-do=begin]"):
            self.do("begin")

    def do(self, what: str) -> None:
        (target,) = self.until(lambda: self.all(f"[data-do={what}]:enabled"), f"the button {what}")
        self.click(target)

    def click(self, target: Any) -> None:
        if isinstance(target, str):
            (target,) = self.until(lambda: self.all(target)[:1], target)
        self.js("arguments[0].scrollIntoView({block: 'center'})", target)
        target.click()

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def press_with(self, modifier: str, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).key_down(modifier).send_keys(*keys).key_up(modifier).perform()

    def tab_to(self, selector: str) -> None:
        from selenium.webdriver.common.keys import Keys

        for _ in range(30):
            if self.js("return document.activeElement.matches(arguments[0])", selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"Tab does not lead to {selector}")

    def drag(self, text: str, first: int, last: int) -> None:
        """Drag over the units from one to another, both included, from edge to edge."""
        from selenium.webdriver.common.action_chains import ActionChains

        units = self.all(f"{text} [role=option]")
        begin, end = units[first], units[last]
        self.js("arguments[0].scrollIntoView({block: 'center'})", begin)
        left, right = -int(begin.rect["width"] / 2) + 1, int(end.rect["width"] / 2) - 1
        actions = ActionChains(self.browser).move_to_element_with_offset(begin, left, 0).click_and_hold()
        actions.move_to_element_with_offset(end, right, 0).release().perform()

    def tap(self, target: Any) -> None:
        """With a finger."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder
        from selenium.webdriver.common.actions.pointer_input import PointerInput

        self.js("arguments[0].scrollIntoView({block: 'center'})", target)
        finger = PointerInput("touch", "finger")
        actions = ActionBuilder(self.browser, mouse=finger)
        actions.pointer_action.move_to(target).pointer_down().pointer_up()
        actions.perform()

    def screen(self, width: int, height: int = 900, *, dark: bool = False) -> None:
        """A window is never narrower than some 500 pixels: the screen of a phone has to be imitated."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    # -- the network --------------------------------------------------------------------------------------------

    def lose_network(self) -> None:
        self._network(offline=True)

    def find_network(self) -> None:
        self._network(offline=False)

    def _network(self, *, offline: bool) -> None:
        self.browser.execute_cdp_cmd("Network.enable", {})
        conditions = {"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
