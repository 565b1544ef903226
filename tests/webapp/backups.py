"""Backups under load: the campaign `backups` takes one a minute for ten minutes, restores and verifies each.

Real processes throughout: gunicorn, clients that move as fast as the server responds, and the commands as an
operator runs them. A backup must hold every move that was acknowledged before it began, and none that was
sent after its end. `MINUTES` and `EVERY` (seconds) change the length.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from tests.webapp.chaos import database
from tests.webapp.processes import ROOT, WEB, Caller, free_port, running, wait_until
from tests.webapp.stocked import at, migrate, opened
from webapp.bank import bank
from webapp.process.clock import now

CLIENTS = 6


@dataclass
class Client:
    """A player on one board."""

    port: int
    attempt: str = ""
    sent: int = 0
    acknowledged: int = 0
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def play(self, stop: threading.Event) -> None:
        caller = Caller(self.port)
        self.attempt = caller.start().rpartition("/")[2]
        while not stop.is_set() and self.sent < 4900:
            began = time.monotonic()
            move = [("seq", self.sent + 1), ("kind", "fill"), ("cell", ""), ("digit", "")]
            self.sent += 1
            try:
                status, text, _ = caller.request("POST", f"/attempts/{self.attempt}/moves", move)
            except (OSError, http.client.HTTPException) as error:
                status, text = 0, str(error)
            self.slowest = max(self.slowest, time.monotonic() - began)
            if status == 200:
                self.acknowledged += 1
            else:
                self.wrong.append(f"{status}: {text[:100]}")
                self.sent -= 1
            stop.wait(0.05)


def flask(*arguments: str, **environment: str) -> str:
    """Run a command, which must succeed. Returns its output."""
    command = [sys.executable, "-m", "flask", "--app", "wsgi", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout.strip().splitlines()[-1]


def campaign(server: str | None, minutes: float, every: float) -> None:
    """Back up, restore and verify on one kind of database; prints a line for each backup."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours, theirs = (stack.enter_context(database(server, name)) for name in ("backups", "restored"))
        instance, restored = folder / "site", folder / "restored"
        migrate(instance, **ours)
        with opened(at(instance, **ours)) as app, app.app_context():
            list(bank.stock_up(CLIENTS, now(), rated=False))
        port = free_port()
        stack.enter_context(running(*WEB, instance=instance, log=folder / "log", PORT=str(port), **ours))
        wait_until(Caller(port).answers)
        stop = threading.Event()
        clients = [Client(port) for _ in range(CLIENTS)]
        threads = [threading.Thread(target=client.play, args=(stop,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            stack.callback(thread.join)
        stack.callback(stop.set)
        wait_until(lambda: all(client.acknowledged > 5 for client in clients))
        url = theirs.get("DATABASE_URL") or f"sqlite:///{restored / 'ninefold.sqlite'}"
        until = time.monotonic() + 60 * minutes
        number = 0
        while time.monotonic() < until:
            next_one = time.monotonic() + every
            number += 1
            least = {client.attempt: client.acknowledged for client in clients}
            began = time.monotonic()
            flask("backup", str(folder / f"{number}"), INSTANCE_PATH=str(instance), **ours)
            took = time.monotonic() - began
            most = {client.attempt: client.sent for client in clients}
            there = {"INSTANCE_PATH": str(restored), **theirs}
            flask("restore", str(folder / f"{number}"), "--replace", **there)
            verified = flask("verify", **there)
            held = _moves(url)
            for attempt in least:
                assert least[attempt] <= held.get(attempt, 0) <= most[attempt], (attempt, held)
            print(f"backup {number}: {sum(held.values())} moves, {took:.1f} s; {verified}", flush=True)
            time.sleep(max(0.0, min(next_one, until) - time.monotonic()))
        wrong = [line for client in clients for line in client.wrong]
        slowest = max(client.slowest for client in clients)
        print(f"{number} backups; slowest move {slowest:.2f} s; {len(wrong)} not acknowledged {wrong[:3]}")


def _moves(url: str) -> dict[str, int]:
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        rows = connection.execute(sa.text("SELECT attempt_id, count(*) FROM move GROUP BY attempt_id"))
        counted = {row[0]: row[1] for row in rows}
    engine.dispose()
    return counted


def main() -> None:
    """Run on SQLite and, if TEST_DATABASE_URL names a server, on PostgreSQL."""
    minutes, every = float(os.environ.get("MINUTES", 10)), float(os.environ.get("EVERY", 60))
    print("SQLite", flush=True)
    campaign(None, minutes, every)
    if server := os.environ.get("TEST_DATABASE_URL"):
        print("PostgreSQL", flush=True)
        campaign(server, minutes, every)


if __name__ == "__main__":
    main()
