"""Verify exercises of older engine versions, replace those that no longer hold, and stock drills.

Each result is stored at once, so the work can be interrupted anywhere. Owns its transactions.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Final

import sqlalchemy as sa

import engine
from engine import warm
from webapp.identity import failures
from webapp.learn.exercises import choosing, kept, store
from webapp.learn.exercises.posed import Posed
from webapp.models import Drill, Exercise, ExerciseKind, LessonProgress, PracticeCard
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.jobs import stopping, work_through

log = logging.getLogger(__name__)

TURN: Final = timedelta(minutes=1)  # per run; the next one continues
PATIENCE: Final = 20.0  # seconds for generating a lesson's position
AT_ONCE: Final = 10  # exercises of a technique before the next technique
A_WHILE: Final = 3.0  # seconds for these
KEPT: Final = 10  # drills of a technique that no player has had
BEGINNING, AHEAD = 8, 3  # techniques that everybody begins with, and that follow one a player has seen


def renew(now: datetime) -> int:
    """Verify and regenerate what an older version made, then add what is missing. Returns how many."""
    if not warm.ready():
        return 0
    over = stopping().is_set
    return work_through(chain(check_lessons(now, over), check_drills(over), fill_up(now, over)), TURN)


def check_lessons(now: datetime, stop: Callable[[], bool]) -> Iterator[str]:
    """Verify lessons' positions of other engine versions; replace and report the broken ones.

    Yields the technique of each verified position.
    """
    for found in [each for each in store.of_lessons() if each.engine_version != engine.__version__]:
        if stop():
            return
        technique, kind = found.technique, found.kind
        if store.sound(found) is not None:
            _keep(found, now)
            yield technique
            continue
        made = _remade(technique, kind, stop)
        if made is None:
            log.warning("lesson %s: its %s no longer holds, and none was found yet", technique, kind)
        else:
            _keep(made, now)
            log.warning("lesson %s: its %s no longer held and was remade", technique, kind)
            yield technique


def _remade(technique: str, kind: str, stop: Callable[[], bool]) -> Posed | None:
    """Return a new position for a lesson; None if none was found in time."""
    seed, over = secrets.randbits(62), _for_a_while(stop, PATIENCE)
    if kind == ExerciseKind.NEAR_MISS:
        return choosing.nearly(technique, seed, over)
    return next((replace(posed, kind=kind) for posed in choosing.chosen(technique, seed, over)), None)


def _keep(found: Posed, now: datetime) -> None:
    """Store a verified position of a lesson, replacing the previous row."""
    row = store.row_of(replace(found, known=kept.text_of(found.steps)), now)
    row.engine_version = engine.__version__
    with write_tx():
        db.session.execute(
            sa.delete(Exercise).where(Exercise.technique == found.technique, Exercise.kind == found.kind)
        )
        db.session.add(row)


def check_drills(stop: Callable[[], bool]) -> Iterator[int]:
    """Verify drills of other engine versions, and delete the broken ones. Yields each id.

    Drills without stored steps count as other versions'.
    """
    old = db.session.scalars(
        sa.select(Exercise.id)
        .where(
            sa.or_(Exercise.engine_version != engine.__version__, Exercise.steps.is_(None)),
            Exercise.kind.not_in(store.OF_LESSONS),
        )
        .order_by(Exercise.id)
    ).all()
    broken = set(failures.given_up("drill"))
    for exercise_id in old:
        if str(exercise_id) in broken:
            continue
        if stop():
            return
        row = db.session.get(Exercise, exercise_id)
        if row is None:
            continue
        with failures.counted("drill", exercise_id):
            _check(row)
        yield exercise_id


def _check(row: Exercise) -> None:
    found, technique = store.posed(row), row.technique
    holds = store.sound(found) is not None
    now_known = {"engine_version": engine.__version__, "steps": kept.text_of(found.steps)}
    same = Exercise.id == row.id
    with write_tx():
        if holds:
            rows_changed(sa.update(Exercise).where(same).values(now_known))
        else:
            log.warning("a drill of %s no longer holds and is deleted", technique)
            rows_changed(sa.delete(Exercise).where(same))


def fill_up(now: datetime, stop: Callable[[], bool]) -> Iterator[str]:
    """Generate drills for the techniques that players are near, those with the fewest first.

    Then generates half as many near misses. Each technique gets a few seconds in rotation, so that a rare one
    doesn't delay the others. Yields the technique of each stored one.
    """
    near = _near()
    for kind, share in ((ExerciseKind.DRILL, 1), (ExerciseKind.DRILL_NEAR_MISS, 2)):
        stocks, given = store.stocks(kind), _given(kind)
        for technique in sorted(near, key=lambda key: stocks[key]):
            missing = KEPT // share + given.get(technique, 0) - stocks[technique]
            if stop():
                return
            if missing > 0:
                yield from store.fill(
                    technique, kind, min(missing, AT_ONCE), now, _for_a_while(stop, A_WHILE)
                )


def _near() -> set[str]:
    """Return the techniques that players have read about or practiced, the next ones, and the first ones."""
    keys = list(engine.TECHNIQUES)
    met = sa.union(
        sa.select(LessonProgress.technique).where(LessonProgress.mastered_at.is_(None)),
        sa.select(PracticeCard.technique),
    )
    places = [keys.index(key) for key in db.session.scalars(met) if key in engine.TECHNIQUES]
    return set(keys[:BEGINNING]).union(*(keys[place : place + 1 + AHEAD] for place in places))


def _given(kind: ExerciseKind) -> dict[str, int]:
    """Return the largest number of drills of a kind that any player has had, by technique."""
    had = (
        sa.select(Exercise.technique, sa.func.count().label("drills"))
        .join(Drill, Drill.exercise_id == Exercise.id)
        .where(Exercise.kind == kind)
        .group_by(Exercise.technique, Drill.player_id)
        .subquery()
    )
    most = sa.select(had.c.technique, sa.func.max(had.c.drills).label("drills")).group_by(had.c.technique)
    return {row.technique: row.drills for row in db.session.execute(most)}


def _for_a_while(stop: Callable[[], bool], seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: stop() or time.monotonic() > end
