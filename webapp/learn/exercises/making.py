"""Generate exercises in the form of the database and of the file of lessons. Stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import engine
from engine import OutOfTime
from engine.generation import exercises, near_misses
from webapp.learn.exercises import kept
from webapp.learn.exercises.posed import Posed, struck_in, text_of
from webapp.models import ExerciseKind


def made_of(technique: str, kind: ExerciseKind, seed: int, stop: Callable[[], bool]) -> Iterator[Posed]:
    """Generate exercises of a kind until `stop` returns True, without storing them."""
    nearly = kind in (ExerciseKind.NEAR_MISS, ExerciseKind.DRILL_NEAR_MISS)
    stream: Any = near_misses if nearly else exercises
    try:
        for each in stream(technique, seed=seed, stop=stop):
            yield Posed(
                technique,
                kind,
                str(each.puzzle),
                str(each.position.grid),
                text_of(struck_in(each.position)),
                text_of(each.spoilers) if nearly else "",
                False if nearly else each.least,
                str(seed),
                engine.__version__,
                known=kept.text_of(() if nearly else each.steps),
            )
    except OutOfTime:
        return
