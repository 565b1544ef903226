"""Whether a rated game had help when it was rated: an attempt can be helped later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

GAME = sa.table("rated_game", sa.column("attempt_id"), sa.column("assisted"))
ATTEMPT = sa.table("attempt", sa.column("id"), sa.column("assisted"))


def upgrade() -> None:
    """What was rated before is taken as its attempt is now."""
    op.add_column("rated_game", sa.Column("assisted", sa.Boolean, nullable=False, server_default=sa.false()))
    now = sa.select(ATTEMPT.c.assisted).where(ATTEMPT.c.id == GAME.c.attempt_id).scalar_subquery()
    op.execute(sa.update(GAME).values(assisted=now))


def downgrade() -> None:
    op.drop_column("rated_game", "assisted")
