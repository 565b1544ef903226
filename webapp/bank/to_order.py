"""Generate a puzzle during a request, when the bank has none to offer.

Generation continues in the background, so that one which takes too long is ready for the next request.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

import engine
from engine import warm
from engine.generation import ANY, suits
from webapp.bank import bank, systems
from webapp.identity.aside import Aside
from webapp.models import Puzzle
from webapp.process.database import db


def made_for(technique: str, now: datetime) -> Puzzle | None:
    """Return a new puzzle whose hardest technique is this one, not stored; None if none is ready yet."""
    return _made(engine.Recipe(hardest=technique, symmetry=ANY), now)


def made_at(level: int, now: datetime) -> Puzzle | None:
    """Return a new puzzle of a level, not stored; None if none is ready yet.

    If the engine takes too long, falls back to a variation of the first stock that the bank lacks.
    """
    made = _made(engine.Recipe(level=level, symmetry=ANY), now)
    return made or next(bank.vary_first_stock(level, now), None)


def made_by(system: str, now: datetime) -> Puzzle | None:
    """Return a new puzzle of a published system at a level, not stored; None if none is ready yet."""
    found = _asked(systems.RECIPES[system])
    return None if found is None else systems.puzzle_of(system, *found, now)


def _made(recipe: engine.Recipe, now: datetime) -> Puzzle | None:
    found = _asked(recipe)
    if found is None:
        return None
    made, values = found
    return bank.new(made.grid, now, method=made.method, seed=str(made.seed), **values)


def _asked(recipe: engine.Recipe) -> tuple[engine.Puzzle, dict[str, Any]] | None:
    db.session.rollback()  # no open transaction while the engine works
    if not warm.ready():
        return None
    seed = _next_seeds.setdefault(recipe, secrets.randbits(systems.SEEDS))
    found = _making.ask((recipe, seed))
    if found is None:
        return None
    _next_seeds.pop(recipe, None)
    made, values = found
    return None if made is None else (made, values)


def _make(order: tuple[engine.Recipe, int]) -> tuple[engine.Puzzle | None, dict[str, Any]]:
    recipe, seed = order
    try:
        made = engine.generate(recipe, seed=seed)
    except engine.RecipeError:  # this seed has no such puzzle; the next request uses another
        return None, {}
    values = bank.rating_columns(made.grid)
    return made, values | {"offered": suits(made.grid, values["level"])}


_making: Aside[tuple[engine.Recipe, int], tuple[engine.Puzzle | None, dict[str, Any]]] = Aside(_make)
_next_seeds: dict[engine.Recipe, int] = {}  # the seed for the next request of each recipe
