"""Run everything on one machine: migrate, stock the bank, start the web server and the worker.

Both are forks of this process, which has imported the site already: each new interpreter would import it
again, 1.6 s of processor time, before a player could be answered. It also holds the port, so that while a
web server that was killed is replaced, players' connections wait instead of being refused.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import logging
import multiprocessing
import random
import signal
import socket
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import IO, Any
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
from webapp.process.config import Settings
from webapp.process.database import Busy, close
from webapp.process.operation.patience import unavailable
from webapp.web import security

log = logging.getLogger(__name__)

GRACE = 7.0  # seconds before children that are still running are killed
# SIGHUP (a closed terminal) too: gunicorn would treat it as "reload" and keep running alone.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 180.0  # seconds to wait for the web server to respond; a new release compiles a kernel first
RESTART_AFTER = 1.0  # seconds before a dead worker is restarted
BACKLOG = 2048  # connections that wait to be taken, as many as gunicorn's own
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15  # of prctl(2)
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)


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
    """A copy of this process in its group that does one thing and ends."""

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        """`name`, of at most 15 bytes, is what `top` and `ps -o comm` show."""
        self._name, self._work = name, work
        self._process: ForkProcess | None = None

    def start(self) -> None:
        """Start it. A signal meanwhile waits until it is known here, and there until it can be obeyed."""
        close()  # a connection has one process
        process = multiprocessing.get_context("fork").Process(target=self._run)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            process.start()
            self._process = process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _run(self) -> None:
        if _PRCTL is not None:
            _PRCTL(PR_SET_NAME, self._name.encode())
        end_with_parent()
        # Ctrl-C reaches the whole process group. A child that has no handler of its own yet would die with a
        # traceback, and one told to stop must not take the parent's for its own.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        random.seed()
        try:
            self._work()
        except Exception:
            log.critical("%s failed", self._name, exc_info=True)  # one line: multiprocessing prints many
            sys.exit(1)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def killed(self) -> bool:
        """Whether a signal ended it that it could not obey: it has not ended on its own."""
        return self._process is not None and (self._process.exitcode or 0) < 0

    def tell_to_stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def wait(self, until: float) -> None:
        """Wait for the process to exit; kill it after `until` (monotonic)."""
        if self._process is None:
            return
        self._process.join(max(0.0, until - time.monotonic()))
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _run_web(app: Flask, listener: socket.socket) -> None:
    """Be the web server of this app, whose port has been taken for it."""
    from gunicorn.app.wsgiapp import WSGIApplication

    # To see of what family the port is, it opens a second socket, which it never closes.
    warnings.filterwarnings("ignore", category=ResourceWarning, module=r"gunicorn\.arbiter")
    taken = f"fd://{listener.detach()}"
    sys.argv = ["gunicorn", "-c", "python:webapp.process.server", "-b", taken, "wsgi:app"]
    web = WSGIApplication("%(prog)s")
    web.callable = app  # it need not make its own
    web.run()


def _run_worker(app: Flask, listener: socket.socket) -> None:
    """Be the worker, under the name it has by itself; players' connections are not its own."""
    from webapp.site.jobs.worker import run

    listener.close()
    run(app, socket.gethostname())


def serve(app: Flask) -> int:
    """Run until told to stop. Returns the exit status."""
    settings: Settings = app.extensions["settings"]
    stop = Stop()
    tqdm.monitor_interval = 0  # no thread for bars: a process that is to fork has one thread
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with _locked(settings.instance_path), socket.socket(family) as listener:
        return _serve(app, settings, stop, listener)


def _serve(app: Flask, settings: Settings, stop: Stop, listener: socket.socket) -> int:
    web = Child("ninefold-web", partial(_run_web, app, listener))
    worker = Child("ninefold-worker", partial(_run_worker, app, listener))
    try:
        stop.release()
        _take_port(settings, listener)
        _prepare(app)
        listener.listen(BACKLOG)  # only now: before, nobody would be answered
        web.start()
        # The worker only then: it takes as much of the processors to start, and players come first.
        _wait_for(f"http://{_loopback(settings.host)}:{settings.port}/healthz", web)
        worker.start()
        if not settings.https:
            click.echo("Cookies are sent over plain http. On a public site, set PUBLIC_URL=https://…")
        security.warn_of_missing_proxy(settings)
        click.echo(f"\nNinefold is ready at {settings.address}  (press Ctrl-C to stop)\n")
        _watch(app, web, worker)
        return 1  # the web server exited on its own
    except Stopped:
        return 0
    finally:
        stop.hold()
        listener.close()
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


def _locked(instance: Path) -> IO[str]:
    """Keep others from serving this instance while this process runs: two workers would do all work twice.

    A lock of lockf's is the process's alone: what a server that was killed leaves behind holds none.
    """
    lock = (instance / "serve.lock").open("w")
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        lock.close()
        raise SystemExit(f"INSTANCE_PATH: a site is running on {instance} already") from None
    return lock


def _take_port(settings: Settings, listener: socket.socket) -> None:
    """Report immediately what gunicorn would report after five attempts."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except socket.gaierror as error:
        raise SystemExit(f"HOST: {settings.host!r} is not a local address: {error.strerror}") from None
    except OSError as error:
        name = "HOST" if error.errno == errno.EADDRNOTAVAIL else "PORT"
        raise SystemExit(
            f"{name}: cannot listen at {settings.host}:{settings.port}: {error.strerror}"
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
    """Show bank progress; restart the worker if it dies, the web server if it is killed.

    Returns when the web server ends on its own: it would end again.
    """
    settings: Settings = app.extensions["settings"]
    wanted = settings.bank_stock * len(bank.LEVELS)
    bar: tqdm[Any] | None = tqdm(total=wanted, desc="Filling the bank", unit="puzzle", disable=None)
    while True:
        if not web.running:
            if not web.killed:
                return
            log.warning("the web server was killed; restarting it")
            web.start()
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
