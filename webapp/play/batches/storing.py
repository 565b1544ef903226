"""Store a batch of moves: update the attempt and insert the rows, if the game is unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from webapp.game.moves import Move
from webapp.models import Attempt
from webapp.models import Move as MoveRow
from webapp.play.batches.recent import Seen

_ATTEMPT, _MOVE = Attempt.__table__, MoveRow.__table__
# The columns that the decision depended on; `ranked` changes when a guest's games move to an account.
_ADVANCE = sa.update(_ATTEMPT).where(
    _ATTEMPT.c.id == sa.bindparam("game"),
    _ATTEMPT.c.player_id == sa.bindparam("player"),
    _ATTEMPT.c.last_seq == sa.bindparam("before"),
    _ATTEMPT.c.ranked == sa.bindparam("in_contest"),
)
_APPEND = sa.insert(_MOVE)


def store(
    connection: sa.Connection, seen: Seen, changes: dict[str, Any], moves: Sequence[Move], now: datetime
) -> bool:
    """Store moves made in a game as it was seen, and their changes to the attempt; False if the game has
    changed.
    """
    attempt = seen.attempt
    values = changes | {
        "game": attempt.id,
        "player": attempt.player_id,
        "before": seen.board.seq,
        "in_contest": attempt.ranked,
    }
    if not connection.execute(_ADVANCE, values).rowcount:
        return False
    rows = [
        {
            "attempt_id": attempt.id,
            "seq": move.seq,
            "kind": move.kind.value,
            "cell": move.cell,
            "digit": move.digit,
            "received_at": now,
        }
        for move in moves
    ]
    connection.execute(_APPEND, rows)
    return True
