"""Batches of moves against the real server on the loopback: at a steady pace, and as fast as answered.

`python -m benchmarks moves`: 16 connections, each with an attempt of its own, for a few seconds each way. The
load comes from processes on the same machine, so the figures are the server's and the load tool's together.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlencode

from benchmarks.site import GRID, compiled, processor_seconds, site
from tests.webapp.processes import Caller

CONNECTIONS = 16
PAGES = ("/", "/leaderboard", "/learn")
SECONDS = float(os.environ.get("SECONDS_EACH", "10"))


class Player:
    """One visitor on one kept-alive connection at a time with one attempt.

    Requests are bytes on a socket: a load tool that costs as much as the server would halve its rate.
    """

    def __init__(self, port: int) -> None:
        caller = Caller(port)
        caller.request("GET", "/")
        status, text, self.attempt = caller.request("POST", "/attempts", [("grid", GRID)])
        if status != 303:
            raise SystemExit(f"an attempt could not be started: {status}: {text[:200]}")
        self.token = caller.token
        self.headers = (
            f"Host: 127.0.0.1:{port}\r\nCookie: {caller.cookie}\r\nHX-Request: true\r\n"
            "Accept-Encoding: gzip\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        )
        self.port = port
        self.socket = self._connected()
        self.seq = self.pages = 0

    def _connected(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def send(self, door: str, form: dict[str, object]) -> float:
        """Seconds until the whole answer is there."""
        body = urlencode({**form, "csrf_token": self.token})
        head = f"POST {self.attempt}/{door} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
        return self._ask(f"{head}{body}")

    def _ask(self, request: str) -> float:
        started = time.perf_counter()
        self.socket.sendall(request.encode())
        answer = bytearray()
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self._more()
        headers = answer[:end].lower()
        length = int(headers.partition(b"content-length:")[2].partition(b"\r\n")[0])
        while len(answer) < end + 4 + length:
            answer += self._more()
        took = time.perf_counter() - started
        if not answer.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{request.partition(' HTTP')[0]} answered {bytes(answer[:200])!r}")
        if b"\r\nconnection: close" in headers:  # as the server does now and then, to spread its load
            self.socket.close()
            self.socket = self._connected()
        return took

    def _more(self) -> bytes:
        received = self.socket.recv(65536)
        if not received:
            raise SystemExit("the server hung up")
        return received

    def batch(self) -> float:
        """A batch of one move; a mark that comes and goes, so that the board stays small."""
        self.seq += 1
        return self.send("moves", {"seq": self.seq, "kind": "corner", "cell": 0, "digit": self.seq % 9 + 1})

    def page(self) -> float:
        """One of the pages that most visits begin with, in turns, whole."""
        self.pages += 1
        address = PAGES[self.pages % len(PAGES)]
        headers = self.headers.replace("HX-Request: true\r\n", "")
        return self._ask(f"GET {address} HTTP/1.1\r\n{headers}\r\n")

    def hint(self) -> float:
        self.seq += 1
        return self.send("hints", {"seq": self.seq, "depth": 3})


def at_a_pace(player: Player, until: float, times: list[float], act: Callable[[Player], float]) -> None:
    while time.monotonic() < until:
        took = act(player)
        times.append(took)
        time.sleep(max(0.0, 1.0 - took))


def closed_loop(player: Player, until: float, times: list[float], act: Callable[[Player], float]) -> None:
    while time.monotonic() < until:
        times.append(act(player))


def connect(
    port: int, connections: int, way: str, what: str, results: multiprocessing.Queue[list[float] | str]
) -> None:
    """What one load process does: its share of the connections, a thread each. Puts times, or what failed."""
    players = [Player(port) for _ in range(connections)]
    times: list[float] = []
    loop, act = (
        {"pace": at_a_pace, "closed": closed_loop}[way],
        {"batch": Player.batch, "hint": Player.hint, "page": Player.page}[what],
    )
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(connections) as threads:
        done = []
        for player in players:
            done.append(threads.submit(loop, player, until, times, act))
            time.sleep(1 / CONNECTIONS if way == "pace" else 0)
    failed = next(filter(None, (each.exception() for each in done)), None)
    results.put(times if failed is None else repr(failed))


def measure(port: int, way: str, what: str, connections: int = CONNECTIONS) -> list[float]:
    """Milliseconds of every answer, sorted. Ends the run where a connection got anything but an answer."""
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[list[float] | str] = context.Queue()
    halves = [connections // 2, connections - connections // 2]
    processes = [
        context.Process(target=connect, args=(port, half, way, what, results)) for half in halves if half
    ]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    times = []
    for part in found:
        if isinstance(part, str):
            raise SystemExit(part)
        times += part
    return sorted(1000 * took for took in times)


@dataclass(frozen=True)
class Load:
    """How the server answered under one load."""

    name: str
    times: list[float]  # milliseconds of every answer, sorted
    processor: float  # milliseconds of processor time the server took for one

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


LOADS = {
    "16 connections, a batch per second": ("pace", "batch"),
    "16 connections, closed loop": ("closed", "batch"),
    "16 connections, a hint per second": ("pace", "hint"),
}


def run() -> list[Load]:
    """Batches at a pace, batches in a closed loop, hints at a pace."""
    compiled()
    loads = []
    with site() as (port, process):
        measure(port, "closed", "batch", 4)  # the first connections to the database are opened
        for name, (way, what) in LOADS.items():
            before = processor_seconds(process)
            times = measure(port, way, what)
            used = 1000 * (processor_seconds(process) - before) / len(times)
            loads.append(Load(name, times, used))
    return loads


def main() -> None:
    for load in run():
        print(
            f"{load.name:34} {load.rate:8.0f}/s  median {load.median:6.1f} ms"
            f"  95 % {load.percentile(0.95):6.1f} ms  99 % {load.percentile(0.99):6.1f} ms"
            f"  processor {load.processor:5.2f} ms  ({len(load.times)} answers)"
        )
