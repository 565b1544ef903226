"""The board's cost in a browser: bytes and requests of the first load, the time from key to painted digit.

The digit is measured with the web server stopped and the processor slowed to a quarter, from the moment
Chromium receives the key to the task after the frame that shows the digit.
"""

from __future__ import annotations

from statistics import median

from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks.site import GRID, site
from benchmarks.tables import sized
from tests.browser.chromium import executable
from tests.browser.conftest import FLAGS

SLOWED = 4
PRESSES = sized("PRESSES", 200, 2)
_TIMES = """() => {
    globalThis.times = [];
    document.addEventListener("keydown", ({ timeStamp }) => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => times.push(performance.now() - timeStamp);
        requestAnimationFrame(() => painted.port2.postMessage(null));
    }, { capture: true });
}"""


def first_load(page: Page, session: CDPSession, url: str) -> tuple[float, int]:
    """Return kilobytes over the wire, headers included, and requests, of a page with an empty cache."""
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(url, wait_until="networkidle")
    return sum(sizes) / 1000, len(sizes)


def presses(page: Page, session: CDPSession) -> list[float]:
    """Return milliseconds from key to paint, sorted: digits into one empty cell after another, repeatedly."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.evaluate(_TIMES)
    empty = page.eval_on_selector_all("#board .cell:not([data-given])", "cells => cells.map(({ id }) => id)")
    for number in range(PRESSES):
        cell = page.locator(f"#{empty[number % len(empty)]}")
        cell.focus()
        digit = str(1 + (number + number // len(empty)) % 9)
        page.keyboard.press(digit)
        page.wait_for_function("wanted => times.length === wanted", arg=number + 1)
        if cell.get_attribute("data-digit") != digit:
            raise SystemExit(f"the digit {digit} did not appear")
    return sorted(page.evaluate("times"))


def measure() -> dict[str, float]:
    """Return kilobytes, requests, and the median and the 95th percentile of the presses in milliseconds."""
    with site() as (port, process), sync_playwright() as playwright:
        url = f"http://127.0.0.1:{port}"
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        context = browser.new_context(base_url=url, viewport={"width": 360, "height": 640})
        page = context.new_page()
        page.goto("/")
        token = page.locator("input[name=csrf_token]").first.get_attribute("value")
        board = context.request.post("/attempts", form={"grid": GRID, "csrf_token": str(token)}).url
        page.close()
        fresh = browser.new_context(viewport={"width": 360, "height": 640})
        fresh.add_cookies([{"name": c["name"], "value": c["value"], "url": url} for c in context.cookies()])
        page = fresh.new_page()
        session = fresh.new_cdp_session(page)
        session.send("Network.enable")
        kilobytes, requests = first_load(page, session, board)
        process.stop()
        times = presses(page, session)
        browser.close()
    return {
        "kilobytes": kilobytes,
        "requests": requests,
        "paint_median": median(times),
        "paint_95": times[int(0.95 * len(times))],
    }
