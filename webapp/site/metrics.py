"""Metrics for Prometheus: counts of the web processes, and the current state of the database."""

from __future__ import annotations

import hmac
import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

import sqlalchemy as sa
from flask import Blueprint, abort, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from engine import __version__
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.curation.puzzles.tables import JobState, Order
from webapp.identity import failures, outbox
from webapp.models import Attempt, Heartbeat, Puzzle, Standing, Status
from webapp.models.daily import today
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.process.operation import machine, metrics
from webapp.site.storage import keeping

bp = Blueprint("metrics", __name__)

FORWARDED = ("X-Forwarded-", "Forwarded", "X-Real-Ip", "Via")  # headers that proxies add, or prefixes of them


@bp.get("/metrics")
def show() -> Response:
    """Return metrics in Prometheus's text format, to holders of METRICS_TOKEN and this machine only."""
    settings: Settings = current_app.extensions["settings"]
    if not _allowed(settings):
        abort(404)
    found: list[Metric] = []
    with suppress(SQLAlchemyError):
        found = [*_stored()]
    up = _gauge("database_up", "Whether the database can be read.", float(bool(found)))
    return Response(metrics.text(up, *found, *_of_process(settings)), content_type=CONTENT_TYPE_LATEST)


def _allowed(settings: Settings) -> bool:
    token = settings.metrics_token
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token is not None and hmac.compare_digest(given.encode(), token.encode()):
        return True
    if any(name.title().startswith(FORWARDED) for name in request.headers.keys()):  # noqa: SIM118 # no dict
        return False  # a proxy's address isn't the client's, and its headers may be forged
    peer = request.environ.get("werkzeug.proxy_fix.orig", request.environ).get("REMOTE_ADDR")
    try:
        asker = ip_address(peer or "")
    except ValueError:
        return False
    return asker.is_loopback and settings.at_home


def _gauge(name: str, about: str, found: float | Mapping[Any, float], label: str = "") -> Metric:
    """Return a metric with one value, or with one for each value of a label."""
    if not isinstance(found, Mapping):
        return GaugeMetricFamily(f"ninefold_{name}", about, value=found)
    gauge = GaugeMetricFamily(f"ninefold_{name}", about, labels=(label,))
    for each, value in found.items():
        gauge.add_metric((str(each),), value)
    return gauge


def _stored() -> Iterable[Metric]:
    """Yield what the database knows."""
    unrated = sa.and_(Puzzle.status == Status.APPROVED, Puzzle.explainer.is_(None))
    waiting = {
        "flagged_solves": Attempt.standing == Standing.REVIEW,
        "candidates": Puzzle.status == Status.CANDIDATE,
        "orders": Order.state.in_((JobState.QUEUED, JobState.RUNNING)),
        "unrated_puzzles": unrated,
    }
    count = sa.select(sa.func.count())
    queues = {name: db.session.scalar(count.where(which)) or 0 for name, which in waiting.items()}
    yield _gauge("queue_length", "What waits to be done.", queues, "queue")
    yield _gauge("failed", "Work given up after three failures.", failures.counts(), "job")
    about = "Mails that wait, and those of the last day by what became of them."
    yield _gauge("mails", about, outbox.counts(now()), "state")
    if (backup := keeping.last()) is not None:
        age = (now() - backup.made_at).total_seconds()
        yield _gauge("backup_age_seconds", "Since the last backup was made.", age)
        yield _gauge("backup_bytes", "Size of the last backup.", backup.bytes)
    yield _gauge("days_scheduled", "Days after today that have all their dailies.", scheduled_ahead())
    yield _gauge("stock", "Fresh puzzles, by level.", bank.fresh_stock(), "level")
    if (seen := db.session.scalar(sa.select(sa.func.max(Heartbeat.seen_at)))) is not None:
        yield _gauge("worker_seen_seconds", "Since a worker was last seen.", (now() - seen).total_seconds())


def scheduled_ahead() -> int:
    """Return how many days after today have all their dailies."""
    first = today(now()) + timedelta(days=1)
    missing = schedule.gaps(first, today(now()) + schedule.AHEAD, now())
    return (missing[0][0] - first).days if missing else schedule.AHEAD.days


def _of_process(settings: Settings) -> Iterable[Metric]:
    """Yield what is known without the database."""
    yield _gauge("info", "The release that is running.", {__version__: 1}, "version")
    disk = shutil.disk_usage(settings.instance_path)
    yield _gauge("disk_bytes", "Size of the disk of INSTANCE_PATH.", disk.total)
    yield _gauge("disk_free_bytes", "What is free of it.", disk.free)
    web = [os.getpid()] if not metrics.shared() else machine.siblings()
    yield _gauge("memory_bytes", "Memory of the web processes.", sum(map(machine.memory_of, web)))
    yield _gauge("memory_limit_bytes", "Memory of the machine, or the limit on it.", machine.memory())
