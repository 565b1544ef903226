"""What the evidence of a solve weighed in all, so that the history of a player can be asked for it."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

STEP = 1000
NOTHING = '{"shares": {}%'  # of most solves nothing speaks against, and they are left as they are
ATTEMPT = sa.table("attempt", sa.column("id"), sa.column("evidence"), sa.column("against"))
# As they were in webapp/game/evidence/score.py.
FAST = 0.5
ONCE = {"pace", "order", "stalled_once"}


def upgrade() -> None:
    """Add up what was stored with each solve."""
    op.add_column("attempt", sa.Column("against", sa.Float, nullable=True))
    connection, last = op.get_bind(), ""
    step = (
        sa.select(ATTEMPT.c.id, ATTEMPT.c.evidence)
        .where(ATTEMPT.c.evidence.not_like(NOTHING), ATTEMPT.c.id > sa.bindparam("last"))
        .order_by(ATTEMPT.c.id)
        .limit(STEP)
    )
    store = sa.update(ATTEMPT).where(ATTEMPT.c.id == sa.bindparam("key")).values(against=sa.bindparam("sum"))
    while rows := connection.execute(step, {"last": last}).all():
        connection.execute(store, [{"key": row.id, "sum": _weighed(row.evidence)} for row in rows])
        last = rows[-1].id


def downgrade() -> None:
    op.drop_column("attempt", "against")


def _weighed(evidence: str) -> float:
    known = json.loads(evidence)
    shares, pace = known.get("shares", {}), known.get("values", {}).get("pace")
    fast = pace is not None and pace <= FAST
    return float(sum(share * (2 if fast and key not in ONCE else 1) for key, share in shares.items()))
