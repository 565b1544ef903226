"""Puzzle: 81 cells with one solution. It isn't stored, since the engine finds it in microseconds."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, validates

import engine
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base

GIVEN_COUNT = "length(replace(givens, '.', ''))"  # as an SQL expression
UNRATED = "givens-"  # prefix of the rating_version of a puzzle whose level is estimated from its givens


class Status(StrEnum):
    """Where a puzzle is available."""

    CANDIDATE = "candidate"  # waits for a curator's decision
    REJECTED = "rejected"  # `reason` has the reason
    APPROVED = "approved"  # open to players; drawn for new games while `offered`
    DAILY = "daily"  # available only as a daily, from its release on
    WITHDRAWN = "withdrawn"  # taken back after players could get it; they see `reason`
    ENTERED = "entered"  # entered by a player: reachable only through its attempts


def solution_class(form: str) -> int:
    """Return the class number of a canonical form's solution, which is in canonical form itself."""
    digest = hashlib.blake2b(str(engine.solution(engine.parse(form))).encode(), digest_size=8).digest()
    # 64 bits: with a million classes, a collision in one of 10 million banks
    return int.from_bytes(digest, signed=True)


class Puzzle(Base):
    __tablename__ = "puzzle"
    __table_args__ = (
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),
        sa.CheckConstraint("length(givens) = 81", name="givens"),
        sa.Index("ix_puzzle_status_level_first_started_at", "status", "level", "first_started_at"),
        # How the desk sorts and filters the puzzles of a status. The last columns of some only serve filters,
        # so that no row is read that doesn't match.
        sa.Index("ix_puzzle_status_id_solution_class", "status", "id", "solution_class"),
        sa.Index("ix_puzzle_status_level_id", "status", "level", "id"),
        sa.Index("ix_puzzle_status_explainer_id", "status", "explainer", "id"),
        sa.Index("ix_puzzle_status_level_explainer_id", "status", "level", "explainer", "id"),
        sa.Index(
            "ix_puzzle_status_expected_seconds_id_explainer", "status", "expected_seconds", "id", "explainer"
        ),
        sa.Index("ix_puzzle_status_hardest_id", "status", "hardest", "id"),
        sa.Index(
            *("ix_puzzle_status_given_count_id", "status", sa.text(GIVEN_COUNT), "id"),
            postgresql_include=["givens"],  # or each row is read: 60,000 pages of a large bank
        ),
        sa.Index("ix_puzzle_solution_class_status", "solution_class", "status"),
        # Puzzles whose `puzzle_trait` rows the worker has yet to write.
        sa.Index(
            "ix_puzzle_untraced",
            "id",
            # Written exactly like the query's condition, or SQLite reads the whole bank
            sqlite_where=sa.text("traced = 0"),
            postgresql_where=sa.text("NOT traced"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    givens: Mapped[str] = mapped_column(sa.String(81), unique=True)  # '.' for an empty cell
    # The canonical form, shared by all equivalent puzzles. None until the worker has computed it.
    canonical: Mapped[str | None] = mapped_column(sa.String(81), index=True)
    # Shared by all puzzles with equivalent solutions, such as one with a given added. Set with `canonical`.
    solution_class: Mapped[int | None] = mapped_column(sa.BigInteger)
    level: Mapped[int] = mapped_column(sa.SmallInteger)  # 1..5, by rating_version
    rating_version: Mapped[str] = mapped_column(
        sa.String(40)
    )  # the source of the level, so that a later job can update it
    # SE rating, key of the hardest technique, expected seconds of an average player. None while unrated.
    explainer: Mapped[float | None] = mapped_column(sa.Float)
    hardest: Mapped[str | None] = mapped_column(sa.String(40))
    expected_seconds: Mapped[float | None] = mapped_column(sa.Float)
    status: Mapped[str] = mapped_column(sa.String(10))
    method: Mapped[str | None] = mapped_column(
        sa.String(20)
    )  # the generation method; None for an entered puzzle
    seed: Mapped[str | None] = mapped_column(sa.String(40))
    # The published system and level whose stock it is in, such as a3; see webapp/bank/systems.py.
    system: Mapped[str | None] = mapped_column(sa.String(2), index=True)
    engine_version: Mapped[str] = mapped_column(sa.String(20))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # Start of the first attempt; None for fresh stock.
    first_started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Since when pages may show its givens; None while hidden, as before a daily's release.
    shown_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # The origin, if it was ordered or imported; JSON of the recipe's fields.
    recipe: Mapped[str | None] = mapped_column(sa.Text)
    order_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("puzzle_order.id", ondelete="SET NULL"), index=True
    )
    # From the imported file.
    title: Mapped[str | None] = mapped_column(sa.String(200))
    author: Mapped[str | None] = mapped_column(sa.String(100))
    source: Mapped[str | None] = mapped_column(sa.String(200))
    stated_level: Mapped[str | None] = mapped_column(sa.String(40))  # as stated by the author
    # Incremented by every change of a curator, so that two of them never overwrite each other.
    version: Mapped[int] = mapped_column(default=0, server_default="0")
    reason: Mapped[str | None] = mapped_column(sa.String(200))  # of a rejection or withdrawal
    # Rating details for the desk: JSON of counts, scores and openings; None while unrated.
    breakdown: Mapped[str | None] = mapped_column(sa.Text)
    # Whether it is drawn for new games. False for one that no curator has chosen and whose givens don't suit
    # its level, as when an older puzzle's level changes; its page and games stay.
    offered: Mapped[bool] = mapped_column(default=True, server_default=sa.true())
    # Whether a curator has set the level, overriding the rating.
    relabelled: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    # The level by the rating, if `level` differs: a daily keeps its announced level. None for a rating older
    # than this column, which then equals `level`.
    rated_level: Mapped[int | None] = mapped_column(sa.SmallInteger)

    # Whether its rows of `puzzle_trait` match its rating.
    traced: Mapped[bool] = mapped_column(default=False, server_default=sa.false())

    @validates("canonical")
    def _classify(self, _name: str, form: str | None) -> str | None:
        self.solution_class = None if form is None else solution_class(form)
        return form

    @property
    def rated(self) -> bool:
        """Whether its level comes from a rating or a curator."""
        return self.relabelled or not self.rating_version.startswith(UNRATED)

    @property
    def givens_count(self) -> int:
        """The number of its givens."""
        return 81 - self.givens.count(".")

    @property
    def seen(self) -> str:
        """`id:version`, by which a curator's form tells what it was sent for."""
        return f"{self.id}:{self.version}"

    @property
    def moved_to(self) -> int | None:
        """The level by its current rating, if that differs from its level and no curator has set one."""
        moved = self.rated_level not in (None, self.level) and not self.relabelled
        return self.rated_level if moved else None


class PuzzleTrait(Base):
    """One property of a puzzle: webapp/bank/traits.py."""

    __tablename__ = "puzzle_trait"
    __table_args__ = ({"sqlite_with_rowid": False},)

    trait: Mapped[str] = mapped_column(sa.String(130), primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class PuzzleVote(Base):
    """Whether a player liked a puzzle that they have solved."""

    __tablename__ = "puzzle_vote"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    )
    good: Mapped[bool] = mapped_column()
    at: Mapped[datetime] = mapped_column(UtcDateTime)
