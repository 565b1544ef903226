"""Health checks: whether the process is alive, and whether its dependencies are reachable."""

from __future__ import annotations

from flask import Blueprint
from sqlalchemy.exc import SQLAlchemyError

from engine import __version__
from webapp.curation import workers
from webapp.process.clock import now
from webapp.process.database import database_answers

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def alive() -> str:
    """Report that this process responds, and its version; checks nothing else."""
    return f"ok {__version__}"


@bp.get("/readyz")
def ready() -> tuple[dict[str, bool], int]:
    """Check that the database responds and a worker was seen recently."""
    database = database_answers()
    parts = {"database": database, "worker": database and _worker_seen()}
    return parts, 200 if all(parts.values()) else 503


def _worker_seen() -> bool:
    try:
        return workers.seen_lately(now())
    except SQLAlchemyError:  # not migrated yet
        return False
