"""`flask serve` and a signal at an awkward moment."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.processes import STOP, wait_until
from webapp import create_app
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.site import serve


@pytest.fixture
def stop() -> Iterator[serve.Stop]:
    """What hears signals, for this test alone."""
    before = {number: signal.getsignal(number) for number in serve.SIGNALS}
    stop = serve.Stop()
    yield stop
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_while_a_child_is_started_waits_until_the_child_is_known(
    stop: serve.Stop, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = ForkProcess.start

    def start(process: ForkProcess) -> None:
        signal.raise_signal(signal.SIGINT)
        started(process)

    monkeypatch.setattr(ForkProcess, "start", start)
    stop.release()
    child = serve.Child("site", signal.pause)
    with app.app_context(), pytest.raises(serve.Stopped):
        child.start()
    assert child.running
    child.tell_to_stop()
    child.wait(time.monotonic() + STOP)
    assert not child.running


def test_a_child_that_does_not_end_is_killed(app: Flask) -> None:
    def refuse() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(telling, b"x")
        while True:
            signal.pause()

    reading, telling = os.pipe()
    child = serve.Child("site", refuse)
    with app.app_context():
        child.start()
    os.read(reading, 1)
    child.tell_to_stop()
    child.wait(0)
    assert not child.running
    os.close(reading)
    os.close(telling)


def test_a_signal_stops_once(stop: serve.Stop) -> None:
    stop.release()
    with pytest.raises(serve.Stopped):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)  # a terminal that closes sends two


def test_a_signal_before_the_start_is_not_forgotten(stop: serve.Stop) -> None:
    signal.raise_signal(signal.SIGTERM)
    with pytest.raises(serve.Stopped):
        stop.release()


def test_a_child_that_was_never_started_is_stopped_by_doing_nothing() -> None:
    child = serve.Child("site", signal.pause)
    child.tell_to_stop()
    child.wait(0)
    assert not child.running


def test_a_hangup_that_was_ignored_at_the_start_stays_ignored() -> None:
    """`nohup make run` outlives its terminal."""
    before = {number: signal.getsignal(number) for number in serve.SIGNALS}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        serve.Stop().release()
        signal.raise_signal(signal.SIGHUP)  # would raise Stopped
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_child_ends_when_the_one_that_started_it_is_killed(app: Flask) -> None:
    """`kill -9` asks nobody, so the kernel has to tell the children."""
    reading, telling = os.pipe()

    def tell() -> None:
        os.write(telling, str(os.getpid()).encode())
        signal.pause()

    parent = os.fork()
    if not parent:
        with app.app_context():
            serve.Child("site", tell).start()
        signal.pause()
    child_pid = int(os.read(reading, 20))
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    os.close(reading)
    os.close(telling)
    wait_until(lambda: not is_alive(child_pid))


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Web:
    """A web server that runs for a few looks of the watch."""

    killed = False

    def __init__(self, looks: int) -> None:
        self.looks = looks

    @property
    def running(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def test_the_watch_goes_on_when_the_database_drops_its_connection(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of the context fails too then: it gives back a connection that is no more."""
    gone = sa.exc.OperationalError("SELECT", None, Exception("server closed the connection"))

    def fail(*_arguments: object) -> None:
        raise gone

    monkeypatch.setattr(serve.bank, "fresh_stock", fail)
    monkeypatch.setattr(serve.time, "sleep", lambda _seconds: None)
    monkeypatch.setattr(db.session, "remove", fail)
    web: Any = Web(looks=3)
    worker: Any = Web(looks=9)
    serve._watch(app, web, worker)
    assert web.looks == -1


def test_a_database_that_is_down_is_named_at_the_start(settings: Settings) -> None:
    away = create_app(replace(settings, database_url="sqlite:////nowhere/ninefold.sqlite"))
    with pytest.raises(SystemExit, match=r"^DATABASE_URL: cannot use the database: unable to open"):
        serve._prepare(away)
