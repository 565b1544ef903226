"""Games: make moves, read their state. Owns its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

import engine
from engine import warm
from webapp import capability
from webapp.competition import logs, standing
from webapp.competition.daily import secrecy
from webapp.competition.fair_play import outcomes
from webapp.game import hints
from webapp.game.board import Board
from webapp.game.moves import FINISHING, MOST_CELLS, MOST_TO_FINISH, Kind, Move
from webapp.identity import costs, limits
from webapp.models import Attempt
from webapp.models.attempt import PUBLIC_ID
from webapp.play.batches import Recent, Seen, store
from webapp.process.clock import steady_now
from webapp.process.database import Busy, db, write_tx
from webapp.process.errors import BadMove, LogFull, NotFound, NotReady, Refusal
from webapp.process.operation import metrics
from webapp.process.words import gettext as _

MOST_MOVES_A_BATCH = 1000
PAID_TOGETHER = 100  # cells


@dataclass(frozen=True, slots=True)
class Game:
    """An attempt and its board at one moment."""

    attempt: Attempt  # the board is newer where moves change it, until the game is finished
    board: Board
    now: datetime

    @property
    def state(self) -> str:
        """`playing`, `paused` or `solved`."""
        if self.attempt.finished_at is not None:
            return "solved"
        return "playing" if self.board.paused_since is None else "paused"

    @property
    def elapsed_ms(self) -> int:
        """Milliseconds on the clock: the final time once it is solved."""
        if self.attempt.elapsed_ms is not None:
            return self.attempt.elapsed_ms
        return elapsed_ms(self.attempt, self.board, self.now)


class Clash(Refusal):
    """A conflict with the stored game: another move has this number, one is missing, or it is finished."""

    def __init__(self, message: str, game: Game) -> None:
        super().__init__(message)
        self.game = game


def game(player_id: int | None, attempt_id: str, now: datetime) -> Game:
    """Return the player's own attempt. Raises NotFound for a missing one or another player's."""
    attempt = _own(player_id, attempt_id)
    return Game(attempt, _recent.of(attempt).board, now)


def exportable(game: Game) -> bool:
    """Whether other programs may have the position: not of an open daily, however transformed, nor of a
    race.
    """
    racing = game.attempt.racing and game.state != "solved"
    return not racing and not secrecy.is_open_daily(engine.parse(game.attempt.puzzle.givens), game.now)


def fall_asleep(player_id: int | None, attempt_id: str, pause: Move, ago: timedelta, now: datetime) -> Game:
    """Pause a game from some time ago, when the computer went to sleep, but not before its latest move.

    Such a game may be paused at any time, so the player's word is good enough.
    """
    before = logs.part(attempt_id, pause.seq - 1, pause.seq - 1) if pause.seq > 1 else []
    earliest = before[-1][1] if before else _own(player_id, attempt_id).started_at
    return make_moves(player_id, attempt_id, [pause], min(now, max(now - ago, earliest)))


def make_moves(
    player_id: int | None, attempt_id: str, moves: Sequence[Move], now: datetime, *, waited_ms: int = 0
) -> Game:
    """Store a batch of moves, all or none, and return the game.

    waited_ms: how long the last one has waited in the browser, as that says; only a finish shows it.
    Moves already stored are skipped. Raises NotFound, BadMove, or Clash with the current game.
    """
    if not moves:
        raise BadMove(_("This request has no moves."))
    if len(moves) > MOST_MOVES_A_BATCH:
        raise BadMove(_("Send at most %(most)s moves at a time.", most=MOST_MOVES_A_BATCH))
    for before, move in pairwise(moves):
        if move.seq != before.seq + 1:
            raise BadMove(_("move %(seq)s: expected number %(wanted)s", seq=move.seq, wanted=before.seq + 1))
    metrics.figures.moves.inc(len(moves))
    seen = _recent.before(moves[0].seq, attempt_id, player_id)
    game = None if seen is None else _gone_on(seen, moves, now, finish=False)
    while game is None:
        game = _gone_on(_recent.of(_own(player_id, attempt_id)), moves, now, waited_ms=waited_ms)
    metrics.figures.acknowledged.inc(len(moves))
    return game


def _gone_on(
    seen: Seen, moves: Sequence[Move], now: datetime, *, finish: bool = True, waited_ms: int = 0
) -> Game | None:
    """Store these moves and return the game; None if it has changed since, and then nothing is stored.

    finish: whether the last move may finish it. State that depends on the finish is read from the database.
    """
    attempt, board = seen.attempt, seen.board
    fresh = _without_stored(seen, moves, now)
    if not fresh:
        return Game(attempt, board, now)
    if attempt.finished_at is not None:
        raise Clash(_("This puzzle is already solved."), Game(attempt, board, now))
    for move in fresh:
        if attempt.ranked and move.kind is Kind.PAUSE:
            raise BadMove(_("move %(seq)s: you can’t pause a ranked game", seq=move.seq))
        if attempt.racing and move.kind is Kind.PAUSE:
            raise BadMove(_("move %(seq)s: you can’t pause a race", seq=move.seq))
    length = seen.length + sum(move.length for move in fresh)
    if length > MOST_TO_FINISH:
        raise LogFull(_("This game has reached its limit of moves. Start the puzzle again to continue."))
    if length > MOST_CELLS and not all(move.kind in FINISHING for move in fresh):
        raise LogFull(
            _(
                "This game has reached its limit of marks and moves, so marks, colors and hints are off. "
                "You can still place digits and undo."
            )
        )
    for move in fresh:
        board = board.after(move, now)
    if board.solved and not finish:
        return None
    # By the hundred cells, so that few batches write one row more
    costs.demand(limits.MOVES, PAID_TOGETHER * (length // PAID_TOGETHER - seen.length // PAID_TOGETHER))
    if not _append(seen, board, fresh, length, now, waited_ms):
        return None
    _recent.keep(Seen(attempt, board, length))
    return Game(attempt, board, now)


def make_move(
    player_id: int | None, attempt_id: str, seq: str, kind: Kind, now: datetime, digit: str = ""
) -> Game:
    """Make one move that names no cell; without a number it takes the next."""
    seq = seq or str(_own(player_id, attempt_id).last_seq + 1)
    return make_moves(player_id, attempt_id, [Move.from_fields(seq, kind, "", digit)], now)


def ask_hint(
    player_id: int | None, attempt_id: str, seq: str, depth: str, now: datetime, *, another: bool = False
) -> Game:
    """Ask for a hint of depth 1..4; the deepest is applied, as further moves.

    another: a different step, at the depth of the one shown; `depth` is ignored then.

    Raises NotReady, and stores nothing, while techniques for the puzzle's level are being compiled.
    """
    if not warm.ready(_own(player_id, attempt_id).level):
        raise NotReady(_("Hints are still loading. Try again in a few minutes."))
    game = make_move(player_id, attempt_id, seq, Kind.HINT, now, "" if another else depth or "1")
    # If a lost response is retried, the board has changed and nothing is applied twice.
    if game.board.asked is None or game.board.asked.digit != hints.APPLY:
        return game
    moves = hints.moves_for(game.board, hints.hint(game.board))
    return make_moves(player_id, attempt_id, moves, now) if moves else game


def ask_check(player_id: int | None, attempt_id: str, seq: str, now: datetime, *, back: bool = False) -> Game:
    """Check the board; with `back`, undo to before the first mistake."""
    game = make_move(player_id, attempt_id, seq, Kind.CHECK, now)
    steps = hints.steps_back(game.board) if back and game.board.asked is not None else 0
    moves = [Move(game.board.seq + step, Kind.UNDO) for step in range(1, steps + 1)]
    return make_moves(player_id, attempt_id, moves, now) if moves else game


def helped(attempt: Attempt, board: Board) -> bool:
    """Whether there was help: a hint beyond where to look, or a check.

    Auto candidates are help, too, in a daily or a race. So is where to look, if it is ranked or a race.
    """
    pointed = board.pointed and (attempt.ranked or attempt.racing)
    return board.assisted or pointed or (attempt.contest and board.revealed)


def elapsed_ms(attempt: Attempt, board: Board, until: datetime) -> int:
    """Return milliseconds from the start to `until`, without pauses; never negative."""
    running = (board.paused_since or until) - attempt.started_at - board.paused
    return max(0, running // timedelta(milliseconds=1))


# Built once: building a statement costs as much as running it.
_OWN = (
    sa.select(Attempt)
    .where(Attempt.id == sa.bindparam("attempt_id"), Attempt.player_id == sa.bindparam("player"))
    .options(joinedload(Attempt.puzzle, innerjoin=True), joinedload(Attempt.daily))
)


def _own(player_id: int | None, attempt_id: str) -> Attempt:
    """Load a player's attempt, detached from the session."""
    if not PUBLIC_ID.fullmatch(attempt_id):
        raise NotFound(_("We couldn’t find that game."))
    attempt = db.session.scalar(_OWN, {"attempt_id": attempt_id, "player": player_id})
    if attempt is None:
        raise NotFound(_("We couldn’t find that game."))
    # Otherwise the end of a write transaction would read it once more.
    db.session.expunge(attempt)
    db.session.expunge(attempt.puzzle)
    if attempt.daily is not None:
        db.session.expunge(attempt.daily)
    return attempt


def _without_stored(seen: Seen, moves: Sequence[Move], now: datetime) -> list[Move]:
    """Return the moves not stored yet. Raises Clash if a number is taken by another move or missing."""
    attempt, board = seen.attempt, seen.board
    first, last = moves[0].seq, board.seq
    if first > last + 1:
        message = _("That move wasn’t saved: moves before it are missing. Continue from here.")
        raise Clash(message, Game(attempt, board, now))
    stored = {move.seq: move for move, _at in logs.part(attempt.id, first, min(moves[-1].seq, last))}
    for move in moves:
        if move.seq in stored and not move.same_as(stored[move.seq]):
            message = _(
                "There’s already another move %(seq)s. You’ve continued this game elsewhere.", seq=move.seq
            )
            raise Clash(message, Game(attempt, board, now))
    return [move for move in moves if move.seq > last]


def _append(
    seen: Seen, board: Board, moves: Sequence[Move], length: int, now: datetime, waited_ms: int
) -> bool:
    """Store these moves and their changes to the attempt; False if the game has changed: nothing is stored.

    Everything is decided before taking the write lock, which other players wait for.
    """
    attempt = seen.attempt
    changes: dict[str, Any] = {
        "last_seq": board.seq,
        "updated_at": now,
        "assisted": helped(attempt, board),
        "log_length": length,
        "filled": 81 - board.digits.count(0),
        "paused_ms": board.paused // timedelta(milliseconds=1),
        "paused_at": board.paused_since,
    }
    outcome = outcomes.Outcome({})
    if board.solved:
        took = elapsed_ms(attempt, board, now)
        # Setting the clock back must not keep a player from finishing.
        changes |= {"finished_at": max(now, attempt.started_at), "elapsed_ms": took}
        changes["waited_ms"] = min(waited_ms, took) or None
        log = [*logs.part(attempt.id, 1, seen.board.seq), *((move, now) for move in moves)]
        aided = changes["assisted"]
        outcome = outcomes.outcome(attempt, log, now, took, helped=aided, steady=steady_now())
        changes |= outcome.columns

    with write_tx(seen=attempt.racing or board.solved):
        connection = db.session.connection()
        if not store(connection, seen, changes, moves, now):
            return False
        capability.moved(connection, attempt, board)
        if board.solved:
            outcomes.settle(connection, attempt, outcome, changes["finished_at"])
    if board.solved:
        for name, value in changes.items():
            setattr(attempt, name, value)
        if outcome.copied is not None:
            with suppress(Busy):
                standing.doubt_copy(outcome.copied, attempt.id, now)
    return True


def moves_of(game: Game) -> list[Move]:
    """Return a game's whole log in order."""
    return [move for move, _at in logs.part(game.attempt.id, 1, game.board.seq)]


_recent = Recent()
