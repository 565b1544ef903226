"""Network faults at every request of a whole game, in Chromium and Firefox: `python -m tests.browser.faults`.

A game is played once to count the requests from opening its board to its end; then once for each of them and
each fault, which strikes that request alone. No move may be lost, and no board may stand still for 20 s,
while it loads or later. If no page comes, or an error, the user reloads.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.browser.engines.chromium import Chromium
from tests.browser.engines.driver import NOTICED, Driver
from tests.browser.engines.firefox import Firefox
from tests.browser.engines.flows import FINISHED, KEPT, STARTED, Visit, solution
from tests.browser.engines.relay import BAD, HANG, LOST, PASS, RESET, SLOW, TWICE, Relay
from tests.webapp.processes import web
from tests.webapp.stocked import SETTING, prepare

FAULTS = (HANG, RESET, BAD, SLOW, TWICE, LOST)
STUCK = 20.0  # seconds
AT_ONCE = 12  # digits typed between two checks of what was sent, so that a game takes several batches
ENGINES = {"Chromium": Chromium, "Firefox": Firefox}
WRITE = """(() => {
  for (const [cell, key] of %s) {
    const place = document.getElementById(`c${cell}`);
    place.scrollIntoView({ block: "nearest", behavior: "instant" }); // a page without styles is long
    const { x, y, width, height } = place.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, isPrimary: true };
    for (const type of ["pointerdown", "pointerup"]) place.dispatchEvent(new PointerEvent(type, at));
    const how = { key, code: `Digit${key}`, bubbles: true, cancelable: true };
    place.dispatchEvent(new KeyboardEvent("keydown", how));
  }
})()"""
ASK = "document.querySelector('#hint').click()"


@dataclass
class Fault:
    """One fault that strikes one request, counted from the start of the game."""

    kind: str = PASS
    number: int = -1
    seen: int = 0
    struck: str = ""

    def __call__(self, method: str, path: str) -> str:
        self.seen += 1
        if self.seen != self.number:
            return PASS
        self.struck = f"{method} {path.partition('?')[0].rpartition('/')[2] or path}"
        return self.kind


def play(visit: Visit, fault: Fault, *, ranked: bool) -> tuple[float, int]:
    """Play a game to its end. Returns the longest standstill and the number of moves that the server
    lacks.
    """
    # The page without an icon that a game starts from asks for this one, whose 404 brings another session.
    visit.relay.fate = lambda _method, path: BAD if path == "/favicon.ico" else PASS
    address = start(visit, ranked=ranked)
    visit.relay.fate = fault
    longest = load(visit, address)
    left = list(solution(visit).items())
    for first in range(0, len(left), AT_ONCE):
        some = left[first : first + AT_ONCE]
        try:
            visit.browser.run(WRITE % [list(each) for each in some])
        except RuntimeError:  # a page without htmx reloads itself after a hint
            again = solution(visit)
            visit.browser.run(WRITE % [list(each) for each in some if each[0] in again])
        if first == 0 and not ranked:
            visit.browser.run(ASK)
        last = first + AT_ONCE >= len(left)
        longest = max(longest, until(visit, FINISHED if last else f"{KEPT}.acked === {KEPT}.moves.length"))
    visit.relay.fate = Relay.passing
    moves = visit.browser.run(KEPT)["moves"]
    stored = visit.browser.run(
        "fetch(location.href).then(answer => answer.text())"
        ".then(text => JSON.parse(new DOMParser().parseFromString(text, 'text/html')"
        ".querySelector('#board').dataset.log).length)"
    )
    return longest, len(moves) - stored


def start(visit: Visit, *, ranked: bool) -> str:
    """Return the address of a new game of a new visitor, who has loaded none of the board's files."""
    visit.browser.forget()
    visit.goto("/healthz")
    fields = (
        "daily: new Date().toISOString().slice(0, 10), level: '2', ranked: '1'" if ranked else "level: '1'"
    )
    status, address = visit.browser.run(
        "fetch('/attempts').then(answer => answer.text())"
        ".then(text => new DOMParser().parseFromString(text, 'text/html').querySelector('[name=csrf_token]'))"
        ".then(({ value }) => fetch('/attempts', { method: 'POST', body: new URLSearchParams({"
        f" csrf_token: value, {fields} }}) }}))"
        ".then(answer => [answer.status, answer.url])"
    )
    assert status == 200, f"{visit.browser.name}: {status} at {address}"
    return str(address)


def load(visit: Visit, address: str) -> float:
    """Open a board, and again after an error or no page; return the seconds until it can be played."""
    path = json.dumps(address.removeprefix(visit.relay.url))
    error = "document.readyState === 'complete' && !document.querySelector('.play')"
    begun = time.monotonic()
    while True:
        reload = time.monotonic() + NOTICED
        visit.browser.head_for(address)
        with suppress(AssertionError, RuntimeError):
            left = reload - time.monotonic()
            visit.browser.wait(f"location.pathname === {path} && ({STARTED} || {error})", left)
            if visit.browser.run(f"!!({STARTED})"):
                return time.monotonic() - begun
        assert time.monotonic() < begun + 3 * STUCK, f"{visit.browser.name}: no board at {address}"


def until(visit: Visit, script: str) -> float:
    """Wait for a condition. Returns the seconds it took."""
    begun = time.monotonic()
    visit.browser.wait(script, 3 * STUCK)
    return time.monotonic() - begun


def campaign(browser: Driver, port: int, folder: Path, *, ranked: bool, every: int) -> list[str]:
    """Try every fault at every request. Returns descriptions of the failures."""
    wrong, longest, games, faults, missing = [], 0.0, 0, 0, 0
    visitors = (f"10.200.{number % 250}.{number // 250}" for number in range(1, 60_000))

    def once(fault: Fault) -> tuple[float, int]:
        relay = Relay(port, next(visitors))
        try:
            return play(Visit(browser, relay, folder), fault, ranked=ranked)
        finally:
            relay.close()

    count = Fault()
    once(count)
    for kind in FAULTS:
        for number in range(1, count.seen + 1, every):
            fault = Fault(kind, number)
            games += 1
            where = f"{browser.name}, {kind} at request {number}"
            try:
                stood, lost = once(fault)
            except (AssertionError, RuntimeError, TimeoutError) as error:
                wrong.append(f"{where} ({fault.struck}): {error}")
                continue
            longest, missing, faults = max(longest, stood), missing + lost, faults + bool(fault.struck)
            if lost or stood > STUCK:
                wrong.append(f"{where} ({fault.struck}): {lost} lost, {stood:.1f} s")
    what = "ranked" if ranked else "unranked"
    print(f"{browser.name}, {what}: {games} games of {count.seen} requests, {faults} faults, ", end="")
    print(f"{missing} moves lost, longest standstill {longest:.1f} s, {len(wrong)} wrong", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, action="append", help="default: both")
    parser.add_argument("--every", type=int, default=1, help="strike every n-th request only")
    arguments = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder / "instance")
        with web(folder, folder / "instance", **SETTING, PROXIES="1") as (caller, _process):
            for engine in arguments.engine or ENGINES:
                browser = ENGINES[engine]()
                for ranked in (False, True):
                    wrong += campaign(browser, caller.port, folder, ranked=ranked, every=arguments.every)
                browser.close()
    print("\n".join(wrong) or "No move was lost, and no board stood still.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
