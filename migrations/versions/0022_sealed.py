"""The curators' second factors are sealed by a key that is not in the database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.identity import sealing

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

PURPOSE = "second factor"
PLAYER = sa.table("player", sa.column("id"), sa.column("totp_secret"))


def upgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.alter_column("totp_secret", existing_type=sa.String(64), type_=sa.String(200))
    for player_id, secret in _secrets():
        _keep(player_id, sealing.seal(secret, PURPOSE))


def downgrade() -> None:
    """What our keys cannot open is gone: that curator needs a new code."""
    for player_id, sealed in _secrets():
        _keep(player_id, sealing.unseal(sealed, PURPOSE))
    with op.batch_alter_table("player") as player:
        player.alter_column("totp_secret", existing_type=sa.String(200), type_=sa.String(64))


def _secrets() -> list[tuple[int, str]]:
    there = sa.select(PLAYER.c.id, PLAYER.c.totp_secret).where(PLAYER.c.totp_secret.is_not(None))
    return [(player_id, secret) for player_id, secret in op.get_bind().execute(there)]


def _keep(player_id: int, secret: str | None) -> None:
    op.execute(sa.update(PLAYER).where(PLAYER.c.id == player_id).values(totp_secret=secret))
