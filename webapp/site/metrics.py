"""Metrics for Prometheus: counts of the web processes, and the current state of the database."""

from __future__ import annotations

import hmac
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address

import sqlalchemy as sa
from flask import Blueprint, abort, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from engine import __version__
from webapp.bank import bank
from webapp.competition.daily import dailies, schedule
from webapp.identity import failures
from webapp.identity.mail import outbox
from webapp.models import Attempt, Heartbeat, JobState, Order, Puzzle, Standing, Status
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
    if not _allowed(current_app.extensions["settings"]):
        abort(404)
    found: list[Metric] = []
    up = GaugeMetricFamily("ninefold_database_up", "Whether the database can be read.", value=0)
    with suppress(SQLAlchemyError):
        found = [*_held()]
        up = GaugeMetricFamily("ninefold_database_up", "Whether the database can be read.", value=1)
    found += _of_process(current_app.extensions["settings"])
    return Response(metrics.text(up, *found), content_type=CONTENT_TYPE_LATEST)


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


def _held() -> Iterable[Metric]:
    queues = GaugeMetricFamily("ninefold_queue_length", "What waits to be done.", labels=("queue",))
    for name, count in _queues().items():
        queues.add_metric((name,), count)
    yield queues
    failed = GaugeMetricFamily("ninefold_failed", "Work given up after three failures.", labels=("job",))
    for job, count in failures.counts().items():
        failed.add_metric((job,), count)
    yield failed
    mails = GaugeMetricFamily(
        "ninefold_mails",
        "Mails that wait, and those of the last day by what became of them.",
        labels=("state",),
    )
    for state, count in outbox.counts(now()).items():
        mails.add_metric((state,), count)
    yield mails
    if (backup := keeping.last()) is not None:
        age = (now() - backup.made_at).total_seconds()
        yield GaugeMetricFamily("ninefold_backup_age_seconds", "Since the last backup was made.", value=age)
        yield GaugeMetricFamily("ninefold_backup_bytes", "Size of the last backup.", value=backup.bytes)
    yield GaugeMetricFamily(
        "ninefold_days_scheduled", "Days after today that have all their dailies.", value=scheduled_ahead()
    )
    stock = GaugeMetricFamily("ninefold_stock", "Fresh puzzles, by level.", labels=("level",))
    for level, count in bank.fresh_stock().items():
        stock.add_metric((str(level),), count)
    yield stock
    seen = db.session.scalar(sa.select(sa.func.max(Heartbeat.seen_at)))
    if seen is not None:
        age = (now() - seen).total_seconds()
        yield GaugeMetricFamily("ninefold_worker_seen_seconds", "Since a worker was last seen.", value=age)


def scheduled_ahead() -> int:
    """Return how many days after today have all their dailies."""
    today = dailies.today(now())
    missing = schedule.gaps(today + timedelta(days=1), today + schedule.AHEAD, now())
    return (missing[0][0] - today).days - 1 if missing else schedule.AHEAD.days


def _of_process(settings: Settings) -> Iterable[Metric]:
    """Yield what is known without the database."""
    version = GaugeMetricFamily("ninefold_info", "The release that is running.", labels=("version",))
    version.add_metric((__version__,), 1)
    yield version
    disk = shutil.disk_usage(settings.instance_path)
    yield GaugeMetricFamily("ninefold_disk_bytes", "Size of the disk of INSTANCE_PATH.", value=disk.total)
    yield GaugeMetricFamily("ninefold_disk_free_bytes", "What is free of it.", value=disk.free)
    web = [os.getpid()] if not metrics.shared() else machine.siblings()
    yield GaugeMetricFamily(
        "ninefold_memory_bytes", "Memory of the web processes.", value=sum(map(machine.memory_of, web))
    )
    yield GaugeMetricFamily(
        "ninefold_memory_limit_bytes",
        "Memory of the machine, or the limit on it.",
        value=machine.memory(),
    )


def _queues() -> dict[str, int]:
    """Count what is waiting for curators and for workers."""
    wanted = {
        "flagged_solves": sa.select(sa.func.count()).where(Attempt.standing == Standing.REVIEW),
        "candidates": sa.select(sa.func.count()).where(Puzzle.status == Status.CANDIDATE),
        "orders": sa.select(sa.func.count()).where(Order.state.in_((JobState.QUEUED, JobState.RUNNING))),
        "unrated_puzzles": sa.select(sa.func.count()).where(
            Puzzle.status == Status.APPROVED, Puzzle.explainer.is_(None)
        ),
    }
    return {name: db.session.scalar(query) or 0 for name, query in wanted.items()}
