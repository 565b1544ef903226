"""Two browsers of one player on one puzzle, with every kind of network failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.browser.conftest import DESKTOP, PATIENCE, Site

NETWORK = Path(__file__).with_name("network.js")
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
FATES = ("taken", "lost", "late", "twice", "unanswered")
# The kinds of action, and how many in a hundred.
ACTIONS = {"move": 45, "undo": 10, "redo": 8, "send": 14, "fate": 10, "offline": 5, "reload": 4, "choose": 4}
KEYS: dict[str, Callable[[str], dict[str, Any]]] = {
    "digit": lambda digit: {"key": digit, "code": f"Digit{digit}"},
    "corner": lambda digit: {"key": digit, "code": f"Digit{digit}", "shiftKey": True},
    "centre": lambda digit: {"key": digit, "code": f"Digit{digit}", "ctrlKey": True},
    "colour": lambda digit: {"key": digit, "code": f"Digit{digit}", "shiftKey": True, "ctrlKey": True},
    "erase": lambda _digit: {"key": "Delete", "code": "Delete"},
    "fill": lambda _digit: {"key": "f", "code": "KeyF"},
}
UNDO = {"key": "z", "code": "KeyZ", "ctrlKey": True}
REDO = {"key": "y", "code": "KeyY", "ctrlKey": True}

Move = tuple[int, str, str, str]


class Device:
    """One browser: a page of the site, a network that can fail, and storage of its own."""

    def __init__(self, context: BrowserContext) -> None:
        context.add_init_script(path=NETWORK)
        context.set_default_timeout(PATIENCE)
        self.context = context
        self.page = context.new_page()

    def open(self, url: str) -> None:
        self.page.goto(url)
        self._started()

    def reload(self) -> None:
        self.page.reload()
        self._started()

    def _started(self) -> None:
        self.page.wait_for_selector("#board [tabindex='0']")

    def press(self, key: dict[str, Any], cell: int | None = None) -> None:
        """Press a key, on a cell or at the cursor."""
        self.page.evaluate(
            """([key, cell]) => {
                const place = document.querySelector(cell === null ? "#board [tabindex='0']" : `#c${cell}`);
                place.focus();
                const event = new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true });
                place.dispatchEvent(event);
            }""",
            [key, cell],
        )

    def send(self) -> None:
        """Send pending moves now instead of in two seconds."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def expect(self, fate: str) -> None:
        """Set the fate of the next batch."""
        self.page.evaluate("fate => network.plan.push(fate)", fate)

    def connect(self, on: bool) -> None:
        self.page.evaluate(
            "on => on ? sessionStorage.removeItem('offline') : sessionStorage.setItem('offline', 'yes')", on
        )

    @property
    def offline(self) -> bool:
        return bool(self.page.evaluate("sessionStorage.getItem('offline') !== null"))

    def idle(self) -> None:
        """Wait until no request is in flight."""
        self.page.wait_for_function("() => network.under === 0")

    def choose(self, which: str) -> bool:
        """Answer the question which moves to keep, if it is shown."""
        return bool(
            self.page.evaluate(
                """which => {
                    const button = document.querySelector(`#clash[open] button[value=${which}]`);
                    button?.click();
                    return button !== null;
                }""",
                which,
            )
        )

    def kept(self, attempt: str) -> dict[str, Any]:
        """Return what this browser's storage holds of the attempt."""
        kept: dict[str, Any] = self.page.evaluate(
            "attempt => JSON.parse(localStorage.getItem(`ninefold:${attempt}`))", attempt
        )
        return kept

    def acknowledged(self, attempt: str) -> set[Move]:
        """Return the moves that the server has acknowledged to this browser."""
        moves = self.page.evaluate(
            "key => JSON.parse(sessionStorage.getItem(key) ?? '[]')",
            f"acknowledged:/attempts/{attempt}/moves",
        )
        return {tuple(move) for move in moves}

    def differences(self) -> list[str]:
        """Return cells, counts and the board's state where the server renders them differently from this
        page.
        """
        found: list[str] = self.page.evaluate(
            """async () => {
                const answer = await fetch(location.pathname);
                const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
                const names = [...Array(81).keys()].map((cell) => `#c${cell} .visually-hidden`);
                const left = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `[data-left="${digit}"]`);
                const state = (page) => page.getElementById("board").dataset.state;
                const text = (page, what) => page.querySelector(what).textContent;
                const pairs = [...names, ...left].map((what) => [text(drawn, what), text(document, what)]);
                pairs.push([state(drawn), state(document)]);
                return pairs.filter(([server, here]) => server !== here).map((pair) => pair.join(" / "));
            }"""
        )
        return found


def puzzle(random: Random) -> str:
    """Return a puzzle without a game in progress: its digits are relabeled at random."""
    names = "".join(random.sample("123456789", 9))
    return GRID.translate(str.maketrans("123456789", names))


def pair(live: Site, chromium: Browser) -> Iterator[tuple[Device, Device]]:
    """Two devices of one player."""
    contexts = [chromium.new_context(base_url=live.url, viewport=DESKTOP) for _ in range(2)]
    first, second = map(Device, contexts)
    first.page.goto("/")
    start(first, puzzle(Random(0)))
    for cookie in contexts[0].cookies():
        contexts[1].add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": live.url}])
    yield first, second
    for context in contexts:
        context.close()


def start(device: Device, grid: str) -> str:
    """Start an attempt from the open page. Returns its id."""
    form: dict[str, str | float | bool] = {
        "grid": grid,
        "csrf_token": str(device.page.get_attribute("input[name=csrf_token]", "value")),
    }
    answer = device.context.request.post("/attempts", form=form, max_redirects=0)
    assert answer.status == 303, answer.text()
    return answer.headers["location"].rpartition("/")[2]


def play(devices: tuple[Device, Device], attempt: str, random: Random, actions: int) -> list[str]:
    """Take `actions` random actions on either device. Returns them, to report a failure."""
    taken: list[str] = []
    for device in devices:
        device.open(f"/attempts/{attempt}")
    for action in random.choices(list(ACTIONS), list(ACTIONS.values()), k=actions):
        number = random.randrange(2)
        device = devices[number]
        detail: object = ""
        if action == "move":
            kind, cell, digit = random.choice(list(KEYS)), random.randrange(81), str(random.randint(1, 9))
            device.press(KEYS[kind](digit), cell)
            detail = (kind, cell, digit)
        elif action in ("undo", "redo"):
            device.press(UNDO if action == "undo" else REDO)
        elif action == "send":
            device.send()
            if detail := random.random() < 0.7:
                device.idle()
        elif action == "fate":
            detail = random.choice(FATES)
            device.expect(str(detail))
        elif action == "offline":
            detail = not device.offline
            device.connect(on=not detail)
        elif action == "reload":
            device.reload()
        elif action == "choose":
            detail = random.choice(("ours", "theirs"))
            device.choose(str(detail))
        taken.append(f"{number} {action} {detail}")
    return taken


def settle(devices: tuple[Device, Device], attempt: str, random: Random) -> None:
    """Reconnect both devices, then reload them in alternation until both have the server's log."""
    for device in devices:
        device.connect(on=True)
        device.page.evaluate("network.plan.length = 0")
        stay(device)
        device.idle()
    for device in islice(cycle(devices), 20):
        device.reload()
        stay(device)
        device.choose(random.choice(("ours", "theirs")))
        device.send()
        device.idle()
        kept = [each.kept(attempt) for each in devices]
        done = [(each["acked"], len(each["moves"]), len(each["overtaken"])) for each in kept]
        if done[0] == done[1] == (done[0][0], done[0][0], 0):
            return
    raise AssertionError(f"the devices do not come to rest: {done}")


def stay(device: Device) -> None:
    """From here on, leaving the page is no move."""
    device.page.evaluate("document.documentElement.dataset.ui = 'away-on'")
