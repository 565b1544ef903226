"""The operations of a flow in any browser: go, press, click, tap, and query the page."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from typing import Any

PATIENCE = 60.0  # seconds, which only a busy machine needs
NOTICED = 12.0  # seconds without a page, after which people reload
KEYS = {
    "Enter": "\ue007",
    "Tab": "\ue004",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Escape": "\ue00c",
    "Control": "\ue009",
}

# The middle of the first visible element of a selector, scrolled to where a pointer reaches it.
_MIDDLE = """(() => {
  const found = [...document.querySelectorAll(%s)].find((each) => each.getClientRects().length);
  if (!found) return null;
  found.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
})()"""


class Driver(ABC):
    """A browser with one page in front."""

    name = ""

    @abstractmethod
    def goto(self, address: str) -> None:
        """Open an address and wait until it has loaded."""

    @abstractmethod
    def head_for(self, address: str) -> None:
        """Open an address, whether or not a page comes."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression, as JSON represents it."""

    @abstractmethod
    def press(self, *keys: str) -> None:
        """Press keys, one after the other: characters, names of `KEYS`, or several joined by `+`."""

    @abstractmethod
    def point(self, kind: str, place: tuple[int, int], times: int = 1) -> None:
        """Click (`mouse`) or tap (`touch`) at a place of the window."""

    @abstractmethod
    def spread(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        """Put down a finger and then a second one, move them apart, and lift them."""

    @abstractmethod
    def travel(self, steps: int) -> None:
        """Go back (-1) or forward (1)."""

    @abstractmethod
    def open_tab(self, address: str) -> None:
        """Open an address in a new tab, which comes to the front."""

    @abstractmethod
    def show_tab(self, number: int) -> None:
        """Bring a tab to the front, the first one being 0."""

    @abstractmethod
    def forget(self) -> None:
        """Become a new visitor: at least without cookies, in a new tab where the browser can."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def wait(self, script: str, seconds: float = PATIENCE) -> Any:
        """Poll until an expression is true, also across a change of the page; return its value."""
        give_up = time.monotonic() + seconds
        while True:
            try:
                value = self.run(script)
            except RuntimeError:
                value = None  # between two pages
            if value or value == {}:  # the JSON of an element
                return value
            assert time.monotonic() < give_up, f"{self.name}: not within {seconds} s: {script}"
            time.sleep(0.05)

    def click(self, selector: str, times: int = 1) -> None:
        self.point("mouse", self._middle(selector), times)

    def tap(self, selector: str) -> None:
        self.point("touch", self._middle(selector))

    def pinch(self, one: str, other: str) -> None:
        self.spread(self._middle(one), self._middle(other))

    def text(self, selector: str) -> str:
        found = self.run(f"document.querySelector({json.dumps(selector)})?.textContent.trim() ?? ''")
        return str(found)

    def _middle(self, selector: str) -> tuple[int, int]:
        x, y = self.wait(_MIDDLE % json.dumps(selector))
        return x, y
