"""Readers' votes: whether players liked a puzzle that they have solved. Owns its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from webapp.models import Attempt, Puzzle, PuzzleVote, Status
from webapp.process.database import db, upsert, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _


def cast(attempt: Attempt, now: datetime, *, good: bool) -> None:
    """Record a player's vote on the puzzle of a solve, in place of an earlier one. Raises NotFound."""
    if attempt.finished_at is None or attempt.puzzle.status == Status.ENTERED:
        raise NotFound(_("We couldn’t find that solve."))
    row = {"player_id": attempt.player_id, "puzzle_id": attempt.puzzle_id, "good": good, "at": now}
    with write_tx():
        table = PuzzleVote.__table__
        vote = upsert(table).values(row)
        keys = [table.c.player_id, table.c.puzzle_id]
        db.session.execute(vote.on_conflict_do_update(index_elements=keys, set_={"good": good, "at": now}))


def of_player(player_id: int, puzzle_id: int) -> bool | None:
    """Return a player's vote on a puzzle; None without one."""
    return db.session.scalar(
        sa.select(PuzzleVote.good).where(PuzzleVote.player_id == player_id, PuzzleVote.puzzle_id == puzzle_id)
    )


def counts(ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return for each of these puzzles with votes how many players liked it, and how many voted."""
    good = sa.func.sum(sa.case((PuzzleVote.good, 1), else_=0))
    rows = db.session.execute(
        sa.select(PuzzleVote.puzzle_id, good, sa.func.count())
        .where(PuzzleVote.puzzle_id.in_(ids))
        .group_by(PuzzleVote.puzzle_id)
    )
    return {puzzle_id: (int(liked), voted) for puzzle_id, liked, voted in rows}


def best() -> sa.Select[int]:
    """Select the puzzles with votes, best liked first, each as if with one more vote of either kind."""
    good = sa.func.sum(sa.case((PuzzleVote.good, 1.0), else_=0.0))
    share = (good + 1.0) / (sa.func.count() + 2.0)
    voted = sa.select(Puzzle.id).join(PuzzleVote, PuzzleVote.puzzle_id == Puzzle.id)
    return voted.group_by(Puzzle.id).order_by(share.desc(), Puzzle.id.desc())


def merge(guest_id: int, player_id: int) -> None:
    """Inside `write_tx()`: move a guest's votes to an account, whose own take precedence."""
    theirs = sa.select(PuzzleVote.puzzle_id).where(PuzzleVote.player_id == player_id)
    of_guest = PuzzleVote.player_id == guest_id
    db.session.execute(sa.delete(PuzzleVote).where(of_guest, PuzzleVote.puzzle_id.in_(theirs)))
    db.session.execute(sa.update(PuzzleVote).where(of_guest).values(player_id=player_id))
