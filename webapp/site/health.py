"""Health checks: whether the process is alive, and whether everything it depends on is ready."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa
from flask import Blueprint, current_app
from sqlalchemy.exc import SQLAlchemyError

from engine import __version__
from webapp.identity import workers
from webapp.process.clock import now
from webapp.process.commands import schema
from webapp.process.config import Settings
from webapp.process.database import Busy, db, write_tx
from webapp.site.storage import keeping

bp = Blueprint("health", __name__)
log = logging.getLogger(__name__)

LEAST_DISK = 64 * 2**20  # bytes that SQLite's journal may grow to


@bp.get("/healthz")
def alive() -> str:
    """Report that this process responds, and its version; checks nothing else."""
    return f"ok {__version__}"


@bp.get("/readyz")
def ready() -> tuple[dict[str, object], int]:
    """Check the database, its schema, that it is writable, disk space, and the worker's heartbeat.

    The last backup is reported too, but a site with an old one is ready.
    """
    database = _holds(lambda: db.session.scalar(sa.text("SELECT 1")) == 1)
    parts = {
        "database": database,
        "schema": database and _holds(lambda: schema.fault(db.session.connection()) is None),
        "writable": database and _holds(_can_be_written),
        "disk": has_space(current_app.extensions["settings"]),
        "worker": database and _holds(lambda: workers.seen_lately(now())),
    }
    detail: dict[str, object] = {**parts, "backup": None}
    with suppress(Busy, SQLAlchemyError):
        if parts["schema"] and (last := keeping.last()) is not None:
            age = int((now() - last.made_at).total_seconds())
            detail["backup"] = {"age_seconds": age, "bytes": last.bytes}
    # Little space is reported, but it is no reason to take a site that works out of service
    works = all(holds for part, holds in parts.items() if part != "disk")
    return detail, 200 if works else 503


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except (Busy, SQLAlchemyError) as error:
        log.warning("not ready: %s", type(error).__name__, exc_info=error)
        db.session.rollback()
        return False


def _can_be_written() -> bool:
    """Take the write lock and write nothing; PostgreSQL assigns ids only to transactions that may write."""
    with write_tx():
        if db.engine.dialect.name == "postgresql":
            db.session.execute(sa.text("SELECT pg_current_xact_id()"))
    return True


def has_space(settings: Settings) -> bool:
    """Whether the instance's disk has space for a journal."""
    try:
        return shutil.disk_usage(settings.instance_path).free >= LEAST_DISK
    except OSError:
        return False
