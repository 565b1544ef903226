"""Real processes for tests: web server, worker, everything at once; started, killed, requested over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from signal import SIG_IGN, SIGKILL, SIGTERM
from signal import signal as handle
from typing import Any
from urllib.parse import urlencode

from tests.webapp.forking import Fork, end_with_parent
from webapp.process.operation.machine import processors

Form = list[tuple[str, Any]]  # a repeated name keeps its order
ROOT = Path(__file__).resolve().parents[2]
WEB = ("gunicorn", "-c", "python:webapp.process.server", "wsgi:app")
WORKER = ("flask", "--app", "wsgi", "worker")
SERVE = ("flask", "--app", "wsgi", "serve")
START = 420.0  # seconds after which a process counts as broken, however busy the machine
STOP = 60.0


def free_port() -> int:
    """A free port on the loopback interface."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_until(true: Callable[[], bool], seconds: float = START) -> None:
    """Poll until it is true; fails after `seconds`."""
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up, f"not true within {seconds} s: {true}"
        time.sleep(0.05)


def descendants(pid: int) -> list[int]:
    """Return the process ids below `pid`, from /proc."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def allowed(seconds: float) -> float:
    """Scale a promised time to the machine's current load."""
    return seconds * max(1.0, os.getloadavg()[0] / processors())


class Process:
    """One command with its settings, in a session of its own, so that a signal reaches all its descendants.

    It is a fork of a process that has imported the site, unless it must start from nothing or from another
    checkout.
    """

    popen: subprocess.Popen[bytes] | Fork

    def __init__(
        self,
        *arguments: str,
        instance: Path,
        log: Path,
        forked: bool = True,
        root: Path = ROOT,
        **environment: str,
    ) -> None:
        self.arguments, self._forked, self._root = arguments, forked, root
        self.environment = (
            os.environ
            | {"INSTANCE_PATH": str(instance), "CROWD": "10000"}
            | {"BANK_STOCK": "3"}
            | environment
        )
        for name in ("DATABASE_URL", "SECRET_KEY", "PUBLIC_URL"):
            if name not in environment:
                self.environment.pop(name, None)
        self.log = log
        self.start()

    def start(self) -> None:
        if self._forked:
            self.popen = Fork(self.arguments, self.environment, ROOT, self.log)
            return
        command = [sys.executable, "-W", "error::ResourceWarning", "-m", *self.arguments]
        with self.log.open("ab") as log:
            self.popen = subprocess.Popen(
                command,
                cwd=self._root,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )

    def signal(self, number: int) -> None:
        """Send a signal to the whole group."""
        os.killpg(self.popen.pid, number)

    def kill(self) -> None:
        """kill -9, all of it."""
        self.signal(SIGKILL)
        self.popen.wait()

    def stop(self, number: int = SIGTERM) -> int:
        """Tell the group to end. Returns its exit status."""
        if self.popen.poll() is None:
            self.signal(number)
        return self.popen.wait(STOP)

    def output(self) -> str:
        return self.log.read_text()

    def failed(self) -> bool:
        """Tell whether the log reports an error; a finalizer interrupted by a signal doesn't count."""
        text = self.output()
        lines = (json.loads(line) for line in text.splitlines() if line.startswith("{"))
        return any(line["level"] in ("error", "critical") for line in lines) or bool(
            re.search(r"^(?!Exception ignored in).*\n *Traceback", f"\n{text}", re.M)
        )


@contextmanager
def ignoring(*numbers: int) -> Iterator[None]:
    """Start processes with these signals ignored, as `nohup` and `&` do."""
    before = {number: handle(number, SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            handle(number, handler)


@contextmanager
def running(*arguments: str, **settings: Any) -> Iterator[Process]:
    """Run a process, and end it in any case."""
    process = Process(*arguments, **settings)
    try:
        yield process
    finally:
        if process.popen.poll() is None:
            process.kill()


class Caller:
    """A visitor over real HTTP, with a connection for each request."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.host, self.port = host, port
        self.cookie = ""
        self.token = ""

    def request(self, method: str, path: str, form: Form | None = None) -> tuple[int, str, str]:
        """Return status, body and location; a lost connection raises OSError or HTTPException."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        body = None
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
            body = urlencode([*form, ("csrf_token", self.token)])
        with closing(http.client.HTTPConnection(self.host, self.port, timeout=START)) as connection:
            connection.request(method, path, body, headers)
            with closing(connection.getresponse()) as response:
                text = response.read().decode()
        for value in response.headers.get_all("Set-Cookie") or []:
            self.cookie = value.partition(";")[0]
        if found := re.search(r'name="csrf_token"[^>]* value="([^"]+)"', text):
            self.token = found[1]
        return response.status, text, response.headers.get("Location", "")

    def answers(self, path: str = "/healthz") -> bool:
        """Tell whether the address responds with 200 at this moment."""
        try:
            return self.request("GET", path)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def start(self, level: int = 1) -> str:
        """Start an attempt, once the site isn’t busy. Returns its address."""
        for _try in range(30):  # SQLite without WAL is busy while the bank is stocked
            self.request("GET", "/")
            status, text, location = self.request("POST", "/attempts", [("level", level)])
            if status == 303:
                return location
        raise AssertionError(text)


@contextmanager
def web(
    folder: Path, instance: Path, *, command: Sequence[str] = WEB, **settings: Any
) -> Iterator[tuple[Caller, Process]]:
    """Run a web server that logs in this folder. Yields a visitor of it, once it answers."""
    caller = Caller(free_port())
    with running(
        *command, instance=instance, log=folder / "log", PORT=str(caller.port), **settings
    ) as process:
        wait_until(caller.answers)
        yield caller, process
