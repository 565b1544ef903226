"""Puzzles of the five published systems: a small stock of each at each of its own levels."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

import engine
from engine.generation import METHODS, suits
from webapp.bank import bank
from webapp.models import Attempt, Puzzle, Status
from webapp.process.database import db, write_tx

FRESH: Final = 2  # puzzles not started yet, of each system and level
SEEDS: Final = 31  # bits; the number of puzzles discarded before comes above them
# By letter and level: a1 to a5, b1 to b5, c, d1 to d4, e1 to e3.
RECIPES: Final = {
    f"{letter}{level or ''}": engine.Recipe(key, paper_level=level)
    for letter, (key, method) in zip("abcde", METHODS.items(), strict=True)
    for level in range(1, method.level_count + 1) or (None,)
}


def stock_up(now: datetime) -> Iterator[str]:
    """Make and rate what is missing; yields the system and level of each puzzle once it is stored."""
    query = sa.select(Puzzle.system, sa.func.count().label("fresh")).group_by(Puzzle.system)
    there = query.where(Puzzle.system.is_not(None), Puzzle.first_started_at.is_(None))
    stock = {row.system: row.fresh for row in db.session.execute(there)}
    for name, recipe in RECIPES.items():
        for _missing in range(FRESH - stock.get(name, 0)):
            db.session.rollback()  # no open transaction while the engine works
            made = engine.generate(recipe, secrets.randbits(SEEDS))
            puzzle = puzzle_of(name, made, bank.rating_columns(made.grid), now)
            with write_tx():
                bank.add_or_find(puzzle)
            yield name


def puzzle_of(name: str, made: engine.Puzzle, rating: dict[str, Any], now: datetime) -> Puzzle:
    """Return a new puzzle of a system, not stored. It is shown to all, so it never becomes a daily.

    The givens of few suit their level by our rating, so most are drawn for their system alone.
    """
    return bank.new(
        made.grid,
        now,
        method=made.method,
        seed=str(made.seed),
        system=name,
        recipe=json.dumps(made.recipe.asked),
        shown_at=now,
        **rating | {"offered": suits(made.grid, rating["level"])},
    )


def draw(name: str, player_id: int | None) -> Puzzle | None:
    """Return a random puzzle of a system that this player has not started, its row locked; None if none is
    left.
    """
    started = sa.select(Attempt.puzzle_id).where(Attempt.player_id == player_id)
    query = sa.select(Puzzle).where(Puzzle.system == name, Puzzle.status == Status.APPROVED)
    query = query.where(Puzzle.id.not_in(started)).order_by(sa.func.random()).limit(1)
    return db.session.scalar(query.with_for_update(skip_locked=True))
