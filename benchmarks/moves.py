"""Batches of moves against the real server on the loopback: at a steady pace, and as fast as answered.

`python -m benchmarks moves`: 16 connections, each with an attempt of its own, for a few seconds each way. The
load comes from processes on the same machine, so the figures are the server's and the load tool's together.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import statistics
import threading
import time
from collections.abc import Callable
from urllib.parse import urlencode

from benchmarks.site import GRID, compiled, site
from tests.webapp.processes import Caller

CONNECTIONS = 16
SECONDS = float(os.environ.get("SECONDS_EACH", "10"))


class Player:
    """One visitor on one kept-alive connection with one attempt.

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
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.seq = 0

    def send(self, door: str, form: dict[str, object]) -> float:
        """Seconds until the whole answer is there."""
        body = urlencode({**form, "csrf_token": self.token})
        head = f"POST {self.attempt}/{door} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
        started = time.perf_counter()
        self.socket.sendall(f"{head}{body}".encode())
        answer = bytearray()
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self._more()
        headers = answer[:end].lower()
        length = int(headers.partition(b"content-length:")[2].partition(b"\r\n")[0])
        while len(answer) < end + 4 + length:
            answer += self._more()
        took = time.perf_counter() - started
        if not answer.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{door} answered {answer[:200]!r}")
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


def load(
    port: int, connections: int, way: str, what: str, results: multiprocessing.Queue[list[float]]
) -> None:
    """What one load process does: its share of the connections, a thread each."""
    players = [Player(port) for _ in range(connections)]
    times: list[float] = []
    loop, act = (
        {"pace": at_a_pace, "closed": closed_loop}[way],
        {"batch": Player.batch, "hint": Player.hint}[what],
    )
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=loop, args=(player, until, times, act)) for player in players]
    for thread in threads:
        thread.start()
        time.sleep(1 / CONNECTIONS if way == "pace" else 0)
    for thread in threads:
        thread.join()
    results.put(times)


def measure(port: int, way: str, what: str, connections: int = CONNECTIONS) -> list[float]:
    """Milliseconds of every answer, sorted."""
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[list[float]] = context.Queue()
    halves = [connections // 2, connections - connections // 2]
    processes = [
        context.Process(target=load, args=(port, half, way, what, results)) for half in halves if half
    ]
    for process in processes:
        process.start()
    times = sorted(1000 * took for _ in processes for took in results.get())
    for process in processes:
        process.join()
    return times


def percentile(times: list[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))]


def run() -> dict[str, list[float]]:
    """Milliseconds of every answer, sorted: at a pace, in a closed loop, and hints at a pace."""
    compiled()
    with site() as (port, _process):
        measure(port, "closed", "batch", 4)  # the first connections to the database are opened
        return {
            "16 connections, a batch a second": measure(port, "pace", "batch"),
            "16 connections, closed loop": measure(port, "closed", "batch"),
            "16 connections, a hint a second": measure(port, "pace", "hint"),
        }


def main() -> None:
    for name, times in run().items():
        print(
            f"{name:34} {len(times) / SECONDS:8.0f}/s  median {statistics.median(times):6.1f} ms"
            f"  95 % {percentile(times, 0.95):6.1f} ms  99 % {percentile(times, 0.99):6.1f} ms"
            f"  ({len(times)} answers)"
        )
