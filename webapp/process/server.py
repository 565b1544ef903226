"""Gunicorn configuration: `gunicorn -c python:webapp.process.server wsgi:app`."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Any

from webapp.process.config import Settings
from webapp.process.database import db, web_threads
from webapp.process.operation import gateway, metrics, tracing

_settings = Settings.from_environment()

bind = [
    f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
]
worker_class = gateway.Worker
logger_class = gateway.ServerLog
workers = len(os.sched_getaffinity(0))
threads = web_threads(_settings.database_url)
timeout = 30
graceful_timeout = 5  # everything must exit within ten seconds
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
# Keep heartbeat files in memory: a slow disk must not make a worker look dead.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None
control_socket_disable = True
forwarded_allow_ips = "127.0.0.1,::1"
# The app is imported once and every worker starts as a copy of it: one that dies or is recycled is replaced
# within milliseconds, and the workers share the memory of what never changes.
preload_app = True
loglevel = "warning"


def on_starting(_server: Any) -> None:
    """Make the place for the workers' figures."""
    metrics.share(str(_settings.port))
    os.register_at_fork(after_in_parent=gateway.take_endings)


def when_ready(server: Any) -> None:
    """Load what the first request would otherwise wait for: the solver, every template, the techniques.

    Without this, the first hint of a process took 380 ms and the second 20.
    """
    import engine
    from engine import warm

    templates = server.app.wsgi().jinja_env
    for name in templates.list_templates():
        templates.get_template(name)
    engine.verdict(engine.Grid(bytes(81)))
    if warm.ready():
        engine.next_step(engine.Position.from_grid(engine.parse(warm.EASY)))
    gc.collect()
    gc.freeze()  # a collection in a worker would otherwise write to every page it shares


def worker_exit(_server: Any, worker: Any) -> None:
    """Exit immediately if idle and healthy; otherwise let gunicorn report or wait."""
    ended = sys.exc_info()[1]
    answering = worker.nr_conns - len(worker.keepalived_conns)
    if worker.booted and not answering and isinstance(ended, SystemExit) and not ended.code:
        from webapp.process.commands.ending import leave

        leave(worker.wsgi)


def pre_fork(server: Any, worker: Any) -> None:
    """Give the worker a place, which outlives it: the figures of the place go on."""
    gateway.hold_endings()
    worker.place = metrics.free_place({pid: other.place for pid, other in server.WORKERS.items()})


def post_fork(server: Any, worker: Any) -> None:
    """Count in the worker's place, and trace if the settings ask for it, which takes a thread of its own."""
    metrics.take_place(worker.place)
    app = server.app.wsgi()
    with app.app_context():
        tracing.start(app, list(db.engines.values()), "web")


def post_request(worker: Any, _request: Any, _environ: Any, _response: Any) -> None:
    """Replace a worker that has grown too large."""
    gateway.recycle(worker, _settings.worker_memory * 2**20)


def on_exit(_server: Any) -> None:
    """Remove the figures."""
    metrics.unshare()
