"""Find puzzles for a day, nearest to its plan or from anywhere in the bank.

Sorting a level of a million puzzles would take seconds, so each order follows an index as far as needed.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sqlalchemy as sa

from webapp.competition.daily.plan import Wish
from webapp.models import Puzzle
from webapp.process.database import db

STARTS = 5  # random starting points: neighbors in the bank often come from one order and are alike


@dataclass(frozen=True, slots=True)
class Way:
    """Puzzles in the order of one index."""

    which: sa.ColumnElement[bool]
    by: sa.ColumnElement[Any]  # their order
    key: Any  # a column or an expression: merges ways of the same tier


Tier = Sequence[Way]  # all of a tier come before the next

BY_NUMBER: Tier = (Way(sa.true(), Puzzle.id.asc(), Puzzle.id),)


def anywhere() -> Tier:
    """Return the ways to all puzzles, from random numbers on."""
    last = db.session.scalar(sa.select(sa.func.max(Puzzle.id))) or 0
    starts = sorted(secrets.randbelow(last + 1) for _ in range(STARTS))
    between = [
        Way(sa.and_(Puzzle.id >= start, Puzzle.id < end), Puzzle.id.asc(), Puzzle.id - start)
        for start, end in pairwise(starts)
    ]
    to_the_end = Way(Puzzle.id >= starts[-1], Puzzle.id.asc(), Puzzle.id - starts[-1])
    and_on = Way(Puzzle.id < starts[0], Puzzle.id.asc(), Puzzle.id + (last - starts[-1]))
    return [*between, to_the_end, and_on]


def nearest(wish: Wish, unplanned: Tier) -> list[Tier]:
    """Return the ways to the puzzles nearest to a wish; `unplanned` is for a wish without minutes."""
    inner: list[Tier] = [unplanned]
    if wish.minutes is not None:
        seconds, wanted = Puzzle.expected_seconds, 60 * wish.minutes
        longer = Way(seconds >= wanted, seconds.asc(), seconds - wanted)
        shorter = Way(seconds < wanted, seconds.desc(), wanted - seconds)
        inner = [[longer, shorter], [Way(seconds.is_(None), Puzzle.id.asc(), Puzzle.id)]]
    if not (conditions := wish.conditions()):
        return inner
    fits = sa.case((sa.and_(*conditions), 1), else_=0)  # a missing value doesn't fit
    return [
        [Way(sa.and_(group, way.which), way.by, way.key) for way in tier]
        for group in (sa.and_(*conditions), fits == 0)
        for tier in inner
    ]


def first(fitting: Sequence[sa.ColumnElement[bool]], tiers: Sequence[Tier], most: int) -> list[int]:
    """Return the numbers of the first fitting puzzles, at most so many."""
    found: list[int] = []
    for tier in tiers:
        left = most - len(found)
        if left <= 0:
            break
        rows = [
            (row.key, row.id)
            for way in tier
            for row in db.session.execute(
                sa.select(Puzzle.id, way.key.label("key"))
                .where(*fitting, way.which)
                .order_by(way.by, Puzzle.id)
                .limit(left)
            )
        ]
        found += [number for _key, number in sorted(rows)[:left]]
    return found
