"""The supply of drills: which techniques have some ready, and one that a player has not had."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

import engine
from webapp.game.steps import technique_name
from webapp.learn.exercises import store
from webapp.learn.practice.schedule import Kind
from webapp.models import Drill, Exercise, ExerciseKind
from webapp.process.database import db
from webapp.process.errors import NotReady
from webapp.process.words import gettext as _


def path() -> list[str]:
    """Return the techniques that have drills ready, in the order to learn them."""
    ready = _ready(ExerciseKind.DRILL)
    return [key for key in engine.TECHNIQUES if key in ready]


def kinds_of(technique: str) -> list[Kind]:
    """Return the kinds of drills that are ready for a technique."""
    if technique not in _ready(ExerciseKind.DRILL):
        return []
    return [Kind.FIND, Kind.THERE] if technique in _ready(ExerciseKind.DRILL_NEAR_MISS) else [Kind.FIND]


def _ready(kind: ExerciseKind) -> set[str]:
    return set(db.session.scalars(sa.select(Exercise.technique).where(Exercise.kind == kind).distinct()))


def draw(player_id: int, technique: str, kind: Kind) -> int:
    """Return the id of an exercise for a drill, if there is one that the player has not had. Raises NotReady.

    For "Is it there?" a coin decides which half it comes from.
    """
    seen = sa.select(Drill.exercise_id).where(Drill.player_id == player_id)
    nearly = kind is Kind.THERE and secrets.randbelow(2) == 1
    found = store.drill(technique, seen, near_miss=nearly)
    if found is None or found.id is None:
        name = technique_name(technique)
        raise NotReady(_("We’re still making drills: %(name)s. Try again in a few minutes.", name=name))
    return found.id
