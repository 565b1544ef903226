"""Lessons: the path through the techniques, and tests of tiers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from webapp.capability import Capability, Link, Records
from webapp.learn.lessons import path, progress, routes, views
from webapp.learn.state import State
from webapp.models import Attempt, LessonProgress
from webapp.process.words import gettext as _


def started(attempt: Attempt, now: datetime, about: Mapping[str, Any]) -> None:
    """Record a requested technique as seen when its puzzle starts."""
    if about.get("technique"):
        progress.mark(attempt.player_id, [about["technique"]], State.SEEN, now)


def next_lesson(player_id: int) -> tuple[str, str] | None:
    """Return the key and the name of the lesson to take next."""
    key = path.next_one(progress.states(player_id))
    return None if key is None else (key, views.lesson_name(key))


CAPABILITY = Capability(
    key="lessons",
    pages=(routes.bp,),
    public=("lessons.index", "lessons.show"),
    links=(
        Link(
            "main",
            "lessons.index",
            lambda: _("Learn"),
            position=3,
            icon="book",
        ),
    ),
    records=(
        Records(
            LessonProgress,
            "lessons",
            ("technique", "seen_at", "practiced_at", "mastered_at"),
            move=False,
        ),
    ),
    merge=progress.merge,
    hooks={"next lesson": next_lesson},
    started=started,
)
