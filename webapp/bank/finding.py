"""Find the first matching puzzles of a large bank in a given order.

Sorting a million rows would take seconds. So a list follows an index of its order until it has enough rows;
if few puzzles match a trait, only these are loaded and sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from webapp.bank import traits
from webapp.bank.selection import CURATED, GIVENS, Filters, alike, conditions, traits_of
from webapp.models import Puzzle, PuzzleTrait
from webapp.process.database import db

FEW = 3000  # puzzles with a trait: few enough to load them all
MANY = 20_000  # puzzles with a trait: more are checked by row, since SQLite takes half a second to list them
AT_ONCE = 500
SORTS: dict[str, Any] = {
    "number": Puzzle.id,
    "level": Puzzle.level,
    "er": Puzzle.explainer,
    "time": Puzzle.expected_seconds,
    "givens": GIVENS,
}


def listed(filters: Filters, sort: str, most: int, *, down: bool) -> list[int]:
    """Return the first matching puzzles in the order of a key of SORTS, at most so many.

    Puzzles without a value come last. Without a status, all statuses are listed.
    """
    few = _few(filters)
    if few is not None:
        return [row.id for row in _in_order(_of(few, filters, sort), down=down)[:most]]
    common = [trait for trait in traits_of(filters) if traits.more_than(MANY, trait)]
    walking = sort not in ("number", "level")
    wanted = conditions(filters, walking=walking, within_level=sort == "er", common=common)
    by, last = SORTS[sort], Puzzle.id.desc() if down else Puzzle.id.asc()
    order = [last] if sort == "number" else [by.desc() if down else by.asc(), last]
    # Each status has its own indexes, so query each for its first puzzles and merge these.
    parts = [
        sa.select(Puzzle.id.label("id"), by.label("key"))
        .where(*wanted, Puzzle.status == each, valued)
        .order_by(*order)
        .limit(most)
        .subquery()
        for each in ([filters.status] if filters.status is not None else CURATED)
        for valued in _parts(filters, sort)
    ]
    merged = sa.union_all(*(sa.select(part.c.id, part.c.key) for part in parts)).subquery()
    key = merged.c.key.desc() if down else merged.c.key.asc()
    ends = merged.c.id.desc() if down else merged.c.id.asc()
    return list(
        db.session.scalars(sa.select(merged.c.id).order_by(merged.c.key.is_(None), key, ends).limit(most))
    )


def _parts(filters: Filters, sort: str) -> Sequence[sa.ColumnElement[bool]]:
    """Return the puzzles with a value to sort by, and those without one, which a range would miss."""
    ranges = {
        "er": (filters.er_from, filters.er_to),
        "time": (filters.minutes_from, filters.minutes_to),
    }
    if sort not in ranges:
        return (sa.true(),)
    valued = SORTS[sort].is_not(None)
    return (valued, ~valued) if ranges[sort] == (None, None) else (valued,)


def _few(filters: Filters) -> list[int] | None:
    """Return the puzzles with the rarest requested trait; None if all are common."""
    asked = [
        sa.select(PuzzleTrait.puzzle_id).where(PuzzleTrait.trait == trait) for trait in traits_of(filters)
    ]
    if filters.like is not None:
        asked.append(sa.select(Puzzle.id).where(alike(filters.like)))
    if filters.twins:
        asked.append(traits.sharing())
    few = None
    for some in asked:
        ids = list(db.session.scalars(some.limit(FEW + 1)))
        if len(ids) <= FEW and (few is None or len(ids) < len(few)):
            few = ids
    return few


def _of(ids: Sequence[int], filters: Filters, sort: str) -> Iterator[sa.Row[int, Any]]:
    """Yield number and sort key of the matching ones among these puzzles."""
    # Apply status and traits by row, so that SQLite starts from these ids.
    others = replace(filters, status=None)
    wanted = conditions(others, walking=True, common=traits_of(filters))
    if filters.status is not None:
        wanted.append(Puzzle.status.concat("") == filters.status)
    for start in range(0, len(ids), AT_ONCE):
        some = Puzzle.id.in_(ids[start : start + AT_ONCE])
        yield from db.session.execute(
            sa.select(Puzzle.id.label("id"), SORTS[sort].label("key")).where(some, *wanted)
        )


def _in_order(rows: Iterator[sa.Row[int, Any]], *, down: bool) -> list[sa.Row[int, Any]]:
    """Sort by key, then number; those without a key come last either way."""
    return sorted(rows, key=lambda row: ((row.key is None) != down, row.key or 0, row.id), reverse=down)
