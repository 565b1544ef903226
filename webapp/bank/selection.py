"""Filters on the bank's puzzles, shared by the desk's search, exports and commands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

import engine
from webapp.bank import traits
from webapp.models import Puzzle, PuzzleTrait, PuzzleVote, Status
from webapp.models.puzzle import UNRATED

CURATED = (  # excludes players' own
    Status.CANDIDATE,
    Status.APPROVED,
    Status.REJECTED,
    Status.DAILY,
    Status.WITHDRAWN,
)
ANY = "any"  # as a symmetry: some


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
