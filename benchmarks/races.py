"""500 racers in 50 races against the real server: the delay until they see each other, and the effect on
others.

`python -m benchmarks races`: two minutes, or RACE_SECONDS; RACES=50. Every racer has one connection, polls
the strip every two seconds and sends a mark or a digit about every six. Half way, one web process is killed.
Eight players of ordinary games send a batch a second each: before, meanwhile and after.
"""

from __future__ import annotations

import asyncio
import gzip
import math
import multiprocessing
import os
import random
import re
import statistics
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.synchronize import Event
from signal import SIGKILL
from urllib.parse import urlencode

import sqlalchemy as sa

import engine
from benchmarks.lines import Line
from benchmarks.moves import Player, drive
from benchmarks.site import processor_seconds, site
from benchmarks.tables import SMALLEST, Table, sized
from tests.webapp.processes import Process, descendants
from webapp import create_app
from webapp.bank import bank
from webapp.competition.races.races import COUNTDOWN
from webapp.competition.races.standings import TENTHS
from webapp.models import Attempt
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import db

SECONDS = sized("RACE_SECONDS", 120, 8)
RACES = sized("RACES", 50, 2)
EACH, PLAYERS = 10, 8
POLL, BATCH = 2.0, 6.0  # seconds
IDLE = sized("IDLE", 20, 2)  # seconds
MOST_LATE, MOST_MEDIAN = 3.0, 1.5  # seconds until others see a step; ratio to the idle median
GZIP = "\r\nContent-Encoding: gzip"
COOKIE, WAY = re.compile(r"\r\nSet-Cookie: ([^;]+)"), re.compile(r"\r\nHX-Redirect: ([^\r]+)")
TOKEN = re.compile(r'name="csrf_token"[^>]* value="([^"]+)"')
ENTRY = re.compile(r'id="racer-(\d+)"(.*?)</li>', re.DOTALL)


@dataclass
class Measured:
    """The measurements of all racers."""

    polls: list[float] = field(default_factory=list)  # milliseconds
    unchanged: int = 0
    batches: list[float] = field(default_factory=list)  # milliseconds
    delays: list[float] = field(default_factory=list)  # seconds from a step to the page of each other racer
    lost: int = 0  # requests that were sent again
    unseen: int = 0  # steps that never appeared on another racer's page
    games: dict[str, int] = field(default_factory=dict)  # game -> moves acknowledged
    processor: float = 0.0  # the load tool's processor seconds during the races


class Browser:
    """One racer: a connection, a cookie, the board, and the others as its page shows them."""

    def __init__(self, port: int, number: int, measured: Measured) -> None:
        self.port, self.number, self.measured = port, number, measured
        self.cookie = self.token = self.strip = self.board = ""
        self.seq = 0
        self.givens = ""
        self.steps: list[tuple[int, float]] = []  # tenths, and when the digit that reached them was sent
        self.seen: dict[int, int] = {}  # racer -> tenths shown here
        self._line = Line(port)
        self._turn = asyncio.Lock()

    @property
    def lost(self) -> int:
        """How many requests were sent again."""
        return self._line.lost

    async def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[int, str, str]:
        """Return status, body and location, sending again until there is a response."""
        body = "" if form is None else urlencode({**form, "csrf_token": self.token})
        request = (
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Cookie: {self.cookie}\r\nHX-Request: true\r\nAccept-Encoding: gzip\r\n"
        )
        if form is not None:
            request += f"Content-Length: {len(body)}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        async with self._turn:
            answer, content = await self._line.ask(f"{request}\r\n{body}".encode())
        head = answer.decode("latin-1")
        text = (gzip.decompress(content) if GZIP in head else content).decode()
        if found := COOKIE.search(head):
            self.cookie = found[1]
        if found := TOKEN.search(text):
            self.token = found[1]
        to = WAY.search(head)
        return int(head[9:12]), text, to[1] if to else ""

    async def enter(self, race: str = "") -> str:
        """Create a race, or join one. Returns its address."""
        await self.ask("/races")
        form: dict[str, object] = {"level": 2, "name": f"racer {self.number}"}
        status, text, to = await self.ask(f"{race}/racers" if race else "/races", form)
        assert to, (status, text[:500])
        return to

    async def sit_down(self, race: str) -> None:
        """Open one's game."""
        while not self.board.startswith("/attempts/"):
            _status, _text, self.board = await self.ask(f"{race}/games", {})
        _status, page, _to = await self.ask(self.board)
        found = re.search(r'data-givens="([\d.]{81})"', page)
        assert found is not None
        self.givens = found[1].replace("0", ".")
        self.look([], page)

    async def watch(self, race: list[Browser], until: float) -> None:
        """Poll the strip, and record the others' progress."""
        due = time.monotonic() + random.uniform(0, POLL)
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            started = time.monotonic()
            status, text, _to = await self.ask(self.strip)
            self.measured.polls.append(1000 * (time.monotonic() - started))
            self.measured.unchanged += status == 204
            if status == 200:
                self.look(race, text)
            # A page's timer keeps its interval however late a response is; at most one request waits for it.
            due += POLL * max(1, math.floor((time.monotonic() - due) / POLL))

    def look(self, race: list[Browser], text: str) -> None:
        """Read a strip."""
        found = re.search(r'hx-get="(/races/[^"]+/strip\?[^"]*\bme=(\d+)[^"]*)"', text)
        assert found is not None, text[:500]
        self.strip, self.number = found[1].replace("&amp;", "&"), int(found[2])
        at = time.monotonic()
        for number, entry in ENTRY.findall(text):
            bar = re.search(r'value="(\d+)"', entry)
            shown, before = int(bar[1]) if bar else 10, self.seen.get(int(number), 0)
            if race:
                steps = race[int(number) - 1].steps
                self.measured.delays += [at - when for reached, when in steps if before < reached <= shown]
            self.seen[int(number)] = shown

    async def play(self, until: float) -> None:
        """Send marks and right digits, all but the last, so that all race until the end."""
        solution = str(engine.solution(engine.parse(self.givens)))
        empty = [cell for cell in range(81) if self.givens[cell] == "."]
        cells = len(empty)
        random.shuffle(empty)
        marked, turns = empty.pop(), max(1.0, (until - time.monotonic()) / BATCH)
        share = min(1.0, len(empty) / turns)  # of the batches that hold a digit
        await asyncio.sleep(random.uniform(0, BATCH))
        while time.monotonic() < until:
            started = time.monotonic()
            self.seq += 1
            move: dict[str, object] = {"kind": "corner", "cell": marked, "digit": self.seq % 9 + 1}
            if empty and random.random() < share:
                cell = empty.pop()
                move = {"kind": "digit", "cell": cell, "digit": solution[cell]}
            status, text, _to = await self.ask(f"{self.board}/moves", {"seq": self.seq, **move})
            assert status == 200, (status, text[:500])
            self.measured.batches.append(1000 * (time.monotonic() - started))
            reached = TENTHS * (cells - 1 - len(empty)) // cells
            if reached > (self.steps[-1][0] if self.steps else 0):
                self.steps.append((reached, started))
            await asyncio.sleep(max(0.0, random.uniform(0.5, 1.5) * BATCH - (time.monotonic() - started)))


async def race(port: int, measured: Measured, ready: Event) -> None:
    """Run all races from their creation to the end."""
    races = [[Browser(port, number, measured) for number in range(1, EACH + 1)] for _ in range(RACES)]
    addresses = []
    for racers in races:
        address = await racers[0].enter()
        await asyncio.gather(*(racer.enter(address) for racer in racers[1:]))
        addresses.append(address)
    for racers, address in zip(races, addresses, strict=True):
        await racers[0].ask(f"{address}/start", {})
    await asyncio.sleep(COUNTDOWN.total_seconds())
    for racers, address in zip(races, addresses, strict=True):
        await asyncio.gather(*(racer.sit_down(address) for racer in racers))
        racers.sort(key=lambda racer: racer.number)  # in the order they joined
    ready.set()
    until, before = time.monotonic() + SECONDS, time.process_time()
    watching = (racer.watch(racers, until + MOST_LATE) for racers in races for racer in racers)
    playing = (racer.play(until - MOST_LATE) for racers in races for racer in racers)
    await asyncio.gather(*watching, *playing)
    measured.processor = time.process_time() - before
    for racers in races:
        for racer in racers:
            measured.games[racer.board.rpartition("/")[2]] = racer.seq
            measured.lost += racer.lost
            measured.unseen += sum(
                reached > racer.seen.get(other.number, 0)
                for other in racers
                for reached, _when in other.steps
            )


def racing(port: int, ready: Event, results: multiprocessing.Queue[Measured]) -> None:
    """Run the races in the load process."""
    measured = Measured()
    asyncio.run(race(port, measured, ready))
    results.put(measured)


def batches(port: int, seconds: float) -> list[float]:
    """Return milliseconds of the batches of PLAYERS other players, one a second each."""
    times = drive([Player(port) for _ in range(PLAYERS)], Player.batch, seconds, every=1.0)
    return sorted(1000 * took for took in times)


def kill_one(process: Process) -> None:
    """Kill a web process, as the kernel does when memory runs out."""
    os.kill(random.choice(descendants(process.popen.pid)), SIGKILL)


def stock(process: Process) -> int:
    """Add puzzles to the bank of a site."""
    app = create_app(Settings.from_environment(process.environment))
    with app.app_context():
        return len(list(bank.stock_up(1 if SMALLEST else 5, now(), rated=False)))


def stored(process: Process) -> dict[str, int]:
    """Return the number of stored moves of every game in a race."""
    app = create_app(Settings.from_environment(process.environment))
    with app.app_context():
        rows = db.session.execute(sa.select(Attempt.id, Attempt.last_seq).where(Attempt.turn.is_not(None)))
        return {row.id: row.last_seq for row in rows}


def main() -> None:
    """Print the racers' measurements and the effect on others."""
    context = multiprocessing.get_context("spawn")
    with site() as (port, process):
        stock(process)
        batches(port, min(3, IDLE))
        idle = batches(port, IDLE)
        ready = context.Event()
        results: multiprocessing.Queue[Measured] = context.Queue()
        load = context.Process(target=racing, args=(port, ready, results))
        load.start()
        ready.wait()
        killer = threading.Timer(SECONDS / 2, kill_one, [process])
        killer.start()
        before = time.monotonic(), processor_seconds(process)
        busy = batches(port, max(1, SECONDS - 5))
        used = (processor_seconds(process) - before[1]) / (time.monotonic() - before[0])
        measured = results.get()
        load.join()
        after = batches(port, IDLE)
        kept = stored(process)
    here = sorted(measured.delays)
    polls, own = sorted(measured.polls), sorted(measured.batches)
    table = Table(("what", "limit"), ("measured",))
    ratio = statistics.median(busy) / statistics.median(idle + after)
    whole = sum(kept.get(game) == moves for game, moves in measured.games.items())
    for what, limit, figure in (
        ("racers, seconds", "", f"{RACES * EACH}, {SECONDS}"),
        ("steps seen by the others", "", f"{len(here):,}"),
        ("a step is on their pages: s, median, 99 %, slowest", f"{MOST_LATE:g} s", _cuts(here, 2)),
        ("of these later than that, never", "0, 0", f"{sum(t > MOST_LATE for t in here)}, {measured.unseen}"),
        ("other players’ batches, times their idle median", f"{MOST_MEDIAN}", f"{ratio:.2f}"),
        (
            "strips a second, share unchanged",
            "",
            f"{len(polls) / SECONDS:.0f}, {measured.unchanged / len(polls):.0%}",
        ),
        ("strips: ms, median, 99 %, slowest", "", _cuts(polls, 1)),
        ("racers’ batches: ms, median, 99 %, slowest", "", _cuts(own, 1)),
        ("games whole after a killed web process", "all", f"{whole} of {len(measured.games)}"),
        ("processors in use: site, load tool", "", f"{used:.2f}, {measured.processor / SECONDS:.2f}"),
    ):
        table.row(what, limit, figure)


def _cuts(times: list[float], places: int) -> str:
    """Format the median, the 99th percentile and the maximum of sorted times."""
    if not times:
        return "none"
    cuts = statistics.median(times), times[int(0.99 * len(times))], times[-1]
    return ", ".join(f"{cut:,.{places}f}" for cut in cuts)
