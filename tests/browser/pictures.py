"""Take the README's screenshots of the running site: `python -m tests.browser.pictures
http://127.0.0.1:8000`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.board import post
from tests.browser.chromium import executable
from tests.browser.conftest import FLAGS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
GRID = "..6.7.3..84..3.9....3....513..8...6..795...1.2...19.......6..9...725....6.....74."


def start(page: Page) -> None:
    """Start this one puzzle and play it for a while, with marks and one conflict."""
    page.goto(post(page, "/attempts", grid=GRID))
    page.wait_for_selector("#board[data-state=playing]")
    for cell, digit in ((0, "5"), (1, "2"), (3, "9"), (5, "1"), (7, "8"), (8, "4"), (80, "7")):
        page.click(f"#c{cell}")
        page.keyboard.press(digit)
    page.keyboard.press("x")
    marks = {11: "12", 12: "26", 14: "56", 16: "27", 18: "79", 19: "39", 30: "24", 47: "458"}
    for cell, digits in marks.items():
        page.click(f"#c{cell}")
        for digit in digits:
            page.keyboard.press(digit)
    page.keyboard.press("z")
    page.click("#c40")


def take(
    browser: Browser, url: str, name: str, scheme: Literal["light", "dark"], width: int, height: int
) -> None:
    context = browser.new_context(
        base_url=url, viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=1
    )
    page = context.new_page()
    start(page)
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def main(url: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        take(browser, url, "board-light", "light", 1280, 800)
        take(browser, url, "board-dark", "dark", 1280, 800)
        take(browser, url, "board-phone", "light", 360, 640)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
