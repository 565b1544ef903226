"""Batches of moves against the real server on the loopback: at a steady pace, and as fast as answered.

`python -m benchmarks moves`: 16 connections, each with an attempt of its own, for a few seconds each way. The
load comes from processes on the same machine, so the figures are the server's and the load tool's together.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

CONNECTIONS = 16
SECONDS = float(os.environ.get("SECONDS_EACH", "10"))
ROOT = Path(__file__).resolve().parents[1]
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


class Player:
    """One visitor on one kept-alive connection with one attempt."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.cookie = ""
        self.token = ""
        self.seq = 0
        self.request("GET", "/")
        status, _text, location = self.request("POST", "/attempts", {"grid": GRID})
        if status != 303:
            raise SystemExit(f"an attempt could not be started: {status}")
        self.attempt = location

    def request(self, method: str, path: str, form: dict[str, object] | None = None) -> tuple[int, str, str]:
        headers = {"Cookie": self.cookie, "Connection": "keep-alive"}
        body = None
        if form is not None:
            body = urlencode({**form, "csrf_token": self.token})
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read().decode()
        for value in response.headers.get_all("Set-Cookie") or []:
            self.cookie = value.partition(";")[0]
        if found := re.search(r'name="csrf_token"[^>]* value="([^"]+)"', text):
            self.token = found[1]
        return response.status, text, response.headers.get("Location", "")

    def send(self, path: str, form: dict[str, object]) -> float:
        """Seconds until the answer."""
        started = time.perf_counter()
        status, text, _location = self.request("POST", f"{self.attempt}/{path}", form)
        if status != 200:
            raise SystemExit(f"{path} answered {status}: {text[:200]}")
        return time.perf_counter() - started

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


def report(name: str, times: list[float]) -> None:
    print(
        f"{name:34} {len(times) / SECONDS:8.0f}/s  median {statistics.median(times):6.1f} ms"
        f"  95 % {percentile(times, 0.95):6.1f} ms  99 % {percentile(times, 0.99):6.1f} ms"
        f"  ({len(times)} answers)"
    )


def main() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = int(listener.getsockname()[1])
    with tempfile.TemporaryDirectory() as instance:
        environment = os.environ | {"INSTANCE_PATH": instance, "PORT": str(port)}
        flask = [sys.executable, "-m", "flask", "--app", "wsgi", "db", "upgrade"]
        subprocess.run(flask, cwd=ROOT, env=environment, check=True)
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", "python:webapp.server", "wsgi:app"],
            cwd=ROOT,
            env=environment,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/healthz")
            measure(port, "closed", "batch", 4)  # warm up
            report("16 connections, a batch a second", measure(port, "pace", "batch"))
            report("16 connections, closed loop", measure(port, "closed", "batch"))
            report("16 connections, a hint a second", measure(port, "pace", "hint"))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(10)


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")
