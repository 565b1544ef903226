"""How a batch of moves is stored: what it makes of the attempt, and its rows, if the game is as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from webapp.game.moves import Move
from webapp.models import Attempt
from webapp.models import Move as MoveRow
from webapp.play.batches.recent import Seen
from webapp.process.operation.statements import Statement

_ATTEMPT, _MOVE = Attempt.__table__, MoveRow.__table__
# What was decided on; `ranked` changes when a guest's games become an account's.
_AS_IT_WAS = (
    _ATTEMPT.c.id == sa.bindparam("game"),
    _ATTEMPT.c.player_id == sa.bindparam("player"),
    _ATTEMPT.c.last_seq == sa.bindparam("before"),
    _ATTEMPT.c.ranked == sa.bindparam("in_contest"),
)
# What every batch changes; a last move changes more.
_CHANGES = ("last_seq", "updated_at", "assisted", "log_length", "filled", "paused_ms", "paused_at")
_ADVANCE = Statement(sa.update(_ATTEMPT).where(*_AS_IT_WAS), _CHANGES)
_FINISH = sa.update(_ATTEMPT).where(*_AS_IT_WAS)
_OF_A_MOVE = ("seq", "kind", "cell", "digit")
_APPEND = Statement(sa.insert(_MOVE), [column.key for column in _MOVE.c])


def _both() -> Statement:
    """Return both in one, as each statement is a journey to PostgreSQL. Of the moves, it takes lists."""
    values = {name: sa.bindparam(name, type_=_ATTEMPT.c[name].type) for name in _CHANGES}
    advanced = sa.update(_ATTEMPT).where(*_AS_IT_WAS).values(values).returning(_ATTEMPT.c.id).cte("advanced")
    columns = [_MOVE.c[name] for name in _OF_A_MOVE]
    lists = [sa.bindparam(column.key, type_=ARRAY(column.type)) for column in columns]
    moves = sa.func.unnest(*lists).table_valued(*_OF_A_MOVE).render_derived()
    now = sa.bindparam("received_at", type_=_MOVE.c.received_at.type)
    rows = sa.select(advanced.c.id, now, *moves.c).select_from(advanced.join(moves, sa.true()))
    return Statement(sa.insert(_MOVE).from_select(["attempt_id", "received_at", *_OF_A_MOVE], rows))


_BOTH = _both()


def store(
    connection: sa.Connection, seen: Seen, changes: dict[str, Any], moves: Sequence[Move], now: datetime
) -> bool:
    """Store moves made in a game as it was seen, and what they change of it; False where it has moved on."""
    attempt = seen.attempt
    values = changes | {
        "game": attempt.id,
        "player": attempt.player_id,
        "before": seen.board.seq,
        "in_contest": attempt.ranked,
    }
    rows = [(move.seq, move.kind.value, move.cell, move.digit) for move in moves]
    going_on = len(changes) == len(_CHANGES)
    if going_on and connection.dialect.name == "postgresql":
        lists = dict(zip(_OF_A_MOVE, map(list, zip(*rows, strict=True)), strict=True))
        return _BOTH.changed(connection, {**values, **lists, "received_at": now}) > 0
    advanced = (
        _ADVANCE.changed(connection, values) if going_on else connection.execute(_FINISH, values).rowcount
    )
    if advanced:
        common = {"attempt_id": attempt.id, "received_at": now}
        _APPEND.changed(connection, *(common | dict(zip(_OF_A_MOVE, row, strict=True)) for row in rows))
    return bool(advanced)
