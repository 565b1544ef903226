"""Flows of players and curators, written once for every engine: each runs on a site of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyotp

import engine
from tests.browser.engines.driver import Driver
from tests.browser.engines.relay import RESET, Relay
from tests.webapp.desk import appointed
from tests.webapp.visitors import PASSWORD

COMPILED = 300.0  # seconds until hints are available
STARTED = "document.querySelector('#board [tabindex=\"0\"]') && !document.querySelector('#board a[href]')"
STATE = "document.querySelector('#board').dataset.state"
KEPT = "JSON.parse(localStorage.getItem(`ninefold:${document.querySelector('.play').dataset.attempt}`))"
SENT = f"(() => {{ const kept = {KEPT}; return kept.acked === kept.moves.length; }})()"
REFUSE = b"""for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
  Object.defineProperty(globalThis, name, { get() { throw new DOMException(name, "SecurityError"); } });
"""
FINISHED = "document.querySelector('#finish-title') && !document.querySelector('#finish-panel').hidden"


@dataclass
class Visit:
    """A browser on a site: the relay between them, and the instance, for its command line."""

    browser: Driver
    relay: Relay
    instance: Any

    def goto(self, address: str) -> None:
        self.browser.goto(self.relay.url + address)


def begin(visit: Visit, level: int = 1) -> dict[int, str]:
    """Start a game; return the digits that solve it, by cell."""
    visit.goto("/attempts")
    visit.browser.click(f"#new-game button[name=level][value='{level}']")
    return solution(visit)


def solution(visit: Visit) -> dict[int, str]:
    """Return the digits left to write on this board, by cell."""
    visit.browser.wait(STARTED)
    givens = visit.browser.run("document.querySelector('#board').dataset.givens")
    solved = engine.solution(engine.parse(givens))
    assert solved is not None
    written = visit.browser.run("[...document.querySelectorAll('#board [data-digit]')].map(({ id }) => id)")
    return {cell: str(solved)[cell] for cell in range(81) if f"c{cell}" not in written}


def write(visit: Visit, digits: dict[int, str], how: str = "keys") -> None:
    """Write digits by keys, or by clicks or taps alone."""
    point = visit.browser.tap if how == "touch" else visit.browser.click
    for cell, digit in digits.items():
        point(f"#c{cell}")
        if how == "keys":
            visit.browser.press(digit)
        else:
            point(f"#keypad button[name=digit][value='{digit}']")


def home(visit: Visit) -> None:
    """The start page shows a board or today's dailies, and leads on."""
    visit.goto("/")
    visit.browser.wait("document.querySelector('h1')")
    visit.browser.click(".site__nav a[href='/attempts']")
    visit.browser.wait("document.querySelector('#new-game')")


def whole_game(how: str) -> Callable[[Visit], None]:
    def play(visit: Visit) -> None:
        write(visit, begin(visit), how)
        visit.browser.wait(FINISHED)
        assert visit.browser.run(STATE) == "solved"

    play.__name__ = f"whole game by {how}"
    return play


def pinch(visit: Visit) -> None:
    """With a digit locked, a tap writes it, and two fingers write nothing."""
    left = begin(visit)
    (one, digit), (two, _), (three, _), *_ = left.items()
    visit.browser.click(f"#c{one}")
    visit.browser.press(digit, "d")
    visit.browser.wait("document.querySelector('#keypad [aria-pressed=true]')")
    visit.browser.pinch(f"#c{two}", f"#c{three}")
    visit.browser.tap(f"#c{three}")
    visit.browser.wait(f"document.querySelector('#c{three}').dataset.digit === '{digit}'")
    assert not visit.browser.run(f"document.querySelector('#c{two}').dataset.digit")
    assert [cell for _seq, kind, cell, _digit in visit.browser.run(KEPT)["moves"] if kind == "digit"] == [
        str(one),
        str(three),
    ]


def foreign_keys(visit: Visit) -> None:
    """Letters work by their place on a keyboard that types none of ours, and with an input method."""
    cell, digit = next(iter(begin(visit).items()))
    write(visit, {cell: digit})
    for key, code, control, then in (
        ("я", "KeyZ", True, f"!document.querySelector('#c{cell}').dataset.digit"),
        ("ψ", "KeyC", False, "document.querySelector('.modes [aria-pressed=true]').value === 'centre'"),
        ("Process", "KeyZ", False, "document.querySelector('.modes [aria-pressed=true]').value === 'digit'"),
        ("ح", "KeyP", False, f"{STATE} === 'paused'"),
    ):
        event = json.dumps({"key": key, "code": code, "ctrlKey": control, "bubbles": True})
        visit.browser.run(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {event}))")
        visit.browser.wait(then)


def marks(visit: Visit) -> None:
    """A double click places a lone center mark, which says what the cell is, and no lone corner mark."""
    (one, digit), (two, _), *_ = begin(visit).items()
    for cell, mode in ((two, "x"), (one, "c")):
        visit.browser.click(f"#c{cell}")
        visit.browser.press(mode, digit, "z")
        visit.browser.wait(f"document.querySelector('#c{cell} :is(.pencil, .cell__centre)')")
        visit.browser.click(f"#c{cell}", 2)
    visit.browser.wait(f"document.querySelector('#c{one}').dataset.digit === '{digit}'")
    assert [kind for _seq, kind, *_ in visit.browser.run(KEPT)["moves"]] == ["corner", "centre", "digit"]


def copy_and_paste(visit: Visit) -> None:
    """Control and C copies the board, which Control and V opens as a puzzle of one's own."""
    cell = next(iter(begin(visit)))
    givens = visit.browser.run("document.querySelector('#board').dataset.givens")
    visit.browser.click(f"#c{cell}")
    visit.browser.press("Control+c")
    visit.goto("/attempts")
    visit.browser.press("Control+v")
    visit.browser.wait("location.pathname === '/enter' && document.querySelector('#verdict')")
    assert visit.browser.run("document.querySelector('#grid').value") == givens.replace("0", ".")


def hint(visit: Visit) -> None:
    """A hint is requested by its key, and again while its techniques are being compiled."""
    begin(visit)
    shown = "!document.querySelector('#hint-panel').hidden"
    give_up = time.monotonic() + COMPILED
    while not visit.browser.run(shown):
        assert time.monotonic() < give_up, visit.browser.text("#banner")
        visit.browser.press("h")
        visit.browser.wait(f"{shown} || !document.querySelector('#banner').hidden")
        time.sleep(1)


def back_and_forward(visit: Visit) -> None:
    """A page from the back/forward cache continues, and its moves arrive."""
    left = begin(visit)
    cells = list(left)
    write(visit, {cells[0]: left[cells[0]]})
    visit.browser.click(".site__brand")
    visit.browser.wait("!document.querySelector('.play') && document.querySelector('h1')")
    visit.browser.travel(-1)
    visit.browser.wait(f"document.querySelector('.play') && {STARTED} && {STATE} === 'playing'")
    write(visit, {cells[1]: left[cells[1]]})
    visit.browser.wait(SENT)
    visit.browser.travel(1)
    visit.browser.wait("!document.querySelector('.play') && document.querySelector('h1')")
    visit.browser.travel(-1)
    visit.browser.wait(f"document.querySelector('.play') && {STARTED} && {STATE} === 'playing'")
    write(visit, solution(visit))
    visit.browser.wait(FINISHED)


def two_tabs(visit: Visit) -> None:
    """Of two tabs of a game, the one in front plays, and the clock continues."""
    left = begin(visit)
    first, second, third = list(left)[:3]
    address = visit.browser.run("location.href")
    write(visit, {first: left[first]})
    visit.browser.open_tab(address)
    visit.browser.wait(STARTED)
    for number, cell in ((1, second), (0, third)):
        visit.browser.show_tab(number)
        visit.browser.wait(f"{STATE} === 'playing'")
        write(visit, {cell: left[cell]})
        visit.browser.wait(f"document.querySelector('#c{cell}').dataset.digit === {json.dumps(left[cell])}")
    visit.browser.wait(SENT)
    visit.browser.wait(f"{STATE} === 'playing'")


def tunnel(storage: str) -> Callable[[Visit], None]:
    """Most of a game is played without a connection; its end is confirmed with the next one."""

    def play(visit: Visit) -> None:
        visit.relay.prelude = REFUSE if storage == "refused" else b""
        left = list(begin(visit).items())
        write(visit, dict(left[:5]))
        visit.relay.fate = lambda _method, _path: RESET
        write(visit, dict(left[5:-1]))
        visit.browser.wait("!document.querySelector('#banner').hidden")
        assert ("saved" in visit.browser.text("#banner")) == (storage == "kept")
        write(visit, dict(left[-1:]))
        visit.browser.wait("document.querySelector('#banner').textContent.includes('board is full')")
        visit.relay.fate = Relay.passing
        visit.browser.wait(FINISHED)
        visit.browser.wait("document.querySelector('#banner').hidden")

    play.__name__ = f"tunnel, storage {storage}"
    return play


def daily(visit: Visit) -> None:
    """A named player solves a ranked daily and continues to its leaderboard."""
    name = f"{visit.browser.name} {datetime.now(UTC):%H%M%S}"
    sign_up(visit, name)
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    visit.goto(f"/daily/{day}")
    visit.browser.click(".dailies a")
    visit.browser.click("button[name=ranked]")
    visit.browser.wait(f"{STATE} === 'playing'")
    write(visit, solution(visit))
    visit.browser.wait(FINISHED)
    level = visit.browser.run(
        "new URL(document.querySelector('.finish__details .line a').href).searchParams.get('level')"
    )
    visit.goto(f"/leaderboard?date={day}&level={level}")
    visit.browser.wait("document.querySelector('main #my-rank')")


def lesson(visit: Visit) -> None:
    """An exercise takes a mark by a click and gives feedback on it."""
    visit.goto("/learn/naked_single?tab=try")
    visit.browser.wait("document.querySelector('#board [tabindex=\"0\"]')")
    visit.browser.click("#board .pencil")
    visit.browser.click("[data-command=digit]:not([aria-disabled=true])")
    visit.browser.click("form.marking__do button.button--primary")
    visit.browser.wait("document.querySelector('#answer .marking__said')")


def desk(visit: Visit) -> None:
    """A curator confirms their identity and opens a puzzle that the desk has found."""
    name = f"Editor {datetime.now(UTC):%H%M%S}{visit.browser.name[0]}"
    sign_up(visit, name)
    secret = appointed(visit.instance, name)
    visit.goto("/admin/")
    visit.browser.click("[name=desk_password]")
    visit.browser.press(*PASSWORD, "Tab", *pyotp.TOTP(secret).now(), "Enter")
    visit.browser.wait("document.querySelector('.desk__who')")
    visit.goto("/admin/puzzles?q=easy")
    visit.browser.click(".found__board")
    visit.browser.wait("location.pathname.startsWith('/admin/puzzles/') && document.querySelector('h1')")


def sign_up(visit: Visit, name: str) -> None:
    visit.goto("/register")
    visit.browser.click("#name")
    visit.browser.press(*name, "Tab", *PASSWORD, "Enter")
    visit.browser.wait("location.pathname === '/'")


FLOWS: tuple[Callable[[Visit], None], ...] = (
    home,
    *map(whole_game, ("mouse", "keys", "touch")),
    pinch,
    foreign_keys,
    marks,
    copy_and_paste,
    hint,
    back_and_forward,
    two_tabs,
    tunnel("kept"),
    tunnel("refused"),
    daily,
    lesson,
    desk,
)
