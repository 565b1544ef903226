"""How a batch of moves is stored: what it makes of the attempt, and a row a move, if the game is as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from webapp.game.moves import Move
from webapp.models import Attempt
from webapp.models import Move as MoveRow
from webapp.play.recent import Seen

_ATTEMPT, _MOVE = Attempt.__table__, MoveRow.__table__
# What was decided on; `ranked` changes when a guest's games become an account's.
_AS_IT_WAS = (
    _ATTEMPT.c.id == sa.bindparam("game"),
    _ATTEMPT.c.player_id == sa.bindparam("player"),
    _ATTEMPT.c.last_seq == sa.bindparam("before"),
    _ATTEMPT.c.ranked == sa.bindparam("in_contest"),
)
_ADVANCE = sa.update(_ATTEMPT).where(*_AS_IT_WAS)
_APPEND = sa.insert(_MOVE)


def store(
    connection: sa.Connection, seen: Seen, changes: dict[str, Any], moves: Sequence[Move], now: datetime
) -> bool:
    """Store moves made in a game as it was seen, and the attempt's new values; False where it has moved on."""
    attempt = seen.attempt
    looked_at = {
        "game": attempt.id,
        "player": attempt.player_id,
        "before": seen.board.seq,
        "in_contest": attempt.ranked,
    }
    if connection.execute(_ADVANCE, looked_at | changes).rowcount != 1:
        return False
    rows = [
        {
            "attempt_id": attempt.id,
            "seq": move.seq,
            "kind": move.kind,
            "cell": move.cell,
            "digit": move.digit,
            "received_at": now,
        }
        for move in moves
    ]
    connection.execute(_APPEND, rows)
    return True
