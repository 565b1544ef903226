"""Take the README's screenshots of the running site: `python -m tests.browser.pictures
http://127.0.0.1:8000`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser.board import post
from tests.browser.chromium import executable
from tests.browser.conftest import FLAGS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
GRID = "..6.7.3..84..3.9....3....513..8...6..795...1.2...19.......6..9...725....6.....74."
PICTURES: tuple[tuple[str, Literal["light", "dark"], int, int], ...] = (
    ("board-light", "light", 1280, 800),
    ("board-dark", "dark", 1280, 800),
    ("board-phone", "light", 360, 640),
)


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


def main(url: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        for name, scheme, width, height in PICTURES:
            size: ViewportSize = {"width": width, "height": height}
            page = browser.new_page(base_url=url, viewport=size, color_scheme=scheme)
            start(page)
            page.wait_for_timeout(300)
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
