"""What the processes of the web server count, for Prometheus; webapp/site/metrics.py shows it.

A gunicorn worker keeps its figures in files that all workers of the server can read, one set for each place a
worker can take, so that a worker which follows another counts on. Any other process counts for itself alone.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from werkzeug.wrappers import Response

from webapp.process.operation import patience

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the setting of prometheus_client
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_place = "server"  # of this worker among those of its server; the server itself counts nothing


class Figures:
    """What a process counts."""

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
        self.database_wait = Histogram(
            "ninefold_database_wait_seconds",
            "Time a request waited for locks of SQLite, or for PostgreSQL.",
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
    """Count where all workers of this web server can read it; call before they start.

    In memory if possible: a full disk must not end a process that counts. `name` tells this server from
    others of the same user.
    """
    global figures
    memory = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path("/tmp")
    folder = memory / f"ninefold-{os.getuid()}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)  # fails if somebody else holds the name
    os.environ[_FOLDER] = str(folder)
    # Files are named by places rather than process ids, which would leave files behind with each worker.
    values.ValueClass = values.MultiProcessValue(lambda: _place)  # type: ignore[no-untyped-call]  # no types there
    figures = Figures()


def unshare() -> None:
    """Remove what `share` made, if it came to that; call when the web server stops."""
    if folder := os.environ.pop(_FOLDER, None):
        shutil.rmtree(folder, ignore_errors=True)


def free_place(place_of: dict[int, int]) -> int:
    """Return the lowest place that no worker has, given those of all that live."""
    return next(place for place in range(len(place_of) + 1) if place not in place_of.values())


def take_place(place: int) -> None:
    """Count in the files of this place, where the worker before it stopped."""
    global _place
    _place = str(place)


def text(*more: Metric) -> bytes:
    """Return all figures in Prometheus's text format, with `more` that was counted elsewhere."""
    shown = CollectorRegistry()
    if _FOLDER in os.environ:
        MultiProcessCollector(shown)  # type: ignore[no-untyped-call]  # no types there
    else:
        shown.register(figures.registry)

    class More:
        def collect(self) -> Iterator[Metric]:
            yield from more

    shown.register(More())
    return generate_latest(shown)


def count(endpoint: str, method: str, status: int, seconds: float | None) -> None:
    """Count a request that was answered; seconds: how long it took, if that is known."""
    figures.requests.labels(endpoint, method, str(status)).inc()
    if seconds is not None:
        figures.duration.labels(endpoint).observe(seconds)


def init_app(app: Flask) -> None:
    """Count every request; call after `patience.init_app` and before other functions are registered."""

    @app.url_value_preprocessor  # which comes before all else that may answer
    def start(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        g.began = time.perf_counter()

    @app.after_request
    def count_response(response: Response) -> Response:
        method = request.method if request.method in ("GET", "POST", "HEAD", "OPTIONS") else "other"
        seconds = time.perf_counter() - g.began if "began" in g else None
        count(request.endpoint or "none", method, response.status_code, seconds)
        return response

    @app.teardown_request
    def count_wait(_error: BaseException | None) -> None:
        figures.database_wait.observe(patience.waited())
