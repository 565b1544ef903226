"""How gunicorn runs the site: `gunicorn -c python:webapp.process.server wsgi:app`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from webapp.process.config import Settings
from webapp.process.database import WEB_THREADS

_settings = Settings.from_environment()

bind = [
    f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
]
worker_class = "gthread"
workers = len(os.sched_getaffinity(0))
threads = WEB_THREADS
timeout = 30
graceful_timeout = 5  # everything has to end within ten seconds
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
# Heartbeat files on a memory disk: a slow disk must not make a worker look dead.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None
control_socket_disable = True
forwarded_allow_ips = "127.0.0.1,::1"
preload_app = False
loglevel = "warning"


def post_worker_init(worker: Any) -> None:
    """Load what the first player would otherwise wait for: the solver, every template, the techniques.

    The first hint of a process took 380 ms without this, the second 20.
    """
    import engine
    from engine import warm

    templates = worker.wsgi.jinja_env
    for name in templates.list_templates():
        templates.get_template(name)
    engine.verdict(engine.Grid(bytes(81)))
    if warm.ready():
        engine.next_step(engine.Position.from_grid(engine.parse(warm.EASY)))


def worker_exit(_server: Any, worker: Any) -> None:
    """End at once where all went well and is answered; else as gunicorn does, which says why or waits."""
    ended = sys.exc_info()[1]
    answering = worker.nr_conns - len(worker.keepalived_conns)
    if worker.booted and not answering and isinstance(ended, SystemExit) and not ended.code:
        from webapp.process.ending import leave

        leave(worker.wsgi)
