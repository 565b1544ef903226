"""Answers to drills: how long the real route takes on SQLite, over a stock of every technique.

`python -m benchmarks.practice [SECONDS] [TECHNIQUE ...]`: for each technique, or those named, as many
exercises as are made in SECONDS (2), at most EACH. ROUNDS of them, or MORE where techniques are named, are
given to a player and answered with the right marks, and one more with a wrong one. The steps of a position
are forgotten before each answer, as in a process that has not seen it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import numpy as np
import sqlalchemy as sa
from flask_migrate import upgrade

import engine
from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.learn.exercises import kept, posed, store
from webapp.learn.exercises.making import made_of
from webapp.learn.exercises.posed import Posed
from webapp.learn.marks import Marks
from webapp.learn.practice import drills
from webapp.models import Drill, ExerciseKind
from webapp.process.config import Settings
from webapp.process.database import db, write_tx

EACH = 6  # exercises of a technique
ROUNDS = 4  # drills of a technique
MORE = 40  # where techniques are named

Took = tuple[float, float]


def made(technique: str, seconds: float) -> list[Posed]:
    """Return exercises of a technique, made within this time."""
    until = time.perf_counter() + seconds
    stream = made_of(technique, ExerciseKind.DRILL, 1, lambda: time.perf_counter() > until)
    return list(islice(stream, EACH))


def marks_for(exercise: Posed, *, right: bool) -> Marks:
    """Return the marks of the first step, or the digit of the solution crossed out."""
    if not right:
        solution = exercise.position.solution
        assert solution is not None
        cell = next(cell for cell in range(81) if not exercise.position.grid[cell])
        return Marks(eliminations=frozenset({(cell, solution[cell])}))
    step = exercise.steps[0]
    return Marks(step.placements, frozenset() if step.placements else step.eliminations)


def main() -> None:
    """Print the median and the slowest answers, and the techniques that take longest."""
    seconds = float(next((word for word in sys.argv[1:] if word.isdecimal()), "2"))
    named = [word for word in sys.argv[1:] if word in engine.TECHNIQUES]
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings.from_environment({"INSTANCE_PATH": str(Path(folder) / "instance")}))
        with app.app_context():
            upgrade()
            stock = {key: found for key in named or engine.TECHNIQUES if (found := made(key, seconds))}
            with write_tx():
                now = datetime.now(UTC)
                db.session.add_all(store.row_of(each, now) for found in stock.values() for each in found)
        times = measured(Visitor(app), stock, MORE if named else ROUNDS)
        with app.app_context():
            db.engine.dispose()
    missing = [key for key in named or engine.TECHNIQUES if key not in stock]
    every = [each for some in times.values() for each in some]
    print(f"{len(every)} answers, {len(stock)} techniques; not met: {', '.join(missing) or 'none'}")
    print(f"all: {summary(every)}")
    slowest = sorted(times, key=lambda key: -float(np.percentile([wall for wall, _ in times[key]], 95)))[:8]
    for key in slowest:
        print(f"{key}: {summary(times[key])}")


def summary(times: list[Took]) -> str:
    """Median and 95th percentile in milliseconds, by the clock and of processor time."""
    clock, processor = (
        np.percentile(1000 * np.array(column), (50, 95)) for column in zip(*times, strict=True)
    )
    return (
        f"median {clock[0]:.1f} ms, 95th percentile {clock[1]:.1f} ms; "
        f"of processor time {processor[0]:.1f} and {processor[1]:.1f} ms"
    )


def measured(visitor: Visitor, stock: dict[str, list[Posed]], rounds: int) -> dict[str, list[Took]]:
    """Return the seconds of every answer by the clock and of processor time, by technique."""
    times: dict[str, list[Took]] = defaultdict(list)
    for key in stock:
        for number in range(rounds + 1):
            address = visitor.post(f"/practice/{key}").location
            marks = str(marks_for(_asked(visitor, address), right=number < rounds))
            posed.steps_of.cache_clear()
            kept.read.cache_clear()
            drills.judgment.cache_clear()
            started = time.perf_counter(), time.process_time()
            answer = visitor.client.post(
                f"{address}/answers",
                data={"csrf_token": visitor.token, "marks": marks},
                headers={"HX-Request": "true"},
            )
            if (key, number) != (next(iter(stock)), 0):  # the first request compiles templates and kernels
                times[key].append((time.perf_counter() - started[0], time.process_time() - started[1]))
            if answer.status_code != 200:
                raise SystemExit(f"{key}: {answer.status_code}: {answer.text[:300]}")
    return times


def _asked(visitor: Visitor, address: str) -> Posed:
    with visitor.app.app_context():
        key = address.rpartition("/")[2]
        return drills.posed(db.session.scalars(sa.select(Drill).where(Drill.key == key)).one())


if __name__ == "__main__":
    main()
