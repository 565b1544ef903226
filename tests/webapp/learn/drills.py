"""A few positions for drills, as made by the worker."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from webapp.learn.exercises import shipped, store
from webapp.models import Exercise
from webapp.process.database import db, write_tx

POSITIONS = Path(__file__).parents[2] / "data" / "drills.txt"
MADE_AT = datetime(2026, 2, 1, tzinfo=UTC)


def stock_up() -> None:
    """Store drills of Naked Single and X-Wing, and a near miss, if there are none. Needs an app context."""
    lines = [line for line in POSITIONS.read_text().splitlines() if not line.startswith("#")]
    rows = [store.row_of(shipped.read(line), MADE_AT) for line in lines]
    with write_tx():
        known = {*db.session.scalars(sa.select(Exercise.givens + Exercise.kind))}
        db.session.add_all(row for row in rows if row.givens + row.kind not in known)
