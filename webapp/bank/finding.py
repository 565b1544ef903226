"""Find the newest, or the most liked, matching puzzles of a large bank.

Sorting a million rows would take seconds. So a list follows an index until it has enough rows; if few puzzles
match a trait, only these are loaded and sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from webapp.bank import traits, votes
from webapp.bank.selection import CURATED, Filters, alike, conditions, traits_of
from webapp.models import Puzzle, PuzzleTrait
from webapp.process.database import db

FEW = 3000  # puzzles with a trait: few enough to load them all
MANY = 20_000  # puzzles with a trait: more are checked by row, since SQLite takes half a second to list them
AT_ONCE = 500


def listed(filters: Filters, most: int) -> list[int]:
    """Return so many matching puzzles, newest first; those that players have voted on, best liked first."""
    if filters.liked:
        return list(db.session.scalars(votes.best().where(*conditions(filters)).limit(most)))
    few = _few(filters)
    if few is not None:
        return sorted(_of(few, filters), reverse=True)[:most]
    common = [trait for trait in traits_of(filters) if traits.more_than(MANY, trait)]
    wanted = conditions(filters, common=common)
    # Each status has its own index, so query each for its first puzzles and merge these.
    parts = [
        sa.select(Puzzle.id.label("id"))
        .where(*wanted, Puzzle.status == each)
        .order_by(Puzzle.id.desc())
        .limit(most)
        .subquery()
        for each in ([filters.status] if filters.status is not None else CURATED)
    ]
    merged = sa.union_all(*(sa.select(part.c.id) for part in parts)).subquery()
    return list(db.session.scalars(sa.select(merged.c.id).order_by(merged.c.id.desc()).limit(most)))


def _few(filters: Filters) -> list[int] | None:
    """Return the puzzles with the rarest requested trait; None if all are common."""
    asked = [
        sa.select(PuzzleTrait.puzzle_id).where(PuzzleTrait.trait == trait) for trait in traits_of(filters)
    ]
    if filters.like is not None:
        asked.append(sa.select(Puzzle.id).where(alike(filters.like)))
    few = None
    for some in asked:
        ids = list(db.session.scalars(some.limit(FEW + 1)))
        if len(ids) <= FEW and (few is None or len(ids) < len(few)):
            few = ids
    return few


def _of(ids: Sequence[int], filters: Filters) -> list[int]:
    """Return the matching ones among these puzzles."""
    # Apply status and traits by row, so that SQLite starts from these ids.
    wanted = conditions(replace(filters, status=None), walking=True, common=traits_of(filters))
    if filters.status is not None:
        wanted.append(Puzzle.status.concat("") == filters.status)
    found: list[int] = []
    for start in range(0, len(ids), AT_ONCE):
        some = Puzzle.id.in_(ids[start : start + AT_ONCE])
        found += db.session.scalars(sa.select(Puzzle.id).where(some, *wanted))
    return found
