"""Games: start an attempt, make moves, read its state. Owns its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.orm import joinedload

import engine
from engine import warm
from webapp.bank import bank, ratings, to_order, turns
from webapp.competition import logs, ranking
from webapp.competition.daily import dailies, kept
from webapp.competition.fair_play import footprints, traces
from webapp.competition.races import progress as race_progress
from webapp.competition.statistics import COUNTED
from webapp.game import hints
from webapp.game.board import Board
from webapp.game.moves import FINISHING, MOST_CELLS, MOST_TO_FINISH, Kind, Move
from webapp.game.steps.names import technique_name
from webapp.identity import costs, players
from webapp.learn.lessons import progress
from webapp.learn.practice import cards, whole
from webapp.learn.state import State
from webapp.learn.strength import choice, strength
from webapp.models import Attempt, Player, Puzzle, Status
from webapp.models.attempt import PUBLIC_ID
from webapp.play import entered
from webapp.play.batches import storing
from webapp.play.batches.recent import Recent, Seen
from webapp.process.clock import steady_now
from webapp.process.database import Busy, db, write_together, write_tx
from webapp.process.errors import (
    BadMove,
    BadPuzzle,
    BadStart,
    LogFull,
    NoPuzzle,
    NotFound,
    NotReady,
    Refusal,
)
from webapp.process.operation import metrics
from webapp.process.words import gettext as _

MOST_MOVES_A_BATCH = 1000
MOST_LISTED = 50  # games of a summary, in play and finished
PAID_TOGETHER = 100  # cells


@dataclass(frozen=True, slots=True)
class Game:
    """An attempt and its board at one moment."""

    attempt: Attempt  # of what moves change in it, the board knows better, until the game is finished
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


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of one player's games."""

    current: list[Attempt]  # newest first
    finished: list[Attempt]  # newest first
    best: dict[int, int | None]  # level -> fewest milliseconds without help


def start_at_level(player_id: int | None, level: int, now: datetime) -> Attempt:
    """Start an attempt at a puzzle of a level; creates a guest if there is no player yet."""
    with write_tx():
        puzzle = bank.draw(level, player_id)
        if puzzle is None:
            raise NoPuzzle(
                _("You’ve played every puzzle at this level. We’re making more, so try again in a minute.")
            )
        return _start(player_id, puzzle, now)


def start_by_technique(
    player_id: int | None, hardest: str | None, must: str | None, now: datetime
) -> Attempt:
    """Start an attempt at a puzzle that needs no harder technique than `hardest` and needs `must`.

    None: no such wish. Where the bank has none left, one is made whose hardest technique is the one asked
    for. Raises NoPuzzle while that takes longer than a request waits, and BadPuzzle where both cannot be.
    Both the same is a whole puzzle to practice a technique with: its solve will count as practice.
    """
    attempt = _start_by_technique(player_id, hardest, must, now)
    if must is not None and must == hardest:
        progress.record(attempt.player_id, [must], State.SEEN, now)
    return attempt


def _start_by_technique(
    player_id: int | None, hardest: str | None, must: str | None, now: datetime
) -> Attempt:
    keys = list(engine.TECHNIQUES)
    if hardest is not None and must is not None and keys.index(must) > keys.index(hardest):
        raise BadPuzzle(
            _(
                "%(must)s is harder than %(limit)s. Raise the limit or choose another technique.",
                must=technique_name(must),
                limit=technique_name(hardest),
            )
        )
    with write_tx():
        drawn = bank.draw_by(hardest, must, player_id)
        if drawn is not None:
            return _start(player_id, drawn, now)
    wanted = must or hardest
    if wanted is None:
        raise NoPuzzle(_("You’ve played every puzzle we have. We’re making more, so try again in a minute."))
    made = to_order.made_for(wanted, now)
    if made is None:
        name = technique_name(wanted)
        raise NoPuzzle(_("We’re making a puzzle for you: %(name)s. Try again in a moment.", name=name))
    with write_tx():
        return _start(player_id, bank.kept(made), now)


def start_at_daily(
    player_id: int | None,
    day: date,
    level: int,
    now: datetime,
    steady: str,
    *,
    ranked: bool,
    device: str | None = None,
) -> Attempt:
    """Start an attempt at a released daily, or take it up again; `steady` is what the steady clock shows, and
    `device` a keyed hash of where the player is, which is kept for a while.

    Ranked, it is the one such attempt of this player, and the first at this puzzle: raises BadStart where
    that cannot be. Raises NotYet before the release and NotFound where there is no such daily.
    """
    daily = dailies.released(day, level, now)
    with write_tx():
        if player_id is not None:  # of two concurrent starts, the second sees the first
            db.session.execute(sa.select(Player.id).where(Player.id == player_id).with_for_update())
        entry = dailies.entry_of(daily, player_id, now)
        if ranked:
            before = next((attempt for attempt in entry.attempts if attempt.ranked), None)
            if before is not None:
                return before
            if entry.unrankable:
                raise BadStart(entry.unrankable)
        attempt = _start(player_id, entry.daily.puzzle, now)
        if attempt in db.session.new:
            attempt.daily, attempt.level = entry.daily, entry.daily.level
            attempt.ranked, attempt.steady_start = ranked, steady
            if ranked and current_app.extensions["settings"].own_turns:
                attempt.turn = turns.turn(attempt.puzzle.givens).transformation
            if device is not None and now < entry.daily.closes_at:
                footprints.leave(attempt, device, now)
        return attempt


def start_next(player_id: int | None, shift: str, now: datetime) -> Attempt:
    """Start an attempt at the puzzle that suits this player best; where none is close, of the closest level.

    Puzzles that need a technique due for practice come first.
    shift: "", "easier" or "harder". Raises BadPuzzle for another, and NoPuzzle if no level has any left.
    """
    if shift not in choice.SHIFTS:
        raise BadPuzzle(_("shift: expected easier, harder or nothing, found “%(found)s”", found=shift[:20]))
    wish = choice.wanted(player_id, shift)
    puzzle_id = choice.next_puzzle(player_id, wish, cards.due(player_id, now))
    if puzzle_id is not None:
        with suppress(NotFound):  # it has become a daily just now
            return start_at_puzzle(player_id, puzzle_id, now)
    *closest, furthest = wish.levels
    for level in closest:
        with suppress(NoPuzzle):
            return start_at_level(player_id, level, now)
    return start_at_level(player_id, furthest, now)


def start_at_puzzle(player_id: int | None, puzzle_id: int, now: datetime) -> Attempt:
    """Start an attempt at an approved puzzle."""
    with write_tx():
        return _start(player_id, bank.puzzle_of(puzzle_id, Status.APPROVED, lock=True), now)


def start_at_grid(player_id: int | None, text: str, now: datetime) -> Attempt:
    """Start an attempt at an entered puzzle.

    Raises BadPuzzle, and BadStart for an open daily and for what was made from a game in play.
    """
    entry = entered.judge(text, player_id, now)
    if entry.open_daily or entry.in_play:
        raise BadStart(entry.reason)
    if entry.grid is None or not entry.playable:
        raise BadPuzzle(entry.reason)
    rating = ratings.rating_of(entry.grid, patience=0.5)
    with write_tx():
        return _start(player_id, bank.entered(entry.grid, now, rating), now)


def _start(player_id: int | None, puzzle: Puzzle, now: datetime) -> Attempt:
    open_one = db.session.scalar(
        sa.select(Attempt).where(
            Attempt.player_id == player_id,
            Attempt.puzzle_id == puzzle.id,
            Attempt.finished_at.is_(None),
            Attempt.log_length < MOST_CELLS,  # a longer one is started anew
        )
    )
    if open_one is not None:
        return open_one
    costs.spend(costs.GAMES)
    player = db.session.get(Player, player_id) if player_id is not None else None
    if player is None:
        player = players.new_guest(now)
    if puzzle.first_started_at is None:
        puzzle.first_started_at = now
    attempt = Attempt(player=player, puzzle=puzzle, level=puzzle.level, started_at=now, updated_at=now)
    db.session.add(attempt)
    return attempt


def game(player_id: int | None, attempt_id: str, now: datetime) -> Game:
    """Return the player's own attempt. Raises NotFound for a missing one or another player's."""
    attempt = _own(player_id, attempt_id)
    return Game(attempt, _recent.of(attempt).board, now)


def from_paper(player_id: int | None, attempt_id: str, now: datetime) -> None:
    """Say of an own solve, asked for it, that it came from paper. Raises NotFound."""
    ranking.from_paper(_own(player_id, attempt_id).id, now)


def exportable(game: Game) -> bool:
    """Whether other programs may have the position: not in an open daily, however turned, nor in a race."""
    racing = game.attempt.racer is not None and game.state != "solved"
    return not racing and not kept.is_open_daily(engine.parse(game.attempt.puzzle.givens), game.now)


def make_moves(player_id: int | None, attempt_id: str, moves: Sequence[Move], now: datetime) -> Game:
    """Store a batch of moves, all or none, and return the game.

    Moves already stored are skipped. Raises NotFound, BadMove, or Clash with the current game.
    """
    _check_numbers(moves)
    metrics.figures.moves.inc(len(moves))
    seen = _recent.before(moves[0].seq, attempt_id, player_id)
    game = None if seen is None else _gone_on(seen, moves, now, finish=False)
    while game is None:
        game = _gone_on(_recent.of(_own(player_id, attempt_id)), moves, now)
    metrics.figures.acknowledged.inc(len(moves))
    return game


def _gone_on(seen: Seen, moves: Sequence[Move], now: datetime, *, finish: bool = True) -> Game | None:
    """Return a game with these moves stored; None, and nothing is, where it is no longer as it was seen.

    finish: whether the last move may finish it. What depends on how is read from the database as it is then.
    """
    attempt, board = seen.attempt, seen.board
    fresh = _without_stored(seen, moves, now)
    if not fresh:
        return Game(attempt, board, now)
    if attempt.finished_at is not None:
        raise Clash(_("This puzzle is already solved."), Game(attempt, board, now))
    length = seen.length + sum(move.length for move in fresh)
    _refuse_pauses(attempt, fresh)
    _refuse_too_many(length, fresh)
    for move in fresh:
        board = board.after(move, now)
    if board.solved and not finish:
        return None
    _pay_for(seen.length, length)
    if not _append(seen, board, fresh, length, now):
        return None
    _recent.keep(Seen(attempt, board, length))
    return Game(attempt, board, now)


def make_move(
    player_id: int | None, attempt_id: str, seq: str, kind: Kind, now: datetime, digit: str = ""
) -> Game:
    """One move that names no cell, through a door of its own; without a number it takes the next."""
    seq = seq or str(_own(player_id, attempt_id).last_seq + 1)
    return make_moves(player_id, attempt_id, [Move.from_fields(seq, kind, "", digit)], now)


def ask_hint(
    player_id: int | None, attempt_id: str, seq: str, depth: str, now: datetime, *, another: bool = False
) -> Game:
    """Ask for a hint of a depth 1..4; the deepest carries itself out, as moves of its own.

    another: a different step, as deep as the one shown; `depth` says nothing then.

    Raises NotReady, and stores nothing, while techniques are still being compiled: minutes, and once.
    """
    if not warm.ready():
        raise NotReady(_("Hints are still loading. Try again in a few minutes."))
    game = make_move(player_id, attempt_id, seq, Kind.HINT, now, "" if another else depth or "1")
    # Asked again after a lost answer, the board has moved on and nothing is carried out twice.
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


def summary(player_id: int | None) -> Summary:
    """What a player has in play and has finished, the latest of each, and the best time of each level.

    Read from the rows of the games: folding their moves takes seconds for a player with long ones.
    """
    if player_id is None:
        return Summary([], [], {})
    own = sa.select(Attempt).where(Attempt.player_id == player_id).limit(MOST_LISTED)
    in_play = db.session.scalars(
        own.where(Attempt.finished_at.is_(None))
        .order_by(Attempt.updated_at.desc())
        .options(joinedload(Attempt.puzzle, innerjoin=True), joinedload(Attempt.daily))
    )
    finished = db.session.scalars(
        own.where(Attempt.finished_at.is_not(None)).order_by(Attempt.finished_at.desc())
    )
    best = db.session.execute(
        sa.select(Attempt.level, sa.func.min(Attempt.elapsed_ms).label("fewest"))
        .join(Attempt.puzzle)
        .where(
            *COUNTED,
            Attempt.player_id == player_id,
            Puzzle.status.in_((Status.APPROVED, Status.DAILY)),
        )
        .group_by(Attempt.level)
    )
    return Summary(
        list(in_play),
        list(finished),
        dict.fromkeys(bank.LEVELS) | {row.level: row.fewest for row in best},
    )


def in_play(player_id: int | None, most: int) -> list[str]:
    """Return the ids of the games a player has in play, newest first; cheap, since no board is folded."""
    if player_id is None:
        return []
    own = sa.select(Attempt.id).where(Attempt.player_id == player_id, Attempt.finished_at.is_(None))
    return list(db.session.scalars(own.order_by(Attempt.updated_at.desc()).limit(most)))


def has_solved(player_id: int | None) -> bool:
    """Whether a player has finished any game."""
    if player_id is None:
        return False
    own = sa.select(Attempt.id).where(Attempt.player_id == player_id, Attempt.finished_at.is_not(None))
    return db.session.scalar(own.limit(1)) is not None


def helped(attempt: Attempt, board: Board) -> bool:
    """Whether there was help: a hint or a check, and in a daily or a race a computed candidate too."""
    return board.assisted or (attempt.contest and board.revealed)


def listed_ms(attempt: Attempt, now: datetime) -> int:
    """Milliseconds on the clock of a game in play, from its row alone."""
    running = (attempt.paused_at or now) - attempt.started_at
    return max(0, running // timedelta(milliseconds=1) - attempt.paused_ms)


def _refuse_pauses(attempt: Attempt, moves: Sequence[Move]) -> None:
    for move in moves:
        if attempt.ranked and move.kind is Kind.PAUSE:
            raise BadMove(_("move %(seq)s: you can’t pause a ranked game", seq=move.seq))
        if attempt.racer is not None and move.kind is Kind.PAUSE:
            raise BadMove(_("move %(seq)s: you can’t pause a race", seq=move.seq))


def _pay_for(before: int, after: int) -> None:
    """Take the cost of a log that grows, by the hundred cells, so that few batches write one row more."""
    costs.demand(costs.MOVES, PAID_TOGETHER * (after // PAID_TOGETHER - before // PAID_TOGETHER))


def _refuse_too_many(length: int, moves: Sequence[Move]) -> None:
    """Raise LogFull for moves that would make the log longer than we keep."""
    if length > MOST_TO_FINISH:
        raise LogFull(_("This game has reached its limit of moves. Start the puzzle again to continue."))
    if length > MOST_CELLS and not all(move.kind in FINISHING for move in moves):
        raise LogFull(
            _(
                "This game has reached its limit of marks and moves, so marks, colors and hints are off. "
                "You can still place digits and undo."
            )
        )


def elapsed_ms(attempt: Attempt, board: Board, until: datetime) -> int:
    """Milliseconds from the start to `until`, less the pauses; never negative."""
    running = (board.paused_since or until) - attempt.started_at - board.paused
    return max(0, running // timedelta(milliseconds=1))


# Built once: building a statement costs as much as running it.
_OWN = (
    sa.select(Attempt)
    .where(Attempt.id == sa.bindparam("attempt_id"), Attempt.player_id == sa.bindparam("player"))
    .options(joinedload(Attempt.puzzle, innerjoin=True), joinedload(Attempt.daily), joinedload(Attempt.racer))
)


def _own(player_id: int | None, attempt_id: str) -> Attempt:
    """The one helper through which a player's attempt is reached, as it was read, then detached."""
    if not PUBLIC_ID.fullmatch(attempt_id):
        raise NotFound(_("We couldn’t find that game."))
    attempt = db.session.scalar(_OWN, {"attempt_id": attempt_id, "player": player_id})
    if attempt is None:
        raise NotFound(_("We couldn’t find that game."))
    # Else the end of a write transaction would have it read once more.
    db.session.expunge(attempt)
    db.session.expunge(attempt.puzzle)
    if attempt.daily is not None:
        db.session.expunge(attempt.daily)
    if attempt.racer is not None:
        db.session.expunge(attempt.racer)
    return attempt


def _check_numbers(moves: Sequence[Move]) -> None:
    if not moves:
        raise BadMove(_("This request has no moves."))
    if len(moves) > MOST_MOVES_A_BATCH:
        raise BadMove(_("Send at most %(most)s moves at a time.", most=MOST_MOVES_A_BATCH))
    for before, move in pairwise(moves):
        if move.seq != before.seq + 1:
            raise BadMove(_("move %(seq)s: expected number %(wanted)s", seq=move.seq, wanted=before.seq + 1))


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


def _append(seen: Seen, board: Board, moves: Sequence[Move], length: int, now: datetime) -> bool:
    """Store these moves and what they have made of the attempt; False, and nothing, where it has moved on.

    Everything is decided before the write lock is taken, which other players wait for: it is held for two
    statements, of which the first sees whether the attempt is still the one that was looked at, and for a
    place on a board.
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
    outcome = ranking.Outcome({})
    if board.solved:
        # Setting the clock back must not keep a player from finishing.
        changes["finished_at"] = max(now, attempt.started_at)
        changes["elapsed_ms"] = elapsed_ms(attempt, board, now)
        log = [*logs.part(attempt.id, 1, seen.board.seq), *((move, now) for move in moves)]
        aided, took = changes["assisted"], changes["elapsed_ms"]
        outcome = ranking.outcome(attempt, log, now, took, helped=aided, steady=steady_now())
        changes |= outcome.columns
    racer = attempt.racer
    reached = 0 if racer is None else race_progress.tenths(board.givens, board.digits)

    def write(connection: sa.Connection) -> bool:
        stored = storing.store(connection, seen, changes, moves, now)
        if stored:
            if racer is not None and reached > racer.tenths:
                race_progress.advance(connection, attempt.id, reached)
            if board.solved and attempt.daily_id is not None:
                ranking.settle(connection, attempt.id)
            if outcome.trace is not None:
                traces.keep(connection, attempt, changes["finished_at"], outcome.trace)
        return stored

    if not write_together(write, alone=racer is None and not board.solved):
        return False
    if racer is not None:
        racer.tenths = max(reached, racer.tenths)
    if board.solved:
        for name, value in changes.items():
            setattr(attempt, name, value)
        with suppress(Busy):  # then the next solve does it
            if outcome.copied is not None:
                ranking.doubt_copy(outcome.copied, attempt.id, now)
            if attempt.ranked:
                ranking.promote(attempt.player_id, now)
        with suppress(Busy):  # then it is counted with the player's next game
            strength.settle(attempt.player_id, now)
            whole.review(attempt, now)
    return True


def log_of(attempt: Attempt) -> list[tuple[Move, datetime]]:
    """The whole log of an attempt, in order, with the time of each move's receipt."""
    return logs.part(attempt.id, 1, attempt.last_seq)


def moves_of(game: Game) -> list[Move]:
    """The whole log of a game, in order."""
    return [move for move, _at in logs.part(game.attempt.id, 1, game.board.seq)]


_recent = Recent()
