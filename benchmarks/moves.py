"""Batches of moves against the real server on the loopback: at a steady pace, and as fast as it responds.

16 connections, each with an attempt of its own, for SECONDS_EACH (10) each way. The load comes from one
thread on the same machine, so the figures are the server's and the load tool's together; the load tool's
processor time is shown beside them.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from benchmarks.lines import Line
from benchmarks.site import GRID, compiled, processor_seconds, site
from benchmarks.tables import SMALLEST, sized
from tests.webapp.processes import Caller, Process

CONNECTIONS = 2 if SMALLEST else 16
PAGES = ("/", "/leaderboard", "/daily")
NOBODY = "Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
SECONDS = sized("SECONDS_EACH", 10)
WARM_UP = 0.5 if SMALLEST else 2.0  # seconds
PATIENCE = 30.0  # seconds until the last responses must be there


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
        """Send a batch of one move: a mark set and cleared in alternation, so that the board stays small."""
        self.seq += 1
        await self._send("moves", {"seq": self.seq, "kind": "corner", "cell": 0, "digit": self.seq % 9 + 1})

    async def hint(self) -> None:
        """Request a hint, with all its stages."""
        self.seq += 1
        await self._send("hints", {"seq": self.seq, "depth": 3})

    async def page(self) -> None:
        """Request, in alternation, one of the pages where most visits begin, with this player's cookie."""
        await self._page(self.headers)

    async def visit(self) -> None:
        """Request the same without a cookie, as a new visitor."""
        await self._page(NOBODY)

    async def _page(self, headers: str) -> None:
        self.pages += 1
        await self._ask(f"GET {PAGES[self.pages % len(PAGES)]} HTTP/1.1\r\n{headers}\r\n")

    async def _send(self, route: str, form: dict[str, object]) -> None:
        body = urlencode({**form, "csrf_token": self.token})
        head = f"POST {self.attempt}/{route} HTTP/1.1\r\n{self.headers}HX-Request: true\r\n"
        await self._ask(f"{head}Content-Length: {len(body)}\r\n\r\n{body}")

    async def _ask(self, request: str) -> None:
        head, _body = await self.line.ask(request.encode())
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{request.partition(' HTTP')[0]} answered {head[:200]!r}")


Act = Callable[[Player], Awaitable[None]]


def drive(players: list[Player], act: Act, seconds: float, every: float = 0.0) -> list[float]:
    """Let players act for that many seconds. Returns seconds until each response had arrived.

    every: seconds from one request of a player to the next, which also waits for the response.
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
    """The server's responses under one load."""

    name: str
    times: list[float]  # milliseconds of every response, sorted
    processor: float  # milliseconds of the server's processor time for one
    tool: float  # and of the load tool's

    @property
    def rate(self) -> float:
        """Responses a second."""
        return len(self.times) / SECONDS

    @property
    def median(self) -> float:
        """Milliseconds."""
        return statistics.median(self.times)

    def percentile(self, share: float) -> float:
        """Milliseconds within which this share of the responses arrived."""
        return self.times[min(len(self.times) - 1, int(share * len(self.times)))]


def measure(port: int, process: Process, name: str, act: Act, every: float = 0.0) -> Load:
    """Let CONNECTIONS players act for SECONDS. Ends the run at the first error."""
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
