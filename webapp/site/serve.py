"""Run everything on one machine: migrate, stock the bank, start the web server and the worker."""

from __future__ import annotations

import ctypes
import logging
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import click
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy.exc import SQLAlchemyError
from tqdm import tqdm

from webapp.bank import bank
from webapp.competition.daily import dailies as daily
from webapp.process.clock import now
from webapp.process.config import ROOT, Settings
from webapp.process.database import Busy
from webapp.process.operation.patience import unavailable

log = logging.getLogger(__name__)

GRACE = 7.0  # seconds before children that are still running are killed
# SIGHUP (a closed terminal) too: gunicorn would treat it as "reload" and keep running alone.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 60.0  # seconds to wait for the web server to respond
RESTART_AFTER = 1.0  # seconds before a dead worker is restarted
PR_SET_PDEATHSIG = 1  # of prctl(2); outlives the exec of the program
# Looked up here: between fork and exec nothing may be loaded.
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
# Ctrl-C reaches the whole process group. Without this, a child that has not installed its own handler
# yet would die with a traceback.
DEAF_TO_CTRL_C = ("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh")


def end_with_parent() -> None:
    """Have the kernel end this process when the one that started it is gone, even by `kill -9`; on Linux."""
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM)


class Stopped(Exception):
    """SIGINT, SIGTERM or SIGHUP was received."""


class Stop:
    """Raise Stopped once when one of SIGNALS arrives; deferred while held, as it is at first."""

    def __init__(self) -> None:
        self._asked, self._held = False, True
        for number in SIGNALS:
            # Under `nohup`, SIGHUP is ignored, so that the site outlives its terminal.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._ask)

    def _ask(self, _signal: int, _frame: Any) -> None:
        first, self._asked = not self._asked, True
        if first and not self._held:
            raise Stopped

    def hold(self) -> None:
        """Defer signals from now on."""
        self._held = True

    def release(self) -> None:
        """Let signals raise again; a deferred one raises immediately."""
        self._held = False
        if self._asked:
            raise Stopped


class Child:
    """A child process in our process group."""

    def __init__(self, stop: Stop, *arguments: str) -> None:
        self._stop = stop
        self._arguments = [*DEAF_TO_CTRL_C, sys.executable, "-m", *arguments]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._stop.hold()  # an interrupt here would leave an orphan process behind
        self._process = subprocess.Popen(self._arguments, cwd=ROOT, preexec_fn=end_with_parent)
        self._stop.release()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def tell_to_stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def wait(self, until: float) -> None:
        """Wait for the process to exit; kill it after `until` (monotonic)."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def serve(app: Flask) -> int:
    """Run until told to stop. Returns the exit status."""
    settings: Settings = app.extensions["settings"]
    stop = Stop()
    web = Child(stop, "gunicorn", "-c", "python:webapp.process.server", "wsgi:app")
    worker = Child(stop, "flask", "--app", "wsgi", "worker")
    try:
        stop.release()
        _refuse_taken_port(settings)
        _prepare(app)
        web.start()
        # The worker only then: it takes as much of the processors to start, and players come first.
        _wait_for(f"http://{_loopback(settings.host)}:{settings.port}/healthz", web)
        worker.start()
        if not settings.https:
            click.echo("Cookies are sent over plain http. On a public site, set PUBLIC_URL=https://…")
        click.echo(f"\nNinefold is ready at {settings.address}  (press Ctrl-C to stop)\n")
        _watch(app, web, worker)
        return 1  # the web server exited on its own
    except Stopped:
        return 0
    finally:
        stop.hold()
        for child in (web, worker):
            child.tell_to_stop()
        until = time.monotonic() + GRACE
        for child in (web, worker):
            child.wait(until)


def _prepare(app: Flask) -> None:
    """Migrate and store what the first players need. Raises SystemExit if the database cannot be used."""
    try:
        with app.app_context():
            upgrade()
            _show_progress("Preparing first puzzles", target=1)(bank.stock_up(1, now(), rated=False))
            list(daily.schedule(now(), rated=False))  # the worker schedules the days ahead
    except (Busy, SQLAlchemyError) as error:
        if isinstance(error, SQLAlchemyError) and not unavailable(error):
            raise
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        raise SystemExit(f"DATABASE_URL: cannot use the database: {reason}") from None


def _refuse_taken_port(settings: Settings) -> None:
    """Report immediately what gunicorn would report after five attempts."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, settings.port))
        except socket.gaierror as error:
            raise SystemExit(f"HOST: {settings.host!r} is not a local address: {error.strerror}") from None
        except OSError as error:
            raise SystemExit(
                f"PORT: cannot listen at {settings.host}:{settings.port}: {error.strerror}"
            ) from None


def _loopback(host: str) -> str:
    wildcard = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
    return wildcard.get(host) or (f"[{host}]" if ":" in host else host)


def _wait_for(url: str, web: Child) -> None:
    opener = build_opener(ProxyHandler({}))
    give_up = time.monotonic() + PATIENCE
    while web.running and time.monotonic() < give_up:
        try:
            with opener.open(url, timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.05)
    raise SystemExit("The web server did not start. See its message above.")


def _show_progress(text: str, target: int) -> Callable[[Any], None]:
    def consume(stored: Any) -> None:
        missing = sum(max(0, target - count) for count in bank.fresh_stock().values())
        with tqdm(total=missing, desc=text, unit="puzzle", disable=not missing or None, leave=True) as bar:
            for _level in stored:
                bar.update()

    return consume


def _watch(app: Flask, web: Child, worker: Child) -> None:
    """Show bank progress and restart the worker if it dies. Returns when the web server exits."""
    settings: Settings = app.extensions["settings"]
    wanted = settings.bank_stock * len(bank.LEVELS)
    bar: tqdm[Any] | None = tqdm(total=wanted, desc="Filling the bank", unit="puzzle", disable=None)
    while web.running:
        if not worker.running:
            log.warning("the worker stopped; restarting it")
            time.sleep(RESTART_AFTER)
            worker.start()
        if bar is not None:
            # The end of the context gives the connection back, which fails too if the server dropped it.
            with suppress(SQLAlchemyError), app.app_context():
                stock = sum(min(count, settings.bank_stock) for count in bank.fresh_stock().values())
                bar.update(stock - bar.n)
                if stock >= wanted:
                    bar.close()
                    bar = None
        time.sleep(0.25)
