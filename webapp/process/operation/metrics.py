"""Metrics of the web server's processes, for Prometheus; webapp/site/metrics.py serves them.

A gunicorn worker keeps its metrics in memory-mapped files that all workers can read, one set for each worker
slot, so that a replacement worker continues the counts. Any other process keeps its own.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from typing import Any

from flask import Flask, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from werkzeug.wrappers import Response

from webapp.process.operation.machine import memory_folder

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the environment variable of prometheus_client
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_slot = "server"  # the slot of this worker; the server's parent process counts nothing


class Figures:
    """The metrics of a process."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.requests = Counter(
            "ninefold_requests", "Requests answered.", ("endpoint", "method", "status"), registry=own
        )
        self.duration = Histogram(
            "ninefold_request_seconds",
            "Time from request to response.",
            ("endpoint",),
            buckets=_SECONDS,
            registry=own,
        )
        self.moves = Counter("ninefold_moves", "Moves received.", registry=own)
        self.acknowledged = Counter(
            "ninefold_moves_acknowledged", "Moves stored and confirmed to the player.", registry=own
        )
        self.unavailable = Counter(
            "ninefold_unavailable",
            "Requests answered 503 because the database was unavailable.",
            registry=own,
        )


figures = Figures()


def share(name: str) -> None:
    """Count in files that all workers of this web server can read; call before they start.

    In memory if possible: a full disk must not crash a process that counts. `name` distinguishes this server
    from others of the same user.
    """
    global figures
    folder = memory_folder() / f"ninefold-{os.getuid()}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)  # fails if another user has the name
    os.environ[_FOLDER] = str(folder)
    # Name files by slot, not by process id, which would leave files behind with each worker.
    values.ValueClass = values.MultiProcessValue(lambda: _slot)  # type: ignore[no-untyped-call]  # no types there
    figures = Figures()


def unshare() -> None:
    """Remove the files of `share`, if any; call when the web server stops."""
    if folder := os.environ.pop(_FOLDER, None):
        shutil.rmtree(folder, ignore_errors=True)


def shared() -> bool:
    """Whether this is a worker of a web server that counts in shared files."""
    return _FOLDER in os.environ


def free_slot(slots: dict[int, int]) -> int:
    """Return the lowest slot not used by any of these workers."""
    return next(place for place in range(len(slots) + 1) if place not in slots.values())


def take_slot(place: int) -> None:
    """Continue counting in the files of this slot's previous worker."""
    global _slot
    _slot = str(place)


def text(*more: Metric) -> bytes:
    """Return all metrics in Prometheus's text format; `more` adds collectors."""
    shown = CollectorRegistry()
    if shared():
        MultiProcessCollector(shown)  # type: ignore[no-untyped-call]  # no types there
    else:
        shown.register(figures.registry)

    class More:
        def collect(self) -> Iterator[Metric]:
            yield from more

    shown.register(More())
    return generate_latest(shown)


def init_app(app: Flask) -> None:
    """Count every request; call before other functions are registered."""

    @app.url_value_preprocessor  # runs before any other function that may answer
    def start(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        g.began = time.perf_counter()

    @app.after_request
    def count_response(response: Response) -> Response:
        method = request.method if request.method in ("GET", "POST", "HEAD", "OPTIONS") else "other"
        endpoint = request.endpoint or "none"
        figures.requests.labels(endpoint, method, str(response.status_code)).inc()
        if "began" in g:
            figures.duration.labels(endpoint).observe(time.perf_counter() - g.began)
        return response
