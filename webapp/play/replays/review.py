"""Review a solved puzzle: the player's moves, where they got stuck, and the engine's path."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import engine
from webapp.competition import logs
from webapp.game import hints
from webapp.game.board import Board
from webapp.game.moves import Kind, Move
from webapp.learn.path import Path, path_of
from webapp.models import Attempt
from webapp.play import play
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

MOST_STALLS = 3
STALL = timedelta(seconds=20)  # a shorter pause is thinking, not being stuck


@dataclass(frozen=True, slots=True)
class Moment:
    """One move and the time on the clock when the server received it, without pauses."""

    move: Move
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class Stall:
    """A long wait, and the steps available at the time."""

    number: int  # of the move that ended it
    waited: timedelta
    hint: hints.Hint
    position: engine.Position


@dataclass(frozen=True, slots=True)
class Review:
    """A solved attempt as it looked after one of its moves."""

    attempt: Attempt
    moments: list[Moment]
    shown: int  # how many moves are played on `board`, 0 to all
    board: Board
    stalls: list[Stall]  # the longest waits, in order
    path: Path | None  # None while it is being computed


def review(player_id: int | None, attempt_id: str, shown: int | None, now: datetime) -> Review:
    """Return one's own solved attempt, after `shown` moves or after all; raises NotFound before it is
    solved.
    """
    attempt = play.game(player_id, attempt_id, now).attempt
    if attempt.finished_at is None:
        raise NotFound(_("Solve this puzzle first, then you can review it."))
    return looked_at(attempt, shown)


def looked_at(attempt: Attempt, shown: int | None) -> Review:
    """Return a solved attempt after `shown` moves or after all, for any viewer."""
    log = logs.part(attempt.id, 1, attempt.last_seq)
    shown = len(log) if shown is None else min(max(shown, 0), len(log))
    grid = engine.parse(attempt.givens)
    board = here = Board.of(grid)
    moments: list[Moment] = []
    waits: list[tuple[timedelta, int, Board]] = []
    before = attempt.started_at
    for number, (move, received_at) in enumerate(log, 1):
        if move.kind is not Kind.RESUME and received_at - before >= STALL:
            waits.append((received_at - before, number, board))
        before = received_at
        board = board.after(move, received_at)
        moments.append(Moment(move, play.elapsed_ms(attempt, board, received_at)))
        if number == shown:
            here = board
    longest = sorted(waits, key=lambda wait: wait[0], reverse=True)[:MOST_STALLS]
    stalls = [
        Stall(number, waited, hints.hint(there), hints.position_of(there))
        for waited, number, there in sorted(longest, key=lambda wait: wait[1])
    ]
    return Review(attempt, moments, shown, here, stalls, path_of(grid))
