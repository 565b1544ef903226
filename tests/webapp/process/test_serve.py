"""`flask serve` and a signal at an awkward moment."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.processes import wait_until
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
    stop: serve.Stop, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Started:
        def __init__(self, *_arguments: Any, **_options: Any) -> None:
            signal.raise_signal(signal.SIGINT)

        def poll(self) -> None:
            return None

    monkeypatch.setattr(serve.subprocess, "Popen", Started)
    stop.release()
    child = serve.Child(stop, "site")
    with pytest.raises(serve.Stopped):
        child.start()
    assert child.running


def test_a_signal_stops_once(stop: serve.Stop) -> None:
    stop.release()
    with pytest.raises(serve.Stopped):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)  # a terminal that closes sends two


def test_a_signal_before_the_start_is_not_forgotten(stop: serve.Stop) -> None:
    signal.raise_signal(signal.SIGTERM)
    with pytest.raises(serve.Stopped):
        stop.release()


def test_a_child_that_was_never_started_is_stopped_by_doing_nothing(stop: serve.Stop) -> None:
    child = serve.Child(stop, "site")
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


def test_a_child_ends_when_the_one_that_started_it_is_killed() -> None:
    """`kill -9` asks nobody, so the kernel has to tell the children."""
    reading, telling = os.pipe()
    parent = os.fork()
    if not parent:
        child = subprocess.Popen(["sleep", "600"], preexec_fn=serve.end_with_parent)
        os.write(telling, str(child.pid).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(parent, 0)
    child_pid = int(os.read(reading, 20))
    os.close(reading)
    os.close(telling)
    wait_until(lambda: not is_alive(child_pid))


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_children_are_started_so_that_they_end_with_us(
    stop: serve.Stop, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {}
    monkeypatch.setattr(serve.subprocess, "Popen", lambda _arguments, **given: options.update(given))
    stop.release()
    serve.Child(stop, "site").start()
    assert options["preexec_fn"] is serve.end_with_parent


class Web:
    """A web server that runs for a few looks of the watch."""

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
