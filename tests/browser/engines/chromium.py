"""Chromium by Playwright."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from tests.browser.chromium import executable
from tests.browser.conftest import FLAGS
from tests.browser.engines.driver import NOTICED, Driver


def installed() -> bool:
    return executable() is not None


class Chromium(Driver):
    """A new Chromium."""

    name = "Chromium"

    def __init__(self) -> None:
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        self._begin()

    def goto(self, address: str) -> None:
        self._page.goto(address)

    def head_for(self, address: str) -> None:
        try:
            self._page.goto(address, wait_until="commit", timeout=1000 * NOTICED)
        except Error:
            self._page.goto("about:blank")  # Playwright evaluates nothing while a page is awaited

    def run(self, script: str) -> Any:
        try:
            return self._page.evaluate(script)
        except Error as error:
            raise RuntimeError(error.message) from error

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def point(self, kind: str, place: tuple[int, int], times: int = 1) -> None:
        if kind == "mouse":
            self._page.mouse.click(*place, click_count=times)
        else:
            self._page.touchscreen.tap(*place)

    def spread(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        session = self._context.new_cdp_session(self._page)
        for kind, *places in (
            ("touchStart", one),
            ("touchStart", one, other),
            ("touchMove", (one[0] - 40, one[1]), (other[0] + 40, other[1])),
            ("touchEnd",),
        ):
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        session.detach()

    def travel(self, steps: int) -> None:
        (self._page.go_back if steps < 0 else self._page.go_forward)()

    def open_tab(self, address: str) -> None:
        self._pages.append(self._context.new_page())
        self.show_tab(len(self._pages) - 1)
        self.goto(address)

    def show_tab(self, number: int) -> None:
        self._page = self._pages[number]
        self._page.bring_to_front()

    def forget(self) -> None:
        self._context.close()
        self._begin()

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()

    def _begin(self) -> None:
        self._context = self._browser.new_context(viewport={"width": 1000, "height": 900}, has_touch=True)
        self._pages: list[Page] = [self._context.new_page()]
        self._page = self._pages[0]
