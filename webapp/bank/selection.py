"""Filters on the bank's puzzles, shared by the queue and exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from webapp.models import ImportLine, Puzzle, Status
from webapp.models.puzzle import UNRATED

CURATED = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED, Status.DAILY)  # not those players entered


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
    order: int | None = None  # the order they were made for
    batch: int | None = None  # the import they came from
    twins: bool = False  # only those with the solution of a puzzle that players can get
    ids: Sequence[int] = ()  # only these


def conditions(filters: Filters) -> list[sa.ColumnElement[bool]]:
    """Return the conditions on a row of `Puzzle`."""
    wanted: list[sa.ColumnElement[bool]] = [Puzzle.status.in_(CURATED)]
    for column, value in (
        (Puzzle.status, filters.status),
        (Puzzle.level, filters.level),
        (Puzzle.hardest, filters.hardest),
        (Puzzle.order_id, filters.order),
    ):
        if value is not None:
            wanted.append(column == value)
    if filters.level is not None:  # a guess by the givens is no level
        wanted.append(sa.or_(Puzzle.relabelled, Puzzle.rating_version.not_like(f"{UNRATED}%")))
    for scale, least, most in (
        (Puzzle.explainer, filters.er_from, filters.er_to),
        (Puzzle.expected_seconds / 60, filters.minutes_from, filters.minutes_to),
    ):
        if least is not None:
            wanted.append(scale >= least)
        if most is not None:
            wanted.append(scale <= most)
    if filters.batch is not None:
        of_batch = ImportLine.import_id == filters.batch
        wanted.append(Puzzle.id.in_(sa.select(ImportLine.puzzle_id).where(of_batch)))
    if filters.twins:
        other = sa.orm.aliased(Puzzle)
        wanted.append(
            sa.exists().where(
                other.solution_class == Puzzle.solution_class,
                other.id != Puzzle.id,
                other.status.in_((Status.APPROVED, Status.DAILY)),
            )
        )
    if filters.ids:
        wanted.append(Puzzle.id.in_(filters.ids))
    return wanted
