"""Run everything on one machine: migrate, stock the bank, start the web server and the worker.

Both are forks of this process, which has already imported the site: each new interpreter would spend 1.6 s of
processor time on importing it again. This process also holds the port, so that while a killed web server is
replaced, connections wait instead of being refused.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import multiprocessing
import random
import signal
import socket
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable
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
from webapp.competition.daily import schedule
from webapp.curation import curators
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import Busy, close, db
from webapp.process.operation.machine import lock
from webapp.process.operation.patience import unavailable
from webapp.web import security

log = logging.getLogger(__name__)

GRACE = 7.0  # seconds before children that still run are killed
# SIGHUP (a closed terminal) too: gunicorn would treat it as "reload" and keep running alone.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 180.0  # seconds to wait for the web server to respond; a new release compiles a kernel first
RESTART_AFTER = 1.0  # seconds before a dead worker is restarted
BACKLOG = 2048  # pending connections, as many as gunicorn allows
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15  # constants of prctl(2)
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)


def end_with_parent() -> None:
    """On Linux, have the kernel end this process when its parent has ended, even by `kill -9`."""
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM)


class Stopped(Exception):
    """SIGINT, SIGTERM or SIGHUP was received."""


class Stop:
    """Raise Stopped once when one of SIGNALS arrives; deferred while held, as it is initially."""

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
    """A forked process of the same group that does one thing and exits."""

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        """`name`, at most 15 bytes, is shown by `top` and `ps -o comm`."""
        self._name, self._work = name, work
        self._process: ForkProcess | None = None

    def start(self) -> None:
        """Start it. Signals are deferred here until the child is recorded, and there until it can handle
        them.
        """
        close()  # connections must not cross a fork
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
        # Ctrl-C reaches the whole process group. A child without a handler yet would die with a traceback,
        # and must not handle a signal as the parent.
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
        """Whether a signal killed it, so that it didn't exit on its own."""
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
    """Run the web server of this app on the open port."""
    from gunicorn.app.wsgiapp import WSGIApplication

    # To find the port's address family, gunicorn opens a second socket and never closes it.
    warnings.filterwarnings("ignore", category=ResourceWarning, module=r"gunicorn\.arbiter")
    taken = f"fd://{listener.detach()}"
    sys.argv = ["gunicorn", "-c", "python:webapp.process.server", "-b", taken, "wsgi:app"]
    web = WSGIApplication("%(prog)s")
    web.callable = app  # skips gunicorn's own import of the app
    web.run()


def _run_worker(app: Flask, listener: socket.socket) -> None:
    """Run the worker under its default name, without the listening socket."""
    from webapp.site.jobs.worker import run

    listener.close()
    run(app, socket.gethostname())


def serve(app: Flask) -> int:
    """Run until stopped. Returns the exit status."""
    settings: Settings = app.extensions["settings"]
    stop = Stop()
    tqdm.monitor_interval = 0  # no monitor thread: a process that forks must have one thread
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
        listener.listen(BACKLOG)  # not earlier: nothing would answer connections
        web.start()
        # Start the worker last: its start needs as much processor time, and players come first.
        _wait_for(f"{settings.own_address}/healthz", web)
        worker.start()
        if not settings.https:
            click.echo("Cookies are sent over plain http. On a public site, set PUBLIC_URL=https://…")
        security.warn_of_missing_proxy(settings)
        click.echo(f"\nNinefold is ready at {settings.address}  (press Ctrl-C to stop)\n")
        if not _administered(app):
            click.echo("Nobody curates yet. Create an account there, then: flask curators add NAME\n")
        _watch(web, worker)
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


def _administered(app: Flask) -> bool:
    """Whether there is an administrator."""
    with app.app_context():
        found = curators.has_administrator()
        db.session.remove()
        db.engine.dispose()
    return found


def _prepare(app: Flask) -> None:
    """Migrate, and store what the first players need. Raises SystemExit if the database can't be used."""
    try:
        with app.app_context():
            upgrade()
            target = app.extensions["settings"].bank_stock
            _show_progress(bank.stock_up(target, now(), rated=False), target)
            list(schedule.schedule(now(), rated=False))  # the worker schedules the coming days
    except (Busy, SQLAlchemyError) as error:
        if isinstance(error, SQLAlchemyError) and not unavailable(error):
            raise
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        raise SystemExit(f"DATABASE_URL: cannot use the database: {reason}") from None


def _locked(instance: Path) -> IO[str]:
    """Lock this instance while this process runs: two workers would do all work twice."""
    file = (instance / "serve.lock").open("w")
    if not lock(file):
        file.close()
        raise SystemExit(f"INSTANCE_PATH: a site is running on {instance} already")
    return file


def _take_port(settings: Settings, listener: socket.socket) -> None:
    """Report a port in use immediately, which gunicorn would do after five attempts."""
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


def _show_progress(stored: Iterable[object], target: int) -> None:
    missing = sum(max(0, target - count) for count in bank.fresh_stock().values())
    disable = not missing or None
    deque(tqdm(stored, "Preparing first puzzles", missing, disable=disable, unit="puzzle"), maxlen=0)


def _watch(web: Child, worker: Child) -> None:
    """Restart the worker if it dies, and the web server if it is killed.

    Returns when the web server exits on its own, since it would exit again.
    """
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
        time.sleep(0.25)
