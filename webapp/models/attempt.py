"""Attempt, a player's game of one puzzle; its moves; and Peek, a puzzle viewed without playing it."""

from __future__ import annotations

import re
import secrets
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

import engine
from webapp.models.daily import Daily
from webapp.models.months import INDEX
from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.process.column_types import TransformationColumn, UtcDateTime, partial
from webapp.process.database import Base

PUBLIC_ID = re.compile(r"[\w-]{22}", re.ASCII)


@lru_cache(maxsize=4096)  # cached like the transformation: each batch of moves asks
def _turned(givens: str, turn: engine.Transformation) -> str:
    return str(turn.apply(engine.parse(givens)))


class Standing(StrEnum):
    """The state of a ranked solve."""

    VERIFIED = "verified"
    ASSISTED = "assisted"  # a hint, a check or a revealed candidate
    REVIEW = "review"  # flagged by the rules; a curator decides
    REMOVED = "removed"  # removed by a curator
    PAPER = "paper"  # solved on paper and typed, as the player says: it counts, but not as a time


class Attempt(Base):
    """Columns repeat information of the moves only where lists are searched or sorted by it."""

    __tablename__ = "attempt"
    __table_args__ = (
        sa.CheckConstraint("finished_at >= started_at", name="finished_after_start"),
        sa.CheckConstraint("(finished_at IS NULL) = (elapsed_ms IS NULL)", name="finished_has_time"),
        sa.Index("ix_attempt_player_id_finished_at", "player_id", "finished_at"),
        # Has the player seen the puzzle?
        sa.Index("ix_attempt_player_id_puzzle_id", "player_id", "puzzle_id"),
        # Unfinished games by age; no move changes a column of this index.
        partial("ix_attempt_unfinished", "started_at", where="finished_at IS NULL"),
        # Logs left to pack, by age: about a day's games.
        partial("ix_attempt_unpacked", "finished_at", "id", where="finished_at IS NOT NULL AND NOT packed"),
        partial("uq_attempt_ranked", "player_id", "puzzle_id", unique=True, where="ranked"),
        # Covers a leaderboard page, and the rows before it.
        partial(
            "ix_attempt_board",
            "daily_id",
            "board",
            "elapsed_ms",
            "finished_at",
            "id",
            where="board IS NOT NULL",
        ),
        # Verdicts, by date.
        partial("ix_attempt_verdict", "updated_at", where="verdict IS NOT NULL"),
        # The fastest solve of a leaderboard with a shared replay.
        sa.Index(
            "ix_attempt_replay",
            "daily_id",
            "board",
            "elapsed_ms",
            sqlite_where=sa.text("replay_shown = 1"),
            postgresql_where=sa.text("replay_shown"),
        ),
        partial("ix_attempt_standing", "standing", "finished_at", where="standing IS NOT NULL"),
    )

    # 128 bits, so that an address can't be guessed
    id: Mapped[str] = mapped_column(
        sa.String(22), primary_key=True, default=lambda: secrets.token_urlsafe(16)
    )
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"))
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id"), index=True)
    # How the puzzle is transformed for this player; None if it is as stored. The log, marks and cells of an
    # attempt all use the transformed puzzle.
    turn: Mapped[engine.Transformation | None] = mapped_column(TransformationColumn)
    level: Mapped[int] = mapped_column(sa.SmallInteger)  # the puzzle's level at the start
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_seq: Mapped[int] = mapped_column(default=0)
    # Cells named by its moves, at least one each: the cost of the log. See `moves.MOST_CELLS`.
    log_length: Mapped[int] = mapped_column(default=0, server_default="0")
    # For lists of games in play: the state after the last move. `filled` is None in games older than the
    # column.
    filled: Mapped[int | None] = mapped_column(sa.SmallInteger)  # cells with a digit, givens included
    paused_ms: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    paused_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # start of the current pause
    assisted: Mapped[bool] = mapped_column(default=False)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    elapsed_ms: Mapped[int | None] = mapped_column(sa.BigInteger)
    # How long its last move had waited in the browser, as that said; part of the time
    waited_ms: Mapped[int | None] = mapped_column(sa.BigInteger)
    # Whether its log is a PackedLog
    packed: Mapped[bool] = mapped_column(default=False, server_default=sa.false())

    # For a daily: which one, and whether the attempt is ranked (at most one per player and puzzle).
    daily_id: Mapped[int | None] = mapped_column(sa.ForeignKey("daily.id"))
    ranked: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    # Monotonic clock at the start: reveals whether the machine's time was changed during a solve.
    steady_start: Mapped[str | None] = mapped_column(sa.String(60))
    # State of a ranked solve, the rules that flagged it (a JSON list of keys), and a curator's verdict.
    standing: Mapped[str | None] = mapped_column(sa.String(8))
    doubts: Mapped[str | None] = mapped_column(sa.Text)
    verdict: Mapped[str | None] = mapped_column(sa.Text)
    appeal: Mapped[str | None] = mapped_column(sa.Text)  # the player's, against a removal
    # The earlier game whose order of moves it repeats.
    original_id: Mapped[str | None] = mapped_column(sa.String(22))
    # Its list, and its points there once the day has closed.
    board: Mapped[str | None] = mapped_column(sa.String(8))
    points: Mapped[int | None] = mapped_column(sa.SmallInteger)  # 0..100
    # Whether others may watch it once the daily has closed: the player's choice.
    replay_shown: Mapped[bool] = mapped_column(default=False, server_default=sa.false())

    player: Mapped[Player] = relationship()
    puzzle: Mapped[Puzzle] = relationship()
    daily: Mapped[Daily | None] = relationship()

    @property
    def givens(self) -> str:
        """The givens as transformed for this player."""
        givens = self.puzzle.givens
        return givens if self.turn is None else _turned(givens, self.turn)

    @property
    def void(self) -> bool:
        """Whether it is of a daily's puzzle that was withdrawn, so that its time doesn't count."""
        daily = self.daily
        return daily is not None and (daily.withdrawn or daily.puzzle_id != self.puzzle_id)

    @property
    def racing(self) -> bool:
        """Whether it belongs to a race. Only races and dailies have transformed puzzles."""
        return self.turn is not None and self.daily_id is None

    @property
    def contest(self) -> bool:
        """Whether it is a daily or a race, where auto candidates count as help too."""
        return self.daily_id is not None or self.turn is not None


class Move(Base):
    """One numbered move, as defined in docs/move-log.md; rows are only added."""

    __tablename__ = "move"
    __table_args__ = ({"sqlite_with_rowid": False},)  # keeps an attempt's moves together

    attempt_id: Mapped[str] = mapped_column(sa.ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(sa.String(6))
    cell: Mapped[str] = mapped_column(sa.Text)
    digit: Mapped[int | None] = mapped_column(sa.SmallInteger)
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PackedLog(Base):
    """The whole log of a finished game, replacing its moves: webapp/game/packing.py.

    PostgreSQL partitions this table by month (webapp/models/months.py). A primary key would have to include
    the month, and its index would take eight bytes more a game. `Attempt.packed` ensures one row a game.
    """

    __tablename__ = "packed_log"
    __table_args__ = (
        sa.Index(INDEX, "attempt_id"),
        {"sqlite_with_rowid": False},
    )

    attempt_id: Mapped[str] = mapped_column(sa.ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True)
    month: Mapped[date] = mapped_column()  # first day of the month in which the game ended, UTC
    packed: Mapped[bytes] = mapped_column(sa.LargeBinary)


class Trace(Base):
    """The order of a finished game of an open daily, kept while the daily is open, to compare others with
    it.
    """

    __tablename__ = "solve_order"

    id: Mapped[int] = mapped_column(primary_key=True)
    attempt_id: Mapped[str] = mapped_column(sa.ForeignKey("attempt.id", ondelete="CASCADE"), unique=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), index=True)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    # Places by cell of the canonical form, as in webapp/game/fair_play/likeness.py.
    places: Mapped[bytes] = mapped_column(sa.LargeBinary)
    waits: Mapped[bytes] = mapped_column(sa.LargeBinary)
    by_logic: Mapped[bool] = mapped_column()


class Peek(Base):
    __tablename__ = "peek"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
