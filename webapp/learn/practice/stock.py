"""The available drills: which techniques have some ready, and one that a player hasn't had."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

import engine
from webapp.game.steps import technique_name
from webapp.learn.exercises import store
from webapp.learn.lessons import path as learning
from webapp.learn.practice.schedule import Kind
from webapp.models import Drill, Exercise, ExerciseKind, LessonProgress
from webapp.process.database import db
from webapp.process.errors import NotReady
from webapp.process.words import gettext as _


def path(player_id: int | None = None) -> list[str]:
    """Return the techniques that have drills ready, in the order to learn them.

    Lessons affect the order: techniques that the player has read about come first, and those of a tier that
    they have tested out of come last.
    """
    ready = _ready(ExerciseKind.DRILL)
    rows = db.session.execute(
        sa.select(LessonProgress.technique, LessonProgress.mastered_at).where(
            LessonProgress.player_id == player_id
        )
    )
    place = {key: 0 if mastered_at is None else 2 for key, mastered_at in rows}
    order = (*learning.order(), *engine.TECHNIQUES)  # what is off the path comes last
    return sorted((key for key in dict.fromkeys(order) if key in ready), key=lambda key: place.get(key, 1))


def kinds_of(technique: str) -> list[Kind]:
    """Return the kinds of drills that are ready for a technique."""
    if technique not in _ready(ExerciseKind.DRILL):
        return []
    return [Kind.FIND, Kind.THERE] if technique in _ready(ExerciseKind.DRILL_NEAR_MISS) else [Kind.FIND]


def _ready(kind: ExerciseKind) -> set[str]:
    return set(db.session.scalars(sa.select(Exercise.technique).where(Exercise.kind == kind).distinct()))


def draw(player_id: int, technique: str, kind: Kind) -> int:
    """Return the id of an exercise for a drill that the player hasn't had, if possible. Raises NotReady.

    For "Is it there?", a coin decides whether it is.
    """
    seen = sa.select(Drill.exercise_id).where(Drill.player_id == player_id)
    nearly = kind is Kind.THERE and secrets.randbelow(2) == 1
    found = store.drill(technique, seen, near_miss=nearly)
    if found is None or found.id is None:
        name = technique_name(technique)
        raise NotReady(_("We’re still making drills: %(name)s. Try again in a few minutes.", name=name))
    return found.id
