"""For load balancers and operators: is the process alive, is everything behind it reachable."""

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
    """Say that this process answers and which version it runs; nothing else is asked."""
    return f"ok {__version__}"


@bp.get("/readyz")
def ready() -> tuple[dict[str, bool], int]:
    """The database answers and a worker has been seen lately."""
    database = database_answers()
    parts = {"database": database, "worker": database and _worker_seen()}
    return parts, 200 if all(parts.values()) else 503


def _worker_seen() -> bool:
    try:
        return workers.seen_lately(now())
    except SQLAlchemyError:  # not migrated yet
        return False
