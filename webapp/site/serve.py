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
from tqdm import tqdm

from engine import warm
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.curation import curators
from webapp.process.children import Child, Stop, Stopped
from webapp.process.clock import now
from webapp.process.commands import schema
from webapp.process.commands.reporting import reported
from webapp.process.config import Settings
from webapp.process.operation.machine import lock
from webapp.web import security

log = logging.getLogger(__name__)

GRACE = 7.0  # seconds before children that still run are killed
PATIENCE = 180.0  # seconds to wait for the web server to respond; a new release compiles a kernel first
UNCURATED = 3  # status of preparing a site without an administrator
BACKLOG = 2048  # pending connections, as many as gunicorn allows


def _run_worker(app: Flask, listener: socket.socket) -> None:
    """Run the worker under its default name, without the listening socket."""
    from webapp.site.jobs.worker import run

    listener.close()
    run(app, socket.gethostname(), replaced=True)


def serve(app: Flask) -> int:
    """Run until stopped. Returns the exit status."""
    from webapp.process import server  # reads the settings

    settings: Settings = app.extensions["settings"]
    stop = Stop()
    tqdm.monitor_interval = 0  # no monitor thread: a process that forks must have one thread
    instance, family = settings.instance_path, socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with (instance / "serve.lock").open("w") as only, socket.socket(family) as listener:
        if not lock(only):  # two workers would do all work twice
            raise SystemExit(f"INSTANCE_PATH: a site is running on {instance} already")
        hints = Child("ninefold-hints", partial(warm.compile_group, *warm.FIRST))
        first = Child("ninefold-first", partial(prepare, app))
        web = Child("ninefold-web", lambda: server.run(app, listener.detach()))
        worker = Child("ninefold-worker", partial(_run_worker, app, listener))
        try:
            _take_port(settings, listener)
            if warm.ready():  # else it would take longer than Ctrl-C can wait
                server.load(app)
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
            server.turn_away(listener, until)


def _take_port(settings: Settings, listener: socket.socket) -> None:
    """Report a port in use immediately, which gunicorn would do after five attempts."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        of_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        name, place = "HOST" if of_host else "PORT", f"{settings.host}:{settings.port}"
        raise SystemExit(f"{name}: cannot listen at {place}: {error.strerror}") from None


def prepare(app: Flask) -> NoReturn:
    """Migrate, store what the first players need, and exit. UNCURATED: nobody administrates the site."""
    try:
        with app.app_context(), reported():
            schema.upgrade()
            target = app.extensions["settings"].bank_stock
            missing = sum(max(0, target - count) for count in bank.fresh_stock().values())
            stored, quiet = bank.stock_up(target, now(), rated=False), not missing or None
            list(tqdm(stored, "Preparing first puzzles", missing, disable=quiet, unit="puzzle"))
            list(schedule.schedule(now(), rated=False))  # the worker schedules the coming days
            sys.exit(0 if curators.has_administrator() else UNCURATED)
    except click.ClickException as error:
        raise SystemExit(error.format_message()) from None


def _await(web: Child, listener: socket.socket, stop: Stop) -> None:
    """Wait until the web server answers. Raises SystemExit if it doesn't."""
    (host, port, *_), give_up = listener.getsockname(), time.monotonic() + PATIENCE
    while web.running and time.monotonic() < give_up:
        stop.pause(0.05)
        with suppress(OSError, HTTPException), closing(HTTPConnection(host, port, timeout=2)) as connection:
            connection.request("GET", "/healthz")
            return connection.getresponse().close()
    raise SystemExit("The web server did not start. See its message above.")
