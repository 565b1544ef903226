"""Filters on the bank's puzzles, shared by the queue and exports."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

import engine
from webapp.bank import traits
from webapp.models import ImportLine, Puzzle, Status
from webapp.models.puzzle import GIVEN_COUNT, UNRATED

CURATED = (  # excludes players' own
    Status.CANDIDATE,
    Status.APPROVED,
    Status.REJECTED,
    Status.DAILY,
    Status.WITHDRAWN,
)

IMPORTED = "import"  # stands for a method
GIVENS: sa.ColumnElement[int] = sa.literal_column(GIVEN_COUNT, sa.Integer())  # written as in its index


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters; None matches everything."""

    status: str | None = None
    level: int | None = None
    hardest: str | None = None
    er_from: float | None = None
    er_to: float | None = None
    minutes_from: float | None = None
    minutes_to: float | None = None
    order: int | None = None  # the order that they were generated for
    batch: int | None = None  # the import that they came from
    uses: str | None = None  # a technique of their solution path, the hardest or not
    symmetry: str | None = None  # of their givens
    givens_from: int | None = None
    givens_to: int | None = None
    made: str | None = None  # the method that generated them, or IMPORTED
    told: str | None = None  # their author or source, as imported
    tag: str | None = None
    like: str | None = None  # a grid that they are equivalent to
    twins: bool = False  # only those with the solution of a puzzle that players can get
    ids: Sequence[int] = ()  # only these


def traits_of(filters: Filters) -> list[str]:
    """Return the traits that filters ask for."""
    found = (
        (traits.USES, filters.uses),
        (traits.SYMMETRY, filters.symmetry),
        (traits.TOLD, None if filters.told is None else traits.folded(filters.told)),
        (traits.TAG, None if filters.tag is None else traits.folded(filters.tag)),
    )
    return [kind + value for kind, value in found if value is not None]


def conditions(
    filters: Filters,
    *,
    walking: bool = False,
    within_level: bool = False,
    common: Collection[str] = (),
) -> list[sa.ColumnElement[bool]]:
    """Return the conditions on a row of `Puzzle`.

    walking: for a list that follows an index of its order. Status and level are then written so that no
    database fetches and sorts a large part of the bank. within_level: for an index by level first. common:
    traits to check for each puzzle, since listing all that have them would take too long.
    """
    curated = Puzzle.status != Status.ENTERED if walking else Puzzle.status.in_(CURATED)
    wanted: list[sa.ColumnElement[bool]] = [curated]
    for column, value in (
        (Puzzle.status, filters.status),
        (Puzzle.level + 0 if walking and not within_level else Puzzle.level, filters.level),
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
    if filters.made is not None:
        wanted.append(Puzzle.method.is_(None) if filters.made == IMPORTED else Puzzle.method == filters.made)
    if filters.like is not None:
        wanted.append(alike(filters.like))
    for scale, least, most in (
        (GIVENS, filters.givens_from, filters.givens_to),
        (Puzzle.explainer, filters.er_from, filters.er_to),
        (Puzzle.expected_seconds, _seconds(filters.minutes_from), _seconds(filters.minutes_to)),
    ):
        # Equality, so that an index keeps the following columns in order
        if least is not None and least == most:
            wanted.append(scale == least)
            continue
        if least is not None:
            wanted.append(scale >= least)
        if most is not None:
            wanted.append(scale <= most)
    if filters.batch is not None:
        of_batch = ImportLine.import_id == filters.batch
        wanted.append(Puzzle.id.in_(sa.select(ImportLine.puzzle_id).where(of_batch)))
    if filters.twins:
        wanted.append(_has_a_twin())
    if filters.ids:
        wanted.append(Puzzle.id.in_(filters.ids))
    return wanted


def _has_a_twin() -> sa.ColumnElement[bool]:
    other = sa.orm.aliased(Puzzle)
    return sa.exists().where(
        other.solution_class == Puzzle.solution_class,
        other.id != Puzzle.id,
        other.status.in_((Status.APPROVED, Status.DAILY)),
    )


def alike(grid: str) -> sa.ColumnElement[bool]:
    """Return the condition that a puzzle is equivalent to this one."""
    return Puzzle.canonical == str(engine.canonical_form(engine.parse(grid)))


def _seconds(minutes: float | None) -> float | None:
    return None if minutes is None else 60 * minutes
