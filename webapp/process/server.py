"""Gunicorn configuration: `gunicorn -c python:webapp.process.server wsgi:app`."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
import warnings
from contextlib import suppress
from typing import Any

from flask import Flask

from webapp.process.children import leave
from webapp.process.config import Settings
from webapp.process.database import THREADS
from webapp.process.operation import logs, machine, metrics

SWITCH = 0.0005  # seconds that a page keeps the interpreter from a move, ten times in each
# Bytes of an answer that the kernel takes at once, so that a slow reader of a page holds no thread
BUFFER = 2**20
GONE = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n"
_settings = Settings.from_environment()

bind = [(f"[{_settings.host}]" if ":" in _settings.host else _settings.host) + f":{_settings.port}"]
worker_class = "gthread"
workers = _settings.web_processes or machine.processes()
threads = THREADS
timeout = 30
graceful_timeout = 5  # everything must exit within ten seconds
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
# Keep heartbeat files in memory: a slow disk must not make a worker look dead.
worker_tmp_dir = str(machine.memory_folder())
control_socket_disable = True
forwarded_allow_ips = "127.0.0.1,::1"
forwarder_headers = ""  # no peer sets SCRIPT_NAME or PATH_INFO
# Import the app once and fork every worker from it: a worker that dies or is recycled is replaced within
# milliseconds, and the workers share the memory of what never changes.
preload_app = True
loglevel = "warning"


def run(app: Flask, listener: int) -> None:
    """Run the web server of this app on an open port, given by its file descriptor."""
    from gunicorn.app.wsgiapp import WSGIApplication

    # To find the port's address family, gunicorn opens a second socket and never closes it.
    warnings.filterwarnings("ignore", category=ResourceWarning, module=r"gunicorn\.arbiter")
    sys.argv = ["gunicorn", "-c", "python:webapp.process.server", "-b", f"fd://{listener}", "wsgi:app"]
    web = WSGIApplication("%(prog)s")
    web.callable = app  # skips gunicorn's own import of the app
    try:
        web.run()
    except SystemExit as end:  # of a worker, too
        leave(app, int(end.code or 0))  # unwinding would report the sockets that gunicorn leaves open


def turn_away(listener: socket.socket, until: float) -> None:
    """Answer the connections that no web server accepted: closing the port would reset them."""
    listener.settimeout(0)
    with suppress(OSError):
        while time.monotonic() < until:
            late, _ = listener.accept()
            with late, suppress(OSError):
                late.settimeout(min(0.1, max(0.0, until - time.monotonic())))
                late.recv(2**16)  # what is left unread resets the connection too
                late.sendall(GONE)


def on_starting(_server: Any) -> None:
    """Set up logging, and the files of the workers' metrics."""
    logs.take_over("gunicorn.error")
    metrics.share(str(_settings.port))


def load(app: Flask) -> None:
    """Load what the first request would otherwise wait for: the solver, all templates, the techniques."""
    import engine
    from engine import warm

    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    engine.verdict(engine.Grid(bytes(81)))
    if warm.ready():
        engine.next_step(engine.Position.from_grid(engine.parse(warm.EASY)))
    gc.collect()
    gc.freeze()  # a collection in a child would otherwise write to every page they share


def when_ready(server: Any) -> None:
    """Load the site, and let the kernel take large answers."""
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    load(server.app.wsgi())


def pre_fork(server: Any, worker: Any) -> None:
    """Assign the worker a metrics slot."""
    worker.place = metrics.free_slot({pid: other.place for pid, other in server.WORKERS.items()})


def _end(_number: int, _frame: Any) -> None:
    os._exit(0)


def post_fork(_server: Any, worker: Any) -> None:
    """Use the worker's metrics slot, and let signals end a worker that has no handlers of its own yet."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):  # the server's would only note them
        signal.signal(number, _end)
    sys.setswitchinterval(SWITCH)
    metrics.take_slot(worker.place)


def post_worker_init(_worker: Any) -> None:
    """End at once on Ctrl-C: gunicorn's handler may wait forever for a lock that its own thread holds."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, _end)


def on_exit(_server: Any) -> None:
    """Remove the metrics files."""
    metrics.unshare()
