"""Whole processes: start, stop, restart, and a server killed in the middle of play."""

from __future__ import annotations

import http.client
import itertools
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

import engine
from tests.thorough import amount
from tests.webapp.processes import (
    SERVE,
    START,
    STOP,
    WEB,
    WORKER,
    Caller,
    Process,
    allowed,
    descendants,
    free_port,
    ignoring,
    running,
    wait_until,
)
from tests.webapp.stocked import SETTING, STOCK, Originals, at, migrate, opened, prepare
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.identity import workers
from webapp.process.children import Child
from webapp.process.clock import now
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings
from webapp.process.database import sqlite_module
from webapp.site.jobs import worker as jobs

pytestmark = pytest.mark.slow

KILLS = amount("KILLS", 1, 20)
FRESH = amount("FRESH", 1, 5)  # instances that are started for the first time
FILLED = amount("FILLED", 1, 200)  # puzzles of each level that a worker makes while it is killed


@dataclass(frozen=True)
class Site:
    """An instance with its database, from its processes' view and from a test's."""

    instance: Path
    setting: dict[str, str]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        environment = {"INSTANCE_PATH": str(self.instance)} | self.setting
        driver = {} if self.setting else {"module": sqlite_module()[0]}
        url = Settings.from_environment(environment).database_url
        engine = sa.create_engine(url, poolclass=sa.NullPool, **driver)
        with engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(query)]


@pytest.fixture
def stored(instance: Path, database_setting: dict[str, str]) -> Site:
    """On either database, for tests of data; starting and stopping processes is the same on both."""
    return Site(instance, database_setting)


def rows(instance: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on the instance's SQLite file."""
    return Site(instance, {}).rows(query)


def confirmed_dailies(site: Site) -> list[tuple[Any, ...]]:
    """Return the dailies of the first three days whose level is confirmed."""
    first = "SELECT givens, daily.level FROM daily JOIN puzzle ON puzzle.id = puzzle_id ORDER BY date LIMIT 9"
    found = site.rows(first)
    for givens, level in found:
        assert engine.rate(engine.parse(givens)).level == level
    return found


@pytest.mark.parametrize("_start", range(FRESH))
def test_one_command_serves_and_keeps_the_data_over_a_restart(
    tmp_path: Path, stored: Site, _start: int
) -> None:
    port = free_port()
    settings: dict[str, Any] = {"instance": stored.instance, "log": tmp_path / "log", "PORT": str(port)}
    settings |= stored.setting
    with running(*SERVE, forked=False, **settings) as site:
        caller = Caller(port)
        wait_until(caller.answers)
        levels = {level for (level,) in stored.rows("SELECT level FROM puzzle WHERE status = 'approved'")}
        assert levels == {1, 2, 3, 4, 5}
        ahead = "SELECT CAST(date AS VARCHAR), count(*) FROM daily GROUP BY date ORDER BY date"
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        assert stored.rows(ahead)[0] == (today, 3)  # before any request could come
        assert stored.rows("SELECT name FROM player") == []  # no default account
        assert len(confirmed_dailies(stored)) == 6  # today's and tomorrow's, before anything could be rated
        wait_until(lambda: caller.answers("/readyz"))
        wait_until(lambda: [count for _day, count in stored.rows(ahead)][:3] == [3] * 3)
        assert len(confirmed_dailies(stored)) == 9
        filled = "SELECT count(*) FROM (SELECT level FROM puzzle GROUP BY level HAVING count(*) >= 3) AS e"
        wait_until(lambda: stored.rows(filled) == [(5,)])
        attempt = caller.start(level=3)
        assert f"http://127.0.0.1:{port}" in site.output()
        assert site.stop(signal.SIGHUP) == 0  # a closed terminal
    with running(*SERVE, **settings) as site:
        wait_until(caller.answers)
        assert caller.request("GET", attempt)[0] == 200
        assert not site.failed(), site.output()
        assert site.stop(signal.SIGINT) == 0  # Ctrl-C; a worker that is still starting is killed
    assert "Traceback" not in site.output()


def test_a_signal_ends_every_process_and_none_leaves_the_group(tmp_path: Path, stocked: Path) -> None:
    """In the background too, where other signals may be ignored."""
    port = free_port()
    settings: dict[str, Any] = {"instance": stocked, "PORT": str(port)} | SETTING
    with (
        ignoring(signal.SIGINT, signal.SIGHUP),
        running(*SERVE, log=tmp_path / "log", forked=False, **settings) as site,
    ):
        wait_until(Caller(port).answers)
        # The web server with its workers, and the background worker.
        wait_until(lambda: len(descendants(site.popen.pid)) >= 4)
        family = descendants(site.popen.pid)
        assert {os.getpgid(pid) for pid in family} == {site.popen.pid}
        started = time.monotonic()
        site.stop()
        assert time.monotonic() - started < allowed(10)
    assert not list(Path("/dev/shm").glob(f"ninefold-*-{port}"))  # nor the web server's metrics
    # A process that compiles the engine is killed once its parent is gone.
    wait_until(lambda: not [pid for pid in family if Path(f"/proc/{pid}").exists()], STOP)


def test_ctrl_c_while_the_worker_is_starting_leaves_no_word(tmp_path: Path, stocked: Path) -> None:
    # Python runs this first: the worker then stays where it imports its jobs.
    (tmp_path / "sitecustomize.py").write_text(
        "import pathlib, sys, time\n"
        "class Slow:\n"
        "    def find_spec(name, path, target=None):\n"
        "        if name == 'webapp.site.jobs.worker':\n"
        "            pathlib.Path(__file__).with_name('begun').touch()\n"
        "            time.sleep(20)\n"
        "sys.meta_path.insert(0, Slow)\n"
    )
    settings = {"PORT": str(free_port()), "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    with running(*SERVE, instance=stocked, log=tmp_path / "log", forked=False, **settings) as site:
        wait_until((tmp_path / "begun").exists)
        assert site.stop(signal.SIGINT) == 0
    assert not [word for word in ("Traceback", "Aborted!") if word in site.output()]


@pytest.fixture
def migrated(instance: Path, originals: Originals) -> Path:
    """An instance with its tables."""
    originals.copy(migrate, instance)
    return instance


@pytest.fixture
def stocked(instance: Path, originals: Originals) -> Path:
    """An instance with all that a server would make at its start."""
    originals.copy(prepare, instance)
    return instance


def test_a_bad_setting_stops_the_start_and_is_named(tmp_path: Path, instance: Path) -> None:
    with running(*SERVE, instance=instance, log=tmp_path / "log", forked=False, PORT="eighty") as site:
        assert site.popen.wait(START) != 0
        assert site.output().startswith("PORT: expected a whole number")
        assert len(site.output().splitlines()) == 1


@dataclass(frozen=True)
class Served:
    """A site shared by several tests: its port at ADDRESS, and its first process."""

    port: int
    process: Process
    settings: dict[str, Any]


ADDRESS = "127.0.0.2"
PUBLIC = "http://sudoku.example"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    originals.copy(prepare, folder / "instance")
    port = free_port()
    settings = {"instance": folder / "instance", "PORT": str(port), "HOST": ADDRESS, "PUBLIC_URL": PUBLIC}
    with running(*SERVE, log=folder / "log", **settings | SETTING) as process:
        wait_until(lambda: "ready at" in process.output())
        yield Served(port, process, settings)


def test_an_address_of_its_own_beside_a_public_one_is_trusted_and_warned_of(served: Served) -> None:
    assert f"ready at {PUBLIC}" in served.process.output()
    assert "HOST lets others reach this server without a proxy" in served.process.output()


def test_a_port_in_use_stops_the_start(tmp_path: Path, served: Served) -> None:
    settings = served.settings | {"instance": tmp_path / "other"}
    with running(*SERVE, log=tmp_path / "second", **settings) as second:
        assert second.popen.wait(START) != 0
        assert f"PORT: cannot listen at {ADDRESS}:{served.port}" in second.output()


def test_an_address_of_another_machine_stops_the_start(tmp_path: Path) -> None:
    settings = {"instance": tmp_path / "instance", "HOST": "192.0.2.1"}
    with running(*SERVE, log=tmp_path / "log", **settings) as site:
        assert site.popen.wait(START) != 0
        assert "HOST: cannot listen at 192.0.2.1:8000" in site.output()


def test_an_instance_is_served_once(tmp_path: Path, served: Served) -> None:
    settings = served.settings | {"PORT": str(free_port())}
    with running(*SERVE, log=tmp_path / "second", **settings) as second:
        assert second.popen.wait(START) != 0
        assert f"INSTANCE_PATH: a site is running on {served.settings['instance']} already" in second.output()


def test_a_worker_that_is_killed_is_started_again(served: Served) -> None:
    def workers() -> list[int]:
        return [pid for pid in descendants(served.process.popen.pid) if is_named(pid, "ninefold-worker")]

    wait_until(lambda: len(workers()) == 1)
    before = workers()
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: workers() not in ([], before))


def test_a_web_server_that_is_killed_is_started_again_and_refuses_no_connection(served: Served) -> None:
    """The socket outlives it: a request meanwhile waits."""

    def servers() -> list[int]:
        folder = Path(f"/proc/{served.process.popen.pid}")
        return [
            int(pid)
            for pid in (folder / f"task/{folder.name}/children").read_text().split()
            if is_named(int(pid), "ninefold-web")
        ]

    (first,) = servers()
    answering = descendants(first)
    for pid in (first, *answering):
        os.kill(pid, signal.SIGKILL)
    with closing(http.client.HTTPConnection(ADDRESS, served.port, timeout=START)) as connection:
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
    assert servers() != [first]


def is_named(pid: int, name: str) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text() == f"{name}\n"
    except OSError:
        return False


def puzzles_in(instance: Path) -> int:
    """Return how many puzzles the bank of this instance holds."""
    count: int = rows(instance, "SELECT count(*) FROM puzzle")[0][0]
    return count


def test_the_worker_goes_on_where_a_killed_one_stopped(tmp_path: Path, stocked: Path) -> None:
    """Killed again and again while it fills the bank, it ends with a full bank and no puzzle twice."""
    full, stock = puzzles_in(stocked) + 5 * FILLED, str(STOCK + FILLED)
    with running(*WORKER, instance=stocked, log=tmp_path / "log", BANK_STOCK=stock) as worker:
        for _ in range(2):
            before = puzzles_in(stocked)
            wait_until(lambda before=before: puzzles_in(stocked) > before or puzzles_in(stocked) >= full)
            worker.kill()
            worker.start()
        worker.kill()
    # The last one never returns: a worker with another name replaces it.
    other = (*WORKER, "--name", "other")
    settings = {"BANK_STOCK": stock, "forked": False}  # as operators start it
    with running(*other, instance=stocked, log=tmp_path / "log", **settings) as worker:
        # The bank may be full already: then a worker is told to stop that has only begun to listen.
        wait_until(lambda: rows(stocked, "SELECT 1 FROM heartbeat WHERE worker = 'other'"))
        wait_until(lambda: puzzles_in(stocked) >= full)
        assert worker.stop() == 0
    ((count, different),) = rows(stocked, "SELECT count(*), count(DISTINCT givens) FROM puzzle")
    assert count == different


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process")
def test_a_worker_at_rest_ends_to_return_memory(migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grown = SimpleNamespace(rests=True, wait=lambda: None)
    grown.look = lambda _now: setattr(grown, "kept", b"x" * 2 * jobs.GROWN)
    monkeypatch.setattr(jobs, "schedules_of", lambda _app: [grown])
    monkeypatch.setattr(workers, "BEAT_EVERY", timedelta(seconds=0.01))
    monkeypatch.setattr(jobs, "LOOK_EVERY", timedelta(seconds=0.5))
    monkeypatch.setattr(jobs, "LEAST_BEATS", 50)
    with opened(at(migrated)) as app, app.app_context():
        worker = Child("ninefold-worker", partial(jobs.run, app, "worker", replaced=True))
        worker.start()
        wait_until(lambda: not worker.running)
    assert worker.status == 0


SLOW = "tests.webapp.slow_job"


def test_a_stopping_worker_waits_for_its_current_step(tmp_path: Path, migrated: Path) -> None:
    with running(SLOW, "0.5", instance=migrated, log=tmp_path / "log") as worker:
        wait_until(lambda: "begun" in worker.output())
        assert worker.stop() == 0
    assert worker.output().split() == ["begun", "ended"]


def test_a_step_that_takes_too_long_is_taken_up_at_the_next_start(tmp_path: Path, migrated: Path) -> None:
    with running(SLOW, "3600", instance=migrated, log=tmp_path / "first") as worker:
        wait_until(lambda: "begun" in worker.output())
        assert worker.stop() == 0
    assert worker.output().split() == ["begun"]
    with running(SLOW, "0", instance=migrated, log=tmp_path / "second") as worker:
        wait_until(lambda: "begun" in worker.output())
        assert worker.stop() == 0
    assert worker.output().split() == ["begun", "ended"]


def test_a_worker_that_fails_says_why_and_lets_its_step_end(tmp_path: Path, migrated: Path) -> None:
    with running(SLOW, "0", "out of order", instance=migrated, log=tmp_path / "log") as worker:
        assert worker.popen.wait(START) == 1
    said = worker.output().splitlines()
    assert (said[0], said[-1]) == ("begun", "ended")
    assert any("RuntimeError: out of order" in line for line in said)


def test_a_killed_server_loses_no_acknowledged_move(
    tmp_path: Path, stored: Site, originals: Originals
) -> None:
    port = free_port()
    acknowledged: dict[str, int] = {}
    done = threading.Event()

    def play(caller: Caller, attempt: str) -> None:
        """Toggle marks forever; a move without a response is sent again with the same number."""
        (empty, *_rest) = empty_cells(caller.request("GET", attempt)[1])
        for seq in itertools.count(1):
            move = [("seq", seq), ("kind", "corner"), ("cell", empty), ("digit", seq % 9 + 1)]
            while not done.is_set():
                try:
                    status, text, _location = caller.request("POST", f"{attempt}/moves", move)
                except (OSError, http.client.HTTPException):
                    time.sleep(0.02)
                    continue
                if status == 200:
                    acknowledged[attempt.rpartition("/")[2]] = seq
                    break
                assert status == 503, text
            if done.is_set():
                return

    settings: dict[str, Any] = {"instance": stored.instance, "PORT": str(port)} | stored.setting
    if stored.setting:
        begin(stored)
    else:
        originals.copy(prepare, stored.instance)
    with running(*WEB, log=tmp_path / "web", **settings) as web:
        wait_until(Caller(port).answers)
        callers = [Caller(port) for _ in range(3)]
        games = [(caller, caller.start()) for caller in callers]
        players = [threading.Thread(target=play, args=game) for game in games]
        for player in players:
            player.start()
        for _ in range(KILLS):
            before = sum(acknowledged.values())
            wait_until(lambda before=before: sum(acknowledged.values()) > before + 5)
            web.kill()
            web.start()
            wait_until(Caller(port).answers)
        done.set()
        for player in players:
            player.join()
    kept = dict(stored.rows("SELECT attempt_id, count(*) FROM move GROUP BY attempt_id"))
    assert len(acknowledged) == 3
    for attempt, seq in acknowledged.items():
        # One more may be stored than acknowledged, if only the response was lost.
        assert seq <= kept[attempt] <= seq + 1
    if not stored.setting:
        assert stored.rows("PRAGMA integrity_check") == [("ok",)]
    assert stored.rows(
        "SELECT count(*) FROM move m JOIN attempt a ON a.id = m.attempt_id WHERE m.seq > a.last_seq"
    ) == [(0,)]


def begin(site: Site) -> None:
    """Create its tables, a puzzle of each level and today's dailies: all that a web server alone needs."""
    with opened(at(site.instance, **site.setting)) as app, app.app_context():
        upgrade()
        deque(bank.stock_up(1, now(), rated=False), maxlen=0)
        deque(schedule.schedule(now(), rated=False), maxlen=0)


def empty_cells(page: str) -> list[int]:
    from bs4 import BeautifulSoup

    board = BeautifulSoup(page, "html.parser")
    return [cell for cell in range(81) if not board.find(id=f"c{cell}").has_attr("data-digit")]
