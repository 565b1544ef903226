"""The bank: puzzles that wait for players. Fills it, counts it, draws from it; knows no request."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from flask_babel import gettext as _

import engine
from engine.generation.methods import LEVELS as DIG_LEVELS
from webapp.database import db, write_tx
from webapp.models import Attempt, Puzzle, Status
from webapp.services.errors import NotFound

log = logging.getLogger(__name__)

LEVELS = range(1, 6)
# What gave a puzzle its level: the digging level it was made at, or the techniques it needs.
DUG = "dig_hole-1"
RATED = "explainer-default-1"
BY_GIVENS = "givens-1"
MOST_MISSES = 500  # puzzles of a wrong level in a row after which filling stops
MOST_PRINTED = 60  # puzzles on paper at one request


def fresh_stock() -> dict[int, int]:
    """How many approved puzzles nobody has started yet, by level 1..5."""
    counts = db.session.execute(
        sa.select(Puzzle.level, sa.func.count().label("fresh"))
        .where(Puzzle.status == Status.APPROVED, Puzzle.first_started_at.is_(None))
        .group_by(Puzzle.level)
    )
    return dict.fromkeys(LEVELS, 0) | {row.level: row.fresh for row in counts}


def stock_up(target: int, now: datetime, *, rated: bool) -> Iterator[int]:
    """Add puzzles, the emptiest level first, until every level has `target` fresh ones.

    Yields the level of each puzzle once it is stored. `rated`: levels are those of the rating, else the
    digging level asked for, which takes no compiled technique. Two fillers at work at the same time overshoot
    by a few puzzles at most, which does no harm.
    """
    stock = fresh_stock()
    misses = 0
    while misses < MOST_MISSES:
        wanted = min(stock, key=lambda level: stock[level])
        if stock[wanted] >= target:
            return
        puzzle = _generated(wanted, now, rated=rated)
        if stock[puzzle.level] < target and _store(puzzle):
            level = puzzle.level
            stock[level] += 1
            misses = 0
            yield level
        else:
            misses += 1
    log.warning("%d puzzles in a row were not of a level that is wanted: %s", misses, stock)


def _generated(level: int, now: datetime, *, rated: bool) -> Puzzle:
    """A puzzle dug for a level; rated, it may turn out to be of another."""
    db.session.rollback()  # no transaction stays open while the engine works
    seed = secrets.randbits(62)
    recipe = engine.Recipe(level=level)
    givens = str(engine.generate(recipe, seed=seed).grid)
    return Puzzle(
        givens=givens,
        status=Status.APPROVED,
        method=recipe.method,
        seed=str(seed),
        engine_version=engine.__version__,
        created_at=now,
        **(_rating_of(givens) if rated else {"level": level, "rating_version": DUG}),
    )


def _store(puzzle: Puzzle) -> bool:
    """Store a puzzle; False where the bank has it already."""
    with write_tx():
        known = db.session.scalar(sa.select(Puzzle.id).where(Puzzle.givens == puzzle.givens))
        if known is None:
            db.session.add(puzzle)
    return known is None


def _rating_of(givens: str) -> dict[str, Any]:
    """The columns that the rating of a puzzle fills.

    Where the rating gives up the puzzle is harder than anything that can be told: the highest level.
    """
    rating = engine.rate(engine.parse(givens))
    return {
        "level": rating.level or max(LEVELS),
        "explainer": rating.scores.get("explainer"),
        "hardest": rating.hardest,
        "expected_seconds": rating.expected_seconds,
        "rating_version": RATED,
    }


def entered(grid: engine.Grid, now: datetime) -> Puzzle:
    """The puzzle with these givens: the bank's, or a new one that only its attempts lead to."""
    known = sa.select(Puzzle).where(Puzzle.givens == str(grid))
    puzzle = db.session.scalar(known)
    if puzzle is None:
        puzzle = Puzzle(
            givens=str(grid),
            level=level_by_givens(grid.givens),
            rating_version=BY_GIVENS,
            status=Status.ENTERED,
            engine_version=engine.__version__,
            created_at=now,
        )
        try:
            with db.session.begin_nested():
                db.session.add(puzzle)
        except sa.exc.IntegrityError:  # PostgreSQL has several writers: another was first
            puzzle = db.session.scalars(known).one()
    return puzzle


def level_by_givens(givens: int) -> int:
    """The level of a puzzle that is not rated: the one whose interval of givens it falls into."""
    return next((level for level, digs in DIG_LEVELS.items() if givens >= digs.fewest), max(LEVELS))


def rate_anew() -> Iterator[int]:
    """Rate every puzzle that an older version gave its level; yields their ids. Attempts keep their level."""
    old = sa.select(Puzzle.id, Puzzle.givens).where(Puzzle.rating_version != RATED).order_by(Puzzle.id)
    waiting = db.session.execute(old).all()
    db.session.rollback()  # no transaction stays open while the engine works
    for puzzle_id, givens in waiting:
        columns = _rating_of(givens)
        with write_tx():
            db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle_id).values(**columns))
        yield puzzle_id


def draw(level: int, player_id: int | None) -> Puzzle | None:
    """A random approved puzzle of a level that this player has not started; None where there is none."""
    query = sa.select(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.level == level)
    if player_id is not None:
        started = sa.select(Attempt.puzzle_id).where(Attempt.player_id == player_id)
        query = query.where(Puzzle.id.not_in(started))
    return db.session.scalar(query.order_by(sa.func.random()).limit(1))


def approved(puzzle_id: int) -> Puzzle:
    """An approved puzzle; raises NotFound for any other."""
    puzzle = db.session.get(Puzzle, puzzle_id) if puzzle_id < 2**31 else None
    if puzzle is None or puzzle.status != Status.APPROVED:
        raise NotFound(_("There is no such puzzle."))
    return puzzle


def approved_among(ids: list[int]) -> list[Puzzle]:
    """The approved puzzles among these, in this order, at most MOST_PRINTED."""
    wanted = [number for number in ids if number < 2**31][:MOST_PRINTED]
    query = sa.select(Puzzle).where(Puzzle.id.in_(wanted), Puzzle.status == Status.APPROVED)
    found = {puzzle.id: puzzle for puzzle in db.session.scalars(query)}
    return [found[number] for number in wanted if number in found]


def sample(level: int, count: int) -> list[Puzzle]:
    """Random approved puzzles of a level."""
    query = sa.select(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.level == level)
    return list(db.session.scalars(query.order_by(sa.func.random()).limit(count)))
