"""Figures for Prometheus: what the web processes counted, and what the database holds at this moment."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address

import sqlalchemy as sa
from flask import Blueprint, abort, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from webapp.bank import bank
from webapp.models import Attempt, Heartbeat, Order, OrderState, Puzzle, Standing, Status
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.process.operation import metrics, patience
from webapp.site.health import SOON

bp = Blueprint("metrics", __name__)

FORWARDED = ("X-Forwarded-", "Forwarded", "X-Real-Ip", "Via")  # what proxies put in, or begin with


@bp.get("/metrics")
def show() -> Response:
    """Figures in Prometheus's text format, for holders of METRICS_TOKEN and from METRICS_FROM alone."""
    if not _allowed(current_app.extensions["settings"]):
        abort(404)
    patience.begin(SOON)
    found: list[Metric] = []
    up = GaugeMetricFamily("ninefold_database_up", "Whether the database can be read.", value=0)
    with suppress(SQLAlchemyError):
        found = [*_held()]
        up = GaugeMetricFamily("ninefold_database_up", "Whether the database can be read.", value=1)
    return Response(metrics.text(up, *found), content_type=CONTENT_TYPE_LATEST)


def _allowed(settings: Settings) -> bool:
    token = settings.metrics_token
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token is not None and hmac.compare_digest(given.encode(), token.encode()):
        return True
    if any(name.title().startswith(FORWARDED) for name in request.headers.keys()):  # noqa: SIM118 # no dict
        return False  # it came through a proxy, whose address is not the asker's, nor need its word be true
    peer = request.environ.get("werkzeug.proxy_fix.orig", request.environ).get("REMOTE_ADDR")
    try:
        asker = ip_address(peer or "")
    except ValueError:
        return False
    return any(asker in network for network in settings.metrics_from)


def _held() -> Iterable[Metric]:
    queues = GaugeMetricFamily("ninefold_queue_length", "What waits to be done.", labels=("queue",))
    for name, count in _queues().items():
        queues.add_metric((name,), count)
    yield queues
    stock = GaugeMetricFamily("ninefold_stock", "Fresh puzzles, by level.", labels=("level",))
    for level, count in bank.fresh_stock().items():
        stock.add_metric((str(level),), count)
    yield stock
    seen = db.session.scalar(sa.select(sa.func.max(Heartbeat.seen_at)))
    if seen is not None:
        age = (now() - seen).total_seconds()
        yield GaugeMetricFamily("ninefold_worker_seen_seconds", "Since a worker was last seen.", value=age)


def _queues() -> dict[str, int]:
    """Count what waits: for curators, and for workers."""
    wanted = {
        "flagged_solves": sa.select(sa.func.count()).where(Attempt.standing == Standing.REVIEW),
        "candidates": sa.select(sa.func.count()).where(Puzzle.status == Status.CANDIDATE),
        "orders": sa.select(sa.func.count()).where(Order.state.in_((OrderState.QUEUED, OrderState.RUNNING))),
        "unrated_puzzles": sa.select(sa.func.count()).where(
            Puzzle.status == Status.APPROVED, Puzzle.explainer.is_(None)
        ),
    }
    return {name: db.session.scalar(query) or 0 for name, query in wanted.items()}
