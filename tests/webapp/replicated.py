"""Leaderboards read from a streaming replica: `make replica`. Needs PostgreSQL's own programs.

Makes a database and a replica of it on loopback, in a folder that is removed at the end. Players solve
dailies and look at the leaderboard at once; the replica stands still, is killed, and comes back. Checked: a
player sees their own solve in the very next page, whatever the replica does; no page fails; guests are shown
what the replica has.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import psycopg

from tests.webapp.chaos import Outcome, Over, Player, furnish
from tests.webapp.processes import WEB, WORKER, Caller, Form, free_port, running, wait_until
from webapp import create_app
from webapp.competition import replica
from webapp.process.config import Settings

PLAYERS = 8
AWAY = 15.0  # seconds that the replica is away
SETTINGS = ("wal_level=replica", "hot_standby=on", "shared_buffers=64MB")


def programs() -> Path:
    """The folder of PostgreSQL's own programs, the newest there is."""
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
        """`inside`: what its programs are started by, such as `ip netns exec NAME`."""
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
        """Modes of pg_ctl; `immediate` is as if it had crashed."""
        self._run("pg_ctl", "-w", "-D", self.folder, "-m", mode, "stop")

    def ask(self, statement: str) -> object:
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
            return None if row is None else row[0]

    def _run(self, program: str, *arguments: str | Path) -> None:
        # Root may not run a server, so it is the one the packages made for it.
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


class Watcher:
    """Asks for leaderboards, and measures how long they take."""

    def __init__(self, port: int, day: str, level: str) -> None:
        self.address = "/leaderboard?" + urlencode({"date": day, "level": level, "list": "archive"})
        self.guest = Caller(port)
        self.seconds: list[float] = []

    def page(self, caller: Caller | None = None) -> str:
        began = time.monotonic()
        status, text, _location = (caller or self.guest).request("GET", self.address)
        self.seconds.append(time.monotonic() - began)
        assert status == 200, f"{status}: {text[:300]}"
        return text

    def told(self) -> str:
        """How long the pages took since this was asked last."""
        found, self.seconds = sorted(self.seconds), []
        return f"{len(found)} pages, median {1000 * median(found):.0f} ms, slowest {1000 * found[-1]:.0f} ms"


def solve(player: Player, game: Form) -> None:
    """Play a game to its end."""
    with suppress(Over):
        player.play(game)


def main() -> Iterator[str]:
    """Yields what there is to say. Raises AssertionError."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with servers(folder / "postgresql") as (primary, standby):
            urls = {"DATABASE_URL": primary.url, "DATABASE_REPLICA_URL": standby.url}
            instance = folder / "instance"
            app = create_app(Settings.from_environment({"INSTANCE_PATH": str(instance)} | urls))
            cookies, games, _today = furnish(app, PLAYERS, 3)
            port = free_port()
            with (
                running(*WEB, instance=instance, log=folder / "web.log", PORT=str(port), **urls),
                running(*WORKER, instance=instance, log=folder / "worker.log", **urls),
            ):
                wait_until(partial(Caller(port).answers, "/"))
                players = [Player(port, [], Outcome(), cookie, seed) for seed, cookie in enumerate(cookies)]
                yield from watch(players, games[0], standby, port)
        assert '"level": "error"' not in (folder / "web.log").read_text()


def watch(players: list[Player], game: Form, standby: Server, port: int) -> Iterator[str]:
    watcher = Watcher(port, game[0][1], game[1][1])
    reads = partial(standby.ask, "SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'")
    first, *others = [f"Player{number}" for number in range(PLAYERS)]

    solve(players[0], game)
    assert first in watcher.page(players[0].caller)
    wait_until(lambda: first in watcher.page())
    watcher.told()
    before = int(str(reads()))
    for _ in range(200):
        watcher.page()
    time.sleep(1.5)  # PostgreSQL counts once a second
    yield f"from the replica: {watcher.told()}; it counted {int(str(reads())) - before} transactions"

    standby.ask("SELECT pg_wal_replay_pause()")
    for player, name in zip(players[1:4], others, strict=False):
        solve(player, game)
        assert name in watcher.page(player.caller), "a player does not see their own solve"
        assert name not in watcher.page(), "a guest's page did not come from the replica"
    yield f"the replica stood still: {watcher.told()}; three players saw their own solves at once"
    stood = time.monotonic()
    wait_until(lambda: others[0] in watcher.page())
    yield f"left out {time.monotonic() - stood:.0f} s later, once {replica.BEHIND:.0f} s behind"
    standby.ask("SELECT pg_wal_replay_resume()")
    watcher.told()

    standby.stop("immediate")
    down = time.monotonic()
    while time.monotonic() - down < AWAY:
        watcher.page()
        time.sleep(0.02)
    yield f"the replica was killed: {watcher.told()}"
    standby.start()
    since, before = time.monotonic(), int(str(reads()))

    def read_again() -> bool:
        for _ in range(20):
            watcher.page()
        return int(str(reads())) - before > 40  # more than we ask ourselves

    wait_until(read_again)
    yield f"it is read again {time.monotonic() - since:.0f} s after it was back: {watcher.told()}"
    solve(players[5], game)
    assert others[4] in watcher.page(players[5].caller)


if __name__ == "__main__":
    for line in main():
        print(line, flush=True)
