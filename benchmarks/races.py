"""500 racers in 50 races against the real server: when they see each other, and what others notice.

`python -m benchmarks races`: two minutes, unless RACE_SECONDS says otherwise; RACES=50. Every racer has one
connection, asks for the strip every two seconds and sends a mark or a digit about every six. Half way, one
web process is killed. Eight players of ordinary games send a batch a second each: before, meanwhile and
after.
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
from tests.webapp.processes import Process, descendants
from webapp import create_app
from webapp.bank import bank
from webapp.competition.races.progress import TENTHS
from webapp.competition.races.races import COUNTDOWN
from webapp.models import Attempt
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import db

SECONDS = float(os.environ.get("RACE_SECONDS", "120"))
RACES = int(os.environ.get("RACES", "50"))
EACH, PLAYERS = 10, 8
POLL, BATCH = 2.0, 6.0  # seconds
IDLE = 20.0  # seconds
MOST_LATE, MOST_MEDIAN = 3.0, 1.5  # seconds until others see a step; times the idle median
GZIP = "\r\nContent-Encoding: gzip"
COOKIE, WAY = re.compile(r"\r\nSet-Cookie: ([^;]+)"), re.compile(r"\r\nHX-Redirect: ([^\r]+)")
TOKEN = re.compile(r'name="csrf_token"[^>]* value="([^"]+)"')
ENTRY = re.compile(r'id="racer-(\d+)"(.*?)</li>', re.DOTALL)


@dataclass
class Told:
    """What the racers have seen."""

    polls: list[float] = field(default_factory=list)  # milliseconds
    unchanged: int = 0
    batches: list[float] = field(default_factory=list)  # milliseconds
    delays: list[float] = field(default_factory=list)  # seconds from a step to the page of each other racer
    lost: int = 0  # requests that had to be sent again
    unseen: int = 0  # steps that the page of another never showed
    games: dict[str, int] = field(default_factory=dict)  # game -> moves acknowledged
    processor: float = 0.0  # seconds that the load tool took of the processors while they raced


class Browser:
    """One racer: a connection, a cookie, the board, and what the page shows of the others."""

    def __init__(self, port: int, number: int, told: Told) -> None:
        self.port, self.number, self.told = port, number, told
        self.cookie = self.token = self.strip = self.board = ""
        self.seq = 0
        self.givens = ""
        self.steps: list[tuple[int, float]] = []  # tenths, and when the digit was sent that reached them
        self.seen: dict[int, int] = {}  # racer -> tenths shown here
        self._line = Line(port)
        self._turn = asyncio.Lock()

    @property
    def lost(self) -> int:
        """How many requests had to be sent again."""
        return self._line.lost

    async def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[int, str, str]:
        """Status, body, and where it leads; sent again until it is answered."""
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
        """Make a race, or join one; its address."""
        await self.ask("/races")
        form: dict[str, object] = {"level": 2, "name": f"racer {self.number}"}
        status, text, to = await self.ask(f"{race}/racers" if race else "/races", form)
        assert to, (status, text[:500])
        return to

    async def sit_down(self, race: str) -> None:
        """Take up one's game."""
        while not self.board.startswith("/attempts/"):
            _status, _text, self.board = await self.ask(f"{race}/games", {})
        _status, page, _to = await self.ask(self.board)
        found = re.search(r'data-givens="([\d.]{81})"', page)
        assert found is not None
        self.givens = found[1].replace("0", ".")
        self.look([], page)

    async def watch(self, race: list[Browser], until: float) -> None:
        """Ask for the strip, and note what is new of the others."""
        due = time.monotonic() + random.uniform(0, POLL)
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            started = time.monotonic()
            status, text, _to = await self.ask(self.strip)
            self.told.polls.append(1000 * (time.monotonic() - started))
            self.told.unchanged += status == 204
            if status == 200:
                self.look(race, text)
            # A page's timer keeps its beat however late an answer comes; one question waits for it at most.
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
                self.told.delays += [at - when for reached, when in steps if before < reached <= shown]
            self.seen[int(number)] = shown

    async def play(self, until: float) -> None:
        """Send marks and right digits, all but the last: everyone races until the end."""
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
            self.told.batches.append(1000 * (time.monotonic() - started))
            reached = TENTHS * (cells - 1 - len(empty)) // cells
            if reached > (self.steps[-1][0] if self.steps else 0):
                self.steps.append((reached, started))
            await asyncio.sleep(max(0.0, random.uniform(0.5, 1.5) * BATCH - (time.monotonic() - started)))


async def race(port: int, told: Told, seated: Event) -> None:
    """All races from their making to the end."""
    races = [[Browser(port, number, told) for number in range(1, EACH + 1)] for _ in range(RACES)]
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
        racers.sort(key=lambda racer: racer.number)  # as they joined
    seated.set()
    until, before = time.monotonic() + SECONDS, time.process_time()
    watching = (racer.watch(racers, until + MOST_LATE) for racers in races for racer in racers)
    playing = (racer.play(until - MOST_LATE) for racers in races for racer in racers)
    await asyncio.gather(*watching, *playing)
    told.processor = time.process_time() - before
    for racers in races:
        for racer in racers:
            told.games[racer.board.rpartition("/")[2]] = racer.seq
            told.lost += racer.lost
            told.unseen += sum(
                reached > racer.seen.get(other.number, 0)
                for other in racers
                for reached, _when in other.steps
            )


def racing(port: int, seated: Event, results: multiprocessing.Queue[Told]) -> None:
    """What the load process does."""
    told = Told()
    asyncio.run(race(port, told, seated))
    results.put(told)


def batches(port: int, seconds: float) -> list[float]:
    """Milliseconds of the batches of PLAYERS other players, one a second each."""
    times = drive([Player(port) for _ in range(PLAYERS)], Player.batch, seconds, every=1.0)
    return sorted(1000 * took for took in times)


def kill_one(process: Process) -> None:
    """Kill a web process, as the kernel does where memory runs out."""
    os.kill(random.choice(descendants(process.popen.pid)), SIGKILL)


def stock(process: Process) -> int:
    """Put puzzles into the bank of a site."""
    app = create_app(Settings.from_environment(process.environment))
    with app.app_context():
        return len(list(bank.stock_up(5, now(), rated=False)))


def stored(process: Process) -> dict[str, int]:
    """The number of moves of every game in a race."""
    app = create_app(Settings.from_environment(process.environment))
    with app.app_context():
        rows = db.session.execute(sa.select(Attempt.id, Attempt.last_seq).where(Attempt.turn.is_not(None)))
        return {row.id: row.last_seq for row in rows}


def main() -> None:
    """Print what the racers and the others have seen."""
    context = multiprocessing.get_context("spawn")
    with site() as (port, process):
        stock(process)
        batches(port, 3)
        idle = batches(port, IDLE)
        seated = context.Event()
        results: multiprocessing.Queue[Told] = context.Queue()
        load = context.Process(target=racing, args=(port, seated, results))
        load.start()
        seated.wait()
        killer = threading.Timer(SECONDS / 2, kill_one, [process])
        killer.start()
        before = time.monotonic(), processor_seconds(process)
        busy = batches(port, SECONDS - 5)
        used = (processor_seconds(process) - before[1]) / (time.monotonic() - before[0])
        told = results.get()
        load.join()
        after = batches(port, IDLE)
        kept = stored(process)
    here = sorted(told.delays)
    polls, own = sorted(told.polls), sorted(told.batches)
    print(f"{RACES * EACH} racers for {SECONDS:.0f} s, load {os.getloadavg()[0]:.1f}")
    print(
        f"updates: {len(here)}, median {statistics.median(here):.2f} s,"
        f" 99 % {here[int(0.99 * len(here))]:.2f} s,"
        f" last {here[-1]:.2f} s (at most {MOST_LATE});"
        f" later: {sum(t > MOST_LATE for t in here)}, never: {told.unseen}"
    )
    print(
        f"strips: {len(polls) / SECONDS:.0f}/s, {told.unchanged / len(polls):.0%} unchanged,"
        f" median {statistics.median(polls):.1f} ms, 99 % {polls[int(0.99 * len(polls))]:.1f} ms"
    )
    print(
        f"racers' batches: {len(own) / SECONDS:.0f}/s, median {statistics.median(own):.1f} ms,"
        f" 99 % {own[int(0.99 * len(own))]:.1f} ms"
    )
    ratio = statistics.median(busy) / statistics.median(idle + after)
    print(
        f"other players' batches: idle {statistics.median(idle):.1f} ms before and"
        f" {statistics.median(after):.1f} ms after, meanwhile {statistics.median(busy):.1f} ms,"
        f" {ratio:.2f} times (at most {MOST_MEDIAN})"
    )
    whole = sum(kept.get(game) == moves for game, moves in told.games.items())
    print(
        f"after a killed web process: {whole} of {len(told.games)} games whole,"
        f" {told.lost} requests sent again"
    )
    print(f"processors: {used:.2f} for the site, {told.processor / SECONDS:.2f} for the racers' load tool")
