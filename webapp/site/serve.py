"""Run everything on one machine: migrate, stock the bank, start the web server and the worker.

Each is a fork of this process, which has already imported the site, and returns its memory at its end. This
process also holds the port, so that connections wait while a killed web server is replaced.
"""

from __future__ import annotations

import errno
import logging
import socket
import sys
import time
from contextlib import closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import NoReturn

import click
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError
from tqdm import tqdm

from engine import warm
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.curation import curators
from webapp.process.children import Child, Stop, Stopped
from webapp.process.clock import now
from webapp.process.commands import schema
from webapp.process.config import Settings
from webapp.process.database import Busy, db
from webapp.process.operation.machine import lock
from webapp.process.operation.patience import unavailable
from webapp.web import security

log = logging.getLogger(__name__)

GRACE = 7.0  # seconds before children that still run are killed
PATIENCE = 180.0  # seconds to wait for the web server to respond; a new release compiles a kernel first
UNCURATED = 3  # status of preparing a site without an administrator
BACKLOG = 2048  # pending connections, as many as gunicorn allows
GONE = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n"


def _run_web(app: Flask, listener: socket.socket) -> None:
    """Run the web server on the open port."""
    from webapp.process.server import run

    run(app, listener.detach())


def _run_worker(app: Flask, listener: socket.socket) -> None:
    """Run the worker under its default name, without the listening socket."""
    from webapp.site.jobs.worker import run

    listener.close()
    run(app, socket.gethostname(), replaced=True)


def serve(app: Flask) -> int:
    """Run until stopped. Returns the exit status."""
    settings: Settings = app.extensions["settings"]
    stop = Stop()
    tqdm.monitor_interval = 0  # no monitor thread: a process that forks must have one thread
    instance, family = settings.instance_path, socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with (instance / "serve.lock").open("w") as only, socket.socket(family) as listener:
        if not lock(only):  # two workers would do all work twice
            raise SystemExit(f"INSTANCE_PATH: a site is running on {instance} already")
        hints = Child("ninefold-hints", partial(warm.compile_group, *warm.FIRST))
        first = Child("ninefold-first", partial(prepare, app))
        web = Child("ninefold-web", partial(_run_web, app, listener))
        worker = Child("ninefold-worker", partial(_run_worker, app, listener))
        try:
            _take_port(settings, listener)
            if warm.ready():  # else it would take longer than Ctrl-C can wait
                from webapp.process.server import load  # reads the settings

                load(app)
            first.start()
            if not warm.ready(warm.FIRST_TIERS):
                hints.start()  # on another core, beside the first puzzles
            while first.running:
                stop.pause(0.02)
            if first.status not in (0, UNCURATED):
                return 1  # it has said why
            listener.listen(BACKLOG)  # not earlier: nothing would answer connections
            web.start()
            # Start the worker last: its start needs as much processor time, and players come first.
            _await(web, listener, stop)
            worker.start()
            if not settings.https:
                click.echo("Cookies are sent over plain http. On a public site, set PUBLIC_URL=https://…")
            security.warn_of_missing_proxy(settings)
            click.echo(f"\nNinefold is ready at {settings.address}  (press Ctrl-C to stop)\n")
            if first.status == UNCURATED:
                click.echo(f"Nobody curates yet. Create an account there, then: {curators.COMMAND}\n")
            while web.running or web.status < 0:
                if not web.running:
                    log.warning("the web server was killed; restarting it")
                    web.start()
                if not worker.running:
                    if worker.status:
                        log.warning("the worker stopped; restarting it")
                        stop.pause(1.0)
                    worker.start()
                stop.pause(0.25)
            return 1  # the web server exited on its own, and would again
        except Stopped:
            return 0
        finally:
            until, children = time.monotonic() + GRACE, (hints, first, web, worker)
            for child in children:
                child.tell_to_stop()
            for child in children:
                child.wait(until)
            _turn_away(listener, until)


def _take_port(settings: Settings, listener: socket.socket) -> None:
    """Report a port in use immediately, which gunicorn would do after five attempts."""
    host, port = settings.host, settings.port
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        of_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        name = "HOST" if of_host else "PORT"
        raise SystemExit(f"{name}: cannot listen at {host}:{port}: {error.strerror}") from None


def prepare(app: Flask) -> NoReturn:
    """Migrate, store what the first players need, and exit. UNCURATED: nobody administrates the site."""
    try:
        with app.app_context():
            with db.engine.connect() as connection:
                current = schema.fault(connection) is None
            if not current:
                schema.upgrade()  # imports Alembic: a tenth of a restart
            target = app.extensions["settings"].bank_stock
            missing = sum(max(0, target - count) for count in bank.fresh_stock().values())
            stored = bank.stock_up(target, now(), rated=False)
            quiet = not missing or None
            list(tqdm(stored, "Preparing first puzzles", missing, disable=quiet, unit="puzzle"))
            list(schedule.schedule(now(), rated=False))  # the worker schedules the coming days
            sys.exit(0 if curators.has_administrator() else UNCURATED)
    except click.ClickException as error:
        raise SystemExit(error.format_message()) from None
    except (Busy, SQLAlchemyError) as error:
        if isinstance(error, SQLAlchemyError) and not unavailable(error):
            raise
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        raise SystemExit(f"DATABASE_URL: cannot use the database: {reason}") from None


def _await(web: Child, listener: socket.socket, stop: Stop) -> None:
    """Wait until the web server answers. Raises SystemExit if it doesn't."""
    (host, port, *_), give_up = listener.getsockname(), time.monotonic() + PATIENCE
    while web.running and time.monotonic() < give_up:
        stop.pause(0.05)
        with suppress(OSError, HTTPException), closing(HTTPConnection(host, port, timeout=2)) as connection:
            connection.request("GET", "/healthz")
            return connection.getresponse().close()
    raise SystemExit("The web server did not start. See its message above.")


def _turn_away(listener: socket.socket, until: float) -> None:
    """Answer the connections that no web server accepted: closing the port would reset them."""
    listener.settimeout(0)
    with suppress(OSError):
        while time.monotonic() < until:
            late, _ = listener.accept()
            with late, suppress(OSError):
                late.settimeout(min(0.1, max(0.0, until - time.monotonic())))
                late.recv(2**16)  # what is left unread resets the connection too
                late.sendall(GONE)
