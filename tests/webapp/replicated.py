"""Leaderboards read from a streaming replica: the campaign `replica`. Needs PostgreSQL's own programs.

Makes a database and a replica of it on loopback, in a folder that is removed at the end. Players solve a
daily and open its leaderboard at once; the replica pauses, is killed, and returns. Checked: a player sees
their own solve in the very next page, whatever the replica does; no page fails; guests see the replica's
data.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median

import psycopg
import sqlalchemy as sa
from flask import Flask

from tests.webapp.chaos import prepare
from tests.webapp.processes import WEB, WORKER, Caller, free_port, running, wait_until
from tests.webapp.solves import DAY, add_daily, add_solve, at
from webapp import create_app
from webapp.competition import replica
from webapp.models import Player
from webapp.process.config import Settings
from webapp.process.database import close, db, write_tx

PLAYERS = 8
AWAY = 15.0  # seconds that the replica is down
SETTINGS = ("wal_level=replica", "hot_standby=on", "shared_buffers=64MB")


def programs() -> Path:
    """Return the folder of the newest PostgreSQL programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        sys.exit("PostgreSQL's programs are not installed: nothing was checked.")
    return found[-1].parent


class Server:
    """One PostgreSQL in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        source: Server | None = None,
        address: str = "127.0.0.1",
        inside: tuple[str, ...] = (),
    ) -> None:
        """`inside`: the prefix for its programs, such as `ip netns exec NAME`."""
        self.folder, self.port, self.address, self._inside = folder, free_port(), address, inside
        if source is None:
            self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "-D", folder)
            with (folder / "pg_hba.conf").open("a") as rules:
                rules.write("host all all samenet trust\n")
        else:
            self._run("pg_basebackup", "-R", "-c", "fast", "-d", source.url, "-D", folder)
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{self.address}:{self.port}/postgres"

    def start(self) -> None:
        settings = " ".join(f"-c {each}" for each in (*SETTINGS, f"listen_addresses={self.address}"))
        sockets = f"-p {self.port} -c unix_socket_directories={self.folder} {settings}"
        self._run("pg_ctl", "-w", "-D", self.folder, "-l", self.folder / "log", "-o", sockets, "start")

    def stop(self, mode: str) -> None:
        """Stop with a mode of pg_ctl; `immediate` acts like a crash."""
        self._run("pg_ctl", "-w", "-D", self.folder, "-m", mode, "stop")

    def ask(self, statement: str) -> object:
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
            return None if row is None else row[0]

    def _run(self, program: str, *arguments: str | Path) -> None:
        # Root may not run a server, so the packages' own user does.
        who = ("runuser", "-u", "postgres", "--") if os.getuid() == 0 else ()
        command = [*self._inside, *who, str(programs() / program), *map(str, arguments)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/")
        if done.returncode:
            sys.exit(f"{program}: {done.stdout}")


@contextmanager
def servers(folder: Path) -> Iterator[tuple[Server, Server]]:
    """A database and its replica."""
    folder.mkdir()
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    primary = Server(folder / "primary")
    try:
        standby = Server(folder / "standby", primary)
        try:
            yield primary, standby
        finally:
            with suppress(SystemExit):  # it may be down already
                standby.stop("immediate")
    finally:
        primary.stop("immediate")


ADDRESS = f"/leaderboard?date={DAY}&level=2"


class Watcher:
    """Request a leaderboard, and measure the time."""

    def __init__(self, port: int) -> None:
        self.guest = Caller(port)
        self.seconds: list[float] = []

    def names(self, caller: Caller | None = None) -> str:
        """Return the table of a leaderboard, as shown to a guest or this caller."""
        began = time.monotonic()
        status, text, _location = (caller or self.guest).request("GET", ADDRESS)
        self.seconds.append(time.monotonic() - began)
        assert status == 200, f"{status}: {text[:300]}"
        return text.partition("ranking__table")[2]

    def report(self) -> str:
        """Report the times of pages since the last call."""
        found, self.seconds = sorted(self.seconds), []
        return f"{len(found)} pages, median {1000 * median(found):.0f} ms, slowest {1000 * found[-1]:.0f} ms"


class Players:
    """Named players who solve the daily one after the other, each faster than the one before."""

    def __init__(self, app: Flask, port: int) -> None:
        self._app, self._callers = app, []
        cookies, *_games = prepare(app, PLAYERS, 1)
        with app.app_context():
            self._daily = add_daily()
            with write_tx():  # an account newer than a daily is not on its leaderboard
                db.session.execute(sa.update(Player).values(named_at=at(hours=-1), created_at=at(hours=-1)))
            db.session.remove()
        for cookie in cookies:
            caller = Caller(port)
            caller.cookie = cookie
            self._callers.append(caller)
        self._solved = 0

    def solve(self) -> tuple[str, Caller]:
        """Store the next one's solve, as the last move of a game does. Returns the player."""
        name, caller = f"Player{self._solved}", self._callers[self._solved]
        with self._app.app_context():
            player = db.session.scalars(sa.select(Player.id).where(Player.name == name)).one()
            add_solve(player, self._daily, 600 - self._solved)
            db.session.remove()
        self._solved += 1
        return name, caller


def main() -> Iterator[str]:
    """Run the campaign. Yields its report. Raises AssertionError."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with servers(folder / "postgresql") as (primary, standby):
            urls = {"DATABASE_URL": primary.url, "DATABASE_REPLICA_URL": standby.url}
            instance = folder / "instance"
            app = create_app(Settings.from_environment({"INSTANCE_PATH": str(instance)} | urls))
            port = free_port()
            players = Players(app, port)
            with (
                running(*WEB, instance=instance, log=folder / "web.log", PORT=str(port), **urls),
                running(*WORKER, instance=instance, log=folder / "worker.log", **urls),
            ):
                wait_until(partial(Caller(port).answers, "/"))
                yield from watch(players, Watcher(port), standby)
            with app.app_context():
                close()
        assert '"level": "error"' not in (folder / "web.log").read_text()


def watch(players: Players, watcher: Watcher, standby: Server) -> Iterator[str]:
    """Request the leaderboard through every failure of the replica."""

    def reads() -> int:
        count = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"
        return int(str(standby.ask(count)))

    first, caller = players.solve()
    assert first in watcher.names(caller)
    wait_until(lambda: first in watcher.names())
    watcher.report()
    before = reads()
    for _ in range(200):
        watcher.names()
    time.sleep(1.5)  # PostgreSQL updates its counts once a second
    yield f"from the replica: {watcher.report()}; it counted {reads() - before} transactions"

    standby.ask("SELECT pg_wal_replay_pause()")
    for _ in range(3):
        name, caller = players.solve()
        assert name in watcher.names(caller), "a player does not see their own solve"
        assert name not in watcher.names(), "a guest's page did not come from the replica"
    yield f"the replica stood still: {watcher.report()}; three players saw their own solves at once"
    stood = time.monotonic()
    wait_until(lambda: name in watcher.names())
    yield f"left out {time.monotonic() - stood:.0f} s later, once {replica.BEHIND:.0f} s behind"
    standby.ask("SELECT pg_wal_replay_resume()")
    watcher.report()

    standby.stop("immediate")
    down = time.monotonic()
    while time.monotonic() - down < AWAY:
        watcher.names()
        time.sleep(0.02)
    name, caller = players.solve()
    assert name in watcher.names(caller)
    assert name in watcher.names()
    yield f"the replica was killed: {watcher.report()}"
    standby.start()
    since, before = time.monotonic(), reads()

    def read_again() -> bool:
        for _ in range(20):
            watcher.names()
        return reads() - before > 40  # more than our own queries

    wait_until(read_again)
    yield f"it is read again {time.monotonic() - since:.0f} s after it was back: {watcher.report()}"
    name, caller = players.solve()
    assert name in watcher.names(caller)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the servers end too
    logging.disable(logging.INFO)  # of the site that makes players here
    for line in main():
        print(line, flush=True)
