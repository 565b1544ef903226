"""Batches of moves against the real server on the loopback: at a steady pace, and as fast as answered.

`python -m benchmarks moves`: 16 connections, each with an attempt of its own, for a few seconds each way. The
load comes from one thread on the same machine, so the figures are the server's and the load tool's together;
what the load tool takes of the processors is shown beside them.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from benchmarks.lines import Line
from benchmarks.site import GRID, compiled, processor_seconds, site
from tests.webapp.processes import Caller, Process

CONNECTIONS = 16
PAGES = ("/", "/leaderboard", "/daily")
NOBODY = "Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
SECONDS = float(os.environ.get("SECONDS_EACH", "10"))
WARM_UP = 2.0  # seconds
PATIENCE = 30.0  # seconds that the last answers may take


class Player:
    """One visitor on one connection with one attempt."""

    def __init__(self, port: int) -> None:
        caller = Caller(port)
        caller.request("GET", "/")
        status, text, self.attempt = caller.request("POST", "/attempts", [("grid", GRID)])
        if status != 303:
            raise SystemExit(f"an attempt could not be started: {status}: {text[:200]}")
        self.token = caller.token
        self.headers = (
            f"Host: 127.0.0.1:{port}\r\nCookie: {caller.cookie}\r\n"
            "Accept-Encoding: gzip\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        )
        self.line = Line(port)
        self.seq = self.pages = 0

    async def batch(self) -> None:
        """A batch of one move; a mark that comes and goes, so that the board stays small."""
        self.seq += 1
        await self._send("moves", {"seq": self.seq, "kind": "corner", "cell": 0, "digit": self.seq % 9 + 1})

    async def hint(self) -> None:
        """A hint, told whole."""
        self.seq += 1
        await self._send("hints", {"seq": self.seq, "depth": 3})

    async def page(self) -> None:
        """One of the pages that most visits begin with, in turns, whole; as this player has it."""
        await self._page(self.headers)

    async def visit(self) -> None:
        """The same, as somebody has it who has never been here."""
        await self._page(NOBODY)

    async def _page(self, headers: str) -> None:
        self.pages += 1
        await self._ask(f"GET {PAGES[self.pages % len(PAGES)]} HTTP/1.1\r\n{headers}\r\n")

    async def _send(self, door: str, form: dict[str, object]) -> None:
        body = urlencode({**form, "csrf_token": self.token})
        head = f"POST {self.attempt}/{door} HTTP/1.1\r\n{self.headers}HX-Request: true\r\n"
        await self._ask(f"{head}Content-Length: {len(body)}\r\n\r\n{body}")

    async def _ask(self, request: str) -> None:
        head, _body = await self.line.ask(request.encode())
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{request.partition(' HTTP')[0]} answered {head[:200]!r}")


Act = Callable[[Player], Awaitable[None]]


def drive(players: list[Player], act: Act, seconds: float, every: float = 0.0) -> list[float]:
    """Let players act for so many seconds. Seconds until each answer was there whole.

    every: seconds from one request of a player to the next, which waits for the answer at least.
    """
    times: list[float] = []

    async def one(player: Player, due: float, until: float) -> None:
        while due < until:
            await asyncio.sleep(due - time.monotonic())
            started = time.perf_counter()
            await act(player)
            times.append(time.perf_counter() - started)
            due = max(due + every, time.monotonic())
        player.line.close()

    async def all_of_them() -> None:
        begun, apart = time.monotonic(), every / len(players)
        playing = (
            one(player, begun + place * apart, begun + seconds) for place, player in enumerate(players)
        )
        async with asyncio.timeout(seconds + PATIENCE):
            await asyncio.gather(*playing)

    asyncio.run(all_of_them())
    return times


@dataclass(frozen=True)
class Load:
    """How the server answered under one load."""

    name: str
    times: list[float]  # milliseconds of every answer, sorted
    processor: float  # milliseconds of processor time the server took for one
    tool: float  # and the load tool

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.times) / SECONDS

    @property
    def median(self) -> float:
        """Milliseconds."""
        return statistics.median(self.times)

    def percentile(self, share: float) -> float:
        """Milliseconds within which this share of the answers came."""
        return self.times[min(len(self.times) - 1, int(share * len(self.times)))]


def measure(port: int, process: Process, name: str, act: Act, every: float = 0.0) -> Load:
    """Let CONNECTIONS players act for SECONDS. Ends the run where one gets anything but an answer."""
    players = [Player(port) for _ in range(CONNECTIONS)]
    drive(players, act, WARM_UP)  # connections to the database are opened
    before = processor_seconds(process), time.process_time()
    times = drive(players, act, SECONDS, every)
    used, own = processor_seconds(process) - before[0], time.process_time() - before[1]
    each = 1000 / len(times)
    return Load(name, sorted(1000 * took for took in times), used * each, own * each)


def run() -> list[Load]:
    """Batches at a pace, batches in a closed loop, hints at a pace."""
    compiled()
    with site() as (port, process):
        return [
            measure(port, process, "16 connections, a batch per second", Player.batch, every=1.0),
            measure(port, process, "16 connections, closed loop", Player.batch),
            measure(port, process, "16 connections, a hint per second", Player.hint, every=1.0),
        ]


def main() -> None:
    for load in run():
        print(
            f"{load.name:34} {load.rate:8.0f}/s  median {load.median:6.1f} ms"
            f"  95 % {load.percentile(0.95):6.1f} ms  99 % {load.percentile(0.99):6.1f} ms"
            f"  processor {load.processor:5.2f} ms, of the load tool {load.tool:.2f}"
            f"  ({len(load.times)} answers)"
        )
