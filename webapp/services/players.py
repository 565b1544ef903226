"""Who plays: players by the key their browser holds. Knows no request."""

from __future__ import annotations

import sqlalchemy as sa

from webapp.database import db
from webapp.models import Player

_WITH_KEY = sa.select(Player.id).where(Player.key == sa.bindparam("key"))


def with_key(key: str) -> int | None:
    """The id of the player with this key; None where there is none."""
    return db.session.scalar(_WITH_KEY, {"key": key})
