"""For load balancers and operators: is the process alive, is everything behind it reachable."""

from __future__ import annotations

from flask import Blueprint

from webapp.clock import now
from webapp.database import database_answers
from webapp.services import workers

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def alive() -> str:
    """This process answers; nothing else is asked."""
    return "ok"


@bp.get("/readyz")
def ready() -> tuple[dict[str, bool], int]:
    """The database answers and a worker has been seen lately."""
    database = database_answers()
    parts = {"database": database, "worker": database and workers.seen_lately(now())}
    return parts, 200 if all(parts.values()) else 503
