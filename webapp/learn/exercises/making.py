"""Make exercises: what the engine finds, as the store and the file of lessons hold it. Stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import engine
from engine.generation.exercises import exercises
from engine.generation.near_misses import ALWAYS_THERE, near_misses
from engine.generation.to_order import OutOfTime
from webapp.learn.exercises import kept
from webapp.learn.exercises.posed import Posed, struck_in, text_of
from webapp.models import ExerciseKind


def made_of(technique: str, kind: ExerciseKind, seed: int, stop: Callable[[], bool]) -> Iterator[Posed]:
    """Exercises of a kind without storing them, until `stop` says yes."""
    nearly = kind in (ExerciseKind.NEAR_MISS, ExerciseKind.DRILL_NEAR_MISS)
    if kind == ExerciseKind.DRILL_NEAR_MISS and technique in ALWAYS_THERE:
        return  # it is there, which is what such a drill asks
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
                known=kept.text_of(each.steps),
            )
    except OutOfTime:
        return
