"""Faults under play: real processes are killed, cut off, locked out, frozen and filled up while clients play.

`python -m tests.webapp.chaos` runs a campaign on SQLite and on the server that TEST_DATABASE_URL names, then
an outage of a minute with thirty clients. It prints the counts and fails if a guarantee was broken: every
acknowledged move is stored once and unchanged, the leaderboards equal a count over the solves, no response is
a 5xx but 503, and no request takes longer than six seconds. The site measures that itself: clients also wait
for those before them, as there are fewer threads, and on a busy machine for a processor. Their longest wait
and the time until all play again are only printed.

SQLite's file is in a small file system of its own if that can be mounted (as root), so that it can be filled.
PostgreSQL is reached through a proxy that can be cut, closed or frozen, because the server may serve others.
"""

from __future__ import annotations

import argparse
import http.client
import json
import logging
import os
import random
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import empty_database
from tests.webapp.midnight import TIMED, OffsetClock
from tests.webapp.processes import Caller, Form, Process, free_port, running, wait_until
from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.competition.logs import whole_logs
from webapp.process.clock import utcnow
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings
from webapp.process.database import db, sqlite_module
from webapp.site.storage.verify import verify

# All processes, with a clock that can be set and a log of how long each request took
SERVE = ("flask", "--app", "tests.webapp.midnight:timed_site", "serve")
AT_MOST = 6.0  # seconds that a request takes: a frozen connection, then one that cannot be opened
BACK = 5.0  # seconds until all play again
LASTS = 3.0  # seconds that an outage of the campaign lasts
OUTAGE = 60.0  # seconds of a long one
PLAYERS, CLIENTS = 8, 30  # of the campaign, and of a long outage
BATCH = 5  # moves sent together
LINES = 100  # a process may log in an outage of a minute
SPACE = "48m"  # of the file system that can be filled


class Wire:
    """A forwarded TCP connection to a server, which can be cut, closed or frozen."""

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._frozen = False
        self._over = False
        self.port = free_port()
        self._listener: socket.socket | None = None
        self.heal()
        threading.Thread(target=self._forward, daemon=True).start()

    def heal(self) -> None:
        """Accept and forward again."""
        self._frozen = False
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))

    def cut(self) -> None:
        """Drop every connection; new ones are accepted."""
        for end in list(self._pairs):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Drop every connection and refuse new ones, as a stopped server does."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
        self.cut()

    def freeze(self) -> None:
        """Deliver nothing more, as a frozen host or a network that drops packets."""
        self._frozen = True

    def _forward(self) -> None:
        while True:
            listener = self._listener
            waiting = [end for end in [*self._pairs, listener] if end is not None and end.fileno() >= 0]
            try:
                ready = select.select(waiting, [], [], 0.02)[0] if not self._frozen else []
            except (OSError, ValueError):
                ready = []
            if self._frozen:
                time.sleep(0.02)
            for end in ready:
                if end is listener:
                    with suppress(OSError):
                        near = end.accept()[0]
                        far = socket.create_connection(self._to)
                        self._pairs |= {near: far, far: near}
                elif end in self._pairs:
                    self._pass_on(end)

    def _pass_on(self, end: socket.socket) -> None:
        try:
            data = end.recv(65536)
            if data:
                self._pairs[end].sendall(data)
                return
        except OSError:
            pass
        for gone in (end, self._pairs.pop(end)):
            self._pairs.pop(gone, None)
            gone.close()


@dataclass
class Outcome:
    """The counts; every list is of broken guarantees."""

    faults: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    refused: int = 0  # responses with 503
    errors: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    slowest: float = 0.0  # seconds that a request took
    longest: float = 0.0  # seconds that a client waited in an outage
    broken_now: bool = False  # whether a fault is active
    recovery: list[tuple[float, str]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)  # the requests that failed when all should have recovered
    ranks: list[str] = field(default_factory=list)
    replayed: int = 0  # games, whose ranks and streaks were recomputed
    lines: dict[int, int] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        return self.errors + self.lost + self.ranks


class Player:
    """A named player who solves one game after the other and remembers the acknowledged moves."""

    def __init__(self, port: int, games: list[Form], outcome: Outcome, cookie: str, seed: int) -> None:
        self.caller = Caller(port)
        self.caller.cookie = cookie
        self.random = random.Random(seed)
        self.games = games
        self.outcome = outcome
        self.sent: dict[str, list[tuple[str, int, int]]] = {}  # all moves of a game, in order
        self.stored: Counter[str] = Counter()  # the last acknowledged number
        self.last = 0.0  # when something was last acknowledged
        self.asking = ""  # the current request, with its responses so far
        self.over = threading.Event()

    def run(self) -> None:
        """Play until over."""
        while not self.over.is_set():
            with suppress(Over):
                self.play(self.games.pop() if self.games else [("level", self.random.choice("12"))])

    def play(self, game: Form) -> None:
        self.ask("GET", "/")
        address = self.ask("POST", "/attempts", game)[1]
        text = self.ask("GET", address)[0]
        givens = re.search(r'data-givens="([\d.]{81})"', text)
        assert givens is not None
        solved = engine.solution(engine.parse(givens[1]))
        empty = [cell for cell in range(81) if givens[1][cell] == "."]
        self.random.shuffle(empty)
        moves = [("corner", cell, self.random.randint(1, 9)) for cell in empty[:20]]
        moves += [("digit", cell, int(str(solved)[cell])) for cell in empty]
        attempt = address.split("?")[0].rpartition("/")[2]
        self.sent[attempt] = moves
        for first in range(0, len(moves), BATCH):
            batch = moves[first : first + BATCH]
            form: Form = []
            for seq, (kind, cell, digit) in enumerate(batch, first + 1):
                form += [("seq", seq), ("kind", kind), ("cell", cell), ("digit", digit)]
            self.ask("POST", f"/attempts/{attempt}/moves", form)
            self.stored[attempt] = first + len(batch)
            self.outcome.acknowledged += len(batch)

    def ask(self, method: str, path: str, form: Form | None = None) -> tuple[str, str]:
        """Send until the response is none of the outage's. Returns body and location."""
        self.asking = f"{method} {re.sub('/[^/]{22}', '/…', path)}:"
        while not self.over.is_set():
            began, in_outage = time.monotonic(), self.outcome.broken_now
            try:
                status, text, location = self.caller.request(method, path, form)
                self.asking += f" {status} in {time.monotonic() - began:.1f} s"
            except (OSError, http.client.HTTPException) as error:
                self.asking += "" if isinstance(error, ConnectionRefusedError) else f" {type(error).__name__}"
                time.sleep(0.05)
                continue
            finally:
                if in_outage:
                    self.outcome.longest = max(self.outcome.longest, time.monotonic() - began)
            if status in (200, 303):
                self.last = time.monotonic()
                return text, location
            if status == 503:
                self.outcome.refused += 1
            elif status >= 500:
                self.outcome.errors.append(f"{status} {method} {path}")
            elif status != 429 and not (status == 404 and in_outage):
                # By a wrong clock, a session is too old, and a daily isn't there yet
                self.outcome.errors.append(f"{status} {method} {path}: {text[:300]}")
            time.sleep(0.1)
        raise Over


class Over(Exception):
    """The campaign has ended in the middle of a game."""


@dataclass
class Site:
    """The processes under fault, as `make run` starts them, with the handles that the faults need."""

    instance: Path
    clock: OffsetClock
    serve: Process
    wire: Wire | None
    volume: bool

    def child(self, name: str) -> int:
        """Wait for the process of this name that `flask serve` has started itself."""
        return wait_for(lambda: [pid for pid in children(self.serve.popen.pid) if called(pid) == name])[0]

    def worker_of_web(self) -> int:
        """Wait for one of the web processes."""
        return random.choice(wait_for(lambda: children(self.child("ninefold-web"))))


def wait_for(ask: Callable[[], list[int]]) -> list[int]:
    """Poll until there is a result."""
    while not (found := ask()):
        time.sleep(0.05)
    return found


def children(pid: int) -> list[int]:
    """Return the direct child processes."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def called(pid: int) -> str:
    """Return the name of a process."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


Fault = Callable[[Site, float], None]


def send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def kill_web_worker(site: Site, _lasts: float) -> None:
    """As the kernel does when memory runs out."""
    send(site.worker_of_web(), signal.SIGKILL)


def kill_web(site: Site, _lasts: float) -> None:
    send(site.child("ninefold-web"), signal.SIGKILL)


def kill_all(site: Site, _lasts: float) -> None:
    """Kill all, as a power failure does."""
    site.serve.kill()
    site.serve.start()


def kill_background_worker(site: Site, _lasts: float) -> None:
    send(site.child("ninefold-worker"), signal.SIGKILL)


def restart(site: Site, _lasts: float) -> None:
    """Restart, as an upgrade does: one version ends, then the next starts."""
    site.serve.popen.send_signal(signal.SIGTERM)
    site.serve.popen.wait(60)
    site.serve.start()


def reload(site: Site, _lasts: float) -> None:
    """New workers beside old ones: two generations at once."""
    send(site.child("ninefold-web"), signal.SIGHUP)


def freeze_web_worker(site: Site, lasts: float) -> None:
    pid = site.worker_of_web()
    send(pid, signal.SIGSTOP)
    time.sleep(min(lasts, 1.0))
    send(pid, signal.SIGCONT)


def step_clock(site: Site, _lasts: float) -> None:
    site.clock.set(datetime.now(UTC) + timedelta(minutes=random.choice((-30, -5, 0, 5, 30))))


def boot_clock(site: Site, lasts: float) -> None:
    """Boot with a clock that is 40 days off, as without a battery, and set right only after a while."""
    site.serve.kill()
    site.clock.set(datetime.now(UTC) + random.choice((-1, 1)) * timedelta(days=40))
    site.serve.start()
    site.worker_of_web()
    time.sleep(lasts)
    site.clock.set(datetime.now(UTC))


def lock_file(site: Site, lasts: float) -> None:
    driver = sqlite_module()[0]
    connection = driver.connect(site.instance / "ninefold.sqlite", timeout=30, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    time.sleep(lasts)
    connection.execute("ROLLBACK")
    connection.close()


def fill_disk(site: Site, lasts: float) -> None:
    filler = site.instance / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    time.sleep(lasts)
    filler.unlink()


def cut_wire(site: Site, _lasts: float) -> None:
    assert site.wire
    site.wire.cut()


def close_wire(site: Site, lasts: float) -> None:
    assert site.wire
    site.wire.close()
    time.sleep(lasts)
    site.wire.heal()


def freeze_wire(site: Site, lasts: float) -> None:
    assert site.wire
    site.wire.freeze()
    time.sleep(lasts)
    site.wire.heal()


EVERYWHERE: list[Fault] = [
    kill_web_worker,
    kill_web_worker,
    kill_web,
    kill_all,
    kill_background_worker,
    restart,
    reload,
    freeze_web_worker,
    step_clock,
    boot_clock,
]
IN_SQLITE: list[Fault] = [lock_file, lock_file, fill_disk]
IN_POSTGRESQL: list[Fault] = [cut_wire, cut_wire, close_wire, freeze_wire]


@contextmanager
def small_volume(folder: Path) -> Iterator[bool]:
    """Mount a file system that can be filled at `folder`, if permitted."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={SPACE},mode=0700", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _is_in(visitor: Visitor, name: str) -> bool:
    """Tell whether the visitor has this name, as after a first try that was stored but answered late."""
    return visitor.register(name).status_code == 303 or visitor.sign_in(name).status_code == 303


def prepare(app: Flask, players: int, days: int) -> tuple[list[str], list[Form], list[Form]]:
    """Make tables, puzzles, dailies, and players.

    Returns their cookies, the past dailies to play, and today's, ranked.
    """
    with app.app_context():
        upgrade()
        start = datetime.now(UTC)
        games: list[Form] = []
        today: list[Form] = []
        for ago in range(days, -1, -1):
            for daily in schedule.schedule(start - timedelta(days=ago), rated=False):
                game: Form = [("daily", daily.date.isoformat()), ("level", daily.level)]
                if daily.date < start.date():
                    games.append(game)
                elif daily.date == start.date():
                    today.append([*game, ("ranked", "1")])
        list(bank.stock_up(players, start, rated=False))
        db.session.remove()
    cookies = []
    for number in range(players):
        visitor = Visitor(app, address=f"198.51.100.{number}")
        # A busy machine can respond with a request to retry
        wait_until(partial(_is_in, visitor, f"Player{number}"))
        cookie = visitor.client.get_cookie(app.config["SESSION_COOKIE_NAME"])
        assert cookie is not None
        cookies.append(f"{cookie.key}={cookie.value}")
    with app.app_context():
        db.engine.dispose()
    return cookies, games, today


@contextmanager
def under_play(
    folder: Path,
    players: int,
    outcome: Outcome,
    given: Mapping[str, str],
    days: int = 14,
    *,
    forked: bool = False,
) -> Iterator[tuple[Site, list[Player]]]:
    """Run real processes with players, and check the stored data at the end.

    forked: they start, and start again, as forks, faster than an operator's do.
    """
    instance, environment = folder / "instance", dict(given)
    wire = None
    with small_volume(instance) as volume:
        if url := environment.get("DATABASE_URL"):
            parts = sa.make_url(Settings.from_environment({"DATABASE_URL": url}).database_url)
            wire = Wire(parts.host or "127.0.0.1", parts.port or 5432)
            through = parts.set(host="127.0.0.1", port=wire.port)
            environment |= {"DATABASE_URL": through.render_as_string(hide_password=False)}
        settings = Settings.from_environment({"INSTANCE_PATH": str(instance)} | environment)
        clock = OffsetClock(instance)
        clock.set(datetime.now(UTC))
        app = create_app(settings, clock=clock)
        cookies, games, today = prepare(app, players, days)
        port = free_port()
        options = {"instance": instance, "PORT": str(port), "forked": forked} | environment
        with running(*SERVE, log=folder / "serve.log", **options) as serve:
            wait_until(Caller(port).answers)
            playing = [
                Player(port, games[number::players] + today, outcome, cookie, number)
                for number, cookie in enumerate(cookies)
            ]
            threads = [threading.Thread(target=player.run) for player in playing]
            for thread in threads:
                thread.start()
            wait_until(lambda: all(player.last for player in playing))
            try:
                yield Site(instance, clock, serve, wire, volume), playing
            finally:
                for player in playing:
                    player.over.set()
                for thread in threads:
                    thread.join()
        check(app, playing, outcome)
        measure((folder / "serve.log").read_text(), outcome)


def measure(log: str, outcome: Outcome) -> None:
    """Find the requests that took too long, without the time for which they waited for a processor."""
    for line in log.splitlines():
        if line.startswith(TIMED):
            route, took, waited = json.loads(line.removeprefix(TIMED))
            outcome.slowest = max(outcome.slowest, took - waited)
            if took - waited > AT_MOST:
                outcome.slow.append(f"{route}: {took:.1f} s, {waited:.1f} of them without a processor")


def check(app: Flask, playing: list[Player], outcome: Outcome) -> None:
    """Compare the stored moves with the acknowledged ones, and ranks and streaks with a replay."""
    with app.app_context():
        logs = whole_logs([attempt for player in playing for attempt in player.sent])  # rows, or packed
        for player in playing:
            for attempt, moves in player.sent.items():
                log = logs.get(attempt, [])
                if isinstance(log, Exception):
                    outcome.lost.append(f"{attempt}: {log}")
                    continue
                kept = [(move.seq, move.kind.value, move.cell, move.digit) for move, _at in log]
                wanted = [(seq, kind, str(cell), digit) for seq, (kind, cell, digit) in enumerate(moves, 1)]
                if kept != wanted[: len(kept)]:
                    outcome.lost.append(f"{attempt}: other moves than were sent, or some twice")
                if len(kept) < player.stored[attempt]:
                    outcome.lost.append(f"{attempt}: {player.stored[attempt]} acknowledged, {len(kept)} kept")
        unended = (
            "SELECT id FROM attempt WHERE NOT packed"  # flask verify replays the packed ones
            " AND last_seq <> (SELECT count(*) FROM move WHERE attempt_id = id)"
        )
        found = verify(utcnow())
        outcome.replayed = found.attempts
        outcome.ranks += found.shown
        outcome.ranks += [
            f"{row[0]}: last_seq is not its last move" for row in db.session.execute(sa.text(unended))
        ]
        db.session.remove()
        db.engine.dispose()


def suffer(site: Site, playing: list[Player], fault: Fault, lasts: float, outcome: Outcome) -> None:
    """Cause one fault, and measure the time until every player's next request succeeds."""
    name = fault.__name__
    outcome.broken_now = True
    fault(site, lasts)
    ended = time.monotonic()
    outcome.broken_now = False

    def all_back() -> bool:
        return all(player.last > ended for player in playing)

    try:
        wait_until(all_back, BACK)
    except AssertionError:
        outcome.late += [f"after {name}: {player.asking[:200]}" for player in playing if player.last <= ended]
        wait_until(all_back)
    outcome.faults[name] += 1
    outcome.recovery.append((time.monotonic() - ended, name))


def campaign(folder: Path, faults: int, environment: Mapping[str, str]) -> Outcome:
    """Cause faults of every kind, one after the other in random order, one in a hundred moves."""
    outcome, choice = Outcome(), random.Random(1)
    with under_play(folder, PLAYERS, outcome, environment) as (site, playing):
        kinds = EVERYWHERE + (IN_POSTGRESQL if site.wire else IN_SQLITE)
        if not site.volume:
            kinds = [kind for kind in kinds if kind is not fill_disk]
        planned: list[Fault] = []
        while len(planned) < faults:
            planned += choice.sample(kinds, len(kinds))
        for number, fault in enumerate(planned[:faults], 1):
            suffer(site, playing, fault, LASTS, outcome)
            wait_until(lambda: outcome.acknowledged >= 100 * number)  # noqa: B023  waits here
    return outcome


def outage(folder: Path, fault: Fault, environment: Mapping[str, str]) -> Outcome:
    """Run one long outage. Returns what clients get, what is logged, and the time to recover."""
    outcome = Outcome()
    with under_play(folder, CLIENTS, outcome, environment) as (site, playing):
        before = written(folder)
        suffer(site, playing, fault, OUTAGE, outcome)
        outcome.lines = {process: count - before[process] for process, count in written(folder).items()}
    return outcome


def written(folder: Path) -> Counter[int]:
    """Count the lines that each process has logged."""
    lines = "".join(log.read_text() for log in folder.glob("*.log")).splitlines()
    own = [line for line in lines if not line.startswith(TIMED)]
    return Counter(json.loads(line)["process"] if line.startswith("{") else 0 for line in own)


def report(title: str, outcome: Outcome) -> bool:
    """Print the counts. Returns whether every guarantee was kept."""
    times = sorted(took for took, _name in outcome.recovery)
    load = os.getloadavg()[0]
    count = sum(outcome.faults.values())
    print(f"{title}: {count} faults, {outcome.acknowledged} moves acknowledged (load {load:.0f})")
    print(f"  faults: {dict(sorted(outcome.faults.items()))}")
    print(f"  lost or double: {len(outcome.lost)}, wrong ranks or streaks: {len(outcome.ranks)}", end="")
    print(f" of {outcome.replayed} replayed games; 503: {outcome.refused}")
    print(f"  other errors: {len(outcome.errors)}, slower than {AT_MOST:.0f} s: {len(outcome.slow)}")
    print(f"  slowest {outcome.slowest:.2f} s, longest wait of a client {outcome.longest:.2f} s")
    print(f"  recovery: median {times[len(times) // 2]:.2f}", end="")
    print(f", longest {max(outcome.recovery)}; more than {BACK:.0f} s: {sum(took > BACK for took in times)}")
    worst: dict[str, float] = {}
    for took, name in sorted(outcome.recovery):
        worst[name] = round(took, 2)
    print(f"  longest recovery of each: {worst}")
    if outcome.lines:
        print(f"  most lines of a process: {max(outcome.lines.values())}")
    for text in outcome.broken[:20] + outcome.slow[:20] + outcome.late[:20]:
        print(f"  {text}")
    sys.stdout.flush()
    return not (outcome.broken or outcome.slow or any(count > LINES for count in outcome.lines.values()))


@contextmanager
def database(server: str | None) -> Iterator[dict[str, str]]:
    """Yield the setting for an empty database: on this server, or SQLite's file in the instance."""
    if server is None:
        yield {}
        return
    with empty_database(server, "chaos") as url:
        yield {"DATABASE_URL": url}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=60, help="of the campaign, on each database")
    options = parser.parse_args()
    logging.disable(logging.INFO)  # of the site that makes players here
    kept = []
    server = os.environ.get("TEST_DATABASE_URL")
    sites: list[tuple[str, str | None, list[Fault]]] = [("SQLite", None, [lock_file])]
    if server:
        sites.append(("PostgreSQL", server, [close_wire, freeze_wire]))
    else:
        print("TEST_DATABASE_URL is not set: no faults on PostgreSQL")
    for name, on, faults in sites:
        with tempfile.TemporaryDirectory() as folder, database(on) as given:
            kept.append(report(name, campaign(Path(folder), options.faults, given)))
        for fault in faults:
            with tempfile.TemporaryDirectory() as folder, database(on) as given:
                outcome = outage(Path(folder), fault, given)
            kept.append(report(f"{name}, {fault.__name__} for {OUTAGE:.0f} s", outcome))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
