"""`flask serve` and signals at awkward moments."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.processes import STOP, wait_until
from webapp import create_app
from webapp.process import children
from webapp.process.config import Settings
from webapp.site import serve


@pytest.fixture
def stop() -> Iterator[children.Stop]:
    """The object that receives signals, for this test alone."""
    before = {number: signal.getsignal(number) for number in children.SIGNALS}
    stop = children.Stop()
    yield stop
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_while_a_child_is_started_waits_until_the_child_is_known(
    stop: children.Stop, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = ForkProcess.start

    def start(process: ForkProcess) -> None:
        signal.raise_signal(signal.SIGINT)
        started(process)

    monkeypatch.setattr(ForkProcess, "start", start)
    stop.release()
    child = children.Child("site", signal.pause)
    with app.app_context(), pytest.raises(children.Stopped):
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
    child = children.Child("site", refuse)
    with app.app_context():
        child.start()
    os.read(reading, 1)
    child.tell_to_stop()
    child.wait(0)
    assert not child.running
    os.close(reading)
    os.close(telling)


def test_a_signal_stops_once(stop: children.Stop) -> None:
    stop.release()
    with pytest.raises(children.Stopped):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)  # a closing terminal sends two


def test_a_signal_before_the_start_is_not_forgotten(stop: children.Stop) -> None:
    signal.raise_signal(signal.SIGTERM)
    with pytest.raises(children.Stopped):
        stop.release()


def test_a_child_that_was_never_started_is_stopped_by_doing_nothing() -> None:
    child = children.Child("site", signal.pause)
    child.tell_to_stop()
    child.wait(0)
    assert not child.running


@pytest.mark.usefixtures("stop")
def test_a_hangup_that_was_ignored_at_the_start_stays_ignored() -> None:
    """`nohup make run` outlives its terminal."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    children.Stop().release()
    signal.raise_signal(signal.SIGHUP)  # would raise Stopped
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_a_child_ends_when_the_one_that_started_it_is_killed(app: Flask) -> None:
    """`kill -9` can't be caught, so the kernel has to notify the children."""
    reading, telling = os.pipe()

    def tell() -> None:
        os.write(telling, str(os.getpid()).encode())
        signal.pause()

    parent = os.fork()
    if not parent:
        with app.app_context():
            children.Child("site", tell).start()
        signal.pause()
    child_pid = int(os.read(reading, 20))
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    os.close(reading)
    os.close(telling)
    wait_until(lambda: not is_alive(child_pid))


def is_alive(pid: int) -> bool:
    """Tell whether the process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_stopping_site_resets_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSTANCE_PATH", str(tmp_path))
    from webapp.process.server import turn_away  # reads the settings

    with socket.create_server(("127.0.0.1", 0)) as listener:
        late = socket.create_connection(listener.getsockname(), timeout=STOP)
        late.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        turn_away(listener, time.monotonic() + STOP)
    with late:
        assert late.recv(4096).startswith(b"HTTP/1.1 503 ")


def test_a_database_that_is_down_is_named_at_the_start(settings: Settings) -> None:
    away = create_app(replace(settings, database_url="sqlite:////nowhere/ninefold.sqlite"))
    with pytest.raises(SystemExit, match=r"^DATABASE_URL: cannot use the database: unable to open"):
        serve.prepare(away)
