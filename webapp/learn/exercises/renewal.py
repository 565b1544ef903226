"""Keep exercises true to the engine: check those of older versions, and make anew what no longer holds.

Each result is stored at once, so the work can be interrupted anywhere. Owns its transactions.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

import sqlalchemy as sa

import engine
from webapp.learn.exercises import choosing, kept, store
from webapp.learn.exercises.posed import Posed
from webapp.models import Exercise, ExerciseKind
from webapp.process.database import db, rows_changed, write_tx

log = logging.getLogger(__name__)

PATIENCE: Final = 20.0  # seconds of making for the positions of a lesson
AT_ONCE: Final = 10  # exercises of a technique before the next one's turn
A_WHILE: Final = 3.0  # seconds at most for these


def check_lessons(now: datetime, stop: Callable[[], bool]) -> Iterator[str]:
    """Check the positions of lessons that another version of the engine made; remake and report the broken.

    Yields the technique of each that was checked.
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
    """A new position for a lesson; None where none was found in time."""
    seed, end = secrets.randbits(62), time.monotonic() + PATIENCE

    def over() -> bool:
        return stop() or time.monotonic() > end

    if kind == ExerciseKind.NEAR_MISS:
        return choosing.nearly(technique, seed, over)
    return next((posed.as_kind(kind) for posed in choosing.chosen(technique, seed, over)), None)


def _keep(found: Posed, now: datetime) -> None:
    """Store a position of a lesson, checked by this version, in place of the row there was."""
    row = store.row_of(replace(found, known=kept.text_of(found.steps)), now)
    row.engine_version = engine.__version__
    with write_tx():
        db.session.execute(
            sa.delete(Exercise).where(Exercise.technique == found.technique, Exercise.kind == found.kind)
        )
        db.session.add(row)


def check_drills(stop: Callable[[], bool]) -> Iterator[int]:
    """Check the drills that another version of the engine made; delete the broken. Yields each id.

    Those without their steps count as made by another version.
    """
    old = db.session.scalars(
        sa.select(Exercise.id)
        .where(
            sa.or_(Exercise.engine_version != engine.__version__, Exercise.steps.is_(None)),
            Exercise.kind.not_in(store.OF_LESSONS),
        )
        .order_by(Exercise.id)
    ).all()
    for exercise_id in old:
        if stop():
            return
        row = db.session.get(Exercise, exercise_id)
        if row is None:
            continue
        found = store.posed(row)
        holds = store.sound(found) is not None
        now_known = {"engine_version": engine.__version__, "steps": kept.text_of(found.steps)}
        same = Exercise.id == exercise_id
        with write_tx():
            if holds:
                rows_changed(sa.update(Exercise).where(same).values(now_known))
            else:
                log.warning("a drill of %s no longer holds and is deleted", row.technique)
                rows_changed(sa.delete(Exercise).where(same))
        yield exercise_id


def fill_up(target: int, now: datetime, stop: Callable[[], bool]) -> Iterator[str]:
    """Make drills, first for the techniques that have the fewest, until all have `target`.

    Then half as many near misses. Each technique gets a few seconds in turn, so that one that is met rarely
    holds up no other. Yields the technique of each as it is stored.
    """
    for kind, wanted in ((ExerciseKind.DRILL, target), (ExerciseKind.DRILL_NEAR_MISS, target // 2)):
        stocks = store.stocks(kind)
        for technique in sorted(stocks, key=lambda key: stocks[key]):
            missing = wanted - stocks[technique]
            if stop():
                return
            if missing > 0:
                yield from store.fill(technique, kind, min(missing, AT_ONCE), now, _for_a_while(stop))


def _for_a_while(stop: Callable[[], bool]) -> Callable[[], bool]:
    end = time.monotonic() + A_WHILE
    return lambda: stop() or time.monotonic() > end
