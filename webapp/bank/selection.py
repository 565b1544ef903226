"""Filters on the bank's puzzles, shared by the desk's search, exports and commands, and what they find.

Sorting a million rows would take seconds. So a list follows an index until it has enough rows; if few puzzles
match a trait, only these are loaded and sorted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

import engine
from webapp.bank import traits, votes
from webapp.models import Puzzle, PuzzleTrait, PuzzleVote, Status
from webapp.models.puzzle import UNRATED
from webapp.process.database import db

CURATED = (  # excludes players' own
    Status.CANDIDATE,
    Status.APPROVED,
    Status.REJECTED,
    Status.DAILY,
    Status.WITHDRAWN,
)
ANY = "any"  # as a symmetry: some
FEW = 3000  # puzzles with a trait: few enough to load them all
MANY = 20_000  # puzzles with a trait: more are checked by row, since SQLite takes half a second to list them
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters; None matches everything."""

    status: str | None = None
    level: int | None = None
    hardest: str | None = None
    symmetry: str | None = None  # of their givens
    order: int | None = None  # the order that they were generated for
    told: str | None = None  # their author or source, as imported
    like: str | None = None  # a grid that they are equivalent to
    favorite: bool = False
    liked: bool = False  # only those that players have voted on
    ids: Sequence[int] = ()  # only these


def traits_of(filters: Filters) -> list[str]:
    """Return the traits that filters ask for."""
    found = (
        (traits.SYMMETRY, None if filters.symmetry == ANY else filters.symmetry),
        (traits.TOLD, None if filters.told is None else traits.folded(filters.told)),
        (traits.FAVORITE, "" if filters.favorite else None),
    )
    return [kind + value for kind, value in found if value is not None]


def conditions(
    filters: Filters, *, walking: bool = False, common: Collection[str] = ()
) -> list[sa.ColumnElement[bool]]:
    """Return the conditions on a row of `Puzzle`.

    walking: for a list that starts from other ids. Status and level are then written so that no database
    starts from their indexes. common: traits to check for each puzzle, since listing all that have them would
    take too long.
    """
    wanted = [Puzzle.status != Status.ENTERED if walking else Puzzle.status.in_(CURATED)]
    for column, value in (
        (Puzzle.status, filters.status),
        (Puzzle.level + 0 if walking else Puzzle.level, filters.level),
        (Puzzle.hardest, filters.hardest),
        (Puzzle.order_id, filters.order),
    ):
        if value is not None:
            wanted.append(column == value)
    if filters.level is not None:  # an estimate from the givens isn't a level
        wanted.append(sa.or_(Puzzle.relabelled, Puzzle.rating_version.not_like(f"{UNRATED}%")))
    wanted += [
        (traits.having_too if trait in common else traits.having)(trait) for trait in traits_of(filters)
    ]
    if filters.symmetry == ANY:
        some = PuzzleTrait.trait.startswith(traits.SYMMETRY)
        wanted.append(sa.exists().where(PuzzleTrait.puzzle_id == Puzzle.id, some))
    if filters.liked:
        vote = sa.orm.aliased(PuzzleVote)
        wanted.append(sa.exists().where(vote.puzzle_id == Puzzle.id))
    if filters.like is not None:
        wanted.append(alike(filters.like))
    if filters.ids:
        wanted.append(Puzzle.id.in_(filters.ids))
    return wanted


def alike(grid: str) -> sa.ColumnElement[bool]:
    """Return the condition that a puzzle is equivalent to this one."""
    return Puzzle.canonical == str(engine.canonical_form(engine.parse(grid)))


# What they find


def listed(filters: Filters, most: int) -> list[int]:
    """Return so many matching puzzles, newest first; those that players have voted on, best liked first."""
    if filters.liked:
        return list(db.session.scalars(votes.best().where(*conditions(filters)).limit(most)))
    few = _with_rarest_trait(filters)
    if few is not None:
        return sorted(_matching(few, filters), reverse=True)[:most]
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


def _with_rarest_trait(filters: Filters) -> list[int] | None:
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


def _matching(ids: Sequence[int], filters: Filters) -> list[int]:
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
