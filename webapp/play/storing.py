"""How a batch of moves is stored: what it makes of the attempt, and its rows, if the game is as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from webapp.game.moves import Move
from webapp.models import Attempt
from webapp.models import Move as MoveRow
from webapp.play.recent import Seen
from webapp.process.statements import Statement

_ATTEMPT, _MOVE = Attempt.__table__, MoveRow.__table__
# What was decided on; `ranked` changes when a guest's games become an account's.
_AS_IT_WAS = (
    _ATTEMPT.c.id == sa.bindparam("game"),
    _ATTEMPT.c.player_id == sa.bindparam("player"),
    _ATTEMPT.c.last_seq == sa.bindparam("before"),
    _ATTEMPT.c.ranked == sa.bindparam("in_contest"),
)
# What every batch changes; a last move changes more.
_COLUMNS = ("last_seq", "updated_at", "assisted", "log_length", "filled", "paused_ms", "paused_at")
_ADVANCE = Statement(sa.update(_ATTEMPT).where(*_AS_IT_WAS), _COLUMNS)
_FINISH = sa.update(_ATTEMPT).where(*_AS_IT_WAS)
_APPEND = Statement(sa.insert(_MOVE), [column.key for column in _MOVE.c])


def store(
    connection: sa.Connection, seen: Seen, changes: dict[str, Any], moves: Sequence[Move], now: datetime
) -> bool:
    """Store moves made in a game as it was seen, and what they change of it; False where it has moved on."""
    attempt = seen.attempt
    looked_at = {
        "game": attempt.id,
        "player": attempt.player_id,
        "before": seen.board.seq,
        "in_contest": attempt.ranked,
    }
    if len(changes) == len(_COLUMNS):
        advanced = _ADVANCE.changed(connection, looked_at | changes)
    else:
        advanced = connection.execute(_FINISH, looked_at | changes).rowcount
    if not advanced:
        return False
    rows = (
        {
            "attempt_id": attempt.id,
            "seq": move.seq,
            "kind": move.kind,
            "cell": move.cell,
            "digit": move.digit,
            "received_at": now,
        }
        for move in moves
    )
    _APPEND.changed(connection, *rows)
    return True
