"""What a batch of moves costs the processor in one process, without an HTTP server.

`python -m benchmarks batch`; BEFORE names other checkouts, with commas between, which take turns with
this one, so that all meet the same machine. On SQLite, and on the PostgreSQL of TEST_DATABASE_URL, if set.
"""

from __future__ import annotations

import io
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROUNDS, BATCHES = 15, 150  # with what warms up, less than the longest log
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
TOKEN = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')


class Game:
    """A game on a site of its own, made by the release in the working directory."""

    def __init__(self, instance: str) -> None:
        from flask_migrate import upgrade
        from werkzeug.test import Client

        from webapp import create_app
        from webapp.process.config import Settings

        settings = {"INSTANCE_PATH": instance, "CROWD": "10000", "OWN_TURNS": "0"}
        if url := os.environ.get("DATABASE_URL"):
            settings["DATABASE_URL"] = url
        self.app = create_app(Settings.from_environment(settings))
        with self.app.app_context():
            upgrade()
        client = Client(self.app)
        found = TOKEN.search(client.get("/").text)
        assert found is not None
        self.token, self.seq = found[1], 0
        self.address = client.post("/attempts", data={"grid": GRID, "csrf_token": self.token}).location
        page = client.get(self.address or "")
        self.cookie = page.request.headers["Cookie"]

    def batch(self) -> None:
        """A batch of one move, by the shortest way to the site."""
        self.seq += 1
        move = {"seq": self.seq, "kind": "corner", "cell": 0, "digit": self.seq % 9 + 1}
        body = urlencode({**move, "csrf_token": self.token}).encode()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST",
            "SCRIPT_NAME": "",
            "PATH_INFO": f"{self.address}/moves",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "HTTP_COOKIE": self.cookie,
            "HTTP_HX_REQUEST": "true",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
        }
        answers: list[str] = []
        answer: Any = self.app(environ, lambda status, *_more: answers.append(status))  # type: ignore[arg-type]
        b"".join(answer)
        answer.close()
        if answers != ["200 OK"]:
            raise SystemExit(f"a batch was answered {answers}")


def take_turns() -> None:
    """In a process of its own: for each line that comes, play BATCHES and say what one took, in ms."""
    with tempfile.TemporaryDirectory() as instance:
        game = Game(instance)
        for _ in range(2 * BATCHES):
            game.batch()
        print("ready", flush=True)
        for _line in sys.stdin:
            began = time.process_time()
            for _ in range(BATCHES):
                game.batch()
            print(1000 * (time.process_time() - began) / BATCHES, flush=True)


def _started(root: Path, url: str | None) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(root)}
    environment.pop("DATABASE_URL", None)
    process = subprocess.Popen(
        [sys.executable, __file__],
        cwd=root,
        env=environment | ({"DATABASE_URL": url} if url else {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    _said(process)
    return process


def _said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def main() -> None:
    from tests.webapp.conftest import empty_database
    from tests.webapp.processes import ROOT

    before = filter(None, os.environ.get("BEFORE", "").split(","))
    roots = [*(Path(each).resolve() for each in before), ROOT]
    server = os.environ.get("TEST_DATABASE_URL")
    print("| database | release | ms of processor, median | least | most |\n|---|---|---|---|---|")
    for database in ["SQLite", *(["PostgreSQL"] if server else [])]:
        with ExitStack() as stack:
            urls = [
                stack.enter_context(empty_database(server, f"batch_{number}"))
                if server and database == "PostgreSQL"
                else None
                for number in range(len(roots))
            ]
            processes = [_started(root, url) for root, url in zip(roots, urls, strict=True)]
            took: list[list[float]] = [[] for _ in roots]
            for turn in range(ROUNDS):
                order = list(range(len(roots)))
                for number in order if turn % 2 else reversed(order):
                    print(file=processes[number].stdin, flush=True)
                    took[number].append(float(_said(processes[number])))
            for process in processes:
                process.communicate()
        for root, times in zip(roots, took, strict=True):
            name = "now" if root == ROOT else root.name
            middle = statistics.median(times)
            print(f"| {database} | {name} | {middle:.2f} | {min(times):.2f} | {max(times):.2f} |")


if __name__ == "__main__":
    sys.path[:0] = [str(Path.cwd())]
    take_turns()
