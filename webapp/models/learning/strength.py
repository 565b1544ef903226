"""Ratings of players and puzzles by Glicko-2, and the games they come from."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base

OVERALL = ""  # the rating over all puzzles
# The rating over games without help. Puzzles are rated against it, and only by such games.
ALONE = "alone"


class PlayerRating(Base):
    """A player's rating over all puzzles, those of one family, or those played without help.

    A puzzle's family is that of its hardest technique.

    Always equals a fold over the player's rated games; both change in one transaction.
    """

    __tablename__ = "player_rating"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    family: Mapped[str] = mapped_column(sa.String(20), primary_key=True)  # a family, OVERALL or ALONE
    rating: Mapped[float] = mapped_column(sa.Float)
    deviation: Mapped[float] = mapped_column(sa.Float)
    volatility: Mapped[float] = mapped_column(sa.Float)
    games: Mapped[int] = mapped_column()
    rated_at: Mapped[datetime] = mapped_column(UtcDateTime)  # of the last game


class PuzzleRating(Base):
    """A puzzle's rating: first the engine's estimate, then updated by players' games."""

    __tablename__ = "puzzle_rating"
    __table_args__ = (
        sa.Index("ix_puzzle_rating_rating", "rating", "puzzle_id"),
        sa.Index("ix_puzzle_rating_hardest_rating", "hardest", "rating", "puzzle_id"),
        {"sqlite_with_rowid": False},
    )

    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True)
    rating: Mapped[float] = mapped_column(sa.Float)
    deviation: Mapped[float] = mapped_column(sa.Float)
    games: Mapped[int] = mapped_column(default=0)  # those that changed it
    # The puzzle's hardest technique when the rating began
    hardest: Mapped[str | None] = mapped_column(sa.String(40))


class RatedGame(Base):
    """A player's one game of a puzzle, with all that is needed to recompute the player's ratings."""

    __tablename__ = "rated_game"
    __table_args__ = (
        sa.CheckConstraint("score BETWEEN 0 AND 1", name="score"),
        sa.Index("uq_rated_game_player_id_puzzle_id", "player_id", "puzzle_id", unique=True),
        sa.Index("ix_rated_game_player_id_rated_at", "player_id", "rated_at", "attempt_id"),
        {"sqlite_with_rowid": False},
    )

    attempt_id: Mapped[str] = mapped_column(sa.ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"))
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id"), index=True)
    rated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    score: Mapped[float] = mapped_column(sa.Float)
    family: Mapped[str] = mapped_column(sa.String(20))  # of the puzzle's hardest technique; "" if unknown
    assisted: Mapped[bool] = mapped_column(default=False, server_default=sa.false())  # at the time of rating
    # The puzzle's rating before the game, and how much the game changed it: 0 if not at all.
    puzzle_rating: Mapped[float] = mapped_column(sa.Float)
    puzzle_deviation: Mapped[float] = mapped_column(sa.Float)
    puzzle_moved: Mapped[float] = mapped_column(sa.Float)
    # The player's rating over all puzzles after the game.
    rating: Mapped[float] = mapped_column(sa.Float)
    deviation: Mapped[float] = mapped_column(sa.Float)
