"""The bank: puzzles that wait for players. Fills it, counts it, draws from it; knows no request."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime

import sqlalchemy as sa
from flask_babel import gettext as _

import engine
from webapp.database import db, write_tx
from webapp.models import Attempt, Puzzle, Status
from webapp.services.errors import NotFound

LEVELS = range(1, 6)
# Until puzzles are rated by the techniques they need, the level is the one the digger was asked for.
RATING_VERSION = "dig_hole-1"
MOST_PRINTED = 60  # puzzles on paper at one request


def fresh_stock() -> dict[int, int]:
    """How many approved puzzles nobody has started yet, by level 1..5."""
    counts = db.session.execute(
        sa.select(Puzzle.level, sa.func.count().label("fresh"))
        .where(Puzzle.status == Status.APPROVED, Puzzle.first_started_at.is_(None))
        .group_by(Puzzle.level)
    )
    return dict.fromkeys(LEVELS, 0) | {row.level: row.fresh for row in counts}


def stock_up(target: int, now: datetime) -> Iterator[int]:
    """Add puzzles, the emptiest level first, until every level has `target` fresh ones.

    Yields the level of each puzzle once it is stored. Two fillers at work at the same time overshoot by a few
    puzzles at most, which does no harm.
    """
    stock = fresh_stock()
    while (level := min(stock, key=lambda each: stock[each])) and stock[level] < target:
        if add_generated(level, secrets.randbits(62), now):
            yield level
        stock[level] += 1
        if stock[level] >= target:
            stock = fresh_stock()


def add_generated(level: int, seed: int, now: datetime) -> bool:
    """Generate one puzzle and approve it; False where the bank has it already."""
    recipe = engine.Recipe(level=level)
    puzzle = engine.generate(recipe, seed=seed)
    row = Puzzle(
        givens=str(puzzle.grid),
        level=level,
        rating_version=RATING_VERSION,
        status=Status.APPROVED,
        method=recipe.method,
        seed=str(seed),
        engine_version=engine.__version__,
        created_at=now,
    )
    with write_tx():
        known = db.session.scalar(sa.select(Puzzle.id).where(Puzzle.givens == row.givens))
        if known is None:
            db.session.add(row)
    return known is None


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
