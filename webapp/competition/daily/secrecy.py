"""Recognize grids that would reveal an open or future daily, or the player's own game in play.

Whatever rates or solves a grid checks here first. A daily is recognized as it lies, whatever digits are
added, and if its givens are rotated, reordered and relabeled. Nothing else is: anyone can run a solver
elsewhere.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

import engine
from webapp.models import Attempt, Daily, Puzzle
from webapp.models.daily import WINDOW, today
from webapp.process.database import db
from webapp.process.errors import BadStart
from webapp.process.words import gettext as _

MOST_GAMES: Final = 50  # unfinished games that a position is compared with, the latest first


def refuse(grid: engine.Grid, player_id: int | None, now: datetime) -> None:
    """Raise BadStart for an open or future daily, and for a game that this player is playing without help."""
    if is_open_daily(grid, now):
        raise BadStart(
            _("This puzzle is equivalent to a daily whose leaderboard is still open. Play it as the daily.")
        )
    if own_game(grid, player_id) is not None:
        raise BadStart(still_playing())


def still_playing() -> str:
    """Return the reason why a position of one's own game is refused."""
    return _("You’re still playing this puzzle. Finish it or use a hint there first.")


def own_game(grid: engine.Grid, player_id: int | None, *, races: bool = False) -> str | None:
    """Return the id of the game, played without help, whose givens a grid contains.

    races: only consider races. Any other puzzle may be entered and played as a separate game, which harms
    nobody.
    """
    if player_id is None:
        return None
    playing = (
        sa.select(Attempt)
        .options(joinedload(Attempt.puzzle, innerjoin=True))
        .where(Attempt.player_id == player_id, Attempt.finished_at.is_(None), Attempt.assisted.is_(False))
        .order_by(Attempt.updated_at.desc())
        .limit(MOST_GAMES)
    )
    games = db.session.scalars(playing.where(Attempt.turn.is_not(None)) if races else playing)
    return next((game.id for game in games if _contains(grid, game.givens)), None)


def is_open_daily(grid: engine.Grid, now: datetime) -> bool:
    """Whether a grid contains the givens of an open or future daily, or is equivalent to them.

    A withdrawn puzzle counts too: an undo would rank it again.
    """
    not_over = sa.select(Daily.puzzle_id, Daily.former_id).where(Daily.date > today(now - WINDOW))
    numbers = {number for pair in db.session.execute(not_over) for number in pair if number is not None}
    puzzles = db.session.scalars(sa.select(Puzzle.givens).where(Puzzle.id.in_(numbers))).all()
    if any(_contains(grid, givens) for givens in puzzles):
        return True
    as_many = [givens for givens in puzzles if 81 - givens.count(".") == grid.givens]
    form = _form(str(grid)) if as_many else None
    return form is not None and any(form == _form(givens) for givens in as_many)


def _contains(grid: engine.Grid, givens: str) -> bool:
    return all(given in (".", digit) for given, digit in zip(givens, str(grid), strict=True))


@lru_cache(maxsize=1024)
def _form(givens: str) -> str | None:
    """Return the canonical form of a puzzle; None if it doesn't have exactly one solution."""
    try:
        return str(engine.canonical_form(engine.parse(givens)))
    except engine.NotUniqueError:
        return None
