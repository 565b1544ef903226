"""Fast batches of moves: a process's cache of recent games, and the statements that store moves.

With the cache, a batch folds only new moves and mostly reads nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

import sqlalchemy as sa

import engine
from webapp.competition import logs
from webapp.game.board import Board
from webapp.game.moves import Move
from webapp.models import Attempt
from webapp.models import Move as MoveRow

A_GAME = 20  # a game's memory besides its moves, in moves


@dataclass(frozen=True, slots=True)
class Seen:
    """A cached game."""

    attempt: Attempt  # as first read; the board is newer where moves change it
    board: Board
    length: int  # of its log, see `Attempt.log_length`


class Recent:
    """The most recently used games, by id.

    Moves never change, so a cached board can be outdated but not wrong. It is brought up to date from the
    log, since adding a move costs a hundredth of folding all.
    """

    def __init__(self, most_moves: int = 50_000) -> None:
        self._most_moves = most_moves
        self._moves = 0
        self._kept: OrderedDict[str, Seen] = OrderedDict()
        self._lock = Lock()

    def of(self, attempt: Attempt) -> Seen:
        """Return the game of an attempt that has just been read, after its last stored move."""
        with self._lock:
            kept = self._kept.get(attempt.id)
        if kept is not None and kept.board.seq <= attempt.last_seq:
            board = kept.board
        else:
            board = Board.of(engine.parse(attempt.givens))
        for move, received_at in logs.part(attempt.id, board.seq + 1, attempt.last_seq):
            board = board.after(move, received_at)
        seen = Seen(attempt, board, attempt.log_length)
        self.keep(seen)
        return seen

    def before(self, seq: int, attempt_id: str, player_id: int | None) -> Seen | None:
        """Return a player's game if `seq` follows its last cached move; else None: it has to be read.

        This may be stale; `store()` checks it. A finished game is always read: steps after storing its last
        move may have failed before its board was cached.
        """
        with self._lock:
            kept = self._kept.get(attempt_id)
        if kept is None or kept.board.seq != seq - 1 or kept.attempt.player_id != player_id:
            return None
        return kept if kept.attempt.finished_at is None else None

    def keep(self, seen: Seen) -> None:
        """Cache this game, evicting the least recently used ones beyond the limit."""
        attempt_id = seen.attempt.id
        with self._lock:
            before = self._kept.pop(attempt_id, None)
            self._moves += _size(seen) - (0 if before is None else _size(before))
            self._kept[attempt_id] = seen
            while self._moves > self._most_moves and len(self._kept) > 1:
                self._moves -= _size(self._kept.popitem(last=False)[1])


def _size(seen: Seen) -> int:
    """Return a game's memory, in moves."""
    return A_GAME + seen.board.seq


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
