"""The store of exercises: the positions of lessons, and a stock of drills for each technique.

Owns its transactions.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

import engine
from webapp.learn.exercises import shipped
from webapp.learn.exercises.making import made_of
from webapp.learn.exercises.posed import Posed
from webapp.models import Exercise, ExerciseKind
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

OF_LESSONS = (ExerciseKind.WORKED, ExerciseKind.EXERCISE, ExerciseKind.NEAR_MISS)


@dataclass(frozen=True, slots=True)
class LessonPositions:
    """The positions of a lesson; None for one that doesn't hold for this engine and hasn't been replaced."""

    worked: Posed | None
    exercise: Posed | None
    near_miss: Posed | None  # also None for a technique without near misses


def lesson(technique: str) -> LessonPositions:
    """Return the positions of a technique's lesson: rows override the shipped file.

    NotFound for an unknown technique.
    """
    _check(technique)
    found = {each.kind: sound(each) for each in of_lessons(technique)}
    return LessonPositions(*(found.get(kind) for kind in OF_LESSONS))


def of_lessons(technique: str | None = None) -> list[Posed]:
    """Return the positions of all lessons, or of one, unverified."""
    query = sa.select(Exercise).where(Exercise.kind.in_(OF_LESSONS)).order_by(Exercise.id)
    rows = db.session.scalars(query if technique is None else query.where(Exercise.technique == technique))
    file = shipped.positions()
    found = {
        (key, kind): each
        for key in (file if technique is None else [technique])
        for kind, each in file.get(key, {}).items()
    }
    return list((found | {(row.technique, row.kind): posed(row) for row in rows}).values())


def sound(found: Posed) -> Posed | None:
    """Return the position, unless this engine finds something else there than the one that generated it."""
    nearly = found.kind in (ExerciseKind.NEAR_MISS, ExerciseKind.DRILL_NEAR_MISS)
    return found if found.there != nearly else None


def drill(technique: str, seen: sa.Select[int] | None = None, *, near_miss: bool = False) -> Posed | None:
    """Return a drill that a player hasn't seen, or a random one if they have seen all; None without stock.

    seen: selects the ids of the exercises the player has seen.
    near_miss: a drill without the technique. NotFound for an unknown technique.
    """
    _check(technique)
    kind = ExerciseKind.DRILL_NEAR_MISS if near_miss else ExerciseKind.DRILL
    of_kind = sa.select(Exercise.id).where(Exercise.technique == technique, Exercise.kind == kind)
    fresh = of_kind if seen is None else of_kind.where(Exercise.id.not_in(seen))
    for query in (fresh, of_kind):
        exercise_id = db.session.scalar(query.order_by(sa.func.random()).limit(1))
        if exercise_id is not None:
            return exercise(exercise_id)
    return None


def exercise(exercise_id: int) -> Posed:
    """Return a stored exercise. NotFound for a deleted one."""
    row = db.session.get(Exercise, exercise_id)
    if row is None:
        raise NotFound(_("That exercise isn’t available anymore."))
    return posed(row)


def stocks(kind: ExerciseKind) -> dict[str, int]:
    """Return how many exercises of a kind each technique has."""
    counts = db.session.execute(
        sa.select(Exercise.technique, sa.func.count().label("ready"))
        .where(Exercise.kind == kind)
        .group_by(Exercise.technique)
    )
    return dict.fromkeys(engine.TECHNIQUES, 0) | {row.technique: row.ready for row in counts}


def fill(
    technique: str, kind: ExerciseKind, count: int, now: datetime, stop: Callable[[], bool]
) -> Iterator[str]:
    """Generate and store up to `count` exercises of a kind; yields the technique as each is stored.

    stop: called often; filling ends when it returns True.
    """
    db.session.rollback()  # no open transaction while the engine works
    for made in made_of(technique, kind, secrets.randbits(62), stop):
        if _store(row_of(made, now)):
            yield technique
            count -= 1
        if count <= 0:
            return


def row_of(made: Posed, now: datetime) -> Exercise:
    """Return the row that stores an exercise."""
    return Exercise(
        technique=made.technique,
        kind=made.kind,
        givens=made.givens,
        digits=made.digits,
        struck=made.struck,
        spoilers=made.spoilers,
        least=made.least,
        steps=made.known,
        seed=made.seed,
        engine_version=made.engine_version,
        created_at=now,
    )


def posed(row: Exercise) -> Posed:
    """Return the exercise of a row."""
    return Posed(
        row.technique,
        row.kind,
        row.givens,
        row.digits,
        row.struck,
        row.spoilers,
        row.least,
        row.seed,
        row.engine_version,
        row.id,
        row.steps if row.engine_version == engine.__version__ else None,
    )


def _store(row: Exercise) -> bool:
    """Store a row; False if there is one of its technique, kind and givens."""
    with write_tx():
        known = db.session.scalar(
            sa.select(Exercise.id).where(
                Exercise.technique == row.technique, Exercise.kind == row.kind, Exercise.givens == row.givens
            )
        )
        if known is None:
            db.session.add(row)
    return known is None


def _check(technique: str) -> None:
    if technique not in engine.TECHNIQUES:
        raise NotFound(_("We don’t know that technique."))
